"""Prioritised level replay, plain and robust (Jiang et al. 2021a and 2021b)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from garten.craftax.env import Env
from garten.curriculum.periods import NOWHERE, Batch, L, Levels, Periodic, Window
from garten.curriculum.sampler import Buffer
from garten.curriculum.scores import best_returns, max_mc, positive_value_loss
from garten.policies.policy import Policy
from garten.runs.codec import to_json
from garten.training.curricula import BufferSettings

_KEPT = "buffer."
"""What the buffer's part of the state is called by."""


class LevelReplay(Periodic[L]):
    """New levels in some periods, which are scored and kept; in the others, kept ones played again.

    Attributes:
        buffer: the levels kept.
    """

    def __init__(
        self,
        levels: Levels[L],
        *,
        rollouts: int,
        replay: float,
        learn_new: bool,
        score: Literal["max_mc", "pvl"],
        buffer: BufferSettings,
        seed: int,
    ) -> None:
        """Keep nothing yet; the settings are those of `PLRSettings`."""
        super().__init__(levels, rollouts=rollouts, seed=seed)
        self._replay, self._learn_new, self._score = replay, learn_new, score
        self.buffer: Buffer[L] = Buffer(buffer)

    def choose(self, random: np.random.Generator, count: int, *, period: int, policy: Policy) -> Batch[L]:
        """Levels kept, if there are enough and luck has it, or new ones."""
        if self.buffer.full_enough and random.random() < self._replay:
            places = self.buffer.draw(random, count)
            levels = tuple(self.buffer.levels[place] for place in places)
            return Batch(levels, "replayed", learn=True, places=places)
        return Batch(tuple(self.propose(random, count)), "new", learn=self._learn_new, places=NOWHERE)

    def score(self, window: Window, batch: Batch[L]) -> npt.NDArray[np.float64]:
        """By the score that was asked for."""
        if self._score == "pvl":
            return positive_value_loss(window.advantages, window.ended)
        return max_mc(window.values, window.ended, self._best(window, batch))

    def keep(self, window: Window, batch: Batch[L], scores: npt.NDArray[np.float64]) -> None:
        """Note the new scores of levels kept, or keep new levels that score high enough.

        A level that several lanes played gets the mean of their scores; one of which no episode ended keeps
        what it had.
        """
        best = self._best(window, batch)
        if batch.origin != "replayed":
            for lane, level in enumerate(batch.levels):
                self.buffer.insert(level, score=float(scores[lane]), best=float(best[lane]))
            return
        for place in np.unique(batch.places):
            lanes = (batch.places == place) & np.isfinite(scores)
            if lanes.any():
                mean = float(scores[lanes].mean())
                self.buffer.update(int(place), score=mean, best=float(best[lanes].max()))

    def told(self) -> dict[str, float]:
        """How many levels are kept."""
        return {"kept": float(len(self.buffer.levels))}

    def state(self) -> dict[str, Any]:
        """See `LevelSource.state`."""
        kept = {f"{_KEPT}{name}": value for name, value in self.buffer.state().items()}
        return super().state() | kept | {f"{_KEPT}levels": to_json(self.buffer.levels)}

    def restore(self, state: dict[str, Any], env: Env) -> None:
        """See `LevelSource.restore`."""
        super().restore(state, env)
        kept = _group(state)
        self.buffer.restore(self.levels_from(kept["levels"]), kept)

    def _best(self, window: Window, batch: Batch[L]) -> npt.NDArray[np.float64]:
        """The greatest return of each lane's level so far, [lanes]."""
        played = batch.origin == "replayed"
        before = self.buffer.best[batch.places] if played else np.full(len(batch.levels), -np.inf)
        return best_returns(window.rewards, window.ended, before)


def _group(state: Mapping[str, Any]) -> dict[str, Any]:
    return {name.removeprefix(_KEPT): part for name, part in state.items() if name.startswith(_KEPT)}
