"""Where 1.6.1 surprises: each oddity that the engine keeps, on purpose."""

import numpy as np

from garten.craftax.full.tables import FLOORS, SIZE, Achievement, Action, Block

MIDDLE = SIZE // 2
UP = (MIDDLE - 1, MIDDLE)


def test_a_chest_on_the_far_edge_counts_as_opened_without_loot(hand):
    hand.set(floor=1, player_position=(0, 9), achievements=np.arange(67) == Achievement.ENTER_DUNGEON)
    hand.put((SIZE - 1, 9), Block.CHEST)
    hand.act(Action.DO)
    assert hand.block((SIZE - 1, 9)) == Block.CHEST
    assert hand.state["chest_opened"][1]
    hand.set(player_position=(20, 20))
    hand.put((19, 20), Block.CHEST)
    hand.act(Action.DO)
    assert hand.has("bow") == 0


def test_the_graveyard_has_a_stone_in_its_corner(hand):
    hand.env.reset(seed=5)
    assert hand.state["blocks"][8, 0, 0] == Block.STONE


def test_mana_gathers_ever_faster_with_intelligence(hand):
    hand.set(intelligence=3, mana=0)
    gathered = []
    for _ in range(6):
        hand.act(Action.NOOP)
        gathered.append(float(hand.state["recover_mana"]))
    assert gathered == [1.5, 3.75, 7.125, 12.1875, 19.78125, 0.0]
    assert hand.state["mana"] == 1


def test_a_passive_creature_that_does_not_exist_gives_wood(hand):
    hand.creature("passive", UP, health=1.0, type=5)
    assert hand.act(Action.DO) == 1.0
    assert hand.state["achievements"][Achievement.COLLECT_WOOD]


def test_shrubs_can_be_walked_through_and_tables_stand_on_water(hand):
    hand.put(UP, Block.ICE_SHRUB)
    hand.act(Action.UP)
    assert hand.state["player_position"].tolist() == list(UP)
    hand.give(wood=2)
    hand.put((MIDDLE - 2, MIDDLE), Block.WATER)
    hand.act(Action.PLACE_TABLE)
    assert hand.block((MIDDLE - 2, MIDDLE)) == Block.TABLE


def test_a_full_array_lends_slot_0_the_next_type(hand):
    hand.set(
        floor=8, boss_progress=6, boss_timer=-1, achievements=np.arange(67) == Achievement.ENTER_GRAVEYARD
    )
    for slot in range(3):
        hand.creature("melee", (5 + slot, 5), slot=slot, health=9.0, type=1)
    hand.act(Action.NOOP)
    assert hand.state["melee_type"][8].tolist() == [6, 1, 1]


def test_off_the_map_all_is_dark_in_observations(hand):
    hand.set(player_position=(0, 0))
    hand.env.engine.run("codes")
    cells = hand.env.observation.cells[0]
    assert (cells[:4] == 0).all()
    assert (cells[:, :5] == 0).all()
    assert (cells[4:, 5:, 0] == 1).all()


def test_an_empty_slot_hides_a_creature_of_its_type_only(hand):
    places = hand.state["melee_position"]
    places[0, 0] = places[0, 1] = UP
    alive = np.zeros((FLOORS, 3), bool)
    alive[0, 0] = True
    types = np.zeros((FLOORS, 3), int)
    hand.set(melee_position=places, melee_alive=alive, melee_type=types)
    hand.env.engine.run("codes")
    assert hand.env.observation.cells[0, 3, 5, 3] == 0
    types[0, 1] = 4
    hand.set(melee_type=types)
    hand.env.engine.run("codes")
    assert hand.env.observation.cells[0, 3, 5, 3] == 1 << 0


def test_needs_rest_on_the_last_floor(hand):
    hand.set(floor=8, hunger=25.0, food=5, achievements=np.arange(67) == Achievement.ENTER_GRAVEYARD)
    hand.act(Action.NOOP)
    assert (hand.state["food"], hand.state["hunger"]) == (5, 0.0)
