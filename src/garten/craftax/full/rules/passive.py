# mypy: ignore-errors

"""Passive creatures wander; half of the time they stand."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.rules.creatures import barriers, settle
from garten.craftax.full.state import Settings, State
from garten.craftax.full.tables import PASSIVE
from garten.craftax.keys import Key, left
from garten.craftax.rules.creatures import wander

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_PASSIVE = wp.constant(PASSIVE)


@wp.func
def move_passive(s: State, p: Settings, lane: int, key: Key):
    """Give every passive creature its turn; returns the key to go on with."""
    floor = s.floor[lane]
    for slot in range(_PASSIVE):
        target = s.passive_position[lane, floor, slot] + wander(key, 8)
        barrier = barriers(0, s.passive_type[lane, floor, slot])
        settle(s, p, s.passive_position, s.passive_alive, lane, slot, target, barrier, False)
        key = left(key)
    return key
