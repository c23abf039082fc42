"""The twelve dials of a level: their names, defaults and bounds, and how a level may set them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from garten.craftax.columns import Field
from garten.craftax.settings import DIALS
from garten.errors import LevelError
from garten.levels.words import closest, shown

BY_NAME: dict[str, Field] = {dial.name: dial for dial in DIALS}

DEFAULTS: dict[str, float] = {dial.name: dial.default for dial in DIALS}
"""All dials at these is the plain game."""


def checked_dials(given: Mapping[str, Any]) -> tuple[dict[str, float], tuple[str, ...]]:
    """All twelve dials, those given and otherwise the defaults, kept within their bounds.

    Returns:
        The dials, and a sentence for each that lay outside its bounds and was moved to them.

    Raises:
        LevelError: there is no such dial, or a value is no finite number, or not whole where it must be.
    """
    dials = dict(DEFAULTS)
    notes = []
    for name, value in given.items():
        if name not in BY_NAME:
            raise LevelError(f"There is no dial {shown(name)}; {closest(name, BY_NAME)}.")
        field = BY_NAME[name]
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise LevelError(f"The dial {name} is {shown(value)}; give a finite number.")
        if field.kind is int and value != int(value):
            raise LevelError(f"The dial {name} is {value}; give a whole number.")
        assert field.low is not None
        assert field.high is not None
        kept = min(max(value, field.low), field.high)
        if kept != value:
            notes.append(f"The dial {name} was {value:g} and is {kept:g}, its bound.")
        dials[name] = int(kept) if field.kind is int else float(kept)
    return dials, tuple(notes)
