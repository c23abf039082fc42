"""The first call: what level should come next, in words."""

from __future__ import annotations

from dataclasses import dataclass

from garten.authors.wording import performance_words, words
from garten.domain import Domain, Request
from garten.errors import LevelError
from garten.llm.answers import spoken, tagged

LONGEST = 8_000
"""Characters that a description may have."""


@dataclass(frozen=True)
class Described:
    """A level in words.

    Attributes:
        text: the description.
        reasoning: what the model thought; may be empty.
    """

    text: str
    reasoning: str


def instructions(domain: Domain) -> str:
    """What the conversation begins with: the game, its technology tree, what levels may change."""
    topics = [topic for topic in domain.knowledge if topic not in ("contract", "rules")]
    return words(
        "describe",
        name=domain.name,
        knowledge=dict.fromkeys(("contract", "rules"), "") | {**domain.knowledge},
        topics=topics,
        goals=domain.goals,
        needs={goal: domain.needs.get(goal, ()) for goal in domain.goals},
    )


def question(request: Request) -> str:
    """What is asked for: parent, how it went, how the agent does in the whole game."""
    parent = request.parent
    profile = sorted(request.profile.items(), key=lambda entry: -entry[1])
    return words(
        "wish",
        parent=parent,
        performance=performance_words(parent.performance if parent else None),
        profile=[(name, rate) for name, rate in profile if rate > 0.0],
    )


def read_description(answer: str) -> Described:
    """The description in an answer.

    Raises:
        LevelError: there is none, or it is too long; the sentence is for the model.
    """
    text = spoken(answer)
    found = [part.strip() for part in tagged(text, "description") if part.strip()]
    if not found:
        raise LevelError(
            "The answer holds no description; write one between <description> and </description>."
        )
    if len(found[-1]) > LONGEST:
        raise LevelError(f"The description has more than {LONGEST} characters; write a shorter one.")
    reasoning = [part.strip() for part in tagged(text, "reasoning")]
    return Described(found[-1], reasoning[-1] if reasoning else "")
