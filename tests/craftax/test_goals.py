"""Goals in both games: met once, paid once, the episode's end."""

import numpy as np
import pytest

from garten.craftax.classic.tables import Achievement
from garten.craftax.env import Env, make

NOOP = np.zeros(1, int)
WANTED = (Achievement.COLLECT_WOOD, Achievement.COLLECT_DRINK)  # the same numbers in both games


def lane(game: str, goal: tuple[int, ...], *, auto_reset: bool = False) -> Env:
    env = make(game, auto_reset=auto_reset)
    achievements = env.engine.settings.read("goal").shape[1]
    env.engine.settings.put(0, {"goal": np.isin(np.arange(achievements), goal), "bonus": 20.0})
    env.reset(seed=0)
    return env


def unlock(env: Env, *achievements: int) -> None:
    """Unlock what a lane needs, but for wood, which `gather` collects in a step."""
    unlocked = env.engine.state.read("achievements")[0]
    unlocked[list(achievements)] = True


def gather(env: Env) -> tuple[float, bool]:
    """Take a step that collects wood, whatever is there: the reward, and whether the game ended."""
    tree = env.engine.state.read("player_position")[0] + (-1, 0)
    blocks = env.engine.state.read("blocks")[0]
    while blocks.ndim > 2:
        blocks = blocks[0]
    blocks[tuple(tree)] = 5
    step = env.step(np.array([5]))
    return float(step.reward[0]), bool(step.terminated[0])


@pytest.fixture(params=["Craftax", "Craftax-Classic"])
def game(request) -> str:
    return request.param


def test_the_bonus_is_paid_in_the_step_that_meets_the_goal_and_never_again(game):
    env = lane(game, WANTED)
    assert gather(env) == (1.0, False)
    env.engine.state.read("achievements")[0, Achievement.COLLECT_WOOD] = False
    unlock(env, Achievement.COLLECT_DRINK)
    assert gather(env) == (21.0, True)
    assert env.buffer("succeeded")[0]
    later = [env.step(NOOP) for _ in range(3)]
    assert [float(step.reward[0]) for step in later] == [0.0] * 3
    assert all(step.terminated[0] for step in later)


def test_no_goal_is_never_met(game):
    env = lane(game, ())
    unlock(env, *range(22))
    step = env.step(NOOP)
    assert (float(step.reward[0]), bool(step.terminated[0]), bool(env.buffer("succeeded")[0])) == (
        0,
        False,
        False,
    )


def test_a_goal_met_when_the_step_began_ends_the_episode_unpaid(game):
    env = lane(game, WANTED)
    unlock(env, *WANTED)
    step = env.step(NOOP)
    assert (float(step.reward[0]), bool(step.terminated[0]), bool(env.buffer("succeeded")[0])) == (
        0,
        True,
        True,
    )


def test_success_is_told_with_the_finished_episode_and_the_next_one_starts_afresh(game):
    env = lane(game, (Achievement.COLLECT_WOOD,), auto_reset=True)
    assert gather(env) == (21.0, True)
    told = [env.buffer(name)[0] for name in ("final_success", "final_return", "final_length")]
    assert told == [True, 21.0, 1]
    assert not env.engine.state.read("achievements").any()
    assert gather(env) == (21.0, True)
    env.engine.settings.put(
        0, {"max_timesteps": 1, "goal": np.zeros_like(env.engine.settings.read("goal")[0])}
    )
    env.step(NOOP)
    assert not env.buffer("final_success")[0]
