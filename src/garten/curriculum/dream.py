"""Writing levels without training on them: an author's drafts past the gate, from a run's levels or seeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from garten.curriculum.archive import read_archive
from garten.curriculum.gate import Judgement, judge
from garten.curriculum.parents import choose_parents
from garten.domain import Domain, Draft, Known, Refusal, Request
from garten.runs.events import read_events
from garten.runs.folder import RunFolder
from garten.runs.storage import write_atomic
from garten.seeds import derive


@dataclass(frozen=True)
class Basis:
    """What new levels are written from.

    Attributes:
        parents: one for each level; None for one from nothing.
        known: levels that are no news, and whose code may serve as a model.
        profile: share of episodes that met each achievement in the target game, by name.
    """

    parents: tuple[Known | None, ...]
    known: tuple[Known, ...]
    profile: Mapping[str, float]


@dataclass(frozen=True)
class Dreamt:
    """One level that an author was asked for.

    Attributes:
        parent: what it was to grow from.
        judgement: what became of it.
        file: where its code was written; None if it may not be trained.
    """

    parent: Known | None
    judgement: Judgement
    file: Path | None


def from_seeds(domain: Domain, count: int) -> Basis:
    """A basis for so many levels: the seed levels of a domain in turn, untrained."""
    readings = [domain.read(source) for source in domain.seeds.values()]
    known = tuple(
        Known(each.digest, each.source, each.objective, each.description, each.goal, None)
        for each in readings
    )
    return Basis(tuple(known[number % len(known)] for number in range(count)), known, {})


def from_run(run: RunFolder, count: int, *, seed: int) -> Basis | None:
    """A basis for so many levels: those of a run's archive, parents chosen as training does.

    Returns:
        It; None if the run has no archive.

    Raises:
        RunError: the archive or the log is damaged.
    """
    nodes = {digest: node for digest, node in read_archive(run).items() if not node.refused}
    if not nodes:
        return None
    random = np.random.default_rng(derive(seed, "parents"))
    chosen = choose_parents(nodes, count, rule="learnability", random=random)
    return Basis(
        parents=tuple(node.known if node else None for node in chosen),
        known=tuple(node.known for node in nodes.values()),
        profile=_profile(run),
    )


class Dream:
    """Takes an author's answers as they come, and writes each that may be trained into a folder at once."""

    def __init__(
        self,
        domain: Domain,
        basis: Basis,
        *,
        seed: int,
        folder: Path,
        watch: Callable[[Dreamt], None] = lambda one: None,
    ) -> None:
        """Ask for levels.

        Args:
            domain: that checks.
            basis: what they are written from.
            seed: of all that is drawn.
            folder: for the code, ``DIGEST.py`` with 16 digits of the digest.
            watch: told what came of each, when it did.
        """
        self.requests = [
            Request(parent, basis.profile, basis.known, derive(seed, "dream", number))
            for number, parent in enumerate(basis.parents)
        ]
        self._domain, self._folder, self._watch = domain, folder, watch
        self._known = {level.name for level in basis.known}
        self._dreamt: dict[int, Dreamt] = {}

    def take(self, number: int, answer: Draft | Refusal) -> None:
        """Judge the answer to the request of that number, and keep its level if it may be trained."""
        (judgement,) = judge([answer], self._domain, known=self._known)
        one = Dreamt(self.requests[number].parent, judgement, _write(judgement, self._folder))
        if judgement.admitted and judgement.reading is not None:
            self._known.add(judgement.reading.digest)
        self._dreamt[number] = one
        self._watch(one)

    @property
    def dreamt(self) -> list[Dreamt]:
        """What came of the answers taken so far, in the order of the requests."""
        return [one for _, one in sorted(self._dreamt.items())]


def _profile(run: RunFolder) -> Mapping[str, float]:
    """What the policy met of the target game in the last cycle that says so."""
    told = [event.data.get("target") for event in read_events(run.path) if event.kind == "cycle"]
    known = [target["achievements"] for target in told if target and target.get("episodes")]
    return dict(known[-1]) if known else {}


def _write(judgement: Judgement, folder: Path) -> Path | None:
    """The file of a level that may be trained."""
    if not judgement.admitted or judgement.reading is None:
        return None
    path = folder / f"{judgement.reading.digest[:16]}.py"
    write_atomic(path, judgement.reading.source.encode())
    return path
