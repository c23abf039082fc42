# mypy: ignore-errors

"""Cows wander; half of the time they stand."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.classic.rules.creatures import settle
from garten.craftax.classic.state import Settings, State
from garten.craftax.classic.tables import COWS
from garten.craftax.keys import Key, left
from garten.craftax.rules.creatures import wander

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_COWS = wp.constant(COWS)


@wp.func
def move_cows(s: State, p: Settings, lane: int, key: Key):
    """Give every cow its turn; returns the key to go on with."""
    for slot in range(_COWS):
        target = s.cow_position[lane, slot] + wander(key, 8)
        settle(s, p, s.cow_position, s.cow_alive, lane, slot, target)
        key = left(key)
    return key
