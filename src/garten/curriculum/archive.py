"""The archive: every level of a run, what it was written from, and how it went.

In the run's folder ``levels`` each level is two files: ``DIGEST.py``, its code, and ``DIGEST.json``, all
else. They are the archive; what SQLite holds beside them (`garten.curriculum.tables`) is derived. Files are
complete or absent and hold no clock, so equal runs have equal archives. One process writes, any number read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

from garten.curriculum import tables
from garten.curriculum.lineage import graphml
from garten.curriculum.node import Node, Origin, Training
from garten.domain import Draft, Reading
from garten.errors import RunError
from garten.runs.codec import from_json, to_json
from garten.runs.folder import RunFolder

LEVELS = "levels"
"""Folder of a run that holds its archive."""

GRAPH = f"{LEVELS}/archive.graphml"
"""The graph of levels for other programs."""

_LONGEST = 50_000  # characters of refused code that are kept


def read_archive(folder: RunFolder) -> dict[str, Node]:
    """All levels of a run by digest, in the order in which they came.

    Raises:
        RunError: a file is missing or damaged.
    """
    found = [_read(folder, path.stem) for path in folder.file(LEVELS).glob("*.json")]
    return {node.digest: node for node in sorted(found, key=lambda node: node.number)}


def digest_of(source: str) -> str:
    """The name of a level: SHA-256 of its code, hexadecimal."""
    return hashlib.sha256(source.encode("utf-8", "backslashreplace")).hexdigest()


class Archive:
    """The archive of a run, open for writing by the one process that holds the run's lock."""

    def __init__(self, folder: RunFolder) -> None:
        """Open it, with the levels that it holds already.

        Raises:
            RunError: a file is damaged, or the run cannot be written.
        """
        self._folder = folder
        self._nodes = read_archive(folder)
        self._tables = tables.open_for_writing(folder, self._nodes.values())

    @property
    def nodes(self) -> Mapping[str, Node]:
        """All levels by digest, in the order in which they came."""
        return self._nodes

    def children(self, digest: str) -> list[Node]:
        """The levels that were written from one."""
        return [node for node in self._nodes.values() if node.parent == digest]

    def add(
        self,
        reading: Reading,
        *,
        cycle: int,
        origin: Origin = "generated",
        parent: str | None = None,
        reasoning: str = "",
    ) -> Node:
        """Keep a level that may be trained.

        Raises:
            ValueError: it is in the archive, or its parent is not.
            RunError: the run cannot be written.
        """
        return self._insert(
            Node(
                number=len(self._nodes),
                digest=reading.digest,
                source=reading.source,
                origin=origin,
                parent=parent,
                objective=reading.objective,
                description=reading.description,
                goal=reading.goal,
                reasoning=_plain(reasoning),
                born=cycle,
            )
        )

    def refuse(
        self,
        draft: Draft,
        reason: str,
        *,
        cycle: int,
        parent: str | None = None,
        reading: Reading | None = None,
    ) -> Node | None:
        """Keep what the gate refused, for the record; None if just this code is in the archive.

        Args:
            draft: as its author handed it in.
            reason: why it was refused.
            cycle: in which.
            parent: that it was written from.
            reading: what it says, if it could be read.
        """
        source = reading.source if reading else _plain(draft.source)[:_LONGEST]
        digest = digest_of(source)
        if digest in self._nodes:
            return None
        return self._insert(
            Node(
                number=len(self._nodes),
                digest=digest,
                source=source,
                origin="generated",
                parent=parent,
                objective=reading.objective if reading else "",
                description=_plain(draft.description),
                goal=reading.goal if reading else (),
                reasoning=_plain(draft.reasoning),
                born=cycle,
                refused=_plain(reason),
            )
        )

    def record(self, digest: str, training: Training) -> Node:
        """Note how a level went in a cycle.

        Raises:
            ValueError: it is not in the archive, was refused, or went in this cycle or a later one already.
        """
        node = self._nodes.get(digest)
        if node is None or node.refused:
            raise ValueError(f"No level {digest} of the archive may be trained; add it first.")
        if node.last is not None and node.last.cycle >= training.cycle:
            raise ValueError(f"Cycle {node.last.cycle} is on record; give a later one than {training.cycle}.")
        return self._write(replace(node, trainings=(*node.trainings, training)))

    def rewind(self, cycle: int, *, trained: int | None = None) -> None:
        """Forget everything since the beginning of a cycle: a run goes on from there.

        Args:
            cycle: levels that came in it, or later, are gone.
            trained: trainings in this cycle, or later, are off the record; the same cycle by default.

        Raises:
            RunError: the run cannot be written.
        """
        first = cycle if trained is None else trained
        for node in list(self._nodes.values()):
            earlier = tuple(each for each in node.trainings if each.cycle < first)
            if node.born >= cycle:
                self._remove(node)
            elif earlier != node.trainings:
                tables.remove(self._tables, node.digest)
                self._write(replace(node, trainings=earlier))

    def save_graph(self) -> None:
        """Write the graph of levels for other programs; see `GRAPH`."""
        self._folder.write_text(GRAPH, graphml(self._nodes.values()))

    def close(self) -> None:
        """Finish writing."""
        self._tables.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _insert(self, node: Node) -> Node:
        if node.digest in self._nodes:
            raise ValueError(f"The level {node.digest} is in the archive already; add each level once.")
        if node.parent is not None and node.parent not in self._nodes:
            raise ValueError(f"The parent {node.parent} is not in the archive; add it first.")
        # The code first: whoever finds the other file finds its code too.
        self._folder.write_text(_code(node.digest), node.source)
        return self._write(node)

    def _write(self, node: Node) -> Node:
        about: dict[str, Any] = to_json(node)
        del about["source"]
        self._folder.write_json(_about(node.digest), about)
        tables.put(self._tables, node)
        self._nodes[node.digest] = node
        return node

    def _remove(self, node: Node) -> None:
        self._folder.file(_about(node.digest)).unlink()
        self._folder.file(_code(node.digest)).unlink()
        tables.remove(self._tables, node.digest)
        del self._nodes[node.digest]


def _code(digest: str) -> str:
    return f"{LEVELS}/{digest}.py"


def _about(digest: str) -> str:
    return f"{LEVELS}/{digest}.json"


def _plain(text: str) -> str:
    """Text as it can stand in a file: a model's reply may hold what UTF-8 cannot."""
    return text.encode("utf-8", "backslashreplace").decode()


def _read(folder: RunFolder, digest: str) -> Node:
    """One level from its files."""
    source = folder.read_bytes(_code(digest))
    about = folder.read_json(_about(digest))
    try:
        node = from_json(Node, {**_with_evidence(about), "source": source.decode()})
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise _damaged(folder, _about(digest)) from error
    if node.digest != digest or digest_of(node.source) != digest:
        raise _damaged(folder, _code(digest))
    return node


def _with_evidence(about: Any) -> Any:
    """The same, where archives made before evidence was pooled take that of each cycle alone."""
    trainings = [{"evidence": each["performance"], **each} for each in about.get("trainings", ())]
    return {**about, "trainings": trainings}


def _damaged(folder: RunFolder, relative: str) -> RunError:
    return RunError(f"{folder.file(relative)} is damaged; restore it from a copy or start a new run.")
