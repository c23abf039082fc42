"""The author's words to the model: templates in ``prompts/``, and numbers in words."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from garten.domain import Performance
from garten.llm.wording import Wording


def words(template: str, **values: Any) -> str:
    """The text of one template with its values filled in."""
    return _wording().words(template, **values)


def performance_words(performance: Performance | None) -> str:
    """How a level went, for its author."""
    if performance is None:
        return "It was never trained."
    if performance.success is None:
        return "No episode was finished; the level may be too hard, or its goal too far away."
    often = sorted(performance.achievements.items(), key=lambda entry: -entry[1])
    lines = [f"- {name}: {rate:.0%}" for name, rate in often if rate > 0.0]
    told = [
        f"Of {performance.episodes} episodes {performance.success:.0%} met the goal.",
        *([f"They took {performance.mean_length:.0f} steps on average."] if performance.mean_length else []),
        "Share of episodes that got each achievement:" if lines else "No achievement was got in any of them.",
    ]
    return "\n".join([" ".join(told), *lines])


@cache
def _wording() -> Wording:
    return Wording(Path(__file__).parent / "prompts")
