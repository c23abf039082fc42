# mypy: ignore-errors
# ruff: noqa: RUF046, UP018 - Warp takes int(0), not 0, for a variable that a branch changes
"""Saplings grow, and ripen, on the first floor."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.state import Settings, State
from garten.craftax.full.tables import PLANTS, Block

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_PLANTS = wp.constant(PLANTS)


@wp.func
def grow_plants(s: State, p: Settings, lane: int):
    """Let every plant grow for a step."""
    for slot in range(_PLANTS):
        age = int(0)
        if s.plant_alive[lane, slot]:
            age = s.plant_age[lane, slot] + 1
        s.plant_age[lane, slot] = age
        if age >= p.growing_plants_age[lane]:
            place = s.plant_position[lane, slot]
            s.blocks[lane, 0, place[0], place[1]] = wp.uint8(int(Block.RIPE_PLANT))
