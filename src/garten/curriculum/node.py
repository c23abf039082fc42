"""A level in the archive: its code, where it comes from, and how it went whenever it was trained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from garten.domain import Known, Performance

Origin = Literal["seed", "generated"]

Status = Literal["seed", "draft", "compiled", "A", "B", "C", "D"]
"""A seed that was never trained, a level that the gate refused, one that it admitted and that was never
trained; else how often it succeeds by the evidence there is, by `GRADES`, D below them all."""

GRADES: tuple[tuple[Status, float], ...] = (("A", 0.75), ("B", 0.5), ("C", 0.25))
"""Least share of success of each grade (Dreaming in Code)."""


@dataclass(frozen=True)
class Training:
    """How a level went in one cycle.

    Attributes:
        cycle: its number.
        performance: of the policy on the level.
        evidence: how the level goes by this cycle and those before it; see `garten.curriculum.evidence`.
        scores: how much there may be to learn from it, by name of the score.
    """

    cycle: int
    performance: Performance
    evidence: Performance
    scores: Mapping[str, float]


@dataclass(frozen=True)
class Node:
    """A level of the archive.

    Attributes:
        number: how many levels came before it.
        digest: its name, SHA-256 of its source.
        source: its code.
        origin: whether the curriculum began with it.
        parent: name of the level that it was written from; None for seeds and what was written from nothing.
        objective: what to achieve; empty if the code could not be read.
        description: what the world is like.
        goal: names of achievements.
        reasoning: the author's; may be empty.
        born: cycle in which it came.
        refused: why the gate refused it, in a sentence; empty if it did not.
        trainings: in the order of cycles.
    """

    number: int
    digest: str
    source: str
    origin: Origin
    parent: str | None
    objective: str
    description: str
    goal: tuple[str, ...]
    reasoning: str
    born: int
    refused: str = ""
    trainings: tuple[Training, ...] = ()

    @property
    def last(self) -> Training | None:
        """Its last training."""
        return self.trainings[-1] if self.trainings else None

    @property
    def status(self) -> Status:
        """Where it stands."""
        if self.refused:
            return "draft"
        if self.last is None:
            return "seed" if self.origin == "seed" else "compiled"
        success = self.last.evidence.success
        return next((grade for grade, least in GRADES if success is not None and success >= least), "D")

    @property
    def known(self) -> Known:
        """What its author may look at."""
        evidence = self.last.evidence if self.last else None
        return Known(self.digest, self.source, self.objective, self.description, self.goal, evidence)

    def score(self, name: str) -> float:
        """A score of its last training; 0 if it has none."""
        return self.last.scores.get(name, 0.0) if self.last else 0.0
