"""The player's words to the model: Jinja templates in ``prompts/``."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from garten.llm.wording import Wording
from garten.records import ActionSpec


def words(template: str, **values: Any) -> str:
    """The text of one template with its values filled in."""
    return _wording().words(template, **values)


def cut(text: str, length: int) -> str:
    """The text with its middle left out where it is longer than `length` characters."""
    if len(text) <= length:
        return text
    half = length // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters left out ...]\n{text[-half:]}"


def call(action: ActionSpec) -> str:
    """How a program calls an action, e.g. ``drive(throttle, steer=0.0)``."""
    arguments = (
        argument.name if argument.default is None else f"{argument.name}={argument.default:g}"
        for argument in action.arguments
    )
    return f"{action.name}({', '.join(arguments)})"


@cache
def _wording() -> Wording:
    return Wording(Path(__file__).parent / "prompts", call=call, cut=cut)
