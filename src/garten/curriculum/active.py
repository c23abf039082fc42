"""The levels that may be trained again: those of the highest scores, drawn by score and staleness.

A level enters when it was trained; once all places are taken, it takes that of the lowest score if it has at
least as high a one, and the other never comes back (Dreaming in Code; Jiang et al. 2021 for the weights).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from garten.curriculum.sampler import Weights, score_weights, staleness_weights
from garten.training.curricula import BufferSettings


@dataclass
class _Entry:
    """A level's last score, and the cycle in which it was trained last."""

    score: float
    last: int


class ActiveLevels:
    """Names of levels, each with its last score and when it was trained last."""

    def __init__(self, settings: BufferSettings) -> None:
        """Begin empty; of the settings all counts but `fill`."""
        self._settings = settings
        self._entries: dict[str, _Entry] = {}

    def __len__(self) -> int:
        """How many there are."""
        return len(self._entries)

    def __contains__(self, name: object) -> bool:
        """Whether a level is among them."""
        return name in self._entries

    @property
    def names(self) -> tuple[str, ...]:
        """Of the levels, in the order in which they entered."""
        return tuple(self._entries)

    def trained(self, name: str, *, score: float, cycle: int) -> bool:
        """Note how a level went, and let it enter if it may; returns whether it is among them now."""
        if not np.isfinite(score):
            raise ValueError(f"The score of {name} is {score}; give a finite number.")
        if name not in self._entries and len(self._entries) >= self._settings.capacity:
            worst = min(self._entries, key=lambda each: self._entries[each].score)
            if score < self._entries[worst].score:
                return False
            del self._entries[worst]
        self._entries[name] = _Entry(score, cycle)
        return True

    def weights(self, cycle: int) -> Weights:
        """Chances of the levels to be the first drawn in a cycle, in the order of `names`."""
        scores = np.array([entry.score for entry in self._entries.values()])
        last = np.array([entry.last for entry in self._entries.values()], np.int64)
        share = self._settings.staleness
        by_score = score_weights(scores, self._settings)
        return (1.0 - share) * by_score + share * staleness_weights(last, cycle)

    def draw(self, random: np.random.Generator, count: int, *, cycle: int) -> list[str]:
        """Names of different levels to train, as many as asked for or as there are."""
        if not self._entries:
            return []
        weights = self.weights(cycle)
        count = min(count, int((weights > 0.0).sum()))
        drawn = random.choice(len(weights), count, replace=False, p=weights)
        names = self.names
        return [names[place] for place in drawn]

    def state(self) -> dict[str, Any]:
        """All of it as JSON, to go on exactly from."""
        # A list, for files of JSON sort the keys of objects, and the order decides ties.
        return {"levels": [[name, entry.score, entry.last] for name, entry in self._entries.items()]}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from what `state` returned."""
        self._entries = {name: _Entry(score, last) for name, score, last in state["levels"]}
