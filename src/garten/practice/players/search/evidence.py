"""What games have shown of candidates, pooled over players and rounds.

Progress breaks ties between scores but never outweighs a gain in score.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from statistics import fmean

from garten.practice.players.search.grammar import Candidate, key_of

_TIE = 5.0  # points that full progress is worth: it orders candidates that never scored
_SPREAD = 35.0  # points; about how far apart single games of one candidate lie
_TESTED = 3  # games a lesson needs to count as tested


@dataclass(frozen=True)
class Outcome:
    """One game of one candidate."""

    game: str
    round: int
    layout: int
    score: float
    progress: float

    @property
    def worth(self) -> float:
        """Score, with progress as a tie-break."""
        return self.score + _TIE * self.progress


@dataclass(frozen=True)
class Record:
    """A candidate and all its games, by game id."""

    candidate: Candidate
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)

    @property
    def mean(self) -> float:
        """Mean score."""
        return fmean(one.score for one in self.outcomes.values())

    @property
    def progress(self) -> float:
        """Mean progress."""
        return fmean(one.progress for one in self.outcomes.values())


class Evidence:
    """Records by candidate."""

    def __init__(self) -> None:
        self.records: dict[str, Record] = {}

    def add(self, candidate: Candidate, outcomes: Iterable[Outcome]) -> None:
        """Put games on a candidate's record; a game that is there already counts once."""
        key = key_of(candidate)
        record = self.records.get(key, Record(candidate))
        merged = {**record.outcomes, **{one.game: one for one in outcomes}}
        self.records[key] = replace(record, outcomes=dict(sorted(merged.items())))

    @property
    def played(self) -> list[Record]:
        """Records with games, by key."""
        return [record for _, record in sorted(self.records.items()) if record.outcomes]

    @property
    def common(self) -> float:
        """The mean score of candidates, each counting once."""
        return fmean(record.mean for record in self.played) if self.played else 0.0

    def status(self, record: Record) -> str:
        """`tested`: at least three games and clearly better than the rest; `refuted`: never scored."""
        if len(record.outcomes) >= 2 and record.mean == 0.0:
            return "refuted"
        others = [one.mean for one in self.records.values() if one.outcomes and one is not record]
        rest = fmean(others) if others else 0.0
        error = _SPREAD / math.sqrt(len(record.outcomes))
        return "tested" if len(record.outcomes) >= _TESTED and record.mean > rest + error else "claim"
