"""The part of a training run's page that shows the levels its curriculum had written."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from garten.curriculum.archive import read_archive
from garten.curriculum.node import Node
from garten.report.ancestry import ancestry
from garten.report.level_charts import grades, success_map
from garten.runs.events import read_events
from garten.runs.folder import RunFolder

SHOWN = 6
"""Pairs of parent and child whose code is compared."""


@dataclass(frozen=True)
class Change:
    """A line of a comparison: "+", "-" or "" and its text."""

    mark: str
    text: str


@dataclass(frozen=True)
class Pair:
    """A level beside the one that it was written from."""

    parent: Node
    child: Node
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class LevelsPart:
    """What the page shows of a run's levels.

    Attributes:
        charts: SVG.
        counts: levels by status.
        generations: events, in order.
        asked: levels that authors were asked for.
        written: of those, handed in.
        admitted: of those, let through the gate.
        author_seconds: spent on writing.
        gate_seconds: spent on judging.
        waited_seconds: that training waited for them.
        pairs: of parents and children.
    """

    charts: tuple[Markup, ...]
    counts: Mapping[str, int]
    generations: tuple[Mapping[str, Any], ...]
    asked: int
    written: int
    admitted: int
    author_seconds: float
    gate_seconds: float
    waited_seconds: float
    pairs: tuple[Pair, ...]


def levels_part(run: RunFolder) -> LevelsPart | None:
    """What there is to show; None of a run without an archive.

    Raises:
        RunError: the run is damaged.
    """
    nodes = read_archive(run)
    admitted = [node for node in nodes.values() if not node.refused]
    if not admitted:
        return None
    events = read_events(run.path)
    generations = [event.data for event in events if event.kind == "generation"]
    cycles = 1 + max((node.last.cycle for node in admitted if node.last), default=0)
    statuses = [node.status for node in nodes.values()]

    def total(name: str) -> Any:
        return sum(generation[name] for generation in generations)

    return LevelsPart(
        charts=tuple(
            map(Markup, (ancestry(admitted), success_map(admitted, cycles), grades(admitted, cycles)))
        ),
        counts={status: statuses.count(status) for status in sorted(set(statuses))},
        generations=tuple(generations),
        asked=total("asked"),
        written=total("written"),
        admitted=total("admitted"),
        author_seconds=total("wall_author"),
        gate_seconds=total("wall_gate"),
        waited_seconds=total("wall_waited"),
        pairs=tuple(_pair(nodes, child) for child in _telling(admitted)),
    )


def _telling(nodes: Sequence[Node]) -> list[Node]:
    """Children to show beside their parents: those that there was most to learn from."""
    children = [node for node in nodes if node.parent and node.last]
    return sorted(children, key=lambda node: (-node.score("learnability"), node.number))[:SHOWN]


def _pair(nodes: Mapping[str, Node], child: Node) -> Pair:
    assert child.parent is not None
    parent = nodes[child.parent]
    lines = difflib.unified_diff(parent.source.splitlines(), child.source.splitlines(), n=2, lineterm="")
    changes = [line for line in lines if not line.startswith(("---", "+++"))]
    return Pair(parent, child, tuple(_change(line) for line in changes))


def _change(line: str) -> Change:
    if line.startswith("@@"):
        return Change("", "…")
    return Change(line[0].strip(), line[1:])
