"""Levels and archives for tests: no code is run."""

from garten.curriculum.archive import digest_of
from garten.curriculum.node import Node, Training
from garten.domain import Performance, Reading


def performance(success: float | None, episodes: int = 20, **achievements: float) -> Performance:
    """How a level went."""
    finished = success is not None
    return Performance(
        success,
        achievements,
        episodes if finished else 0,
        30.0 if finished else None,
        2.5 if finished else None,
    )


def training(cycle: int, success: float | None, **scores: float) -> Training:
    """The same of a cycle, with scores."""
    how = performance(success, EAT_COW=0.5)
    return Training(cycle, how, how, {"learnability": how.learnability, **scores})


def reading(source: str) -> Reading:
    """What a level of this code would say."""
    return Reading(source, digest_of(source), "Eat.", f"It is {source}.", ("EAT_COW",), (), {})


def node(number: int, *trainings: Training, parent: int | None = None, refused: str = "") -> Node:
    """The node of a number, written from that of another one."""
    return Node(
        number=number,
        digest=str(number),
        source=f"level {number}",
        origin="seed" if parent is None else "generated",
        parent=None if parent is None else str(parent),
        objective="Eat.",
        description="Cows.",
        goal=("EAT_COW",),
        reasoning="",
        born=0,
        refused=refused,
        trainings=trainings,
    )


def archive(*nodes: Node) -> dict[str, Node]:
    """Nodes by digest."""
    return {each.digest: each for each in nodes}
