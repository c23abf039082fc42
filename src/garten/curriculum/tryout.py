"""Craftax levels tried by the agent that is to train in them: it plays each for a short while."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from garten import seeds
from garten.craftax import host_keys
from garten.craftax.env import Env
from garten.curriculum.gate import Trial
from garten.domain import Finding, Reading
from garten.levels.check import require_bounds, require_finite
from garten.levels.lanes import assign
from garten.levels.level import Level
from garten.training.agents import Agent, Mind
from garten.training.evaluate import environment, seen_by
from garten.training.results import Protocol

NAME = "trial"

LANES, STEPS = 4, 64
"""Starts of each level that the agent plays, and for how many steps at most."""

Lanes = npt.NDArray[np.bool_]


def agent_trial(
    agent: Agent, level_of: Callable[[str], Level], *, seed: int, lanes: int = LANES, steps: int = STEPS
) -> Trial:
    """A trial for the gate: levels are refused if play breaks in them, not for how well the agent does.

    Args:
        agent: who plays.
        level_of: finds a level by its source.
        seed: of all luck.
        lanes: starts of each level.
        steps: of an episode at most.
    """

    def trial(readings: Sequence[Reading]) -> list[Finding]:
        levels = [level_of(reading.source) for reading in readings]
        told = played(agent, levels, seed=seed, lanes=lanes, steps=steps)
        return [Finding(NAME, True, f"goal met {m}, dead {d} times in {lanes} starts") for m, d in told]

    return trial


def played(
    agent: Agent, levels: Sequence[Level], *, seed: int, lanes: int, steps: int
) -> list[tuple[int, int]]:
    """Of each level, in how many starts the agent met the goal and in how many it died.

    Args:
        agent: who plays one episode in every start.
        levels: to play, side by side.
        seed: of all luck.
        lanes: starts of each level.
        steps: of an episode at most.

    Raises:
        Fault: play breaks.
    """
    count = len(levels) * lanes
    env = environment(agent, Protocol(NAME, worlds=count, steps=steps), lanes=count)
    assign(env, levels, np.repeat(np.arange(len(levels)), lanes), bonus=1.0)
    met, dead = _play(agent, env, seed=seed)
    return [
        (int(m), int(d))
        for m, d in zip(*(each.reshape(-1, lanes).sum(1) for each in (met, dead)), strict=True)
    ]


def _play(agent: Agent, env: Env, *, seed: int) -> tuple[Lanes, Lanes]:
    """Play one episode in every lane: in which ones the goal was met, and in which the player died.

    Raises:
        Fault: play breaks.
    """
    lanes = env.num_envs
    env.reset(seed=seeds.derive(seed, "starts"))
    luck = host_keys.split(host_keys.key_of(seeds.derive(seed, "luck")), lanes)
    mind = Mind(agent, luck, goals=env.engine.settings.read("goal"))
    met, dead = np.zeros(lanes, bool), np.zeros(lanes, bool)
    playing = np.arange(lanes)
    while len(playing):
        actions = np.zeros(lanes, np.int64)
        actions[playing] = mind.act(seen_by(env.observation, playing))
        step = env.step(actions)
        require_finite(step.reward[playing])
        over = np.asarray(step.terminated | step.truncated)[playing]
        if over.any():
            ended = playing[over]
            met[ended] = env.buffer("final_success")[ended]
            dead[ended] = env.engine.state.read("health")[ended] <= 0
            mind.keep(~over)
            playing = playing[~over]
    require_bounds(env)
    return met, dead
