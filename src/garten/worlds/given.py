"""What is given to a world by name, checked against its spec: an action's arguments, a world's settings."""

from __future__ import annotations

import math
from collections.abc import Mapping
from difflib import get_close_matches

import numpy as np

from garten.errors import WorldError
from garten.records import ActionSpec, WorldSpec


def check_arguments(spec: ActionSpec, given: Mapping[str, float]) -> dict[str, float]:
    """The arguments of an action with defaults filled in, or a `WorldError` that says what is wrong."""
    known = {argument.name for argument in spec.arguments}
    unknown = set(given) - known
    if unknown:
        raise WorldError(
            f"{spec.name} has no argument '{sorted(unknown)[0]}'; it takes {sorted(known) or 'none'}."
        )
    checked: dict[str, float] = {}
    for argument in spec.arguments:
        value = given.get(argument.name, argument.default)
        if value is None:
            raise WorldError(f"{spec.name} needs the argument '{argument.name}' ({argument.help}).")
        if not is_number(value):
            raise WorldError(f"{spec.name}: '{argument.name}' must be a number, got {type(value).__name__}.")
        if not is_finite(value):
            raise WorldError(f"{spec.name}: '{argument.name}' must be finite, got {value!r:.40}.")
        if argument.kind == "int" and value != int(value):
            raise WorldError(f"{spec.name}: '{argument.name}' must be a whole number, got {value}.")
        if not argument.low <= value <= argument.high:
            bounds = f"between {argument.low} and {argument.high}"
            raise WorldError(f"{spec.name}: '{argument.name}' must lie {bounds}, got {value}.")
        checked[argument.name] = float(value)
    return checked


def check_settings(spec: WorldSpec, given: Mapping[str, int]) -> dict[str, int]:
    """The defaults of a world's settings, or a `WorldError` that says what is wrong with those given."""
    known = {setting.name: setting for setting in spec.settings}
    for name, value in given.items():
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"did you mean '{near[0]}'? It" if near else "it"
            has = ", ".join(known) or "none, so give none"
            raise WorldError(f"{spec.name} has no setting '{name}'; {hint} has {has}.")
        low, high = known[name].low, known[name].high
        if not low <= value <= high:
            raise WorldError(f"{spec.name}: '{name}' must lie between {low} and {high}, got {value}.")
    return {name: setting.default for name, setting in known.items()}


def with_settings(name_or_path: str, settings: Mapping[str, int]) -> str:
    """What `garten.worlds.find.load` takes for a world with these settings."""
    chosen = ",".join(f"{name}={value}" for name, value in sorted(settings.items()))
    return f"{name_or_path}:{chosen}" if chosen else name_or_path


def is_number(value: object) -> bool:
    """Whether it is a real number, numpy's included; truth values are none."""
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def is_finite(value: float) -> bool:
    """Whether a number is finite as a float, which a long enough integer is not."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False
