"""The quarry: the loader's moves, each job from bodies put where a test wants them, then whole episodes."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from garten.errors import WorldError
from garten.records import Action
from garten.scene import turn_z
from garten.worlds.check import check
from garten.worlds.physics.query import clearance
from garten.worlds.quarry_loader import WORLD, QuarryLoader, layout, loader
from garten.worlds.quarry_loader.layout import BAY, PADS
from garten.worlds.quarry_loader.yard import ROCKS
from worlds.experts.quarry_loader import Expert

ACTIONS = [action.name for action in WORLD.spec.actions]
ANYHOW = (1.0, 0.0, 0.0, 0.0)


@pytest.fixture
def world():
    made = QuarryLoader()
    made.reset(0)
    return made


def act(world, *names):
    for name in names:
        world.act({"driver": Action(name)})
    return world.feedback("driver")


def put(world, body, x, y, *, z=None, heading=0.0):
    """Put a rock on the ground, or the loader on its wheels."""
    height = 0.0
    if body in ROCKS:
        height = -float(world._corners[body][:, 2].min()) if z is None else z
    world.physics.place(body, (x, y, height), turn_z(heading).tolist())


def pose(world):
    x, y, _ = world.physics.position("loader")
    return float(x), float(y), world.physics.heading("loader")


def in_open(world, heading=0.5 * math.pi):
    """The loader in the free north of the yard."""
    put(world, "loader", -8.0 * -world.layout.open_side, 9.0, heading=heading)


def stage(world):
    for rock, pad in zip(ROCKS, PADS, strict=True):
        put(world, rock, *pad.middle)
    return act(world, "wait")


def fill(world):
    put(world, ROCKS[0], *world.layout.bunker.middle)
    return act(world, "wait")


# --- layouts -------------------------------------------------------------------------------------


def test_layouts_differ_and_are_fair():
    drawn = [layout.draw(np.random.default_rng(seed)) for seed in range(60)]
    assert {one.open_side for one in drawn} == {-1.0, 1.0}
    assert len({one.rocks[0].x for one in drawn}) == 60
    for one in drawn:
        for rock in one.rocks:
            assert all(abs(rock.x - pad.x) > pad.half_x + 0.6 for pad in PADS)  # none is on a pad already
            assert math.dist((rock.x, rock.y), one.start[:2]) > 2.5
        assert abs(one.start[2] - 0.5 * math.pi) <= math.radians(30.0)


def test_the_way_between_two_places_goes_round_the_open_end():
    for seed in range(6):
        one = layout.draw(np.random.default_rng(seed))
        assert one.way((0, 0), (3, -4)) == pytest.approx(5.0)
        gap_x = 10.5 * one.open_side
        assert one.way((gap_x, 0), (gap_x, 10)) == pytest.approx(10.0)
        assert one.way((-gap_x, 0), (-gap_x, 10)) > 40.0


def test_a_rock_is_a_closed_body_seen_from_outside():
    mesh = layout.rock_mesh(np.random.default_rng(3))
    assert (mesh.vertices.shape, mesh.triangles.shape) == ((12, 3), (20, 3))
    edges = [(a, b) for one in mesh.triangles.tolist() for a, b in itertools.pairwise([*one, one[0]])]
    assert sorted(edges) == sorted((b, a) for a, b in edges)
    assert len(set(edges)) == 60
    corners = mesh.vertices[mesh.triangles].astype(float)
    volume = np.linalg.det(corners).sum() / 6.0
    assert 0.5 < volume / (4.0 / 3.0 * math.pi * 0.46**3) < 1.0


def test_every_episode_begins_at_rest_with_rocks_on_the_ground(world):
    for seed in range(5):
        world.reset(seed)
        for rock in ROCKS:
            assert abs(world.rock_corners(rock)[:, 2].min()) < 0.01
            assert np.linalg.norm(world.physics.velocity(rock)) < 0.05
        assert abs(clearance(world.physics, "loader/scoop", "ground")) < 0.02


# --- moves ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "way"), [("forward", 1.4), ("backward", -1.2)])
def test_straight_moves_cover_their_way_and_keep_the_heading(world, name, way):
    in_open(world)
    act(world, "wait", name)
    x, y, heading = pose(world)
    act(world, name)
    ended = pose(world)
    assert ended[0] == pytest.approx(x, abs=0.02)
    assert ended[1] - y == pytest.approx(way, abs=0.05)
    assert ended[2] == pytest.approx(heading, abs=0.01)


@pytest.mark.parametrize(
    ("name", "way", "turn"),
    [("turn_left", 1, 1), ("turn_right", 1, -1), ("reverse_left", -1, -1), ("reverse_right", -1, 1)],
)
def test_bends_have_their_radius(world, name, way, turn):
    """Once rolling, a second covers 1 m of a circle of 2.8 m, either way round."""
    in_open(world)
    act(world, "wait", name)
    before = pose(world)
    act(world, name)
    after = pose(world)
    assert after[2] - before[2] == pytest.approx(turn / 2.8, rel=0.06)
    ahead = (after[0] - before[0]) * math.cos(before[2]) + (after[1] - before[1]) * math.sin(before[2])
    assert math.copysign(1.0, ahead) == way


def test_the_rear_goes_to_the_side_that_a_reverse_bend_names(world):
    in_open(world)
    act(world, "reverse_left", "reverse_left")
    rear = world.physics.points("loader", [(-1.45, 0.0, 0.0)])[0]
    assert rear[0] < -8.0 * -world.layout.open_side  # it faces north, so left is west


def test_waiting_brakes(world):
    in_open(world)
    act(world, "forward", "forward", "wait")
    stood = pose(world)
    act(world, "wait")
    assert pose(world) == pytest.approx(stood, abs=0.01)


def test_the_arm_moves_within_its_limits_and_the_loader_holds_its_place(world):
    in_open(world)
    act(world, "wait")
    stood = pose(world)
    low = world.physics.position(loader.SCOOP)[2]
    act(world, *["raise_arm"] * 6)
    assert world.physics.position(loader.SCOOP)[2] == pytest.approx(
        1.0 + 1.75 * math.sin(math.radians(40)), abs=0.05
    )
    assert world.physics.matrix(loader.SCOOP)[2, 0] == pytest.approx(
        0.0, abs=0.04
    )  # the scoop is level still
    act(world, *["lower_arm"] * 6)
    assert world.physics.position(loader.SCOOP)[2] == pytest.approx(low, abs=0.02)
    assert pose(world) == pytest.approx(stood, abs=0.03)


def test_the_scoop_curls_up_and_tips_down(world):
    in_open(world)
    act(world, "raise_arm", "raise_arm", "raise_arm", *["curl"] * 4)
    assert world.physics.matrix(loader.SCOOP)[2, 0] == pytest.approx(math.sin(math.radians(40)), abs=0.04)
    act(world, *["tip"] * 7)
    assert world.physics.matrix(loader.SCOOP)[2, 0] == pytest.approx(-math.sin(math.radians(60)), abs=0.04)


def test_the_scoop_does_not_reach_over_the_cross_wall(world):
    in_open(world)
    act(world, *["raise_arm"] * 6, "curl", "curl")
    lip = world.physics.points(loader.SCOOP, [(0.95, 0.0, loader.FLOOR), (0.0, 0.0, 0.3)])
    assert lip[:, 2].max() < 2.8


def test_a_wall_holds_the_loader_and_the_driver_is_told(world):
    put(world, "loader", 0.0, 0.0, heading=0.5 * math.pi)
    assert act(world, "forward") == ""
    assert act(world, "forward", "forward", "forward") == "Something holds the loader: it does not get ahead."
    assert clearance(world.physics, "loader/scoop", "cross-wall") < 0.02


def test_a_rock_ahead_is_pushed_and_a_scooped_one_is_carried(world):
    put(world, "loader", 0.0, 9.0, heading=0.0)
    put(world, ROCKS[0], 4.5, 9.0)
    act(world, "wait", *["forward"] * 4)
    assert world.physics.position(ROCKS[0])[0] > 5.0
    put(world, "loader", 0.0, 9.0, heading=0.0)
    put(world, ROCKS[0], 2.85, 9.0, z=1.2)
    act(world, "curl", "curl", "raise_arm", "raise_arm", "backward", "turn_left")
    assert world.rock_corners(ROCKS[0])[:, 2].min() > 0.3


# --- jobs ----------------------------------------------------------------------------------------


def test_both_rocks_on_the_pads_at_once_are_worth_30_and_that_is_kept(world):
    assert stage(world) == "Both rocks are on the pads: the first job is done."
    assert world.score().value == 30.0
    put(world, ROCKS[0], 0.0, 0.0)
    act(world, "backward")
    assert world.score().value == 30.0
    assert world.score().measure == 30.0


def test_either_rock_may_be_on_either_pad(world):
    for rock, pad in zip(ROCKS, PADS[::-1], strict=True):
        put(world, rock, *pad.middle)
    act(world, "wait")
    assert world.state.staged


@pytest.mark.parametrize("fault", ["border", "held", "same", "one"])
def test_rocks_that_are_not_properly_staged_count_for_nothing(world, fault):
    west, east = PADS
    put(world, ROCKS[0], *west.middle)
    spots = {
        "border": (east.x, east.y + east.half_y - 0.2, None),
        "held": (east.x, east.y, 3.0),
        "same": (west.x + 1.0, west.y, None),
        "one": (0.0, 1.0, None),
    }
    x, y, z = spots[fault]
    put(world, ROCKS[1], x, y, z=z)
    world.tick()
    assert not world.state.staged
    assert world.score().value == 0.0


def test_the_bunker_counts_after_the_pads_and_while_the_rock_is_there(world):
    assert fill(world) == ""
    assert world.score().value == 0.0
    stage(world)
    assert fill(world) == "A rock is inside the bunker."
    assert world.score().value == 65.0
    put(world, ROCKS[0], 0.0, 9.0)
    act(world, "wait")
    assert world.score().value == 30.0


def test_parking_ends_it_and_pays_for_the_time_left(world):
    stage(world)
    fill(world)
    put(world, "loader", BAY.x, BAY.y, heading=2.9)
    while not world.over:
        act(world, "wait")
    assert world.terminated
    assert world.score().value == pytest.approx(90.0 + 10.0 * world.time_left / 360.0)
    assert world.score().progress == 1.0
    assert world.time <= 6.0


def test_the_published_best_is_the_score_of_parking_after_329_seconds(world):
    stage(world)
    fill(world)
    put(world, "loader", BAY.x, BAY.y, heading=2.9)
    world._ticks = 3275
    while not world.over:
        world.tick()
    assert world.time == pytest.approx(329.0, abs=1.0)
    assert round(world.score().value, 1) == pytest.approx(90.9, abs=0.05)


@pytest.mark.parametrize("fault", ["wheel out", "rolling", "no rock"])
def test_what_is_not_parked(world, fault):
    stage(world)
    if fault != "no rock":
        fill(world)
    heading = 0.5 * math.pi
    put(world, "loader", BAY.x, BAY.y + (2.0 if fault == "wheel out" else -0.6), heading=heading)
    act(world, *["forward" if fault == "rolling" else "wait"] * 2)
    assert not world.over


def test_progress_grows_towards_each_goal(world):
    order = [world.score().progress]
    for rock, pad in zip(ROCKS, PADS, strict=True):
        put(world, rock, 0.9 * pad.x, pad.y - 2.5)
    world.tick()
    order.append(world.score().progress)
    stage(world)
    order.append(world.score().progress)
    put(world, ROCKS[0], *world.layout.gap)
    world.tick()
    order.append(world.score().progress)
    fill(world)
    put(world, "loader", 0.0, 9.0)
    world.tick()
    order.append(world.score().progress)
    put(world, "loader", 0.0, 0.0)
    world.tick()
    order.append(world.score().progress)
    assert order == sorted(order)
    assert order[0] == pytest.approx(0.0, abs=0.01)
    assert order[2] >= 1 / 3
    assert order[4] >= 2 / 3
    assert order[-1] < 1.0


# --- what is seen --------------------------------------------------------------------------------


def test_the_camera_follows_the_place_and_not_the_heading(world):
    before = world.camera("driver")
    put(world, "loader", 5.0, 1.0, heading=2.0)
    after = world.camera("driver")
    assert after.rotation == before.rotation
    assert after.position == pytest.approx((5.0, 1.0 - 9.5, 11.5))


# --- whole episodes --------------------------------------------------------------------------------


def played(agent_of, seed):
    world = QuarryLoader()
    world.reset(seed)
    agent = agent_of(world)
    while not world.over:
        world.act({"driver": agent()})
    return world.score().value


def expert(world):
    return Expert(world).act


def always(name):
    return lambda world: lambda: Action(name)


def at_random(world):
    rng = np.random.default_rng(world._seed)
    return lambda: Action(ACTIONS[int(rng.integers(len(ACTIONS)))])


def test_the_expert_does_all_jobs():
    assert played(expert, 0) > 85.0


def test_careless_driving_gets_nothing():
    assert played(at_random, 2) <= 20.0


def test_a_short_game_keeps_the_contract():
    """All checks but that of another process, which would find the whole game; that one takes long."""

    class Short(QuarryLoader):
        spec = replace(WORLD.spec, time_limit=40.0, task=WORLD.spec.task.replace("360 s", "40 s"))

    faults = [result for result in check(Short, seeds=[0]) if not result.passed]
    assert [result.name for result in faults] == ["fresh-process"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_the_expert_does_all_jobs_over_seeds(seed):
    assert played(expert, seed) >= 85.0


@pytest.mark.slow
@pytest.mark.parametrize("careless", [*map(always, ACTIONS), at_random], ids=[*ACTIONS, "random"])
def test_careless_driving_gets_nothing_over_seeds(careless):
    assert max(played(careless, seed) for seed in range(20)) <= 20.0


def test_a_damaged_snapshot_is_refused(world):
    with pytest.raises(WorldError, match="damaged"):
        world.restore(world.snapshot()[:-9])
