"""Writing levels without training on them: an author's drafts past the gate, from known levels or seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from garten.curriculum.archive import read_archive
from garten.curriculum.gate import Judgement, judge
from garten.curriculum.parents import choose_parents
from garten.domain import Author, Domain, Known, Request
from garten.runs.folder import RunFolder
from garten.runs.storage import write_atomic
from garten.seeds import derive


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


def seed_levels(domain: Domain) -> list[Known]:
    """The levels that curricula of a domain begin with, untrained."""
    readings = (domain.read(source) for source in domain.seeds.values())
    return [
        Known(each.digest, each.source, each.objective, each.description, each.goal, None)
        for each in readings
    ]


def parents_in(run: RunFolder, count: int, *, seed: int) -> tuple[list[Known | None], list[Known]]:
    """Parents for so many levels from a run's archive, chosen as training does, and all of its levels.

    Both are empty if the run has no archive.

    Raises:
        RunError: the archive is damaged.
    """
    nodes = {digest: node for digest, node in read_archive(run).items() if not node.refused}
    if not nodes:
        return [], []
    random = np.random.default_rng(derive(seed, "parents"))
    chosen = choose_parents(nodes, count, rule="learnability", random=random)
    return [node.known if node else None for node in chosen], [node.known for node in nodes.values()]


def dream(
    author: Author,
    domain: Domain,
    parents: Sequence[Known | None],
    *,
    known: Sequence[Known],
    seed: int,
    folder: Path,
) -> list[Dreamt]:
    """Have a level written from each of these parents, and write those that may be trained into a folder.

    Args:
        author: who writes.
        domain: that checks.
        parents: one for each level.
        known: levels that are no news, and whose code may serve as a model.
        seed: of all that is drawn.
        folder: for the code, ``DIGEST.py`` with 16 digits of the digest.
    """
    requests = [
        Request(parent, {}, tuple(known), derive(seed, "dream", number))
        for number, parent in enumerate(parents)
    ]
    judgements = judge(author.write(requests), domain, known={level.name for level in known})
    return [
        Dreamt(parent, judgement, _write(judgement, folder))
        for parent, judgement in zip(parents, judgements, strict=True)
    ]


def _write(judgement: Judgement, folder: Path) -> Path | None:
    """The file of a level that may be trained."""
    if not judgement.admitted or judgement.reading is None:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{judgement.reading.digest[:16]}.py"
    write_atomic(path, judgement.reading.source.encode())
    return path
