"""The penalty shootout: kicks and dives against closed forms, turns and scores, whole games."""

import math
import random
from itertools import pairwise

import numpy as np
import pytest

from garten.episodes.faces.pettingzoo import WorldParallelEnv
from garten.records import Action
from garten.sight.looks import caster
from garten.worlds.penalty_shootout import WORLD, PenaltyShootout
from garten.worlds.penalty_shootout import constants as c
from garten.worlds.penalty_shootout.flight import Dive, Shot, outcome
from garten.worlds.penalty_shootout.world import ROLES
from worlds.experts import penalty_shootout as expert

ACTIONS = [action.name for action in WORLD.spec.actions]


def fresh(seed=0):
    world = PenaltyShootout()
    world.reset(seed)
    return world


def kick(world, shot, dive=None, *, waits=0):
    """One turn: the kicker shoots at once, the keeper dives after some waits of half a second."""
    kicker, keeper = ROLES[world.kicker], ROLES[1 - world.kicker]
    turn = int(world.state.turn[0])
    acts = {kicker: [Action("shoot", shot)], keeper: [Action("wait")] * waits}
    if dive is not None:
        acts[keeper].append(Action("dive", dive))
    told = ""
    while not world.over and int(world.state.turn[0]) == turn:
        for role in world.idle:
            world.start(role, acts[role].pop(0) if acts[role] else Action("wait"))
        world.tick()
        told = world.feedback(kicker) or told
    return told


# --- the ball ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("power", [0.0, 0.4, 1.0])
def test_the_ball_takes_the_time_of_its_speed_and_arrives_where_it_was_aimed(power):
    shot = Shot(0.5, 0.3, power, wind=0.0)
    assert shot.seconds == pytest.approx(11.0 / (12.0 + 16.0 * power))
    assert shot.ball(0.0) == pytest.approx((11.0, 0.0, 0.11))
    rise = 1.3 * max(0.0, 2.0 * power - 1.0)
    assert shot.ball(shot.seconds) == pytest.approx((0.0, 0.5 * 4.3, 0.15 + 0.3 * 2.95 + rise))


def test_wind_pulls_slow_balls_further_than_hard_ones():
    slow, hard = (Shot(0.0, 0.2, power, wind=2.0).arrival[0] for power in (0.0, 1.0))
    assert slow == pytest.approx(0.5 * 2.0 * (11.0 / 12.0) ** 2)
    assert hard == pytest.approx(0.5 * 2.0 * (11.0 / 28.0) ** 2)


@pytest.mark.parametrize(
    ("aim", "lift", "told"),
    [
        (0.7, 0.3, "Goal."),
        (-0.7, 0.3, "Goal."),
        (0.0, 0.3, "The keeper has it."),
        (1.0, 0.3, "Wide of the goal."),
        (-1.0, 0.3, "Wide of the goal."),
        (0.7, 1.0, "Over the bar."),
        (3.66 / 4.3, 0.3, "The woodwork."),
        (0.5, (2.44 - 0.15) / 2.95, "The woodwork."),
    ],
)
def test_how_kicks_at_a_standing_keeper_end(aim, lift, told):
    assert outcome(Shot(aim, lift, 0.4, 0.0), None, -1.0) == told


def test_a_dive_reaches_the_corner_in_time_and_not_before():
    shot = Shot(-0.7, 0.1, 0.5, 0.0)  # to the kicker's left, which is the keeper's right
    assert outcome(shot, Dive(0.9, 0.0), 0.6) == "The keeper has it."
    assert outcome(shot, Dive(0.9, 0.0), 0.2) == "Goal."
    assert outcome(shot, Dive(-0.9, 0.0), 0.6) == "Goal."
    assert outcome(shot, Dive(0.9, 1.0), 0.6) == "Goal."  # over the ball


def test_a_dive_stretches_evenly_and_no_further():
    dive = Dive(1.0, 1.0)
    assert dive.hands(0.3) == pytest.approx((-1.65, 0.5 * (1.0 + 2.1)))
    assert dive.hands(0.6) == dive.hands(2.0) == pytest.approx((-3.3, 2.1))


# --- turns ------------------------------------------------------------------------------------------


def test_a_kick_is_taken_after_the_run_up_and_told_to_both():
    world = fresh()
    kicker = ROLES[world.kicker]
    world.act({role: Action("shoot", {"aim": 0.7}) if role == kicker else None for role in ROLES})
    while not world.feedback(kicker):
        world.tick()
    assert world.time == pytest.approx(0.1 + 1.5 + 11.0 / (12.0 + 16.0 * 0.6), abs=0.1)
    assert {world.feedback(role) for role in ROLES} == {"Goal."}


def test_players_take_turns_and_the_game_ends_after_ten_kicks():
    world = fresh()
    kickers = []
    while not world.over:
        kickers.append(ROLES[world.kicker])
        assert kick(world, {"aim": 0.7}) == "Goal."
    assert world.terminated
    assert len(kickers) == 10
    assert all(one != other for one, other in pairwise(kickers))
    assert world.state.goals.tolist() == [5, 5]


def test_a_kick_that_is_not_taken_is_lost():
    world = fresh()
    first = world.kicker
    world.control("red", ticks=60)
    world.control("blue", ticks=60)
    world.advance()
    assert world.feedback("red") == world.feedback("blue") == "The kick was not taken in time."
    assert world.state.spared[1 - first] == 1
    world.control("red", ticks=16)
    world.advance()
    assert world.kicker == 1 - first


def test_what_does_not_fit_the_turn_does_nothing():
    world = fresh()
    kicker, keeper = ROLES[world.kicker], ROLES[1 - world.kicker]
    world.act({kicker: Action("dive", {"side": 1.0}), keeper: Action("shoot", {"aim": 0.0})})
    assert world.dive is None
    assert world.state.turn.tolist() == [0, 10, -1, -1]


def test_a_keeper_commits_once_in_a_turn_and_stands_up_for_the_next():
    world = fresh()
    assert (
        kick(world, {"aim": 0.7, "power": 0.5}, {"side": -0.95, "lift": 0.2}, waits=2) == "The keeper has it."
    )
    assert world.dive is None


# --- the score --------------------------------------------------------------------------------------


def test_goals_count_most_and_every_kick_kept_out_a_little():
    world = fresh()
    first, second = ROLES[world.kicker], ROLES[1 - world.kicker]
    kick(world, {"aim": 0.7})
    kick(world, {"aim": 1.0})
    score = world.score()
    assert score.of(first).parts == {"goals": 16.0, "kept out": 4.0}
    assert score.of(second).value == 0.0
    assert score.of("red").value == score.value


def test_the_reward_of_each_agent_is_its_own():
    env = WorldParallelEnv("penalty-shootout", size=(16, 9))
    env.reset(seed=0)
    rewards = {}
    world = env._world
    while env.agents:
        role = ROLES[world.kicker]
        choice = Action("shoot", {"aim": 0.7}) if role == "red" else Action("wait")
        if role in world.idle:
            world.start(role, choice)
        rewards = env.step({})[1]
    assert rewards == {"red": 1.0, "blue": 0.0}


# --- what frames show -------------------------------------------------------------------------------


def seen(world, role):
    return caster().condition(world.scene(), world.camera(role), 320, 180).ids


def test_both_see_the_ball_and_each_other():
    world = fresh()
    scene = world.scene()
    on_spot = (np.abs(scene.positions - (c.SPOT, 0.0, c.BALL_RADIUS)) < 1e-6).all(1)
    ball = int(scene.objects[np.flatnonzero(on_spot)[0]])
    red = int(scene.objects[0])
    blue = next(int(thing) for thing in scene.objects if thing != red)
    for role, other in (("red", blue), ("blue", red)):
        assert {ball, other} <= set(np.unique(seen(world, role)).tolist())


def test_the_run_up_shows_the_side_only_at_its_end():
    headings = {}
    for aim in (-0.8, 0.8):
        world = fresh()
        world.start(ROLES[world.kicker], Action("shoot", {"aim": aim}))
        early = [world.tick() or world._runner().heading for _ in range(9)][-1]
        late = [world.tick() or world._runner().heading for _ in range(6)][-1]
        headings[aim] = (early, late)
    assert headings[-0.8][0] == headings[0.8][0] == pytest.approx(math.pi)
    assert headings[0.8][1] < math.pi - 0.3 < math.pi + 0.3 < headings[-0.8][1]


def test_flags_stand_out_with_the_wind():
    calm, strong = sorted((fresh(seed) for seed in range(12)), key=lambda world: abs(world.wind))[::11]
    outs = []
    for world in (calm, strong):
        scene = world.scene()
        cloth = np.flatnonzero((scene.colors[scene.materials] == np.float32((1.0, 0.55, 0.05))).all(1))
        out = scene.positions[cloth[0], 1] - -5.6
        assert math.copysign(1.0, out) == math.copysign(1.0, world.wind)
        outs.append(abs(out))
    assert outs[1] > 2.0 * outs[0]


# --- whole games ------------------------------------------------------------------------------------


def careless(kind, draw):
    def act(world, role):
        name = draw.choice(ACTIONS) if kind == "random" else kind
        arguments = world.spec.action(name).arguments
        middle = {one.name: 0.0 for one in arguments if one.default is None}
        drawn = {one.name: draw.uniform(one.low, one.high) for one in arguments}
        return Action(name, drawn if kind == "random" else middle)

    return act


def play(seed, red, blue):
    world = fresh(seed)
    while not world.over:
        world.act({role: (red if role == "red" else blue)(world, role) for role in world.idle})
    return world.score()


@pytest.mark.parametrize("kind", [*ACTIONS, "random"])
def test_the_expert_beats_careless_play_on_20_seeds(kind):
    scores = [play(seed, expert.action, careless(kind, random.Random(seed))) for seed in range(20)]
    assert np.mean([score.of("red").value for score in scores]) >= 95.0
    assert np.mean([score.of("blue").value for score in scores]) <= 20.0


def test_between_experts_every_kick_is_saved():
    score = play(0, expert.action, expert.action)
    assert (score.of("red").value, score.of("blue").value) == (20.0, 20.0)
