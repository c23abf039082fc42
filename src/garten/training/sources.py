"""Where worlds come from: the seam at which curricula plug into training."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from garten.policies.policy import Policy


class Counted(Protocol):
    """Lanes of an engine, as much of them as every engine has."""

    @property
    def num_envs(self) -> int:
        """How many lanes."""


E_contra = TypeVar("E_contra", contravariant=True)
"""The lanes of an engine, such as `garten.craftax.env.Env`."""


@dataclass(frozen=True)
class Episodes:
    """Episodes that finished in a rollout, in the order in which they ended.

    Attributes:
        lane: int64 [n], where each was played.
        step: int64 [n], in which step of the rollout it ended.
        episode_return: float32 [n], sum of rewards.
        length: int64 [n], steps.
        achievements: bool [n, achievements], what it unlocked.
        success: bool [n], whether it met the lane's goal.
        truncated: bool [n], whether the time limit ended it.
    """

    lane: npt.NDArray[np.int64]
    step: npt.NDArray[np.int64]
    episode_return: npt.NDArray[np.float32]
    length: npt.NDArray[np.int64]
    achievements: npt.NDArray[np.bool_]
    success: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]


@dataclass(frozen=True)
class RolloutReport:
    """What a curriculum may learn from a rollout.

    Attributes:
        update: number of the update that the rollout belongs to, from 0.
        episodes: those that finished.
        rewards: float32 [steps, lanes].
        values: float32 [steps, lanes], the critic's estimates.
        advantages: float32 [steps, lanes].
        ended: bool [steps, lanes], whether the transition was the last of an episode.
    """

    update: int
    episodes: Episodes
    rewards: npt.NDArray[np.float32]
    values: npt.NDArray[np.float32]
    advantages: npt.NDArray[np.float32]
    ended: npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Plan:
    """What is to be done with the next rollout.

    Attributes:
        reset: bool [lanes], which lanes are to be reset before it (all, before update 0).
        learn: whether the policy learns from it.
    """

    reset: npt.NDArray[np.bool_]
    learn: bool = True


class LevelSource(Protocol[E_contra]):
    """Chooses what the lanes of an engine play. A curriculum implements it."""

    def begin(self, env: E_contra, update: int, *, policy: Policy) -> Plan:
        """Set lanes before a rollout: goals, dials, programs, pinned worlds.

        Args:
            env: the lanes.
            update: number of the update that the rollout belongs to, from 0.
            policy: as it is now, for those who try levels before lanes play them.
        """

    def report(self, rollout: RolloutReport) -> Mapping[str, float]:
        """Take in how the rollout went; returns what is to be told of it, by name."""

    def state(self) -> dict[str, Any]:
        """What a checkpoint must keep to go on exactly: JSON types and NumPy arrays."""

    def restore(self, state: dict[str, Any], env: E_contra) -> None:
        """Go on from what `state` returned, and give the engine back the tables that lanes choose from.

        The lanes themselves are restored after this.
        """

    def close(self) -> None:
        """Let go of what it holds: threads, processes, files."""


class FreshWorlds:
    """The plain game of any engine: every episode a new world."""

    def begin(self, env: Counted, update: int, *, policy: Policy) -> Plan:
        """Reset all lanes once, before the first rollout."""
        return Plan(np.full(env.num_envs, update == 0))

    def report(self, rollout: RolloutReport) -> Mapping[str, float]:
        """Nothing to learn from it."""
        return {}

    def state(self) -> dict[str, Any]:
        """Nothing to keep."""
        return {}

    def restore(self, state: dict[str, Any], env: Counted) -> None:
        """Nothing to go on from."""

    def close(self) -> None:
        """Nothing to let go of."""
