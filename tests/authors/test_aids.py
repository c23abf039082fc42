"""Help comes in steps: there is always a way down to none, and up to a most."""

import random

import pytest

from garten.authors.craftax.aids import (
    CAPACITY,
    ByLadder,
    Creatures,
    Held,
    Near,
    Open,
    Scattered,
    Start,
    Worn,
)
from garten.authors.craftax.help import helpers
from garten.authors.craftax.kit import CraftaxKit
from garten.craftax.full.tables import Achievement

KIT = CraftaxKit()
STEPS = 40


def weaker(aids):
    """The aids with the first that can be weakened a step less."""
    first, *rest = aids
    return (*first.weaker(), *rest)


def test_there_is_help_with_every_achievement_and_none_meets_it():
    assert helpers().keys() == {each.name for each in Achievement}
    for goal in helpers():
        for seed in range(3):
            aids = KIT.settled(KIT.help_with(goal, (), random.Random(seed)).aids)
            assert goal not in KIT.unlocked(aids), goal


@pytest.mark.parametrize("goal", sorted(helpers()))
def test_all_help_ends_and_comes_back(goal):
    for aid in KIT.help_with(goal, (), random.Random(0)).aids:
        left, steps = (aid,), 0
        while left:
            left, steps = weaker(left), steps + 1
            assert steps < STEPS, aid
        most, steps = aid, 0
        while (more := most.stronger()) is not None:
            assert more.key == aid.key
            most, steps = more, steps + 1
            assert steps < STEPS, aid


def test_a_floor_higher_leaves_its_ladder_open():
    assert Start(3).weaker() == (Start(2), Open(2, 8))
    assert Start(1).weaker() == ()


def test_in_place_of_a_tool_comes_what_it_is_made_of():
    held = [Start(2), Held("pickaxe", 2)]
    instead = KIT.weakened(held[1], held, random.Random(0))
    given = {aid.item: aid.count for aid in instead if isinstance(aid, Held)}
    assert given == {"pickaxe": 1, "wood": 5, "stone": 5}
    assert [(aid.block, aid.floor) for aid in instead if isinstance(aid, Near)] == [("TABLE", 2)]
    assert KIT.weakened(Held("wood", 2), held, random.Random(0)) == (Held("wood", 1),)


def test_what_does_not_fit_the_start_is_moved_or_left_out():
    gems = Near(2, "RUBY", 2, 5, 3, ("PATH",))
    cows = Creatures(0, "passive", "cow", 3, 2, 6, ("GRASS",))
    aids = (Held("wood", 2), gems, cows, Open(0, 8), Open(1, 8), Open(2, 8), ByLadder(1, 3))
    assert KIT.settled([*aids, Start(1)]) == (
        *(Start(1), ByLadder(1, 3), Held("wood", 2), Open(1, 8), Open(2, 8)),
        Scattered(2, "RUBY", 3, ("PATH",)),
    )
    assert KIT.settled([*aids, Start(2)]) == (Start(2), Held("wood", 2), Open(2, 8), gems)


def test_a_floor_holds_so_many_creatures():
    crowd = [Creatures(0, "melee", name, 2, 2, 6, ("GRASS",)) for name in ("zombie", "troll", "knight")]
    counts = [aid.count for aid in KIT.settled(crowd) if isinstance(aid, Creatures)]
    assert sum(counts) == CAPACITY["melee"]


def test_tools_and_armour_meet_what_making_them_meets():
    assert KIT.unlocked([Held("pickaxe", 2)]) == {"MAKE_WOOD_PICKAXE", "MAKE_STONE_PICKAXE"}
    assert KIT.unlocked([Held("arrows", 1), Held("bow", 1)]) == {"MAKE_ARROW", "FIND_BOW"}
    assert KIT.unlocked([Worn("armour", (1, 1, 1, 1)), Held("books", 1)]) == set()
    assert KIT.unlocked([Start(2), ByLadder(2, 4)]) == {"ENTER_DUNGEON", "ENTER_GNOMISH_MINES"}


def test_who_finds_a_table_beside_the_start_has_placed_one():
    table = Near(0, "TABLE", 1, 3, 2, ("GRASS",))
    assert KIT.unlocked([table, Near(0, "TREE", 1, 3, 2, ("GRASS",))]) == {"PLACE_TABLE"}
    assert KIT.unlocked([table.somewhere()]) == set()
