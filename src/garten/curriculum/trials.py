"""Levels tried by a policy outside its training: some episodes in each, from which nothing is learned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from garten import seeds
from garten.craftax import host_keys
from garten.craftax.env import Env
from garten.curriculum.periods import L, Levels
from garten.training.agents import Agent, Mind
from garten.training.evaluate import LANES, environment, seen_by
from garten.training.results import Protocol, achievement_rewards

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Trials:
    """How attempts at levels went.

    Attributes:
        returns: float32 [attempts, levels].
        successes: bool [attempts, levels, things], what succeeded: the goal of a level that has one, as the
            first of the things, else the achievements.
        steps: of all attempts together.
    """

    returns: Floats
    successes: Bools
    steps: int


def try_levels(
    agent: Agent, kind: Levels[L], levels: Sequence[L], *, attempts: int, steps: int, seed: int
) -> Trials:
    """Play some episodes in each level.

    Args:
        agent: who plays.
        kind: of the levels.
        levels: at least one.
        attempts: episodes in each.
        steps: of an episode at most; it then counts as it stands.
        seed: of all luck.

    Raises:
        RunError: the policy gives what is no number.
    """
    parts = []
    for first in range(0, len(levels), LANES):
        some = levels[first : first + LANES]
        env = environment(agent, Protocol("trial", worlds=len(some), steps=steps), lanes=len(some))
        kind.put(env, some)
        parts.append(
            [_attempt(agent, env, seeds.derive(seed, "trial", first, number)) for number in range(attempts)]
        )
    return Trials(
        np.concatenate([[each.returns[0] for each in part] for part in parts], axis=1),
        np.concatenate([[each.successes[0] for each in part] for part in parts], axis=1),
        sum(each.steps for part in parts for each in part),
    )


def _attempt(agent: Agent, env: Env, seed: int) -> Trials:
    """One episode in every lane."""
    lanes = env.num_envs
    env.reset(seed=seed)
    goals: Bools = np.array(env.engine.settings.read("goal"))
    mind = Mind(agent, host_keys.split(host_keys.key_of(seeds.derive(seed, "luck")), lanes), goals=goals)
    returns = np.zeros(lanes, np.float32)
    successes = np.zeros((lanes, len(achievement_rewards(agent.game))), bool)
    has_goal: Bools = np.logical_or.reduce(goals, axis=1)
    playing, steps = np.arange(lanes), 0
    while len(playing):
        actions = np.zeros(lanes, np.int64)
        actions[playing] = mind.act(seen_by(env.observation, playing))
        step = env.step(actions)
        steps += len(playing)
        over = np.asarray(step.terminated | step.truncated)[playing]
        if over.any():
            ended = playing[over]
            returns[ended] = env.buffer("final_return")[ended]
            goals = np.zeros((len(ended), successes.shape[1]), bool)
            goals[:, 0] = env.buffer("final_success")[ended]
            unlocked = env.buffer("final_achievements")[ended]
            successes[ended] = np.where(has_goal[ended, None], goals, unlocked)
            mind.keep(~over)
            playing = playing[~over]
    return Trials(returns[None], successes[None], steps)
