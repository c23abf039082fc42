"""Programs: what each operation does, draws, room, hostile rows."""

from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from garten import craftax, devices
from garten.craftax.env import Env
from garten.craftax.full import ops
from garten.craftax.full.ops import FIRST_FREE, PLAYER_COLUMN, PLAYER_ROW, Op, at, blocks_low_high, row
from garten.craftax.full.state import STATE
from garten.craftax.full.tables import SIZE, Achievement, Action, Block, Item, Thing

LANES = 8
MIDDLE = SIZE // 2
PLAYER = {"row": at(PLAYER_ROW), "column": at(PLAYER_COLUMN)}
ROOM = row(Op.FILL, floor=0, block=Block.PATH, top=20, left=20, bottom=28, right=28)
ON_PATH = blocks_low_high([Block.PATH])


@pytest.fixture(scope="module")
def lanes() -> Env:
    return craftax.make("Craftax", num_envs=LANES)


def run(env: Env, *rows: np.ndarray, seed: int = 0) -> dict[str, np.ndarray]:
    """Run rows on new worlds; returns all lanes' states, [lanes, ...]."""
    env.set(program=-1, god_mode=False)
    env.engine.give_programs([[rows]])
    env.set(program=0)
    env.reset(seed=seed)
    return states(env)


def states(env: Env) -> dict[str, np.ndarray]:
    each = [env.state(lane) for lane in range(env.num_envs)]
    return {name: np.stack([state[name] for state in each]) for name in each[0]}


def plain(env: Env, seed: int = 0) -> dict[str, np.ndarray]:
    env.set(program=-1)
    env.reset(seed=seed)
    return states(env)


def changed(env: Env, *rows: np.ndarray) -> dict[str, np.ndarray]:
    """The fields that rows change."""
    before, after = plain(env), run(env, *rows)
    return {name: after[name] for name in after if not np.array_equal(before[name], after[name])}


def misplaced(env: Env) -> list[int]:
    return env.buffer("misplaced").tolist()


def test_an_empty_program_leaves_the_world_as_it_is(lanes):
    assert changed(lanes) == {}


def test_place_and_fill_change_blocks_and_nothing_else(lanes):
    before = plain(lanes)["blocks"]
    after = changed(
        lanes,
        row(Op.FILL, floor=3, block=Block.SAND, top=4, left=5, bottom=6, right=5),
        row(Op.PLACE, floor=0, block=Block.IRON, row=at(PLAYER_ROW, -2), column=at(PLAYER_COLUMN, 3)),
    )
    before[:, 3, 4:7, 5] = Block.SAND
    before[:, 0, MIDDLE - 2, MIDDLE + 3] = Block.IRON
    assert after.keys() == {"blocks"}
    assert np.array_equal(after["blocks"], before)


def test_a_rectangle_is_cut_off_at_the_edge_whatever_its_corners(lanes):
    after = run(
        lanes,
        row(Op.FILL, floor=0, block=Block.RUBY, top=47, left=at(PLAYER_COLUMN, 30), bottom=46, right=45),
        row(
            Op.FILL,
            floor=0,
            block=Block.RUBY,
            top=at(PLAYER_ROW, 40),
            left=0,
            bottom=at(PLAYER_ROW, 50),
            right=9,
        ),
    )
    rubies = np.argwhere(after["blocks"][0, 0] == Block.RUBY)
    assert rubies.tolist() == [[r, c] for r in (46, 47) for c in (45, 46, 47)]
    assert misplaced(lanes) == [1] * LANES


def test_a_placed_sapling_grows(lanes):
    beside = {"row": MIDDLE, "column": MIDDLE + 1}
    state = run(lanes, row(Op.PLACE, floor=0, block=Block.PLANT, **beside))
    assert state["plant_alive"].sum() == LANES
    assert state["plant_position"][:, 0].tolist() == [[MIDDLE, MIDDLE + 1]] * LANES
    state = run(
        lanes,
        row(Op.PLACE, floor=0, block=Block.PLANT, **beside),
        row(Op.PLACE, floor=0, block=Block.STONE, **beside),
    )
    assert not state["plant_alive"].any()
    run(lanes, row(Op.FILL, floor=0, block=Block.PLANT, top=0, left=0, bottom=0, right=11))
    assert misplaced(lanes) == [2] * LANES


def test_the_player_is_equipped_within_limits(lanes):
    state = run(
        lanes,
        row(Op.HOLD, slot=Item.DIAMOND, count=7),
        row(Op.HOLD, slot=Item.DIAMOND, count=0),
        row(Op.HOLD, slot=Item.WOOD, count=500),
        row(Op.HOLD, slot=Item.PICKAXE, count=9),
        row(Op.HOLD, slot=ops.POTION_SLOT + 2, count=3),
        row(Op.HOLD, slot=ops.ARMOUR_SLOT + 3, count=5),
        row(Op.HOLD, slot=Item.COAL, count=-4),
        row(Op.ATTRIBUTES, dexterity=0, strength=3, intelligence=99),
        row(Op.ENCHANT, piece=ops.SWORD, element=1),
        row(Op.ENCHANT, piece=ops.BOW, element=2),
        row(Op.ENCHANT, piece=ops.LEGS, element=7),
        row(Op.LEARN, spell=1, known=1),
        row(Op.KILLS, floor=2, count=5),
    )
    held = {Item.WOOD: 99, Item.PICKAXE: 4}
    assert state["inventory"][0].tolist() == [held.get(item, 0) for item in Item]
    assert state["potions"][0].tolist() == [0, 0, 3, 0, 0, 0]
    assert state["armour"][0].tolist() == [0, 0, 0, 2]
    attributes = ("dexterity", "strength", "intelligence")
    assert [int(state[name][0]) for name in attributes] == [1, 3, 5]
    assert [int(state[name][0]) for name in ("sword_enchantment", "bow_enchantment")] == [1, 2]
    assert state["armour_enchantments"][0].tolist() == [0, 0, 2, 0]
    assert state["spells"][0].tolist() == [False, True]
    assert state["kills"][0].tolist() == [10, 0, 5, *[0] * 6]


def test_what_is_held_at_the_start_is_no_achievement(lanes):
    state = run(lanes, row(Op.HOLD, slot=Item.PICKAXE, count=2), row(Op.HOLD, slot=Item.COAL, count=1))
    unlocked = {Achievement(i).name for i in np.flatnonzero(state["achievements"][0])}
    assert unlocked == {"MAKE_WOOD_PICKAXE", "MAKE_STONE_PICKAXE", "COLLECT_COAL"}
    assert (lanes.step(np.zeros(LANES, int)).reward == 0.0).all()


def test_starting_on_a_floor_puts_the_player_on_its_ladder(lanes):
    state = run(
        lanes,
        row(Op.START, floor=3),
        row(Op.PLACE, floor=3, block=Block.IRON, row=at(PLAYER_ROW), column=at(PLAYER_COLUMN)),
    )
    places = state["player_position"]
    assert np.array_equal(places, state["up_ladder"][:, 3])
    assert (state["floor"] == 3).all()
    assert (state["blocks"][np.arange(LANES), 3, places[:, 0], places[:, 1]] == Block.IRON).all()
    unlocked = {Achievement(i).name for i in np.flatnonzero(state["achievements"][0])}
    assert unlocked == {"ENTER_DUNGEON", "ENTER_GNOMISH_MINES", "ENTER_SEWERS"}
    assert (run(lanes, row(Op.START, floor=4), row(Op.START, floor=0))["player_position"] == MIDDLE).all()


def test_starting_near_a_ladder_is_on_free_ground_in_its_ring(lanes):
    near = row(Op.START_NEAR, floor=2, least=2, most=5)
    there = row(Op.PLACE, floor=2, block=Block.IRON, row=at(PLAYER_ROW), column=at(PLAYER_COLUMN))
    begun, marked = run(lanes, near), run(lanes, near, there)
    places, ladders = begun["player_position"], begun["down_ladder"][:, 2]
    away = np.abs(places - ladders).sum(1)
    assert (begun["floor"] == 2).all()
    assert ((away >= 2) & (away <= 5)).all()
    assert len(set(map(tuple, places - ladders))) > 1
    tiles = np.arange(LANES), 2, places[:, 0], places[:, 1]
    assert np.isin(begun["blocks"][tiles], ops.WALKABLE).all()
    assert (begun["things"][tiles] == Thing.NONE).all()
    assert (marked["blocks"][tiles] == Block.IRON).all()  # where it starts is the player's place from then on
    assert {Achievement(i).name for i in np.flatnonzero(begun["achievements"][0])} == {
        *("ENTER_DUNGEON", "ENTER_GNOMISH_MINES")
    }


def test_without_room_the_player_starts_on_the_ladder_and_can_go_down(lanes):
    shut = row(Op.FILL, floor=0, block=Block.STONE, top=0, left=0, bottom=SIZE - 1, right=SIZE - 1)
    for rows in ([row(Op.START_NEAR, floor=0)], [shut, row(Op.START_NEAR, floor=0, most=9)]):
        state = run(lanes, *rows)
        assert np.array_equal(state["player_position"], state["down_ladder"][:, 0])
    lanes.step(np.full(LANES, Action.DESCEND))
    assert all(lanes.state(lane)["floor"] == 1 for lane in range(LANES))


def test_all_tiles_around_a_ladder_are_equally_likely(lanes):
    clear = row(Op.FILL, floor=1, block=Block.PATH, top=0, left=0, bottom=SIZE - 1, right=SIZE - 1)
    lanes.set(program=-1)
    lanes.engine.give_programs([[[clear, row(Op.START_NEAR, floor=1, least=1, most=1)]]])
    lanes.set(program=0)
    seen: Counter[tuple[int, int]] = Counter()
    for seed in range(60):
        lanes.reset(seed=seed)
        for state in (lanes.state(lane) for lane in range(LANES)):
            ladder = state["down_ladder"][1]
            if ladder.min() > 0 and ladder.max() < SIZE - 1:
                seen[tuple(state["player_position"] - ladder)] += 1
    assert set(seen) == {(0, 1), (0, -1), (1, 0), (-1, 0)}
    assert min(seen.values()) > 0.6 * seen.total() / 4


def test_a_creature_has_the_health_of_its_type_or_the_one_given(lanes):
    state = run(
        lanes,
        row(Op.ADD, floor=0, kind=ops.MELEE, type=5, row=3, column=4),
        row(Op.ADD, floor=0, kind=ops.RANGED, type=7, row=5, column=4, health=2),
        row(Op.ADD, floor=2, kind=ops.PASSIVE, type=1, row=6, column=4, health=-1),
    )
    assert [state[f"melee_{part}"][0, 0, 0] for part in ("health", "type")] == [20.0, 5]
    assert [state[f"ranged_{part}"][0, 0, 0] for part in ("health", "type")] == [2.0, 7]
    assert [state[f"passive_{part}"][0, 2, 0] for part in ("health", "type")] == [4.0, 1]
    assert np.argwhere(state["occupied"][0]).tolist() == [[0, 3, 4], [0, 5, 4], [2, 6, 4]]
    assert state["melee_alive"].sum() == state["ranged_alive"].sum() == state["passive_alive"].sum() == LANES


def test_creatures_without_room_are_left_out_and_counted(lanes):
    state = run(
        lanes,
        *[row(Op.ADD, floor=0, kind=ops.RANGED, type=0, row=1, column=c) for c in range(4)],
        row(Op.ADD, floor=0, kind=ops.MELEE, type=0, row=1, column=0),  # taken
        row(Op.ADD, floor=0, kind=ops.MELEE, type=0, **PLAYER),
        row(Op.ADD, floor=0, kind=ops.MELEE, type=0, row=at(PLAYER_ROW, 40), column=0),
    )
    assert misplaced(lanes) == [5] * LANES
    assert state["ranged_position"][0, 0].tolist() == [[1, 0], [1, 1]]
    assert not state["melee_alive"].any()


def test_creatures_near_the_player_stand_in_a_ring_on_different_tiles(lanes):
    near = row(Op.ADD_NEAR, floor=0, kind=ops.MELEE, type=1, count=5, **PLAYER, least=0, most=3, **ON_PATH)
    state = run(lanes, ROOM, near)
    assert misplaced(lanes) == [2] * LANES
    assert state["melee_alive"][:, 0].all()
    away = np.abs(state["melee_position"][:, 0] - MIDDLE).sum(-1)
    assert ((away >= 1) & (away <= 3)).all()
    assert state["occupied"].sum() == 3 * LANES
    assert (state["melee_health"][:, 0] == 7.0).all()


def test_scattering_takes_free_tiles_of_the_blocks_given(lanes):
    rows = (
        ROOM,
        row(Op.ADD, floor=0, kind=ops.PASSIVE, type=0, row=20, column=20),
        row(Op.SCATTER_NEAR, floor=0, block=Block.COAL, count=4, **PLAYER, least=2, most=4, **ON_PATH),
        row(Op.SCATTER, floor=0, block=Block.IRON, count=0, **ON_PATH),
    )
    state = run(lanes, *rows)
    coal = np.argwhere(state["blocks"][:, 0, 20:29, 20:29] == Block.COAL)
    assert np.bincount(coal[:, 0]).tolist() == [4] * LANES
    away = np.abs(coal[:, 1:] + 20 - MIDDLE).sum(-1)
    assert away.min() >= 2
    assert away.max() <= 4
    rocks = row(Op.FILL, floor=0, block=Block.STONE, top=0, left=0, bottom=47, right=47)
    state = run(lanes, rocks, ROOM, rows[1], row(Op.SCATTER, floor=0, block=Block.RUBY, count=100, **ON_PATH))
    bare = (state["things"][:, 0, 20:29, 20:29] == Thing.NONE).sum((1, 2)) - 2  # the player's and the cow's
    assert np.array_equal((state["blocks"][:, 0] == Block.RUBY).sum((1, 2)), bare)
    assert misplaced(lanes) == (100 - bare).tolist()


def test_nothing_is_scattered_on_ladders(lanes):
    everything = blocks_low_high(set(ops.PLACEABLE) - {Block.SAND})
    state = run(lanes, row(Op.SCATTER, floor=1, block=Block.SAND, count=2304, **everything))
    assert (state["blocks"][:, 1][state["things"][:, 1] != Thing.NONE] != Block.SAND).all()
    assert (state["blocks"][:, 1][state["things"][:, 1] == Thing.NONE] == Block.SAND).all()


def test_an_adjoining_block_lies_beside_its_target(lanes):
    adjoin = row(Op.ADJOIN, floor=0, block=Block.FURNACE, target=Block.TABLE, **ON_PATH)
    table = row(Op.PLACE, floor=0, block=Block.TABLE, row=22, column=22)
    state = run(lanes, ROOM, adjoin, table, adjoin)
    assert misplaced(lanes) == [1] * LANES  # the first found no table
    away = np.abs(np.argwhere(state["blocks"][:, 0] == Block.FURNACE)[:, 1:] - 22).sum(-1)
    assert away.tolist() == [1] * LANES


def test_registers_draw_pick_and_calculate():
    env = craftax.make("Craftax", num_envs=256)
    state = run(
        env,
        row(Op.RANDOM, to=3, least=-2, most=2),
        row(Op.PICK, to=4, count=3, option_0=5, option_1=7, option_2=at(3, 20), option_3=1),
        row(Op.ADD_UP, to=5, one=at(3), other=at(4, 1)),
        row(Op.SUBTRACT, to=6, one=at(4), other=at(3)),
        *[row(Op.HOLD, slot=slot, count=at(register, 10)) for slot, register in enumerate(range(3, 7))],
    )
    a, b, total, difference = state["inventory"][:, :4].T - 10
    assert set(a.tolist()) == {-2, -1, 0, 1, 2}
    assert set(b[a == 1].tolist()) == {5, 7, 21}
    assert np.array_equal(total, a + b + 1)
    assert np.array_equal(difference, b - a)


def test_questions_about_the_map_are_answered_by_the_map(lanes):
    blocks = plain(lanes)["blocks"][:, 0]
    state = run(
        lanes,
        row(Op.COUNT, floor=0, block=Block.TREE, **PLAYER, most=9, to=4),
        row(Op.HOLD, slot=Item.WOOD, count=at(4)),
        row(Op.NEAREST, floor=0, block=Block.TREE, **PLAYER, to=5),
        row(Op.PLACE, floor=0, block=Block.RUBY, row=at(5), column=at(6)),
        row(Op.NEAREST, floor=0, block=Block.NECROMANCER, **PLAYER, to=5),
        row(Op.PLACE, floor=0, block=Block.SAND, row=at(5), column=at(6)),
    )
    rows, columns = np.indices((SIZE, SIZE))
    away = np.abs(rows - MIDDLE) + np.abs(columns - MIDDLE)
    for lane in range(LANES):
        trees = blocks[lane] == Block.TREE
        assert state["inventory"][lane, Item.WOOD] == (trees & (away <= 9)).sum()
        nearest = np.where(trees, away, 999).argmin()
        assert state["blocks"][lane, 0].reshape(-1)[nearest] == Block.RUBY
        assert state["blocks"][lane, 0, MIDDLE, MIDDLE] == Block.SAND


def test_rows_are_skipped_unless_a_number_lies_between(lanes):
    def unless(number: int) -> list[np.ndarray]:
        return [
            row(Op.SKIP_UNLESS, least=3, number=number, most=5, rows=1),
            row(Op.HOLD, slot=number, count=1),
        ]

    state = run(lanes, *[one for number in range(2, 7) for one in unless(number)])
    assert np.flatnonzero(state["inventory"][0]).tolist() == [3, 4, 5]
    run(lanes, row(Op.SKIP_UNLESS, least=1, number=0, most=1, rows=4000), row(Op.HOLD, slot=0, count=1))
    assert not states(lanes)["inventory"].any()


def test_all_sets_of_tiles_are_equally_likely():
    env = craftax.make("Craftax", num_envs=500)
    rows = [
        row(Op.FILL, floor=0, block=Block.STONE, top=0, left=0, bottom=47, right=47),
        row(Op.FILL, floor=0, block=Block.SAND, top=2, left=2, bottom=2, right=6),
        row(Op.SCATTER, floor=0, block=Block.IRON, count=2, **blocks_low_high([Block.SAND])),
    ]
    env.engine.give_programs([[rows]])
    env.set(program=0)
    found: Counter[tuple[int, ...]] = Counter()
    for seed in range(4):
        env.reset(seed=seed)
        line = env.engine.state.read("blocks")[:, 0, 2, 2:7] == Block.IRON
        found.update(tuple(np.flatnonzero(one).tolist()) for one in line)
    assert found.keys() == set(combinations(range(5), 2))
    expected = 2000 / 10
    statistic = sum((count - expected) ** 2 / expected for count in found.values())
    assert statistic < 27.9  # chi-square of 9 degrees of freedom, p = 0.001


def test_draws_differ_between_worlds_and_agree_for_equal_keys(lanes):
    scatter = row(Op.SCATTER, floor=0, block=Block.RUBY, count=3, **ON_PATH)
    keys = np.zeros((LANES, 2), np.uint32)
    keys[:, 1] = np.arange(LANES) % 4
    run(lanes, ROOM, scatter)
    lanes.reset(keys=keys)
    first = states(lanes)["blocks"]
    layouts = {blocks.tobytes() for blocks in first[:, 0, 20:29, 20:29].copy()}
    assert len(layouts) == 4
    assert np.array_equal(first[:4], first[4:])
    lanes.reset(keys=keys)
    assert np.array_equal(states(lanes)["blocks"], first)


def test_variants_are_drawn_evenly_and_work_on_their_own_floors():
    env = craftax.make("Craftax", num_envs=600)
    env.engine.give_programs([[[row(Op.START, floor=f)] for f in (1, 2, 5)]])
    env.set(program=0)
    env.reset(seed=1)
    counts = np.bincount(env.engine.state.read("floor"), minlength=6)
    assert counts[[1, 2, 5]].sum() == 600
    assert (np.abs(counts[[1, 2, 5]] - 200) < 50).all()
    made = env.engine.state.read("floor_made").sum(1)
    assert (made == 2).all()


def test_lanes_run_their_own_programs_in_every_episode():
    env = craftax.make("Craftax", num_envs=6, settings={"max_timesteps": 3})
    env.engine.give_programs([[[row(Op.HOLD, slot=Item.WOOD, count=n)]] for n in (11, 22)])
    env.set(program=np.array([0, 1, -1, 0, 1, -1]))
    env.reset(seed=0)
    for _ in range(7):
        wood = env.engine.state.read("inventory")[:, Item.WOOD].tolist()
        assert wood == [11, 22, 0, 11, 22, 0]
        env.step(np.zeros(6, int))


@pytest.mark.parametrize("threads", [2, 5])
def test_threads_change_nothing(threads):
    results = []
    for count in (1, threads):
        env = craftax.make("Craftax", num_envs=11, threads=count, settings={"max_timesteps": 20})
        near = row(Op.SCATTER_NEAR, floor=0, block=Block.IRON, count=9, **PLAYER, least=1, most=9, **ON_PATH)
        programs = [[[ROOM, near]], [[near], [row(Op.START, floor=2)]]]
        env.engine.give_programs(programs)
        env.set(program=np.arange(11) % 3 - 1)
        env.reset(seed=5)
        random = np.random.default_rng(0)
        for _ in range(50):
            env.step(random.integers(0, env.num_actions, 11))
        results.append(env.save())
    assert all(np.array_equal(results[0][name], results[1][name]) for name in results[0])


def test_new_programs_compile_nothing(lanes):
    def compiled() -> set[Path]:
        return set((devices.cache_folder() / "kernels").rglob("*"))

    run(lanes, ROOM)
    lanes.step(np.zeros(LANES, int))
    before = compiled()
    run(lanes, row(Op.START, floor=7), row(Op.HOLD, slot=3, count=1))
    lanes.step(np.zeros(LANES, int))
    assert compiled() == before != set()


def arguments(op: Op) -> st.SearchStrategy[np.ndarray]:
    """Rows of an operation that pass the check, with any registers and constants."""

    def one(argument: ops.Argument) -> st.SearchStrategy[int | ops.At]:
        number = st.integers(argument.low, argument.high)
        if argument.fixed:
            return number
        free = st.integers(0, ops.REGISTERS - 1)
        offset = st.integers(-60, 60) | st.integers(-ops.LIMIT, ops.LIMIT)
        return number | st.builds(at, free.filter(bool), offset)

    values = st.fixed_dictionaries({argument.name: one(argument) for argument in ops.ARGUMENTS[op]})
    rows = values.map(lambda given: row(op, **given))
    return rows.filter(lambda one: op not in (Op.ADD, Op.ADD_NEAR) or one[4] != ops.PASSIVE or one[6] < 3)


HOSTILE = st.lists(st.sampled_from(list(Op)).flatmap(arguments), max_size=40)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rows=HOSTILE)
def test_hostile_rows_leave_states_within_bounds(hostile_lane, rows):
    env = hostile_lane
    env.set(program=-1)
    env.engine.give_programs([[rows]])
    env.set(program=0)
    env.reset(seed=3)
    state = env.state(0)
    for field in STATE:
        field.check(state[field.name])
    assert state["occupied"].sum() == sum(
        state[f"{kind}_alive"].sum() for kind in ("melee", "passive", "ranged")
    )
    for action in (Action.LEFT, Action.DO, Action.DESCEND, Action.NOOP):
        env.step(np.array([action]))


@pytest.fixture(scope="module")
def hostile_lane() -> Env:
    return craftax.make("Craftax", num_envs=1)


def raw(**cells: int) -> np.ndarray:
    """A row to place coal, some of its numbers changed."""
    out = row(Op.PLACE, floor=0, block=Block.COAL, row=3, column=4)
    for cell, value in cells.items():
        out[int(cell.removeprefix("n"))] = value
    return out


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([raw(n0=99)], r"Row 0 of program 0, variant 0 is operation 99; there are 0 to 20\."),
        ([raw(n0=-1)], "is operation -1"),
        ([ROOM, raw(n6=48)], r"Row 1 .*\(PLACE\): row is 48; keep it within 0 to 47\."),
        ([raw(n4=1)], "block is 1; keep it within 2 to 35"),
        ([raw(n4=36)], "block is 36"),
        ([raw(n2=9)], "floor is 9"),
        ([raw(n1=3)], "floor uses a register; give a plain number"),
        ([raw(n5=32)], "row uses a register past 31"),
        ([raw(n5=-1)], "row uses a register past 31"),
        ([raw(n5=1, n6=2_000_000)], "row is 2000000"),
        ([raw(n9=1)], "numbers past its arguments are not 0"),
        ([row(Op.ADD, kind=ops.PASSIVE, type=3)], "there is no passive type 3; the last is 2"),
        ([row(Op.RANDOM, to=PLAYER_ROW)], "to is 1; keep it within 3 to 31"),
        ([row(Op.NEAREST, block=Block.COAL, to=31)], "to is 31; keep it within 3 to 30"),
        ([row(Op.PICK, to=FIRST_FREE)], "count is 0; keep it within 1 to 8"),
        ([np.zeros(5, np.int32)], "give integers of shape"),
        (np.zeros((1, ops.WIDTH)), "give integers of shape"),
        ([ROOM] * (ops.MOST_ROWS + 1), "give at most 4096"),
    ],
)
def test_wrong_rows_are_refused(hostile_lane, rows, message):
    hostile_lane.set(program=-1)
    with pytest.raises(ValueError, match=message):
        hostile_lane.engine.give_programs([[rows]])


def test_wrong_programs_are_refused(hostile_lane):
    engine = hostile_lane.engine
    hostile_lane.set(program=-1)
    with pytest.raises(ValueError, match="program 0 has 0 variants; give it 1 to 256"):
        engine.give_programs([[]])
    engine.give_programs([[[ROOM]]])
    with pytest.raises(ValueError, match="program names row 1 of 1"):
        hostile_lane.set(program=1)
    hostile_lane.set(program=0)
    with pytest.raises(ValueError, match="A lane has program 0, past 0 rows"):
        engine.give_programs([])
    with pytest.raises(ValueError, match="PLACE has no argument colour; it has floor, block, row, column"):
        row(Op.PLACE, colour=3)
