"""The second call: the code of a level that was described."""

from __future__ import annotations

from collections.abc import Sequence

from garten.authors.wording import words
from garten.domain import Domain, Known
from garten.errors import LevelError
from garten.llm.answers import python_blocks, spoken

_GOAL = "relevant_achievements"


def instructions(domain: Domain) -> str:
    """What the conversation begins with: the form of a level, and all that its code may use."""
    topics = [topic for topic in domain.knowledge if topic not in ("contract", "rules")]
    return words("code", name=domain.name, knowledge={"contract": "", **domain.knowledge}, topics=topics)


def question(description: str, examples: Sequence[Known]) -> str:
    """What is asked for: the code of this description, after the model of these levels."""
    return words("task", description=description, examples=examples)


def read_code(answer: str) -> str:
    """The code in an answer: its block of Python, or of several the only one that has a goal.

    Raises:
        LevelError: there is none, or more than one; the sentence is for the model.
    """
    blocks = [block for block in python_blocks(spoken(answer), unnamed=True) if block.strip()]
    levels = [block for block in blocks if _GOAL in block]
    if not levels:
        raise LevelError(
            f"The answer holds no block of Python that defines {_GOAL}; write the whole level in one."
        )
    if len(levels) > 1:
        raise LevelError(f"The answer holds {len(levels)} levels; write one.")
    return levels[0].strip() + "\n"
