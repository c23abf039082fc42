"""Where 1.6.1 surprises: each oddity is kept by default, and put right by ``rules="fixed"``.

Most tests run under both; a pair of expected values holds that of 1.6.1, then that of the fixed rules.
"""

import numpy as np
import pytest
from scipy import ndimage

from garten.craftax.env import make
from garten.craftax.full.tables import (
    FIREBALL,
    FLOORS,
    GRAVES,
    PLANTS,
    SIZE,
    Achievement,
    Action,
    Block,
    Thing,
)

MIDDLE = SIZE // 2
UP = (MIDDLE - 1, MIDDLE)
LAST = SIZE - 1


def done(*achievements):
    return np.isin(np.arange(67), achievements)


def worlds(count, *, fixed):
    """The maps, things and ladders of so many worlds, all floors made."""
    env = make("Craftax", num_envs=count, rules=[{"fixed": fixed}])
    env.reset(seed=3)
    env.buffer("chosen")[:] = True
    env.engine.run("all_floors")
    return env.engine.state


@pytest.fixture(params=[False, True], ids=["1.6.1", "fixed"])
def fixed(request):
    return request.param


@pytest.fixture
def hand(fixed, make_hand):
    return make_hand(fixed=fixed)


def test_a_chest_on_the_far_edge_counts_as_opened_without_loot(hand, fixed):
    hand.set(floor=1, player_position=(0, 9), achievements=done(Achievement.ENTER_DUNGEON))
    hand.put((LAST, 9), Block.CHEST)
    hand.act(Action.DO)
    assert hand.block((LAST, 9)) == Block.CHEST
    assert hand.state["chest_opened"][1] == (True, False)[fixed]
    hand.set(player_position=(20, 20))
    hand.put((19, 20), Block.CHEST)
    hand.act(Action.DO)
    assert hand.has("bow") == (0, 1)[fixed]


def test_the_necromancer_on_the_far_edge_can_be_hit(hand, fixed):
    hand.set(floor=8, player_position=(0, 9), boss_timer=0, achievements=done(Achievement.ENTER_GRAVEYARD))
    hand.put((LAST, 9), Block.NECROMANCER)
    hand.act(Action.DO)
    assert hand.state["boss_progress"] == (1, 0)[fixed]


def test_a_shot_off_the_map_destroys_a_table_on_the_far_edge(hand, fixed):
    hand.put((LAST, 9), Block.TABLE)
    hand.creature("mob_shot", (0, 9), direction=(-1, 0))
    hand.act(Action.NOOP)
    assert hand.block((LAST, 9)) == (Block.PATH, Block.TABLE)[fixed]


def test_a_table_on_the_far_edge_enchants(hand, fixed):
    hand.set(player_position=(0, 9))
    hand.give(ruby=1, sword=1)
    hand.put((LAST, 9), Block.FIRE_TABLE)
    hand.act(Action.ENCHANT_SWORD)
    assert hand.state["sword_enchantment"] == (1, 0)[fixed]


def test_gods_walk_off_the_map(make_hand, fixed):
    hand = make_hand(settings={"god_mode": True}, fixed=fixed)
    hand.set(player_position=(0, 9))
    hand.act(Action.UP)
    assert hand.state["player_position"].tolist() == ([-1, 9], [0, 9])[fixed]


def test_the_graveyard_has_a_stone_in_its_corner(hand, fixed):
    hand.env.reset(seed=5)
    graveyard = hand.state["blocks"][8]
    assert (graveyard == Block.STONE).sum() == (1, 0)[fixed]
    assert graveyard[0, 0] == Block.STONE or fixed


def test_mana_gathers_ever_faster_with_intelligence(hand, fixed):
    hand.set(intelligence=3, mana=0)
    gathered = []
    for _ in range(6):
        hand.act(Action.NOOP)
        gathered.append(float(hand.state["recover_mana"]))
    assert gathered == ([1.5, 3.75, 7.125, 12.1875, 19.78125, 0.0], [1.5, 3.0, 4.5, 6.0, 7.5, 9.0])[fixed]
    assert hand.state["mana"] == (1, 0)[fixed]


def test_a_passive_creature_that_does_not_exist_gives_wood(hand, fixed):
    hand.creature("passive", UP, health=1.0, type=5)
    assert hand.act(Action.DO) == (1.0, 0.0)[fixed]
    assert hand.state["achievements"][Achievement.COLLECT_WOOD] == (True, False)[fixed]


def test_animals_that_are_shot_feed_nobody(hand, fixed):
    hand.set(food=2)
    hand.creature("passive", UP, health=1.0, type=1)
    hand.creature("player_shot", (MIDDLE, MIDDLE), direction=(-1, 0), type=FIREBALL)
    hand.set(passive_type=np.full((FLOORS, 3), 1))
    reward = hand.act(Action.NOOP)
    state = hand.state
    assert not state["passive_alive"][0, 0]
    assert (int(state["food"]), reward) == ((2, 0.0), (8, 3.0))[fixed]


def test_tables_and_furnaces_stand_on_water_and_a_furnace_needs_no_table(hand, fixed):
    hand.give(wood=2, stone=3)
    hand.put(UP, Block.WATER)
    hand.act(Action.PLACE_TABLE)
    assert hand.block(UP) == (Block.TABLE, Block.WATER)[fixed]
    hand.put(UP, Block.PATH)
    hand.act(Action.PLACE_FURNACE)
    assert hand.block(UP) == (Block.FURNACE, Block.PATH)[fixed]
    hand.put((MIDDLE + 1, MIDDLE + 1), Block.TABLE)
    hand.put(UP, Block.PATH)
    hand.act(Action.PLACE_FURNACE)
    assert hand.block(UP) == Block.FURNACE
    hand.put(UP, Block.LAVA)
    hand.act(Action.PLACE_STONE)
    assert hand.block(UP) == Block.STONE


def test_a_full_array_lends_slot_0_the_next_type(hand, fixed):
    entered = done(Achievement.ENTER_GRAVEYARD)
    hand.set(floor=8, boss_progress=6, boss_timer=-1, achievements=entered)
    for slot in range(3):
        hand.creature("melee", (5 + slot, 5), slot=slot, health=9.0, type=1)
    hand.act(Action.NOOP)
    assert hand.state["melee_type"][8].tolist() == ([6, 1, 1], [1, 1, 1])[fixed]


def test_off_the_map_all_is_dark_in_observations(hand, fixed):
    hand.set(player_position=(0, 0))
    hand.env.engine.run("codes")
    cells = hand.env.observation.cells[0]
    beyond = ([0] * 8, [1, Block.OUT_OF_BOUNDS] + [0] * 6)[fixed]
    assert (cells[:4] == beyond).all()
    assert (cells[:, :5] == beyond).all()
    assert (cells[4:, 5:, 0] == 1).all()


def test_an_empty_slot_hides_a_creature_of_its_type_only(hand, fixed):
    places = hand.state["melee_position"]
    places[0, 0] = places[0, 1] = UP
    alive = np.zeros((FLOORS, 3), bool)
    alive[0, 0] = True
    types = np.zeros((FLOORS, 3), int)
    hand.set(melee_position=places, melee_alive=alive, melee_type=types)
    hand.env.engine.run("codes")
    assert hand.env.observation.cells[0, 3, 5, 3] == (0, 1)[fixed]
    types[0, 1] = 4
    hand.set(melee_type=types)
    hand.env.engine.run("codes")
    assert hand.env.observation.cells[0, 3, 5, 3] == 1 << 0


def test_a_creature_just_out_of_view_hides_one_on_the_far_side(hand, fixed):
    hand.creature("melee", (MIDDLE + 4, MIDDLE), slot=0, type=2)
    hand.creature("melee", (MIDDLE - 5, MIDDLE), slot=1, type=2)
    hand.env.engine.run("codes")
    assert hand.env.observation.cells[0, 8, 5, 3] == (0, 1 << 2)[fixed]


def test_the_necromancer_looks_vulnerable_from_any_floor(hand, fixed):
    hand.set(boss_timer=0)
    hand.env.engine.run("codes")
    assert hand.env.observation.numbers[0, 50] == (1.0, 0.0)[fixed]
    hand.set(floor=8)
    hand.env.engine.run("codes")
    assert hand.env.observation.numbers[0, 50] == 1.0


def test_the_light_of_a_ladder_near_the_edge_shines_on_the_opposite_edge(fixed):
    state = worlds(40, fixed=fixed)
    floor = 7  # dark, and without lava
    rows, columns = np.mgrid[:SIZE, :SIZE]
    agree = []
    for lane in range(40):
        row, column = state.read("up_ladder")[lane, floor]
        reach = np.hypot(rows - row, columns - column)
        near = (abs(rows - row) <= 4) & (abs(columns - column) <= 4)
        expected = np.where(near, np.clip(1 - reach / 5, 0, 1), 0)
        agree.append(np.allclose(state.read("light_map")[lane, floor], expected, atol=1e-6))
    assert all(agree) == (False, True)[fixed]


def test_ladders_can_stand_on_islands_or_on_each_other(fixed):
    state = worlds(24, fixed=fixed)
    barred = [
        Block.WATER,
        Block.LAVA,
        Block.WALL,
        Block.WALL_MOSS,
        Block.FOUNTAIN,
        Block.NECROMANCER,
        *GRAVES,
    ]
    barred += [Block.IRON, Block.DIAMOND, Block.SAPPHIRE, Block.RUBY, Block.FIRE_TABLE, Block.ICE_TABLE]
    down, up = state.read("down_ladder"), state.read("up_ladder")
    usable = []
    for lane in range(24):
        for floor in range(FLOORS - 1):
            regions, _ = ndimage.label(~np.isin(state.read("blocks")[lane, floor], barred))
            start = (MIDDLE, MIDDLE) if floor == 0 else tuple(up[lane, floor])
            end = tuple(down[lane, floor])
            usable.append(start != end and regions[start] == regions[end] != 0)
            assert (state.read("things")[lane, floor] == Thing.LADDER_DOWN).sum() <= 1
            if usable[-1]:
                assert state.read("things")[lane, floor][end] == Thing.LADDER_DOWN
    assert all(usable) == (False, True)[fixed]


def test_trees_grow_by_the_key_of_the_ores():
    kept, repaired = (worlds(2, fixed=fixed).read("blocks")[:, 0] for fixed in (False, True))
    differing = kept != repaired
    assert differing.any()
    assert set(np.unique(kept[differing])) == {Block.GRASS, Block.TREE}


def test_an_eleventh_sapling_is_taken_and_never_ripens(hand, fixed):
    hand.give(sapling=1)
    hand.put(UP, Block.GRASS)
    hand.set(plant_alive=np.ones(PLANTS, bool), plant_position=np.full((PLANTS, 2), 5))
    hand.act(Action.PLACE_PLANT)
    assert (hand.block(UP), hand.has("sapling")) == ((Block.PLANT, 0), (Block.GRASS, 1))[fixed]
    hand.set(plant_alive=np.arange(PLANTS) != 3)
    hand.give(sapling=1)
    hand.put(UP, Block.GRASS)
    hand.act(Action.PLACE_PLANT)
    assert hand.state["plant_position"][3].tolist() == list(UP)


def test_eating_a_plant_in_no_slot_makes_that_of_slot_0_young(hand, fixed):
    hand.set(plant_alive=np.ones(PLANTS, bool), plant_position=np.full((PLANTS, 2), 5))
    hand.set(plant_age=np.full(PLANTS, 100))
    hand.put(UP, Block.RIPE_PLANT)
    hand.act(Action.DO)
    assert hand.state["plant_age"].tolist() == [(1, 101)[fixed]] + [101] * (PLANTS - 1)


def test_a_creature_stays_on_the_tile_where_the_player_arrives(hand, fixed):
    state = hand.state
    state["up_ladder"][1] = (7, 7)
    state["melee_position"][1, 2] = (7, 7)
    state["melee_alive"][1, 2] = True
    state["occupied"][1, 7, 7] = True
    names = ("up_ladder", "melee_position", "melee_alive", "occupied")
    hand.set(**{name: state[name] for name in names}, kills=np.full(FLOORS, 8))
    hand.put((MIDDLE, MIDDLE), Block.PATH, thing=Thing.LADDER_DOWN)
    hand.act(Action.DESCEND)
    assert hand.state["player_position"].tolist() == [7, 7]
    assert hand.state["melee_alive"][1, 2] == (True, False)[fixed]


def test_a_shot_wakes_without_the_achievement(hand, fixed):
    hand.set(sleeping=True, energy=3)
    hand.creature("mob_shot", (MIDDLE, MIDDLE - 1), direction=(0, 1))
    hand.act(Action.NOOP)
    assert not hand.state["sleeping"]
    assert hand.state["achievements"][Achievement.WAKE_UP] == (False, True)[fixed]


def test_shrubs_can_be_walked_through(hand):
    hand.put(UP, Block.ICE_SHRUB)
    hand.act(Action.UP)
    assert hand.state["player_position"].tolist() == list(UP)


def test_needs_rest_on_the_last_floor(hand):
    hand.set(floor=8, hunger=25.0, food=5, achievements=done(Achievement.ENTER_GRAVEYARD))
    hand.act(Action.NOOP)
    assert (hand.state["food"], hand.state["hunger"]) == (5, 0.0)


def test_only_named_rules_exist():
    with pytest.raises(ValueError, match=r"choose 1.6.1 or fixed"):
        make("Craftax", rules="1.5")
