"""What the parameters of a skill can be: numbers on a scale, words, colours, actions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Step = dict[str, Any]

COLOR = "color"
"""Stands for the colour of a thing where a skill's parameters are listed."""

SHADE = "shade"
"""Stands for any colour that is seen, sky and ground too."""

ACTION = "action"
"""Stands for the name of an action, or any other text."""

_DIGITS = 3


@dataclass(frozen=True)
class Scale:
    """A number that is drawn from a few values and varied by neighbours; all between them are valid."""

    values: tuple[float, ...]

    def within(self, value: float) -> float:
        """The value, or the end of the scale that it lies beyond; rounded as in lessons."""
        return round(min(max(value, self.values[0]), self.values[-1]), _DIGITS)


Kind = Scale | tuple[str, ...] | str
