"""Changes to trees of settings, as a command line gives them: ``path=value``."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from operator import attrgetter
from typing import Any, TypeVar

from garten.errors import RunError
from garten.runs.codec import from_json, to_json

T = TypeVar("T")


def changed(settings: T, changes: Sequence[str]) -> T:
    """Settings, a tree of dataclasses, with some values changed.

    Args:
        settings: the tree.
        changes: each ``path=value``, for example ``ppo.learning_rate=3e-4``; values are JSON, or text.

    Raises:
        RunError: a change names no setting, or its value does not fit.
    """
    tree = to_json(settings)
    for change in changes:
        path, equals, text = change.partition("=")
        if not equals:
            raise RunError(f"{change!r} changes nothing; write path=value.")
        _place(tree, path)[path.rpartition(".")[2]] = _value(text)
    try:
        return from_json(type(settings), tree)
    except ValueError as error:
        raise RunError(
            f"The settings do not fit ({str(error).rstrip('.')}); change what --set says."
        ) from error


def require_ranges(settings: Any, ranges: Mapping[str, tuple[float, float]]) -> None:
    """Refuse settings, a tree of dataclasses, with a number outside its range; None is in any.

    Args:
        settings: the tree.
        ranges: the least and the largest value by path; infinity where there is no largest one.

    Raises:
        RunError: the first number that is outside.
    """
    for path, (low, high) in ranges.items():
        value = attrgetter(path)(settings)
        if value is not None and not low <= value <= high:
            wanted = f"at least {low:g}" if high == math.inf else f"{low:g} to {high:g}"
            raise RunError(f"{path} is {value}; give {wanted}.")


def _place(tree: dict[str, Any], path: str) -> dict[str, Any]:
    """The group of settings that holds the last name of a path."""
    place = tree
    *groups, name = path.split(".")
    for number, group in enumerate(groups):
        if group not in place:
            raise RunError(_unknown(path, group, place))
        place = place[group]
        if not isinstance(place, dict):
            whole = ".".join(groups[: number + 1])
            why = f"{whole} is none; set that first" if place is None else f"{whole} is one; set that"
            raise RunError(f"There is no setting {path!r}, for {why}.")
    if name not in place:
        raise RunError(_unknown(path, name, place))
    return place


def _unknown(path: str, name: str, known: Collection[str]) -> str:
    """That a path names no setting, since its part `name` is none of those there are in its place."""
    close = get_close_matches(name, known, n=1)
    hint = f"did you mean {close[0]}? There" if close else "there"
    return f"There is no setting {path!r}; {hint} are {', '.join(sorted(known))}."


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
