"""Bowling: the score sheet against games worked out by hand, balls and pins, whole games."""

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from garten.records import Action
from garten.sight.looks import caster
from garten.worlds.bowling import WORLD, Bowling, alley, rolls
from worlds.experts import bowling as expert

ACTIONS = [action.name for action in WORLD.spec.actions]


def fresh(seed=0):
    world = Bowling()
    world.reset(seed)
    return world


def bowl(world, position=0.0, angle=0.0, **more):
    world.act({"bowler": Action("bowl", {"position": position, "angle": angle, **more})})
    return world.feedback("bowler")


# --- the score sheet --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bowled", "points", "over"),
    [
        ([], 0, False),
        ([3, 4], 7, False),
        ([3, 7, 5], 20, False),  # a spare counts the next ball
        ([10, 3, 4], 24, False),  # a strike the next two
        ([10, 10, 3], 23 + 13 + 3, False),
        ([1, 1, 1, 1, 1, 1], 6, True),
        ([1, 1, 1, 1, 10], 14, False),
        ([1, 1, 1, 1, 5, 5], 14, False),
        ([1, 1, 1, 1, 5, 5, 5], 19, True),
        ([1, 1, 1, 1, 10, 10, 10], 34, True),
        ([10, 10, 10, 10, 10], 90, True),
        ([5, 5, 5, 5, 5, 5, 5], 45, True),
    ],
)
def test_points_of_games_worked_out_by_hand(bowled, points, over):
    assert rolls.points(bowled) == points
    assert rolls.over(bowled) == over


@given(st.lists(st.integers(0, 10), min_size=8, max_size=8))
def test_any_balls_make_a_game_of_three_frames_and_at_most_90_points(wanted):
    bowled, left = [], 10
    while not rolls.over(bowled):
        left = 10 if rolls.fresh_pins(bowled) else left
        felled = min(left, wanted[len(bowled)])
        bowled.append(felled)
        left -= felled
    assert len(bowled) <= rolls.MOST_ROLLS
    assert [len(frame) <= 2 for frame in rolls.frames_of(bowled)[:2]] == [True, True]
    assert sum(bowled) <= rolls.points(bowled) <= 90


@pytest.mark.parametrize(
    ("bowled", "fresh_rack"),
    [([4], False), ([4, 3], True), ([10], True), ([1, 1, 1, 1, 10], True), ([1, 1, 1, 1, 10, 4], False),
     ([1, 1, 1, 1, 4, 6], True)],
)  # fmt: skip
def test_when_all_pins_stand_again(bowled, fresh_rack):
    assert rolls.fresh_pins(bowled) == fresh_rack


# --- the lane ---------------------------------------------------------------------------------------


def test_pins_stand_in_a_triangle_and_stay_where_they_are():
    spots = np.array(alley.pin_spots())
    gaps = np.linalg.norm(spots[:, None] - spots[None], axis=2)
    assert np.sort(gaps, axis=1)[:, 1] == pytest.approx(0.3048)
    world = fresh()
    before = np.array([world.physics.position(alley.pin_name(number)) for number in range(10)])
    assert bowl(world, position=1.0, angle=1.0) == "The ball went into the gutter."
    after = np.array([world.physics.position(alley.pin_name(number)) for number in range(10)])
    assert after == pytest.approx(before, abs=2e-3)
    assert world.rolls == [0]


def way(world, ticks, **ball):
    """Where the ball is after so many ticks."""
    world.start("bowler", Action("bowl", ball))
    for _ in range(ticks):
        world.tick()
    return world.physics.position("ball")


def test_a_straight_ball_goes_where_arm_and_pull_send_it():
    for seed in range(3):
        world = fresh(seed)
        x, y, _ = way(world, 8, position=0.5, angle=0.4)
        heading = world.pull - math.radians(5.0 * 0.4)
        assert math.atan2(y + 0.2, x) == pytest.approx(heading, abs=0.006)
        assert 1.5 <= abs(math.degrees(world.pull)) <= 2.6


def test_spin_curves_the_ball_to_its_side():
    straight, right, left = (
        way(fresh(), 13, position=0.0, angle=0.3, spin=spin)[1] for spin in (0.0, 0.8, -0.8)
    )
    assert right < straight - 0.05
    assert left > straight + 0.05


def test_speed_is_what_was_asked_for():
    slow, fast = (way(fresh(), 5, position=0.0, angle=0.0, speed=speed)[0] for speed in (0.0, 1.0))
    assert slow == pytest.approx(0.5 * 5.0, rel=0.05)
    assert fast == pytest.approx(0.5 * 9.0, rel=0.05)


def test_pins_that_fell_are_cleared_and_the_others_stay():
    world = fresh()
    aim = math.degrees(world.pull) / 5.0
    assert bowl(world, angle=aim) == "Some pins fell."
    felled = world.rolls[0]
    assert 0 < felled < 10
    assert world.state.standing.sum() == 10 - felled
    places = {number: world.physics.position(alley.pin_name(number)) for number in range(10)}
    world.act({"bowler": Action("wait")})
    for number, stands in enumerate(world.state.standing):
        x, y, _ = world.physics.position(alley.pin_name(number))
        if stands:
            assert (x, y) == pytest.approx(tuple(places[number][:2]))
        else:
            assert x > alley.BACK + 1.0
    bowl(world, position=1.0, angle=1.0)
    world.act({"bowler": Action("wait")})
    assert world.state.standing.sum() == 10  # the next frame


def test_a_strike_is_told_and_a_spare_too():
    world = fresh()
    assert world._upright().sum() == 10
    world.physics.place(alley.pin_name(0), (10.0, 0.0, 0.06), (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0))
    assert world._upright().sum() == 9
    copy, told = Bowling(), set()
    world = fresh()
    for _ in range(2):
        world.act({"bowler": Action("wait")})
        world.act({"bowler": expert.best(world, copy)})
        told.add(world.feedback("bowler"))
    assert told <= {"Strike: all ten pins.", "Spare: the rest of the pins.", "Some pins fell."}
    assert world.rolls[0] == 10 or sum(world.rolls) == 10


# --- what frames show -------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 1])
def test_the_last_picture_shows_the_ball_on_the_side_where_it_crossed_the_pins(seed):
    """Also balls that spin, gutter balls and those that met many pins."""
    world = fresh(seed)
    before = world.snapshot()
    balls = [
        (0.0, 0.0, 0.6, 0.0), (0.5, 0.0, 0.6, 0.0), (-0.5, 0.3, 0.6, 0.0), (0.0, 0.4, 1.0, 0.8),
        (0.0, -0.4, 0.0, -0.8), (0.8, -0.3, 0.6, 0.0), (-0.8, 0.6, 0.3, 0.5), (0.0, 0.9, 0.6, 0.0),
    ]  # fmt: skip
    for ball in balls:
        world.restore(before)
        given = dict(zip(("position", "angle", "speed", "spin"), ball, strict=True))
        world.start("bowler", Action("bowl", given))
        path = [world.physics.position("ball")]
        while not world.feedback("bowler"):
            world.tick()
            path.append(world.physics.position("ball"))
        x, y, _ = np.transpose(path)
        crossed = np.interp(alley.LENGTH, x[: x.argmax() + 1], y[: x.argmax() + 1])
        assert alley.DECK_END < x[-1] < alley.BACK
        assert y[-1] == pytest.approx(crossed, abs=0.3)
        assert abs(crossed) < 0.1 or y[-1] * crossed > 0.0
        assert np.abs(path[-1] - path[-2]).max() < 0.003  # it lies still


def test_pins_are_seen_from_afar_and_from_near_and_near_they_are_larger():
    world = fresh()
    scene = world.scene()
    pin_1 = scene.objects[
        np.flatnonzero((np.abs(scene.positions[:, :2] - (alley.LENGTH, 0.0)) < 1e-3).all(1))[0]
    ]
    areas = []
    for action in ("wait", "look"):
        world.act({"bowler": Action(action)})
        seen = caster().condition(world.scene(), world.camera("bowler"), 320, 180).ids
        areas.append(int((seen == pin_1).sum()))
    assert areas[0] >= 15
    assert areas[1] > 5 * areas[0]


# --- whole games ------------------------------------------------------------------------------------


def careless(kind, seed):
    world, draw = fresh(seed), random.Random(seed)
    while not world.over:
        name = draw.choice(ACTIONS) if kind == "random" else kind
        arguments = world.spec.action(name).arguments
        given = {
            one.name: draw.uniform(one.low, one.high) if kind == "random" else 0.0 for one in arguments[:2]
        }
        world.act({"bowler": Action(name, given)})
    return world.score().value


def test_careless_games_score_little():
    for kind in ("wait", "look"):
        assert careless(kind, 0) == 0.0
    assert np.mean([careless("bowl", seed) for seed in range(2)]) <= 20.0


def masterly(seed):
    world = fresh(seed)
    expert.play(world)
    return world.score().value


def test_the_expert_bowls_strikes_and_spares():
    assert masterly(0) >= 85.0


@pytest.mark.slow
def test_the_expert_and_careless_games_on_20_seeds():
    assert np.mean([masterly(seed) for seed in range(20)]) >= 85.0
    for kind in ("bowl", "random"):
        assert np.mean([careless(kind, seed) for seed in range(20)]) <= 20.0
