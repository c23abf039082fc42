# mypy: ignore-errors

"""Putting a table, furnace, stone or sapling on the tile one faces, if nobody stands there."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.classic.exchange import Exchange
from garten.craftax.classic.rules.ground import (
    block_at,
    in_bounds,
    is_occupied,
    is_solid,
)
from garten.craftax.classic.state import Rules, State
from garten.craftax.classic.tables import Action, Block
from garten.craftax.rules.grid import facing
from garten.craftax.rules.place import place_block

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)


@wp.func
def place(s: State, r: Rules, x: Exchange, lane: int, table: int, action: int):
    """Place what the action names, if it can be placed. In 1.6.1 tables and furnaces stand on lava too."""
    if action < int(Action.PLACE_STONE) or action > int(Action.PLACE_PLANT):
        return
    target = facing(s, lane)
    if not in_bounds(target) or is_occupied(s, lane, target):
        return
    ground = block_at(s, lane, target)
    firm = not is_solid(ground)
    dry = firm and (ground != Block.LAVA or not r.fixed[table])
    wet = ground == Block.WATER
    place_block(
        s, r, x, lane, table, action, s.blocks[lane], target, dry, firm or wet, ground == Block.GRASS
    )  # fmt: skip
