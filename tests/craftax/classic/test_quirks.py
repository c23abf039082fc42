"""Where 1.6.1 surprises: each oddity that the engine keeps, by its name in docs/craftax/quirks.md."""

import numpy as np
import pytest

from garten.craftax.classic.tables import PLANTS, SIZE, Achievement, Action, Block

MIDDLE = SIZE // 2
UP = (MIDDLE - 1, MIDDLE)  # the tile that a new player faces


def test_any_do_revives_creatures_that_vanished(hand):
    hand.creature("zombie", (MIDDLE - 5, MIDDLE), alive=False, health=5)
    hand.act(Action.NOOP)
    assert not hand.state["zombie_alive"][0]
    hand.act(Action.DO)
    assert hand.state["zombie_alive"][0]


def test_two_swords_hit_twice_as_hard(hand):
    hand.give(wood_sword=2)
    hand.creature("cow", UP, health=5)
    hand.act(Action.DO)
    assert hand.state["cow_health"][0] == 1


def test_the_eleventh_sapling_never_ripens(hand):
    hand.give(sapling=1)
    hand.set(plant_alive=np.ones(PLANTS, bool), plant_position=np.full((PLANTS, 2), 5))
    assert hand.act(Action.PLACE_PLANT) == 1.0
    assert hand.block(UP) == Block.PLANT
    assert hand.has("sapling") == 0
    assert not (hand.state["plant_position"] == UP).all(1).any()


def test_eating_a_plant_in_no_slot_makes_that_of_slot_0_young(hand):
    hand.set(plant_alive=np.ones(PLANTS, bool), plant_position=np.full((PLANTS, 2), 5))
    hand.set(plant_age=np.full(PLANTS, 100))
    hand.put(UP, Block.RIPE_PLANT)
    hand.act(Action.DO)
    assert hand.state["plant_age"].tolist() == [1] + [101] * (PLANTS - 1)


def test_lava_on_the_far_edge_draws_the_player_off_the_map(hand):
    hand.set(player_position=(0, 9))
    hand.put((SIZE - 1, 9), Block.LAVA)
    assert hand.act(Action.UP) == pytest.approx(-0.9)
    assert hand.state["player_position"].tolist() == [-1, 9]
    assert hand.state["health"] == 0


def test_an_arrow_off_the_map_destroys_a_table_on_the_far_edge(hand):
    hand.put((SIZE - 1, 9), Block.TABLE)
    hand.creature("arrow", (0, 9), direction=(-1, 0))
    hand.act(Action.NOOP)
    assert hand.block((SIZE - 1, 9)) == Block.PATH
    assert not hand.state["arrow_alive"][0]


def test_an_empty_slot_hides_a_creature_of_its_kind(hand):
    hand.set(cow_position=np.array([UP, UP, (0, 0)]), cow_alive=[True, False, False])
    hand.env.engine.run("codes")
    assert hand.env.observation.cells[0, 2, 4, 1] == 0
    hand.set(cow_position=np.array([UP, (0, 0), (0, 0)]))
    hand.env.engine.run("codes")
    assert hand.env.observation.cells[0, 2, 4, 1] == 1 << 1


def test_a_creature_just_out_of_view_hides_one_on_the_far_side(hand):
    above, below = (MIDDLE - 4, MIDDLE), (MIDDLE + 3, MIDDLE)
    hand.set(zombie_position=np.array([below, above, (0, 0)]), zombie_alive=[True, True, False])
    hand.env.engine.run("codes")
    assert hand.env.observation.cells[0, 6, 4, 1] == 0


def test_counts_are_observed_in_half_precision(make_hand):
    hand = make_hand(obs="symbolic")
    hand.give(wood=3)
    hand.env.engine.run("codes", "symbolic")
    symbolic = hand.env.observation[0]
    assert symbolic[-22] == np.float32(0.29980469)
    assert symbolic[-10] == np.float32(0.89990234)


@pytest.mark.parametrize(("always", "block"), [(True, Block.DIAMOND), (False, Block.STONE)])
def test_a_world_without_stone_gets_it_in_a_corner(make_hand, always, block):
    hand = make_hand(rules=[{"mountain_level": 9.0}], settings={"always_diamond": always})
    hand.env.reset(seed=1)
    blocks = hand.state["blocks"]
    assert np.argwhere(np.isin(blocks, [Block.STONE, Block.DIAMOND])).tolist() == [[0, 0]]
    assert blocks[0, 0] == block


def test_a_furnace_needs_no_table_and_both_stand_on_lava(hand):
    hand.give(stone=1, wood=2)
    hand.put(UP, Block.LAVA)
    hand.act(Action.PLACE_FURNACE)
    assert hand.block(UP) == Block.FURNACE
    hand.put(UP, Block.LAVA)
    hand.act(Action.PLACE_TABLE)
    assert hand.block(UP) == Block.TABLE


def test_a_tool_can_be_made_again(hand):
    hand.give(wood=2)
    hand.put((MIDDLE + 1, MIDDLE + 1), Block.TABLE)
    assert hand.act(Action.MAKE_WOOD_PICKAXE) == 1.0
    assert hand.act(Action.MAKE_WOOD_PICKAXE) == 0.0
    assert hand.has("wood_pickaxe") == 2


def test_only_the_pickaxe_one_below_mines(hand):
    hand.give(iron_pickaxe=1)
    hand.put(UP, Block.STONE)
    hand.act(Action.DO)
    assert hand.block(UP) == Block.STONE


def test_a_sleeper_wakes_with_the_achievement_by_a_bite_but_not_by_an_arrow(hand):
    hand.set(sleeping=True, energy=3)
    hand.creature("arrow", (MIDDLE, MIDDLE - 2), direction=(0, 1))
    hand.act(Action.NOOP)
    hand.act(Action.NOOP)
    assert not hand.state["sleeping"]
    assert hand.state["health"] == 7
    assert not hand.state["achievements"][Achievement.WAKE_UP]
    hand.set(sleeping=True, health=9)
    hand.creature("zombie", UP, cooldown=0)
    hand.act(Action.NOOP)
    assert hand.state["health"] == 2
    assert hand.state["achievements"][Achievement.WAKE_UP]
