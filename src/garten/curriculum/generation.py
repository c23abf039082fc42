"""A generation of levels: ordered by what the policy can do at one moment, then written and judged.

An `Order` holds all that a generation is made from, so that one under way can be begun again. What came of it
is kept in the run: an author may be a language model, which answers differently each time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from garten import seeds
from garten.curriculum.gate import Judgement
from garten.domain import Author, Draft, Known, Refusal, Request


@dataclass(frozen=True)
class Order:
    """What an author is asked for.

    Attributes:
        number: of the generation, from 0.
        parents: of the new levels, one for each; None for one to be written from nothing.
        profile: share of episodes that met each achievement in the target game.
        examples: levels whose code may serve as a model.
        seed: of all that is drawn for it.
    """

    number: int
    parents: tuple[Known | None, ...]
    profile: Mapping[str, float]
    examples: tuple[Known, ...]
    seed: int

    @property
    def requests(self) -> tuple[Request, ...]:
        """The order, level by level."""
        return tuple(
            Request(parent, self.profile, self.examples, seeds.derive(self.seed, "level", index))
            for index, parent in enumerate(self.parents)
        )


@dataclass(frozen=True)
class Generation:
    """What came of an order.

    Attributes:
        judgements: one for each parent of the order, in its order; none at all if the whole of it failed.
        problem: why it failed, in a sentence; empty if it did not.
        wall_author: seconds it took to write.
        wall_gate: seconds it took to judge what was written.
        wall_waited: seconds that training waited for it.
    """

    judgements: tuple[Judgement, ...]
    problem: str = ""
    wall_author: float = 0.0
    wall_gate: float = 0.0
    wall_waited: float = 0.0


Gate = Callable[[Sequence[Draft | Refusal]], Sequence[Judgement]]
"""Judges what an author answered."""


def generate(order: Order, author: Author, gate: Gate) -> Generation:
    """Have levels written, and judge them."""
    began = time.perf_counter()
    answers = author.write(order.requests)
    if len(answers) != len(order.parents):  # nobody could tell which answer belongs to which parent
        return Generation((), f"There were {len(answers)} answers to {len(order.parents)} requests.")
    written = time.perf_counter()
    judgements = tuple(gate(answers))
    return Generation(judgements, wall_author=written - began, wall_gate=time.perf_counter() - written)
