"""Where 1.6.1 surprises: each oddity is kept by default, and put right by ``rules="fixed"``.

Tests run under both; a pair of expected values holds that of 1.6.1, then that of the fixed rules.
"""

import numpy as np
import pytest

from garten.craftax.classic.tables import PLANTS, SIZE, Achievement, Action, Block

MIDDLE = SIZE // 2
UP = (MIDDLE - 1, MIDDLE)  # the tile that a new player faces


@pytest.fixture(params=[False, True], ids=["1.6.1", "fixed"])
def fixed(request):
    return request.param


@pytest.fixture
def hand(fixed, make_hand):
    return make_hand(rules=[{"fixed": fixed}])


def test_any_do_revives_creatures_that_vanished(hand, fixed):
    hand.creature("zombie", (MIDDLE - 5, MIDDLE), alive=False, health=5)
    hand.act(Action.NOOP)
    assert not hand.state["zombie_alive"][0]
    hand.act(Action.DO)
    assert hand.state["zombie_alive"][0] == (True, False)[fixed]


def test_two_swords_hit_twice_as_hard(hand, fixed):
    hand.give(wood_sword=2)
    hand.creature("cow", UP, health=5)
    hand.act(Action.DO)
    assert hand.state["cow_health"][0] == (1, 3)[fixed]


def test_the_eleventh_sapling_never_ripens(hand, fixed):
    hand.give(sapling=1)
    hand.set(plant_alive=np.ones(PLANTS, bool), plant_position=np.full((PLANTS, 2), 5))
    assert hand.act(Action.PLACE_PLANT) == (1.0, 0.0)[fixed]
    assert hand.block(UP) == (Block.PLANT, Block.GRASS)[fixed]
    assert hand.has("sapling") == (0, 1)[fixed]
    assert not (hand.state["plant_position"] == UP).all(1).any()


def test_eating_a_plant_in_no_slot_makes_that_of_slot_0_young(hand, fixed):
    hand.set(plant_alive=np.ones(PLANTS, bool), plant_position=np.full((PLANTS, 2), 5))
    hand.set(plant_age=np.full(PLANTS, 100))
    hand.put(UP, Block.RIPE_PLANT)
    hand.act(Action.DO)
    assert hand.state["plant_age"].tolist() == [(1, 101)[fixed]] + [101] * (PLANTS - 1)


def test_lava_on_the_far_edge_draws_the_player_off_the_map(hand, fixed):
    hand.set(player_position=(0, 9))
    hand.put((SIZE - 1, 9), Block.LAVA)
    assert hand.act(Action.UP) == pytest.approx((-0.9, 0.0)[fixed])
    assert hand.state["player_position"].tolist() == ([-1, 9], [0, 9])[fixed]
    assert hand.state["health"] == (0, 9)[fixed]


def test_an_arrow_off_the_map_destroys_a_table_on_the_far_edge(hand, fixed):
    hand.put((SIZE - 1, 9), Block.TABLE)
    hand.creature("arrow", (0, 9), direction=(-1, 0))
    hand.act(Action.NOOP)
    assert hand.block((SIZE - 1, 9)) == (Block.PATH, Block.TABLE)[fixed]
    assert not hand.state["arrow_alive"][0]


def test_an_empty_slot_hides_a_creature_of_its_kind(hand, fixed):
    hand.set(cow_position=np.array([UP, UP, (0, 0)]), cow_alive=[True, False, False])
    hand.env.engine.run("codes")
    assert hand.env.observation.cells[0, 2, 4, 1] == (0, 1 << 1)[fixed]
    hand.set(cow_position=np.array([UP, (0, 0), (0, 0)]))
    hand.env.engine.run("codes")
    assert hand.env.observation.cells[0, 2, 4, 1] == 1 << 1


def test_a_creature_just_out_of_view_hides_one_on_the_far_side(hand, fixed):
    above, below = (MIDDLE - 4, MIDDLE), (MIDDLE + 3, MIDDLE)
    hand.set(zombie_position=np.array([below, above, (0, 0)]), zombie_alive=[True, True, False])
    hand.env.engine.run("codes")
    assert hand.env.observation.cells[0, 6, 4, 1] == (0, 1 << 0)[fixed]


def test_counts_are_observed_in_half_precision(make_hand, fixed):
    hand = make_hand(obs="symbolic", rules=[{"fixed": fixed}])
    hand.give(wood=3)
    hand.env.engine.run("codes", "symbolic")
    symbolic = hand.env.observation[0]
    assert symbolic[-22] == np.float32((0.29980469, 0.3)[fixed])
    assert symbolic[-10] == np.float32((0.89990234, 0.9)[fixed])
    assert hand.env.engine.highs()[1][0] == symbolic[-10]


@pytest.mark.parametrize(("always", "block"), [(True, Block.DIAMOND), (False, Block.STONE)])
def test_a_world_without_stone_gets_it_in_a_corner(make_hand, fixed, always, block):
    hand = make_hand(rules=[{"mountain_level": 9.0, "fixed": fixed}], settings={"always_diamond": always})
    hand.env.reset(seed=1)
    blocks = hand.state["blocks"]
    assert np.argwhere(np.isin(blocks, [Block.STONE, Block.DIAMOND])).tolist() == ([[0, 0]], [])[fixed]
    assert blocks[0, 0] == block or fixed


def test_a_furnace_needs_no_table_and_both_stand_on_lava(hand, fixed):
    hand.give(stone=1, wood=2)
    hand.put(UP, Block.LAVA)
    hand.act(Action.PLACE_FURNACE)
    assert hand.block(UP) == (Block.FURNACE, Block.LAVA)[fixed]
    hand.put(UP, Block.LAVA)
    hand.act(Action.PLACE_TABLE)
    assert hand.block(UP) == (Block.TABLE, Block.LAVA)[fixed]
    hand.give(stone=2)
    hand.put(UP, Block.GRASS)
    hand.act(Action.PLACE_FURNACE)
    assert hand.block(UP) == (Block.FURNACE, Block.GRASS)[fixed]
    hand.put((MIDDLE + 1, MIDDLE + 1), Block.TABLE)
    hand.put(UP, Block.GRASS)
    hand.act(Action.PLACE_FURNACE)
    assert hand.block(UP) == Block.FURNACE


def test_a_tool_can_be_made_again(hand, fixed):
    hand.give(wood=2)
    hand.put((MIDDLE + 1, MIDDLE + 1), Block.TABLE)
    assert hand.act(Action.MAKE_WOOD_PICKAXE) == 1.0
    assert hand.act(Action.MAKE_WOOD_PICKAXE) == 0.0
    assert (hand.has("wood_pickaxe"), hand.has("wood")) == ((2, 0), (1, 1))[fixed]


def test_only_the_pickaxe_one_below_mines(hand, fixed):
    hand.give(iron_pickaxe=1)
    hand.put(UP, Block.STONE)
    hand.act(Action.DO)
    assert hand.block(UP) == (Block.STONE, Block.PATH)[fixed]
    hand.give(iron_pickaxe=0, wood_pickaxe=1)
    hand.put(UP, Block.IRON)
    hand.act(Action.DO)
    assert hand.block(UP) == Block.IRON


def test_a_sleeper_wakes_with_the_achievement_by_a_bite_but_not_by_an_arrow(hand, fixed):
    hand.set(sleeping=True, energy=3)
    hand.creature("arrow", (MIDDLE, MIDDLE - 2), direction=(0, 1))
    hand.act(Action.NOOP)
    hand.act(Action.NOOP)
    assert not hand.state["sleeping"]
    assert hand.state["health"] == 7
    assert hand.state["achievements"][Achievement.WAKE_UP] == (False, True)[fixed]
    hand.set(sleeping=True, health=9)
    hand.creature("zombie", UP, cooldown=0)
    hand.act(Action.NOOP)
    assert hand.state["health"] == 2
    assert hand.state["achievements"][Achievement.WAKE_UP]


def test_trees_grow_by_the_key_of_the_sure_diamond(make_hand):
    kept, repaired = (make_hand(rules=[{"fixed": fixed}]) for fixed in (False, True))
    for hand in (kept, repaired):
        hand.env.reset(seed=1)
    before, after = kept.state["blocks"], repaired.state["blocks"]
    differing = before != after
    assert differing.any()
    assert set(np.unique(before[differing])) == {Block.GRASS, Block.TREE}
