"""The crate vault: each rule from a state set by hand, levels against a search of their own, whole games."""

import random
from collections import deque

import numpy as np
import pytest

from garten.records import Action
from garten.sight.looks import caster
from garten.worlds.crate_vault import WORLD, CrateVault
from garten.worlds.crate_vault.level import PITCH, SIDE, Level, Room, draw_level
from worlds.experts import crate_vault as expert

ACTIONS = [action.name for action in WORLD.spec.actions]
EAST, NORTH, WEST, SOUTH = range(4)

PLAIN = """
  .....#.....#.....#.
  .o...#.o...#.oo..#.
  .c...D.c...D.cc..DV
  .....#.....#.....#.
  @....#.....#.....#.
"""


def level_of(drawing):
    """A level from a drawing: o plates, c crates, D doors, V the vault, @ the start, # walls."""
    rows = [line.strip() for line in drawing.strip().splitlines()][::-1]
    cells = {(x, y): sign for y, row in enumerate(rows) for x, sign in enumerate(row)}

    def find(sign, room=None):
        return tuple(
            cell for cell, own in sorted(cells.items()) if own == sign and room in (None, cell[0] // PITCH)
        )

    rooms = [
        Room((PITCH * number, 0), find("D", number)[0], (), find("o", number), find("c", number), 0)
        for number in range(3)
    ]
    vault = find("V")[0]
    inside = {cell for cell, sign in cells.items() if sign != "#" and cell[0] < 3 * PITCH}
    return Level(tuple(rooms), frozenset(inside | {vault}), vault)


def world_of(drawing=PLAIN, *, at=None, facing=EAST):
    """A world with that level, the player where a test wants it."""
    world = CrateVault()
    world.reset(0)
    world.level = level_of(drawing)
    world.state.player[:] = *(at or world.level.start), facing
    world.state.crates[:] = world.level.crates
    return world


def do(world, *names):
    for name in names:
        world.act({"porter": Action(name)})
    return world.feedback("porter")


def stands(world):
    return (*world.cell, int(world.state.player[2]))


# --- the rules -------------------------------------------------------------------------------------


def test_a_step_is_one_square_and_a_turn_a_quarter():
    world = world_of()
    do(world, "forward")
    assert (stands(world), world.time) == ((1, 0, EAST), 1.0)
    do(world, "turn_left")
    assert stands(world) == (1, 0, NORTH)
    do(world, "turn_right", "turn_right", "turn_right")
    assert stands(world) == (1, 0, WEST)
    do(world, "backward")
    assert stands(world) == (2, 0, WEST)
    assert do(world, "wait") == ""
    assert stands(world) == (2, 0, WEST)


def test_a_crate_is_pushed_and_never_pulled():
    world = world_of(at=(0, 2))
    assert do(world, "forward", "forward") == ""
    assert (world.cell, world.crate_cells[0]) == ((2, 2), (3, 2))
    do(world, "backward")
    assert (world.cell, world.crate_cells[0]) == ((1, 2), (3, 2))


@pytest.mark.parametrize(
    ("at", "facing", "actions", "told"),
    [
        ((0, 0), SOUTH, ["forward"], "A wall is in your way."),
        ((0, 0), NORTH, ["backward"], "A wall is in your way."),
        ((4, 2), EAST, ["forward"], "The door is shut."),
        (
            (0, 2),
            EAST,
            ["forward", "forward", "forward", "forward"],
            "The crate does not move.",
        ),  # into the door
        ((2, 2), EAST, ["backward"], "A crate is behind you."),
    ],
)
def test_what_is_in_the_way_is_told_and_stops(at, facing, actions, told):
    world = world_of(at=at, facing=facing)
    for name in actions[:-1]:
        assert do(world, name) == ""
    before = stands(world), world.crate_cells
    assert do(world, actions[-1]) == told
    assert (stands(world), world.crate_cells) == before
    assert do(world, "turn_left") == ""


def test_a_crate_does_not_push_another():
    world = world_of(at=(12, 2))
    assert do(world, "forward") == "The crate does not move."


def test_a_door_is_open_while_all_its_plates_are_held():
    world = world_of(at=(13, 1), facing=NORTH)
    do(world, "forward")
    assert world.state.opened.tolist() == [0, 0, 0]  # one of two
    world.state.player[:] = 14, 1, NORTH
    do(world, "forward")
    assert world.state.opened.tolist() == [0, 0, 1]
    world.state.player[:] = 16, 2, EAST
    assert do(world, "forward") == ""
    assert world.cell == (17, 2)


def test_a_door_shuts_when_a_plate_is_let_go_unless_someone_stands_in_it():
    world = world_of()
    world.state.crates[0] = world.level.plates[0]
    world.state.player[:] = 3, 2, EAST
    assert do(world, "forward", "forward") == ""
    world.state.crates[0] = 0, 4
    do(world, "turn_left", "turn_right")
    assert (world.state.open[0], world.state.bars[0]) == (1, 0.0)
    do(world, "backward", "wait")
    assert (world.state.open[0], world.state.bars[0]) == (0, 1.0)
    assert do(world, "forward") == "The door is shut."


def test_the_player_holds_no_plate():
    world = world_of(at=(1, 3))
    do(world, "wait")
    assert world.score().value == 0.0
    assert world.state.opened.sum() == 0


def test_a_move_once_begun_goes_on_whatever_is_held():
    world = world_of()
    world.control("porter", ["forward"], ticks=1)
    world.tick()
    for name, buttons in (("halfway", ["left"]), ("and on", [])):
        world.control("porter", buttons, ticks=4)
        while not world.idle:
            world.tick()
        assert world.cell == (0, 0), name
    world.tick()
    assert stands(world) == (1, 0, EAST)


# --- the score -------------------------------------------------------------------------------------


def test_plates_count_while_held_and_doors_for_good():
    world = world_of(at=(1, 1), facing=NORTH)
    do(world, "forward")
    assert world.score().parts == {"plates held": 8.0, "doors opened": 6.0, "vault": 0.0, "time left": 0.0}
    do(world, "forward")
    assert world.score().parts == {"plates held": 0.0, "doors opened": 6.0, "vault": 0.0, "time left": 0.0}


def test_reaching_the_vault_ends_it_and_brings_points_for_time():
    world = world_of(at=(17, 2))
    world.state.crates[:] = world.level.plates
    world.state.opened[:] = 1
    assert do(world, "forward") == ""
    assert world.terminated
    assert world.score().value == world.score().measure == pytest.approx(90.0 + 10.0 * 299.0 / 300.0)


def test_progress_is_the_share_of_their_ways_that_crates_have_covered():
    world = world_of()
    world._ways = [1, 1, 1, 1]
    assert world.score().progress == 0.0
    world.state.crates[0] = world.level.plates[0]
    assert world.score().progress == 0.25


# --- levels ----------------------------------------------------------------------------------------


def fewest_steps(level, room):
    """An independent search forwards: fewest steps from a room's entry to its exit with its plates held."""
    floor = {cell for cell in level.floor if 0 <= cell[0] - room.entry[0] < SIDE}
    start = (room.entry, frozenset(room.crates))
    waiting, steps = deque([start]), {start: 0}
    while waiting:
        here, crates = state = waiting.popleft()
        if here == room.exit and crates == set(room.plates):
            return steps[state]
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            ahead, beyond = (here[0] + dx, here[1] + dy), (here[0] + 2 * dx, here[1] + 2 * dy)
            after = crates
            if ahead in crates:
                if beyond not in floor or beyond in crates:
                    continue
                after = crates - {ahead} | {beyond}
            if ahead in floor and (ahead, after) not in steps:
                steps[ahead, after] = steps[state] + 1
                waiting.append((ahead, after))
    return None


@pytest.mark.parametrize("seed", range(20))
def test_every_level_can_be_solved_in_the_moves_it_was_proved_for(seed):
    level = draw_level(np.random.default_rng(seed))
    for number, room in enumerate(level.rooms):
        assert fewest_steps(level, room) == room.moves
        assert (4, 11, 18)[number] <= room.moves <= (14, 21, 28)[number]


@pytest.mark.parametrize("seed", range(20))
def test_levels_are_well_formed(seed):
    level = draw_level(np.random.default_rng(seed))
    solid = {pillar for room in level.rooms for pillar in room.pillars}
    placed = [*level.plates, *level.crates, level.start, level.vault]
    assert len(set(placed)) == len(placed) == 10
    assert not set(placed) & solid
    assert all(room.door in level.floor and room.exit in level.floor for room in level.rooms)
    entries = [room.entry for room in level.rooms]
    assert entries[1:] == [(room.door[0] + 1, room.door[1]) for room in level.rooms[:-1]]


def test_levels_differ_from_seed_to_seed():
    levels = {draw_level(np.random.default_rng(seed)) for seed in range(40)}
    assert len(levels) == 40
    assert len({level.start for level in levels}) == 5


# --- what frames show ------------------------------------------------------------------------------


def things_seen(world):
    scene = world.scene()
    ids = caster().condition(scene, world.camera("porter"), 320, 180).ids
    return {int(thing) for thing in np.unique(ids)}


def things_at(world, rows):
    return {int(thing) for thing in world.scene().objects[rows]}


def test_the_eye_sees_over_crates_and_walls_and_never_its_own_body():
    world = world_of(at=(0, 2))
    for facing in range(4):
        world.state.player[2] = facing
        assert not things_seen(world) & things_at(world, slice(0, 1))
    world.state.player[2] = EAST
    golden = np.flatnonzero(
        (world.scene().colors[world.scene().materials] == np.float32((1.0, 0.8, 0.1))).all(1)
    )
    assert things_seen(world) & things_at(world, golden)  # the vault, from the far end


def test_a_pushed_crate_moves_with_the_player_and_bars_sink():
    world = world_of(at=(1, 1), facing=NORTH)
    world.control("porter", ["forward"], ticks=5)
    world.advance()
    scene = world.scene()
    assert world.camera("porter").position[:2] == pytest.approx((1.0, 1.5))
    assert [1.0, 2.5] in scene.positions[:, :2].tolist()
    do(world, "wait", "wait")
    assert [1.0, 3.0] in world.scene().positions[:, :2].tolist()
    assert world.scene().positions[:, 2].min() < scene.positions[:, 2].min() - 0.5


# --- whole games -----------------------------------------------------------------------------------


def test_the_expert_reaches_the_vault_on_every_seed():
    scores = []
    for seed in range(20):
        world = CrateVault()
        world.reset(seed)
        expert.play(world)
        scores.append(world.score().value)
    assert min(scores) >= 95.0


@pytest.mark.parametrize("careless", [*ACTIONS, "random"])
def test_careless_play_gets_nowhere(careless):
    scores = []
    for seed in range(20):
        world, draw = CrateVault(), random.Random(seed)
        world.reset(seed)
        while not world.over:
            do(world, draw.choice(ACTIONS) if careless == "random" else careless)
        scores.append(world.score().value)
    assert np.mean(scores) <= 20.0
