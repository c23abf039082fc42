"""A buffer of levels, from which those to play again are drawn (Jiang et al. 2021; sizes and ties as jaxued).

The weights are pure functions of scores and of when each level was last played; `Buffer` keeps both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from garten.training.curricula import BufferSettings

L = TypeVar("L")

Weights = npt.NDArray[np.float64]


def rank_weights(scores: Weights, *, temperature: float) -> Weights:
    """Weights (1 / rank) ** (1 / temperature), normalised; the highest score has rank 1, ties by order."""
    order = np.argsort(-scores, kind="stable")
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(1, len(scores) + 1)
    return _normalised(ranks ** (-1.0 / temperature))


def top_weights(scores: Weights, *, top: int, temperature: float) -> Weights:
    """Weights exp(score / temperature) of the `top` highest scores, normalised; 0 of the others."""
    chosen = np.argsort(-scores, kind="stable")[:top]
    weights = np.zeros(len(scores))
    weights[chosen] = np.exp((scores[chosen] - scores[chosen].max()) / temperature)
    return _normalised(weights)


def staleness_weights(last: npt.NDArray[np.int64], now: int) -> Weights:
    """Weights in proportion to how much was played since a level was; even if none is stale."""
    stale = (now - last).astype(np.float64)
    return _normalised(stale if stale.any() else np.ones(len(last)))


def score_weights(scores: Weights, settings: BufferSettings) -> Weights:
    """The weights of scores by the order that settings ask for."""
    if settings.order == "rank":
        return rank_weights(scores, temperature=settings.temperature)
    return top_weights(scores, top=settings.top, temperature=settings.temperature)


def _normalised(weights: Weights) -> Weights:
    shares: Weights = weights / weights.sum()
    return shares


class Buffer(Generic[L]):
    """Levels with what is known of each; places are indices that last until a level is replaced.

    Attributes:
        levels: what is kept.
        scores: float64 [levels].
        best: float64 [levels], the greatest return seen in each.
    """

    def __init__(self, settings: BufferSettings) -> None:
        """Begin empty."""
        self.levels: list[L] = []
        self.scores = np.zeros(0)
        self.best = np.zeros(0)
        self._settings = settings
        self._last = np.zeros(0, np.int64)  # the count of plays when each was played last
        self._plays = 0

    @property
    def full_enough(self) -> bool:
        """Whether levels may be played again."""
        return len(self.levels) > 0 and len(self.levels) >= self._settings.fill * self._settings.capacity

    def weights(self) -> Weights:
        """The chances of the levels to be drawn next, [levels]."""
        return self._blend(score_weights(self.scores, self._settings))

    def draw(self, random: np.random.Generator, count: int) -> npt.NDArray[np.int64]:
        """Places of levels to play, one drawn after the other; each draw makes the others staler."""
        by_score = score_weights(self.scores, self._settings)
        places = np.empty(count, np.int64)
        for index in range(count):
            places[index] = random.choice(len(self.levels), p=self._blend(by_score))
            self._note_play(places[index])
        return places

    def update(self, place: int, *, score: float, best: float) -> None:
        """Take in how a level went when it was played again."""
        self.scores[place], self.best[place] = score, best

    def insert(self, level: L, *, score: float, best: float) -> bool:
        """Keep a level if there is room, or if it scores higher than the one with the least weight.

        One that is kept already gets the new score. A score of minus infinity, of a level of which nothing is
        known, is never kept.

        Returns:
            Whether it is kept now.
        """
        if not np.isfinite(score):
            return False
        if level in self.levels:
            place = self.levels.index(level)
            best = max(best, float(self.best[place]))
        elif len(self.levels) < self._settings.capacity:
            place = len(self.levels)
            self.levels.append(level)
            self.scores, self.best = np.append(self.scores, score), np.append(self.best, best)
            self._last = np.append(self._last, 0)
        else:
            place = int(self.weights().argmin())
            if score <= self.scores[place]:
                return False
        self.levels[place] = level
        self.update(place, score=score, best=best)
        self._note_play(place)
        return True

    def state(self) -> dict[str, Any]:
        """Copies of all but the levels, to go on exactly from."""
        arrays = {"scores": self.scores, "best": self.best, "last": self._last}
        return {**{name: array.copy() for name, array in arrays.items()}, "plays": self._plays}

    def restore(self, levels: Sequence[L], state: dict[str, Any]) -> None:
        """Go on from the levels and what `state` returned."""
        self.levels = list(levels)
        self.scores, self.best = np.array(state["scores"]), np.array(state["best"])
        self._last, self._plays = np.array(state["last"]), state["plays"]

    def _blend(self, by_score: Weights) -> Weights:
        share = self._settings.staleness
        return (1.0 - share) * by_score + share * staleness_weights(self._last, self._plays)

    def _note_play(self, place: int | np.int64) -> None:
        self._plays += 1
        self._last[place] = self._plays
