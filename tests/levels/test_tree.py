"""The technology tree has an order, and leads where players of the game know that it leads."""

from garten.craftax.full.tables import Achievement
from garten.levels.tree import NEEDS, in_order, leading_to

A = Achievement


def test_each_comes_after_what_it_needs():
    order = in_order()
    assert sorted(order) == sorted(A)
    assert all(order.index(first) < order.index(each) for each in A for first in NEEDS[each])
    assert order[0] == A.COLLECT_WOOD
    assert order[-1] == A.DEFEAT_NECROMANCER


def test_basic_achievements_need_basic_ones_and_come_first():
    basic = [each for each in A if each <= A.PLACE_TORCH]  # those that pay 1, by the published numbering
    assert set(in_order()[: len(basic)]) == set(basic)


def test_known_ways():
    assert leading_to(A.EAT_COW) == leading_to(A.WAKE_UP) == leading_to(A.DEFEAT_ZOMBIE) == set()
    assert leading_to(A.MAKE_STONE_PICKAXE) == {
        *(A.COLLECT_WOOD, A.PLACE_TABLE, A.MAKE_WOOD_PICKAXE, A.COLLECT_STONE),
    }
    assert leading_to(A.MAKE_IRON_SWORD) == leading_to(A.MAKE_STONE_PICKAXE) | {
        *(A.MAKE_STONE_PICKAXE, A.COLLECT_COAL, A.COLLECT_IRON, A.PLACE_FURNACE),
    }
    assert leading_to(A.FIRE_BOW) >= {A.ENTER_DUNGEON, A.OPEN_CHEST, A.FIND_BOW, A.MAKE_ARROW}
    assert leading_to(A.COLLECT_RUBY) >= {A.MAKE_DIAMOND_PICKAXE, A.ENTER_GNOMISH_MINES}
    assert leading_to(A.DEFEAT_TROLL) >= {A.ENTER_TROLL_MINES, A.ENTER_VAULT, A.ENTER_DUNGEON}
    assert A.ENTER_TROLL_MINES not in leading_to(A.DEFEAT_KNIGHT)
    assert leading_to(A.EAT_SNAIL) == {A.ENTER_DUNGEON}
