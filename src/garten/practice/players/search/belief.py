"""What to expect of a candidate, played or not: a Gaussian process over candidates and layouts.

Alike candidates are expected to score alike, so that the games of a whole family tell about each of its
members and one lucky game crowns nobody; games on one layout share how hard it is. (Rasmussen and Williams,
Gaussian Processes for Machine Learning, chapter 2.)
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from garten.practice.players.search.evidence import Record
from garten.practice.players.search.grammar import COLOR, SKILLS, Candidate, Scale, Step, key_of

_SIGNAL = 35.0  # points; how far apart unlike candidates score
_NOISE = 22.0  # points; how far apart games of one candidate score
_LAYOUT = 25.0  # points; how far apart layouts are
_START = 5.0  # points; what an unknown candidate is expected to score: most score nothing

_OTHER_SKILL = 2.5  # distances between candidates; at distance 1 their scores correlate by 1/e
_OTHER_COLOR = 1.5
_OTHER_WORD = 0.5
_OTHER_UNTIL = 0.3
_EXTRA_STEP = 0.8
_WHOLE_SCALE = 1.6  # from one end of a number's range to the other


class Belief:
    """Expectations after some games."""

    def __init__(self, records: Sequence[Record]) -> None:
        games = [(record.candidate, one) for record in records for one in record.outcomes.values()]
        self._candidates = [record.candidate for record in records if record.outcomes]
        rows = {key_of(candidate): row for row, candidate in enumerate(self._candidates)}
        self._row = np.array([rows[key_of(candidate)] for candidate, _ in games], int)
        places = np.array([one.round * 1000 + one.layout for _, one in games])
        alike = _likeness(self._candidates, self._candidates)[np.ix_(self._row, self._row)]
        covariance = _SIGNAL**2 * alike + _LAYOUT**2 * (places[:, None] == places[None])
        covariance[np.diag_indices(len(games))] += _NOISE**2
        worth = np.array([one.worth for _, one in games]) - _START
        self._inverse = np.linalg.inv(covariance) if games else np.zeros((0, 0))
        self._weights = self._inverse @ worth

    def expect(self, candidates: Sequence[Candidate]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Mean and standard deviation of what each is worth on a new layout's average, points; [N] each."""
        if not len(self._row):
            return np.full(len(candidates), _START), np.full(len(candidates), _SIGNAL)
        cross = _SIGNAL**2 * _likeness(candidates, self._candidates)[:, self._row]
        mean = _START + cross @ self._weights
        variance = _SIGNAL**2 - ((cross @ self._inverse) * cross).sum(1)
        return mean, np.sqrt(np.maximum(variance, 1.0))


def _likeness(some: Sequence[Candidate], others: Sequence[Candidate]) -> NDArray[np.float64]:
    """exp(-distance) for all pairs, [N, M]."""
    distances = [[_distance(one, other) for other in others] for one in some]
    return np.asarray(np.exp(-np.array(distances, float).reshape(len(some), len(others))))


def _distance(one: Candidate, other: Candidate) -> float:
    """The mean over roles of how far their sequences are apart."""
    parts = [_sequence_distance(one[role], other[role]) for role in one]
    return sum(parts) / len(parts)


def _sequence_distance(one: Sequence[Step], other: Sequence[Step]) -> float:
    """Steps are compared from the last one on, which mostly lasts longest."""
    extra = _EXTRA_STEP * abs(len(one) - len(other))
    pairs = zip(reversed(one), reversed(other), strict=False)
    return extra + sum(_step_distance(a, b) for a, b in pairs)


def _step_distance(one: Step, other: Step) -> float:
    until = _OTHER_UNTIL * (one.get("until") != other.get("until"))
    if one["do"] != other["do"]:
        return until + _OTHER_SKILL
    return until + sum(
        _value_distance(kind, one[name], other[name]) for name, kind in SKILLS[one["do"]].items()
    )


def _value_distance(kind: Any, one: Any, other: Any) -> float:
    if isinstance(kind, Scale):
        return _WHOLE_SCALE * abs(_place(kind, one) - _place(kind, other))
    if one == other:
        return 0.0
    return _OTHER_COLOR if kind == COLOR else _OTHER_WORD


@cache
def _place(scale: Scale, value: float) -> float:
    """Where a number lies on its scale, 0 to 1, by the number of values below it."""
    return float(np.interp(value, scale.values, np.linspace(0.0, 1.0, len(scale.values))))


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
