"""The race: tracks against their geometry, counting against places set by hand, then whole races."""

import math
from dataclasses import replace

import numpy as np
import pytest

from garten.records import Action
from garten.worlds.check import check
from garten.worlds.racing import WORLD, Racing, track
from garten.worlds.racing.circuit import ROLES
from worlds.experts.racing import Expert

HALT = Action("drive", {"throttle": 0.0})


def tracks(count=12):
    return [track.draw(np.random.default_rng(seed)) for seed in range(count)]


@pytest.fixture
def world():
    made = Racing()
    made.reset(0)
    return made


def put(world, role, along, aside=0.0, *, turned=0.0):
    """Put a car on the track without anybody noticing: no way is counted."""
    x, y, heading = world.track.place(along, aside)
    half = 0.5 * (heading + turned)
    world.physics.place(role, (x, y, 0.0), (math.cos(half), 0.0, 0.0, math.sin(half)))
    world.state.along = world._along()


def both(world, blue, red=HALT, times=1):
    for _ in range(times):
        if not world.over:
            world.act({"blue": blue, "red": red})


# --- the track -----------------------------------------------------------------------------------


def test_a_track_is_closed_even_and_driven_to_the_left():
    for one in tracks():
        gaps = np.linalg.norm(np.roll(one.points, -1, axis=0) - one.points, axis=1)
        assert gaps == pytest.approx(one.spacing, rel=0.02)
        assert gaps.sum() == pytest.approx(one.length, rel=0.01)
        x, y = one.points.T
        area = 0.5 * (x * np.roll(y, -1) - np.roll(x, -1) * y).sum()
        assert area > 500.0
        assert track.bends(one).sum() * one.spacing == pytest.approx(math.tau, abs=1e-6)


def test_no_bend_is_tighter_than_said_and_walls_never_cross():
    for one in tracks():
        assert np.abs(track.bends(one)).max() <= 1.0 / 7.5 + 1e-9
        for aside in (-4.0, 4.0):
            edge = np.array([one.place(along, aside)[:2] for along in np.arange(0.0, one.length, 1.0)])
            away = np.linalg.norm(edge[:, None] - one.points[None], axis=-1).min(axis=1)
            assert away.min() > 3.8  # no wall cuts into another stretch of the road


def test_bends_of_a_circle_are_one_over_its_radius():
    angles = np.linspace(0.0, math.tau, 576, endpoint=False)
    circle = track.Track(30.0 * np.stack([np.cos(angles), np.sin(angles)], axis=1), math.tau * 30.0)
    assert track.bends(circle) == pytest.approx(1.0 / 30.0, rel=1e-3)


def test_nearest_undoes_place():
    for one in tracks(4):
        for along in np.arange(0.3, one.length, 7.0):
            for aside in (-3.0, 0.0, 2.0):
                found = one.nearest(*one.place(along, aside)[:2])
                assert abs(math.remainder(found - along, one.length)) < 0.3


def test_layouts_differ():
    assert len({round(one.length, 6) for one in tracks()}) == 12
    sides = set()
    for seed in range(6):
        world = Racing()
        world.reset(seed)
        x, y, _ = world.physics.position("blue")
        mid_x, mid_y, heading = world.track.place(float(world.state.along[0]))
        sides.add(math.copysign(1.0, (y - mid_y) * math.cos(heading) - (x - mid_x) * math.sin(heading)))
    assert sides == {-1.0, 1.0}


# --- driving -------------------------------------------------------------------------------------


def test_throttle_asks_for_a_speed_and_zero_brakes(world):
    put(world, "blue", 3.0)
    both(world, Action("drive", {"throttle": 0.4}), times=3)
    car = world.physics.contents.vehicles["blue"]
    assert car.speed(world.physics) == pytest.approx(3.6, rel=0.03)
    both(world, HALT, times=3)
    assert car.speed(world.physics) < 0.02


@pytest.mark.parametrize(("steer", "sign"), [(1.0, 1), (-1.0, -1)])
def test_steer_1_is_left(world, steer, sign):
    before = world.physics.heading("blue")
    both(world, Action("drive", {"throttle": 0.25, "steer": steer}), times=2)
    assert sign * math.remainder(world.physics.heading("blue") - before, math.tau) > 0.1


def test_controls_beyond_full_are_full(world):
    world.control("blue", axes={"throttle": 50.0, "steer": 0.0}, ticks=60)
    world.control("red", axes={"throttle": 1.0, "steer": 0.0}, ticks=60)
    for _ in range(20):
        world.tick()
    speeds = [world.physics.contents.vehicles[role].speed(world.physics) for role in ROLES]
    assert speeds[0] == pytest.approx(speeds[1], rel=0.01)


def test_a_wall_holds_a_car_that_leans_on_it_and_says_so(world):
    put(world, "blue", 20.0, 2.0, turned=0.6)
    both(world, Action("drive", {"throttle": 1.0}), times=6)
    before = float(world.state.driven[0])
    both(world, Action("drive", {"throttle": 1.0}), times=6)
    assert world.feedback("blue") == "Your car leans on the wall."
    assert float(world.state.driven[0]) - before < 1.5


def test_a_car_that_is_rammed_is_pushed_and_both_are_told(world):
    put(world, "red", 9.0)
    put(world, "blue", 5.0)
    driven = world.state.driven.copy()
    told = set()
    for _ in range(4):
        both(world, Action("drive", {"throttle": 0.6}))
        told |= {(role, world.feedback(role)) for role in ROLES}
    assert world.state.driven[1] > driven[1] + 0.3
    assert {(role, "Your car touches the other one.") for role in ROLES} <= told


# --- counting and score --------------------------------------------------------------------------


def test_laps_are_counted_over_the_line_and_back(world):
    put(world, "blue", 0.0)
    world.state.driven[:] = 0.0
    both(world, Action("drive", {"throttle": 0.4}), times=4)
    ahead = float(world.state.driven[0])
    assert ahead > 3.0
    both(world, Action("drive", {"throttle": -1.0}), times=12)
    assert float(world.state.driven[0]) < ahead - 8.0
    assert world.score().parts["driven"] == 0.0  # behind the line
    assert world.score().measure == 0.0


def test_the_first_to_finish_ends_it_and_each_team_has_its_score(world):
    length = world.track.length
    put(world, "blue", length - 2.0)
    put(world, "red", 0.5 * length)
    world.state.driven[:] = 3.0 * length - 2.0, 1.5 * length
    both(world, Action("drive", {"throttle": 1.0}), times=6)
    assert world.terminated
    score = world.score()
    assert score.of("blue").value == score.value == 100.0
    assert score.of("red").value == pytest.approx(40.0, abs=0.5)
    assert score.of("red").measure == pytest.approx(1.5, abs=0.02)
    assert score.of("red").progress == pytest.approx(0.5, abs=0.01)


# --- what is seen --------------------------------------------------------------------------------


def test_each_driver_looks_ahead_from_its_own_cockpit(world):
    for role in ROLES:
        x, y, z = world.camera(role).position
        car = world.physics.position(role)
        assert math.dist((x, y), car[:2]) < 0.3
        assert z == pytest.approx(1.12, abs=0.03)
    assert world.camera("blue") != world.camera("red")


# --- whole races -----------------------------------------------------------------------------------


def raced(seed, red=None):
    """The score of a race of the expert in blue against `red`, a function from a generator to an action."""
    world, rng = Racing(), np.random.default_rng(seed)
    world.reset(seed)
    expert = Expert(world)
    while not world.over:
        chosen = expert.actions()
        world.act(chosen if red is None else {**chosen, "red": red(rng)})
    return world.score()


def straight(rng):
    return Action("drive", {"throttle": 1.0})


def gentle(rng):
    return Action("drive", {"throttle": 0.5, "steer": 0.2})


def at_random(rng):
    return Action("drive", {"throttle": rng.uniform(-1.0, 1.0), "steer": rng.uniform(-1.0, 1.0)})


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_an_expert_finishes_first_and_another_is_close_behind(seed):
    score = raced(seed)
    assert score.of("blue").value + score.of("red").value > 170.0
    assert max(score.of(role).value for role in ROLES) == 100.0


def test_careless_driving_gets_nowhere():
    score = raced(1, straight)
    assert score.of("red").value <= 20.0
    assert score.of("blue").value >= 85.0


def test_a_short_race_keeps_the_contract():
    """All checks but that of another process, which would find the whole race; that one takes long."""

    class Short(Racing):
        spec = replace(WORLD.spec, time_limit=15.0, task=WORLD.spec.task.replace("120 s", "15 s"))

    faults = [result for result in check(Short, seeds=[0]) if not result.passed]
    assert [result.name for result in faults] == ["fresh-process"]


@pytest.mark.slow
@pytest.mark.parametrize("red", [straight, gentle, at_random])
def test_experts_win_and_careless_drivers_get_nowhere_over_seeds(red):
    scores = [raced(seed, red) for seed in range(20)]
    assert min(score.of("blue").value for score in scores) >= 85.0
    assert max(score.of("red").value for score in scores) <= 20.0
