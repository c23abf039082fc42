"""The conformance suite: what every world, built in or not, has to keep. `garten check WORLD` runs it.

Each check is one function whose docstring says in a line what it checks. It returns a detail worth reading,
or raises `Fault` with what is wrong. Most of them look at a journey: one episode of random actions, with
everything that could be read at each stop on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from garten.worlds import check_clock, check_declared, check_exact, check_seen
from garten.worlds.check_subject import Fault, Subject
from garten.worlds.world import World

CHECKS: tuple[Callable[[Subject], str], ...] = (
    check_declared.spec,
    check_declared.task,
    check_exact.fresh_process,
    check_exact.rerun,
    check_exact.looking,
    check_exact.snapshot,
    check_exact.fork,
    check_clock.durations,
    check_clock.time_limit,
    check_clock.flags,
    check_clock.arguments,
    check_clock.controls,
    check_seen.scenes,
    check_seen.cameras,
    check_seen.moments,
    check_seen.drawings,
    check_seen.hidden,
    check_seen.layouts,
    check_seen.scores,
    check_clock.speed,
)
"""All checks, in the order in which they run."""


@dataclass(frozen=True)
class Result:
    """What one check found."""

    name: str
    passed: bool
    detail: str  # what is wrong, or what was measured; may be empty
    explanation: str  # one line: what the check is about


def check(world: type[World[Any]], *, seeds: Sequence[int] = (0, 1, 2)) -> list[Result]:
    """Run every check on a world, over layouts drawn from these seeds."""
    if not seeds:
        raise ValueError("give at least one seed")
    subject = Subject(world, list(seeds))
    return [_run(one, subject) for one in CHECKS]


def _run(one: Callable[[Subject], str], subject: Subject) -> Result:
    name, explanation = one.__name__.replace("_", "-"), str(one.__doc__)
    try:
        return Result(name, True, one(subject), explanation)
    except Fault as fault:
        return Result(name, False, str(fault), explanation)
    except Exception as error:  # whatever a broken world raises is a finding
        return Result(name, False, f"raised {type(error).__name__}: {error}", explanation)
