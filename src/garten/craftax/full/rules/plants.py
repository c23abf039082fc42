# mypy: ignore-errors
"""Saplings grow, and ripen, on the first floor."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.state import Settings, State
from garten.craftax.full.tables import PLANTS, Block
from garten.craftax.rules.plants import ripens

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_PLANTS = wp.constant(PLANTS)


@wp.func
def grow_plants(s: State, p: Settings, lane: int):
    """Let every plant grow for a step."""
    for slot in range(_PLANTS):
        if ripens(s, lane, slot, p.growing_plants_age[lane]):
            place = s.plant_position[lane, slot]
            s.blocks[lane, 0, place[0], place[1]] = wp.uint8(int(Block.RIPE_PLANT))
