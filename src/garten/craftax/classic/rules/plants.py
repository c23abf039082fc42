# mypy: ignore-errors
"""Saplings grow, and ripen."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.classic.rules.ground import set_block
from garten.craftax.classic.state import Rules, State
from garten.craftax.classic.tables import PLANTS, Block
from garten.craftax.rules.plants import ripens

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_PLANTS = wp.constant(PLANTS)


@wp.func
def grow_plants(s: State, r: Rules, lane: int, table: int):
    """Let every plant grow for a step."""
    for slot in range(_PLANTS):
        if ripens(s, lane, slot, r.growing_plants_age[table]):
            set_block(s, lane, s.plant_position[lane, slot], int(Block.RIPE_PLANT))
