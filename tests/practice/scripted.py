"""A player for tests that does as it is told, and remembers everything it was shown."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from garten.errors import ModelError
from garten.records import Brief, Lesson, Note, Plan, Reply, Review, Writing


class Seat:
    def __init__(self, role: str, plan: Mapping[str, Any]) -> None:
        self.role, self.plan, self.replies = role, plan, []

    def program(self, reply: Reply) -> str | None:
        self.replies.append(reply)
        if self.plan.get("fails"):
            raise ModelError("The endpoint is down; start it.")
        return None if reply.over or self.plan.get("rests") else f"drive(speed={self.plan['speed']})"

    def notes(self) -> dict[str, Any]:
        return {"secret of": self.role, "replies": len(self.replies)}


class Scripted:
    """Drives faster with every inherited lesson."""

    briefs: ClassVar[list[Brief]] = []
    reviews: ClassVar[list[Review]] = []
    batch: ClassVar[int] = 2
    fails: ClassVar[set[str]] = set()  # names of games whose seats fail
    lessons: ClassVar[dict[str, Any]] = {}  # changes to the lesson each player writes

    @classmethod
    def clear(cls) -> None:
        cls.briefs, cls.reviews, cls.batch, cls.fails, cls.lessons = [], [], 2, set(), {}

    def __init__(self, brief: Brief) -> None:
        self.brief, self.seen, self.next = brief, [], 0
        self.briefs.append(brief)

    def propose(self, left: int) -> Sequence[Plan]:
        plans = [Plan(self.next + index, self.best()) for index in range(min(self.batch, left))]
        self.next += len(plans)
        return plans

    def review(self, games: Sequence[Review]) -> None:
        self.seen += games
        self.reviews += games

    def write(self) -> Writing:
        fields: dict[str, Any] = {
            "name": f"drive-{self.brief.round}",
            "description": "Drive.",
            "body": "Faster.",
            "status": "tested",
            "world": "toy",
            "role": next(iter(self.brief.tasks.values())).team,
            "round": self.brief.round,
            "author": self.brief.name,
            "evidence": (self.seen[0].game,),
        }
        lesson = Lesson(**{**fields, **self.lessons})
        return Writing((lesson,), Note(self.brief.name, self.brief.round, "a", "b", "c", "d"))

    def best(self) -> dict[str, Any]:
        return {"speed": min(1.0, 0.1 + 0.1 * len(self.brief.playbook.lessons))}

    @staticmethod
    def seat(brief: Brief, role: str, plan: Mapping[str, Any], *, seed: int, folder: str) -> Seat:
        failing = any(folder.endswith(game) for game in Scripted.fails)
        return Seat(role, {**plan, "fails": failing})
