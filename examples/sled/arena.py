"""The sled as training sees it; see `garten.training.arena`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from garten import seeds
from garten.errors import RunError
from garten.policies.policy import Observation, Policy
from garten.policies.shape import Shape
from garten.runs.events import Event
from garten.runs.resume import RunWriter
from garten.runs.team import Team
from garten.training.config import Config
from garten.training.lanes import Arrays, Outcome, Results
from sled.env import ACTIONS, NUMBERS, SledEnv
from sled.game import BEST, LIMIT, NAME, NAMES
from sled.play import observed, play_once

HELD_OUT = 48
"""Worlds of an evaluation, which no training sees: the same for all runs."""

_HELD_OUT_SEED = 20_000_003


class SledLanes:
    """An `EngineLanes`.

    Attributes:
        env: the lanes.
        count: how many.
    """

    def __init__(self, env: SledEnv, *, tell_goal: bool) -> None:
        """Show lanes to a policy; `tell_goal` says whether with the lane's goal."""
        self.env, self.count = env, env.num_envs
        self._tell_goal = tell_goal

    def observe(self) -> Observation:
        """See `Lanes.observe`."""
        return observed(self.env, torch.from_numpy(self.env.numbers()), told_goal=self._tell_goal)

    def final(self) -> Observation:
        """See `Lanes.final`."""
        return observed(self.env, torch.from_numpy(self.env.final["numbers"]), told_goal=self._tell_goal)

    def step(self, actions: Tensor) -> Outcome:
        """See `Lanes.step`."""
        return Outcome(*map(torch.from_numpy, self.env.step(actions.numpy())))

    def results(self) -> Results:
        """See `Lanes.results`."""
        final = self.env.final
        return Results(final["return"], final["length"], final["achievements"], final["success"])

    def reset(self, lanes: npt.NDArray[np.bool_], *, seed: int) -> None:
        """See `EngineLanes.reset`."""
        self.env.reset(lanes, seed=seed)

    def state(self) -> Arrays:
        """See `Lanes.state`."""
        return self.env.save()

    def restore(self, state: Arrays) -> None:
        """See `Lanes.restore`."""
        self.env.load(state)


class SledArena:
    """An `Arena`."""

    def shape(self, config: Config) -> Shape:
        """See `Arena.shape`."""
        if config.game != NAME:
            raise RunError(f"{config.game} is not {NAME}; give that as the game.")
        return Shape(None, NUMBERS, ACTIONS, goal=len(NAMES) if config.tell_goal else 0)

    def achievements(self, config: Config) -> Sequence[str]:
        """See `Arena.achievements`."""
        return [name.lower() for name in NAMES]

    def begin(self, config: Config, *, device: str, threads: int, team: Team) -> SledLanes:
        """See `Arena.begin`."""
        if device != "cpu" or team.size > 1:
            raise RunError("The sled runs on one CPU; leave out other devices and torchrun.")
        env = SledEnv(config.rollout.lanes, limit=config.rollout.episode_steps or LIMIT)
        env.reset(np.ones(env.num_envs, bool), seed=seeds.derive(config.seed, "worlds", 0))
        return SledLanes(env, tell_goal=config.tell_goal)

    def evaluate(self, run: RunWriter, policy: Policy, config: Config, *, steps: int, threads: int) -> Event:
        """See `Arena.evaluate`: an episode in each of the held-out worlds."""
        limit = config.rollout.episode_steps or LIMIT
        played = play_once(
            policy, SledEnv(HELD_OUT, limit=limit), seed=_HELD_OUT_SEED, told_goal=config.tell_goal
        )
        returns, shares = played["return"], played["achievements"].mean(0)
        return run.event(
            "evaluation",
            {
                "steps": steps,
                "protocol": "held-out",
                "return": float(returns.mean()),
                "standard_error": float(returns.std(ddof=1) / len(returns) ** 0.5),
                "percent_of_maximum": 100.0 * float(returns.mean()) / BEST,
                "achievements": dict(zip(self.achievements(config), shares.tolist(), strict=True)),
            },
        )
