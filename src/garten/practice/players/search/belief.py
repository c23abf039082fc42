"""What to expect of a candidate, played or not: a Gaussian process over candidates and layouts.

Alike candidates are expected to score alike, so that the games of a whole family tell about each of its
members and one lucky game crowns nobody; games on one layout share how hard it is. (Rasmussen and Williams,
Gaussian Processes for Machine Learning, chapter 2.)
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from garten.practice.players.search.evidence import Record
from garten.practice.players.search.grammar import SKILLS, Candidate, key_of
from garten.practice.players.search.kinds import COLOR, SHADE, Scale

_SIGNAL = 32.0  # points; how far apart unlike candidates score
_NOISE = 36.0  # points; how far apart games of one candidate score
_LAYOUT = 8.0  # points; how far apart layouts are
_START = 5.0  # points; what an unknown candidate is expected to score: most score nothing

_MANY = 40  # games from which chance can be told from skill
_CALM = (1.0, 0.5, 0.25, 0.12)  # times as much chance as above that games may turn out to hold

_OTHER_SKILL = 2.5  # distances between candidates; at distance 1 their scores correlate by 1/e
_OTHER_COLOR = 1.5
_OTHER_WORD = 0.5
_OTHER_UNTIL = 0.3
_EXTRA_STEP = 0.8
_WHOLE_SCALE = 1.2  # from one end of a number's range to the other


class Belief:
    """Expectations after some games."""

    def __init__(self, records: Sequence[Record]) -> None:
        games = [(record.candidate, one) for record in records for one in record.outcomes.values()]
        self._candidates = [record.candidate for record in records if record.outcomes]
        rows = {key_of(candidate): row for row, candidate in enumerate(self._candidates)}
        self._row = np.array([rows[key_of(candidate)] for candidate, _ in games], int)
        places = np.array([one.round * 1000 + one.layout for _, one in games])
        alike = _likeness(self._candidates, self._candidates)[np.ix_(self._row, self._row)]
        together = places[:, None] == places[None]
        worth = np.array([one.worth for _, one in games]) - _START
        calm = (
            min(_CALM, key=lambda calm: _surprise(_covariance(alike, together, calm), worth))
            if (len(games) >= _MANY)
            else 1.0
        )
        self._inverse = np.linalg.inv(_covariance(alike, together, calm)) if games else np.zeros((0, 0))
        self._weights = self._inverse @ worth

    def expect(self, candidates: Sequence[Candidate]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Mean and standard deviation of what each is worth on a new layout's average, points; [N] each."""
        if not len(self._row):
            return np.full(len(candidates), _START), np.full(len(candidates), _SIGNAL)
        cross = _SIGNAL**2 * _likeness(candidates, self._candidates)[:, self._row]
        mean = _START + cross @ self._weights
        variance = _SIGNAL**2 - ((cross @ self._inverse) * cross).sum(1)
        return mean, np.sqrt(np.maximum(variance, 1.0))


def _covariance(alike: NDArray[np.float64], together: NDArray[np.bool_], calm: float) -> NDArray[np.float64]:
    """Of games, whose chance and layouts matter `calm` times as much as at first thought."""
    covariance = _SIGNAL**2 * alike + (calm * _LAYOUT) ** 2 * together
    covariance[np.diag_indices(len(alike))] += (calm * _NOISE) ** 2
    return np.asarray(covariance)


def _surprise(covariance: NDArray[np.float64], worth: NDArray[np.float64]) -> float:
    """How badly games fit a covariance: the negative logarithm of their density, but for a constant."""
    _, logarithm = np.linalg.slogdet(covariance)
    return 0.5 * float(worth @ np.linalg.solve(covariance, worth) + logarithm)


def _likeness(some: Sequence[Candidate], others: Sequence[Candidate]) -> NDArray[np.float64]:
    """exp(-distance) for all pairs, [N, M]; the distance is the mean over roles."""
    texts, other_texts = _step_texts(some), _step_texts(others)
    distances = [
        [sum(map(_sequence_distance, one, other)) / len(one) for other in other_texts] for one in texts
    ]
    return np.asarray(np.exp(-np.array(distances, float).reshape(len(some), len(others))))


def _step_texts(candidates: Sequence[Candidate]) -> list[list[tuple[str, ...]]]:
    """By candidate and role, the steps as texts, which a cache can hold; the last step first."""
    return [
        [tuple(json.dumps(step, sort_keys=True) for step in reversed(one[role])) for role in sorted(one)]
        for one in candidates
    ]


def _sequence_distance(one: tuple[str, ...], other: tuple[str, ...]) -> float:
    """Steps are compared from the last one on, which mostly lasts longest."""
    return _EXTRA_STEP * abs(len(one) - len(other)) + sum(map(_step_distance, one, other))


@lru_cache(maxsize=1 << 17)
def _step_distance(one_text: str, other_text: str) -> float:
    one, other = json.loads(one_text), json.loads(other_text)
    until = _OTHER_UNTIL if one.get("until") != other.get("until") else 0.0
    if one["do"] != other["do"]:
        return until + _OTHER_SKILL
    return until + sum(
        _value_distance(kind, one[name], other[name]) for name, kind in SKILLS[one["do"]].items()
    )


def _value_distance(kind: Any, one: Any, other: Any) -> float:
    if isinstance(kind, Scale):
        return _WHOLE_SCALE * abs(_place(kind.values, one) - _place(kind.values, other))
    if one == other:
        return 0.0
    return _OTHER_COLOR if kind in (COLOR, SHADE) else _OTHER_WORD


@lru_cache(maxsize=1 << 10)
def _place(values: tuple[float, ...], value: float) -> float:
    """Where a number lies among the values of its scale, 0 at the first to 1 at the last."""
    return float(np.interp(value, values, np.linspace(0.0, 1.0, len(values))))


def hopeful(
    belief: Belief, candidates: Sequence[Candidate], count: int, *, boldness: float
) -> list[Candidate]:
    """Candidates with the highest mean plus `boldness` standard deviations, unlike ones before like ones.

    After one is chosen the doubt about those like it shrinks, as if it had scored what was expected.
    """
    mean, spread = belief.expect(candidates)
    alike = _likeness(candidates, candidates)
    chosen: list[int] = []
    doubt = spread.copy()
    for _ in range(min(count, len(candidates))):
        hope = mean + boldness * doubt
        hope[chosen] = -math.inf
        best = int(hope.argmax())
        chosen.append(best)
        doubt = doubt * np.sqrt(1.0 - 0.6 * alike[best] ** 2)
    return [candidates[index] for index in chosen]


def trusted(belief: Belief, records: Mapping[str, Record], *, caution: float) -> list[Record]:
    """Played candidates by mean less `caution` standard deviations, the most trusted first."""
    played = [record for _, record in sorted(records.items()) if record.outcomes]
    mean, spread = belief.expect([record.candidate for record in played])
    order = np.argsort(-(mean - caution * spread), kind="stable")
    return [played[index] for index in order]
