# mypy: ignore-errors

"""The body's limits, which grow with the attributes."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.state import State

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)


@wp.func
def max_health(s: State, lane: int) -> float:
    """Most health."""
    return float(8 + s.strength[lane])


@wp.func
def max_need(s: State, lane: int) -> int:
    """Most food, drink and energy."""
    return 7 + 2 * s.dexterity[lane]


@wp.func
def max_mana(s: State, lane: int) -> int:
    """Most mana."""
    return 6 + 3 * s.intelligence[lane]
