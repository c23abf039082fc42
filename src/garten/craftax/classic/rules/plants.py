# mypy: ignore-errors
# ruff: noqa: RUF046, UP018 - Warp is not quite Python
"""Saplings grow, and ripen."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.classic.rules.ground import set_block
from garten.craftax.classic.state import Rules, State
from garten.craftax.classic.tables import PLANTS, Block

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_PLANTS = wp.constant(PLANTS)


@wp.func
def grow_plants(s: State, r: Rules, lane: int, table: int):
    """Let every plant grow for a step."""
    for slot in range(_PLANTS):
        age = int(0)
        if s.plant_alive[lane, slot]:
            age = s.plant_age[lane, slot] + 1
        s.plant_age[lane, slot] = age
        if age >= r.growing_plants_age[table]:
            set_block(s, lane, s.plant_position[lane, slot], int(Block.RIPE_PLANT))
