"""Who inherited what: which lessons were there when a player began, and which it left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from garten.practice.results import RoundResult
from garten.records import Lesson

BUILDS_ON = "builds_on"
"""Key of `Lesson.data` under which a player may list the lessons one is made from: round, author, name."""


@dataclass(frozen=True, order=True)
class Origin:
    """Which lesson it is: no two of a run share all of these."""

    round: int
    team: str
    author: str
    name: str

    @staticmethod
    def of(path: str) -> Origin:
        """From the lesson's path below the run folder, ``rounds/NN/playbooks/TEAM/AUTHOR/NAME``."""
        _, number, _, team, author, name = path.split("/")
        return Origin(int(number), team, author, name)

    @property
    def anchor(self) -> str:
        """Where the page shows it."""
        return f"lesson-{self.round}-{self.team}-{self.author}-{self.name}"


@dataclass(frozen=True)
class Heir:
    """One player of one round, what it began with and what it left."""

    round: int
    team: str
    player: str
    inherited: tuple[tuple[int, int], ...]  # earlier round, how many lessons of its team
    wrote: tuple[Origin, ...]


def heirs(results: Sequence[RoundResult], folder: Path) -> list[Heir]:
    """All players of the finished rounds of the run in `folder`, in the order of rounds, teams and names."""
    lessons = [Origin.of(path) for result in results for path in result.lessons]
    found = []
    for result in results:
        # Every player leaves a note, also one whose lessons were all refused.
        notes = sorted(folder.glob(f"rounds/{result.round:02d}/playbooks/*/*/NOTE.md"))
        for team, player in (note.parent.parts[-2:] for note in notes):
            own = [lesson for lesson in lessons if lesson.team == team]
            earlier = Counter(lesson.round for lesson in own if lesson.round < result.round)
            wrote = [one for one in own if (one.round, one.author) == (result.round, player)]
            found.append(Heir(result.round, team, player, tuple(sorted(earlier.items())), tuple(wrote)))
    return found


def parents(lesson: Lesson, known: Sequence[Origin]) -> list[Origin]:
    """The lessons that this one says it builds on, as far as they are `known` and older."""
    listed = lesson.data.get(BUILDS_ON, [])
    if not isinstance(listed, list):
        return []
    named = [
        (item.get("round"), item.get("author"), item.get("name")) for item in listed if isinstance(item, dict)
    ]
    return [
        one
        for one in known
        if one.team == lesson.role and one.round < lesson.round and (one.round, one.author, one.name) in named
    ]
