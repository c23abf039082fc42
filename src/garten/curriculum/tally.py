"""How each level of a cycle goes: its finished episodes, added up level by level.

What counts is whole episodes played in the level. Lanes get new worlds when they are given another level, so
every episode that ends began in the level its lane has. One that the end of the cycle cuts short is no
episode. Nor is one of a single step: so short is only one whose goal its world had met already, of which
neither success nor failure can be told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from garten.curriculum.stage import Lanes
from garten.domain import Performance
from garten.training.sources import Episodes


class Tally:
    """Sums over finished episodes, by the number of the level."""

    def __init__(self, levels: int, achievements: Sequence[str]) -> None:
        """Begin at nothing.

        Args:
            levels: how many there are, numbered from 0.
            achievements: names, in the game's order.
        """
        self._names = tuple(achievements)
        self._sums = {name: np.zeros(levels) for name in ("episodes", "successes", "steps", "returns")} | {
            "achievements": np.zeros((levels, len(self._names)))
        }

    def add(self, episodes: Episodes, lanes: Lanes) -> None:
        """Take in episodes that finished.

        Args:
            episodes: of a rollout.
            lanes: int [lanes], the level of each lane; -1 for none.
        """
        played = lanes[episodes.lane]
        counted = (played >= 0) & (episodes.length > 1)
        level = played[counted]
        parts = {
            "episodes": np.ones(len(level)),
            "successes": episodes.success[counted],
            "steps": episodes.length[counted],
            "returns": episodes.episode_return[counted],
            "achievements": episodes.achievements[counted],
        }
        for name, values in parts.items():
            if len(level):  # without any, achievements have no names
                np.add.at(self._sums[name], level, values)

    def performance(self, level: int) -> Performance:
        """How a level went; what follows from no episode is None."""
        sums = {name: values[level] for name, values in self._sums.items()}
        count = int(sums["episodes"])
        if not count:
            return Performance(success=None, achievements={}, episodes=0, mean_length=None, mean_return=None)
        shares = sums["achievements"] / count
        return Performance(
            success=float(sums["successes"] / count),
            achievements={
                name: float(share) for name, share in zip(self._names, shares, strict=True) if share
            },
            episodes=count,
            mean_length=float(sums["steps"] / count),
            mean_return=float(sums["returns"] / count),
        )

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """Copies of the sums."""
        return {name: values.copy() for name, values in self._sums.items()}

    def restore(self, state: dict[str, npt.NDArray[Any]]) -> None:
        """Go on from what `state` returned."""
        self._sums = {name: np.array(state[name]) for name in self._sums}
