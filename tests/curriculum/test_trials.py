"""Levels tried by a policy, and sampling for learnability by what is found."""

import numpy as np
import pytest

from garten.craftax.full.tables import Achievement
from garten.curriculum.sfl import LearnableLevels
from garten.curriculum.trials import Trials, try_levels
from garten.curriculum.worlds import Worlds, WorldSeed
from garten.policies.settings import GRUSettings, build
from garten.policies.shape import shape_of
from garten.training.agents import Agent, Uniform
from garten.training.curricula import SFLSettings

LEVELS = [WorldSeed((1, number)) for number in range(3)]


class Wooded(Worlds):
    """Levels whose goal is to collect wood."""

    def put(self, env, levels):
        super().put(env, levels)
        goal = np.zeros(len(Achievement), bool)
        goal[Achievement.COLLECT_WOOD] = True
        env.set(goal=goal)


def random_agent():
    return Agent("random", Uniform(43), "Craftax")


def test_attempts_at_plain_worlds_succeed_at_achievements():
    trials = try_levels(random_agent(), Worlds(), LEVELS, attempts=2, steps=60, seed=0)
    assert trials.returns.shape == (2, 3)
    assert trials.successes.shape == (2, 3, len(Achievement))
    assert 2 * 3 * 20 < trials.steps <= 2 * 3 * 60
    # In so short an episode rewards are of achievements worth 1 each, and of health lost.
    assert (trials.successes.sum(-1) >= trials.returns - 0.01).all()
    again = try_levels(random_agent(), Worlds(), LEVELS, attempts=2, steps=60, seed=0)
    assert np.array_equal(trials.successes, again.successes)
    assert np.array_equal(trials.returns, again.returns)
    assert not np.array_equal(trials.returns[0], trials.returns[1])


def test_attempts_at_levels_with_a_goal_succeed_at_it_alone():
    trials = try_levels(random_agent(), Wooded(), LEVELS, attempts=3, steps=80, seed=0)
    assert not trials.successes[:, :, 1:].any()
    assert trials.successes[:, :, 0].any()
    plain = try_levels(random_agent(), Worlds(), LEVELS, attempts=3, steps=80, seed=0)
    # Up to the goal the same happens, so what succeeded is what collected wood.
    assert np.array_equal(trials.successes[:, :, 0], plain.successes[:, :, Achievement.COLLECT_WOOD])
    assert trials.steps < plain.steps


def test_a_policy_with_memory_can_try_levels():
    policy = build(GRUSettings(width=8, memory=8, hidden=(8,)), shape_of("Craftax"))
    trials = try_levels(Agent("new", policy, "Craftax"), Worlds(), LEVELS, attempts=1, steps=20, seed=0)
    assert trials.steps <= 60


class Lanes:
    num_envs = 4


class Known:
    """World seeds that are never put anywhere."""

    kind = WorldSeed

    def draw(self, random):
        return WorldSeed((int(random.integers(100)), 0))

    def put(self, env, levels):
        self.on_lanes = levels


@pytest.fixture
def asked(monkeypatch):
    """Trials at levels of which number n succeeds with a chance of n percent; what was tried."""
    tried = []

    def trials(agent, kind, levels, *, attempts, steps, seed):
        tried.append(list(levels))
        chances = np.array([level.key[0] for level in levels]) / 100
        passed = np.linspace(0, 1, attempts, endpoint=False)[:, None] < chances
        return Trials(passed.astype(np.float32), passed[..., None], attempts * len(levels))

    monkeypatch.setattr("garten.curriculum.sfl.try_levels", trials)
    return tried


def source(**changes):
    settings = SFLSettings(**{"rollouts": 1, "refresh": 3, "candidates": 40, "kept": 5, **changes})
    return LearnableLevels(Known(), settings, agent_of=lambda policy: policy, seed=0)


def test_lanes_play_the_levels_that_succeed_half_of_the_time(asked):
    made = source(attempts=100)
    for update in range(3):
        plan = made.begin(Lanes(), update, policy=None)
        assert plan.reset.all()
        assert plan.learn
        assert set(made._batch.levels) <= set(made.found)
    assert len(asked) == 1  # a search lasts three periods
    worth = sorted(abs(level.key[0] - 50) for level in asked[0])
    assert sorted(abs(level.key[0] - 50) for level in made.found) == worth[:5]
    assert list(made.scores) == sorted(made.scores, reverse=True)
    before = made.found
    made.begin(Lanes(), 3, policy=None)
    assert len(asked) == 2
    assert made.found != before
    assert made.told()["trial_steps"] == 2 * 40 * 100


def test_a_share_of_the_lanes_plays_new_levels(asked):
    made = source(share=0.5)
    made.begin(Lanes(), 0, policy=None)
    found = [level in made.found for level in made._batch.levels]
    assert found[:2] == [True, True]
    assert not all(found)


def test_a_restored_source_goes_on_the_same(asked):
    made, other = source(), source()
    made.begin(Lanes(), 0, policy=None)
    other.restore(made.state(), Lanes())
    for update in range(1, 5):
        for each in (made, other):
            each.begin(Lanes(), update, policy=None)
        assert made._batch.levels == other._batch.levels
        assert (made.found, made.told()) == (other.found, other.told())
