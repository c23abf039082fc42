"""The small interface by which authors, the archive and the choice of parents see any engine.

A domain is an engine whose worlds code can configure: it says what there is to achieve, which dials there
are, what an author must know, and whether a level's code is sound. What comes back of a level is plain data;
how an engine runs it is the engine's affair. Nothing here knows Craftax, and nothing needs a heavy library.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Dial:
    """A number by which a level changes the dynamics of its world.

    Attributes:
        name: of it.
        default: what the plain game has.
        low: least value.
        high: greatest value.
        whole: whether it must be a whole number.
        meaning: what it does, in words.
    """

    name: str
    default: float
    low: float
    high: float
    whole: bool
    meaning: str


@dataclass(frozen=True)
class Reading:
    """What a level's code says, once read in the sandbox.

    Attributes:
        source: the code.
        digest: SHA-256 of the source, hexadecimal: the level's name in archives.
        objective: what to achieve, in a sentence.
        description: what the world is like.
        goal: names of achievements that, all met, end the episode.
        completed: names of those that count as met from the start.
        dials: all of the domain's, by name.
    """

    source: str
    digest: str
    objective: str
    description: str
    goal: tuple[str, ...]
    completed: tuple[str, ...]
    dials: Mapping[str, float]


@dataclass(frozen=True)
class Performance:
    """How a level went when it was trained last.

    Attributes:
        success: share of its finished episodes that met the goal; None if none finished.
        achievements: share of its finished episodes that met each achievement, by name.
        episodes: how many finished.
        mean_length: of them, in steps; None if none finished.
        mean_return: of them; None if none finished.
    """

    success: float | None
    achievements: Mapping[str, float]
    episodes: int
    mean_length: float | None
    mean_return: float | None

    @property
    def learnability(self) -> float:
        """How uncertain success is, p (1 - p); 0 if no episode finished (Rutherford et al. 2024)."""
        return 0.0 if self.success is None else self.success * (1.0 - self.success)


@dataclass(frozen=True)
class Known:
    """A level that an author may look at.

    Attributes:
        name: its digest.
        source: its code.
        objective: what to achieve, in a sentence.
        description: what the world is like.
        goal: names of achievements.
        performance: how it went; None if it was never trained.
    """

    name: str
    source: str
    objective: str
    description: str
    goal: tuple[str, ...]
    performance: Performance | None


@dataclass(frozen=True)
class Request:
    """What one new level is to be written from.

    Attributes:
        parent: the level that it is to grow from; None to write from nothing.
        profile: share of episodes that meet each achievement in the target game, by name.
        examples: levels whose code may serve as a model.
        seed: of all that the author draws for this level.
    """

    parent: Known | None
    profile: Mapping[str, float]
    examples: tuple[Known, ...]
    seed: int


@dataclass(frozen=True)
class Draft:
    """A new level as its author handed it in; nobody has checked it yet.

    Attributes:
        source: its code.
        description: what it was meant to be.
        reasoning: why; may be empty.
    """

    source: str
    description: str
    reasoning: str


@dataclass(frozen=True)
class Refusal:
    """In place of a draft: why there is none, in a sentence."""

    reason: str


Answered = Callable[[int, Draft | Refusal], None]
"""Told the answer to the request of a number, from 0, when it is there."""


class Author(Protocol):
    """Writes new levels: the rules of `garten.authors`, or a language model."""

    def write(self, requests: Sequence[Request]) -> Sequence[Draft | Refusal]:
        """One answer for each request, in their order.

        An unusable reply or a dead endpoint is a `Refusal` in its own place; nothing is raised for it and no
        other answer moves.
        """


@dataclass(frozen=True)
class Finding:
    """What one check of a level found.

    Attributes:
        name: of the check.
        passed: whether the level may be trained, as far as this check goes.
        detail: what is wrong, in a sentence to act on, or what was measured; may be empty.
    """

    name: str
    passed: bool
    detail: str


@dataclass(frozen=True)
class Verdict:
    """What all checks of a level found.

    Attributes:
        reading: what the level says; None if it could not be read.
        findings: in the order of the checks.
    """

    reading: Reading | None
    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        """Whether the level may be trained."""
        return self.reading is not None and all(finding.passed for finding in self.findings)

    @property
    def failure(self) -> Finding | None:
        """The first check that the level failed."""
        return next((finding for finding in self.findings if not finding.passed), None)

    @property
    def reason(self) -> str:
        """The first thing that is wrong, in a sentence; empty if nothing is."""
        return self.failure.detail if self.failure else ""


class Domain(Protocol):
    """An engine as authors and curricula see it."""

    @property
    def name(self) -> str:
        """Of the engine's game."""

    @property
    def goals(self) -> tuple[str, ...]:
        """Names of all achievements, easy ones first: tier by tier, each after those that it needs."""

    @property
    def needs(self) -> Mapping[str, tuple[str, ...]]:
        """For each achievement, the ones that lead to it; empty where none does."""

    @property
    def dials(self) -> Mapping[str, Dial]:
        """By which levels change the dynamics, by name."""

    @property
    def knowledge(self) -> Mapping[str, str]:
        """What an author of levels must know: texts by topic, written from the engine's tables."""

    @property
    def seeds(self) -> Mapping[str, str]:
        """Code of the levels that a curriculum begins with, by name."""

    @property
    def bare_seeds(self) -> Mapping[str, str]:
        """The same goals in the plain game."""

    def read(self, source: str) -> Reading:
        """What a level says.

        Raises:
            garten.errors.LevelError: it breaks the contract, fails or runs past a limit; the message is for
                its author.
        """

    def check(self, source: str) -> Verdict:
        """Whether a level is sound; never raises for what a level does."""

    def bare(self, reading: Reading) -> str:
        """Code of a level with the same goal in the plain game: no dials, nothing built."""
