"""The gate: which of the levels that authors hand in may be trained.

A draft is read in the sandbox and checked as `garten check` does, and those that pass are tried: the agent as
it is plays each for a short while. Whatever is wrong becomes a sentence, for the archive, the report and the
next author; nothing that a level does stops the caller.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from garten.domain import Domain, Draft, Finding, Reading, Refusal, Verdict
from garten.errors import LevelError

Trial = Callable[[Sequence[Reading]], Sequence[Finding]]
"""Plays levels for a short while; a finding for each, or an error if one of them breaks the play."""

AUTHOR, SAME = "author", "same"
"""Where answers fail that no check looks at: there is no draft, or just this level is known already."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Judgement:
    """What became of one answer of an author.

    Attributes:
        draft: as handed in; None if there is none.
        reading: what it says; None if it could not be read.
        failed: name of the check that it failed, `AUTHOR` or `SAME`; empty if it may be trained.
        reason: why it failed, in a sentence; empty if it may be trained.
        wall_ms: how long reading, checking and trying it took.
    """

    draft: Draft | None
    reading: Reading | None
    failed: str
    reason: str
    wall_ms: float

    @property
    def admitted(self) -> bool:
        """Whether the level may be trained."""
        return not self.failed


@dataclass(frozen=True)
class Yield:
    """How many answers became levels.

    Attributes:
        asked: answers there should be.
        written: drafts among them.
        admitted: drafts that may be trained.
        failed: how many failed where, by name of the check, `AUTHOR` and `SAME` among them.
    """

    asked: int
    written: int
    admitted: int
    failed: dict[str, int]

    @property
    def share(self) -> float:
        """Of what was asked for, the share that may be trained; 0 if nothing was."""
        return self.admitted / self.asked if self.asked else 0.0


def judge(
    answers: Sequence[Draft | Refusal], domain: Domain, *, known: Collection[str], trial: Trial | None = None
) -> list[Judgement]:
    """Judge an author's answers; the judgements are in their order.

    Args:
        answers: of an author.
        domain: that reads and checks levels.
        known: digests of levels that are no news; an answer that equals one before it is none either.
        trial: how levels that pass are tried; None not to.
    """
    seen = set(known)
    judged = []
    for answer in answers:
        one = _judged(answer, domain, seen)
        judged.append(one)
        if one.admitted and one.reading is not None:
            seen.add(one.reading.digest)
    return _tried(judged, trial) if trial is not None else judged


def yield_of(judgements: Sequence[Judgement]) -> Yield:
    """Count judgements."""
    return Yield(
        asked=len(judgements),
        written=sum(one.draft is not None for one in judgements),
        admitted=sum(one.admitted for one in judgements),
        failed=dict(Counter(one.failed for one in judgements if one.failed)),
    )


def _judged(answer: Draft | Refusal, domain: Domain, seen: Collection[str]) -> Judgement:
    """Judge one answer by all but the trial."""
    if isinstance(answer, Refusal):
        return Judgement(None, None, AUTHOR, answer.reason, 0.0)
    start = time.perf_counter()
    verdict = _verdict(answer.source, domain, seen)
    failed = verdict.failure.name if verdict.failure else ""
    return Judgement(answer, verdict.reading, failed, verdict.reason, _milliseconds_since(start))


def _verdict(source: str, domain: Domain, seen: Collection[str]) -> Verdict:
    try:
        reading = domain.read(source)
        if reading.digest in seen:
            return Verdict(reading, (Finding(SAME, False, "There is just this level already; change it."),))
        return domain.check(source)
    except Exception as error:
        return Verdict(None, (_failed("contract", error),))


def _tried(judged: Sequence[Judgement], trial: Trial) -> list[Judgement]:
    """Judgements after the trial of the levels that passed so far."""
    start = time.perf_counter()
    readings = [one.reading for one in judged if one.admitted and one.reading is not None]
    findings = iter(_findings(readings, trial))
    each_ms = _milliseconds_since(start) / max(len(readings), 1)
    return [_after_trial(one, next(findings), each_ms) if one.admitted else one for one in judged]


def _findings(readings: Sequence[Reading], trial: Trial) -> Sequence[Finding]:
    """What the trial finds of each level; if it fails, of each one alone."""
    try:
        return trial(readings) if readings else ()
    except Exception as error:
        if len(readings) > 1:
            return [_findings([reading], trial)[0] for reading in readings]
        return [_failed("trial", error)]


def _after_trial(one: Judgement, finding: Finding, wall_ms: float) -> Judgement:
    failed, reason = ("", "") if finding.passed else (finding.name, finding.detail)
    return replace(one, failed=failed, reason=reason, wall_ms=one.wall_ms + wall_ms)


def _failed(name: str, error: Exception) -> Finding:
    """What a check finds that ended in an error: whatever a level makes of us, training goes on."""
    if isinstance(error, LevelError):
        return Finding(name, False, str(error))
    _log.warning("The check %s of a level failed.", name, exc_info=error)
    return Finding(name, False, f"The check failed ({type(error).__name__}); write the level simpler.")


def _milliseconds_since(start: float) -> float:
    return 1000.0 * (time.perf_counter() - start)
