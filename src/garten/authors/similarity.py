"""Which levels are most like a text: by words, or by vectors of an embedding endpoint if there is one."""

from __future__ import annotations

import logging
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Protocol

from garten.domain import Known
from garten.errors import ModelError
from garten.llm.embeddings import Embedder

_log = logging.getLogger(__name__)

_WORD = re.compile(r"[a-z]+|\d+")


class Similarity(Protocol):
    """A measure of likeness."""

    def nearest(self, text: str, levels: Sequence[Known], count: int) -> list[Known]:
        """The levels most like a text, the nearest first; of equally near ones those that come first."""


class Lexical:
    """Likeness by common words, rare ones counting more: the cosine of term frequencies times log(N / n).

    (Salton and Buckley 1988, "Term-weighting approaches in automatic text retrieval".)
    """

    def nearest(self, text: str, levels: Sequence[Known], count: int) -> list[Known]:
        """See `Similarity.nearest`."""
        bags = [_bag(_told(level)) for level in levels]
        everywhere = Counter(word for bag in [*bags, _bag(text)] for word in bag)
        rarity = {word: math.log((1 + len(bags) + 1) / n) for word, n in everywhere.items()}
        wanted = _weighted(_bag(text), rarity)
        scores = [_cosine(wanted, _weighted(bag, rarity)) for bag in bags]
        return _best(levels, scores, count)


class Embedded:
    """Likeness by the cosine of an endpoint's vectors; by words where the endpoint fails."""

    def __init__(self, embedder: Embedder) -> None:
        """Ask this endpoint; each level once."""
        self._embedder = embedder
        self._vectors: dict[str, Mapping[str, float]] = {}  # by name of the level

    def nearest(self, text: str, levels: Sequence[Known], count: int) -> list[Known]:
        """See `Similarity.nearest`."""
        new = [level for level in levels if level.name not in self._vectors]
        try:
            first, *rest = self._embedder.embed([text, *map(_told, new)])
        except ModelError as error:
            _log.warning("levels are compared by their words: %s", error)
            return Lexical().nearest(text, levels, count)
        self._vectors |= {level.name: _vector(each) for level, each in zip(new, rest, strict=True)}
        scores = [_cosine(_vector(first), self._vectors[level.name]) for level in levels]
        return _best(levels, scores, count)


def _told(level: Known) -> str:
    return f"{level.objective} {level.description} {' '.join(level.goal)}"


def _bag(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text.lower()))


def _weighted(bag: Mapping[str, int], rarity: Mapping[str, float]) -> dict[str, float]:
    return {word: (1.0 + math.log(n)) * rarity[word] for word, n in bag.items()}


def _vector(numbers: Sequence[float]) -> dict[str, float]:
    return {str(index): number for index, number in enumerate(numbers)}


def _cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """The cosine of the angle between two sparse vectors; 0 if one is zero."""
    lengths = math.hypot(*one.values()) * math.hypot(*other.values())
    return sum(value * other[key] for key, value in one.items() if key in other) / lengths if lengths else 0.0


def _best(levels: Sequence[Known], scores: Sequence[float], count: int) -> list[Known]:
    order = sorted(range(len(levels)), key=lambda index: -scores[index])
    return [levels[index] for index in order[:count]]
