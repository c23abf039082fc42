# mypy: ignore-errors

"""Putting a table, furnace, stone or sapling on the tile one faces, if nobody stands there."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.classic.exchange import Exchange
from garten.craftax.classic.rules.achieve import unlock
from garten.craftax.classic.rules.ground import (
    block_at,
    direction,
    in_bounds,
    is_beside,
    is_occupied,
    is_solid,
    set_block,
)
from garten.craftax.classic.state import Rules, State
from garten.craftax.classic.tables import Achievement, Action, Block, Item
from garten.craftax.rules import plants

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)


@wp.func
def place(s: State, r: Rules, x: Exchange, lane: int, table: int, action: int):
    """Place what the action names, if it can be placed.

    In 1.6.1 tables and furnaces stand on lava too, and a furnace needs no table.
    """
    if action < int(Action.PLACE_STONE) or action > int(Action.PLACE_PLANT):
        return
    target = s.player_position[lane] + direction(s.player_direction[lane])
    if not in_bounds(target) or is_occupied(s, lane, target):
        return
    ground = block_at(s, lane, target)
    dry = not is_solid(ground) and (ground != Block.LAVA or not r.fixed[table])
    if action == Action.PLACE_TABLE:
        if dry and _pay(s, lane, int(Item.WOOD), r.table_wood[table]):
            set_block(s, lane, target, int(Block.TABLE))
            unlock(s, r, x, lane, table, int(Achievement.PLACE_TABLE))
    elif action == Action.PLACE_FURNACE:
        allowed = is_beside(s, lane, int(Block.TABLE)) or not r.fixed[table]
        if dry and allowed and _pay(s, lane, int(Item.STONE), r.furnace_stone[table]):
            set_block(s, lane, target, int(Block.FURNACE))
            unlock(s, r, x, lane, table, int(Achievement.PLACE_FURNACE))
    elif action == Action.PLACE_STONE:
        if (not is_solid(ground) or ground == Block.WATER) and _pay(s, lane, int(Item.STONE), 1):
            set_block(s, lane, target, int(Block.STONE))
            unlock(s, r, x, lane, table, int(Achievement.PLACE_STONE))
    elif ground == Block.GRASS and plants.may_sow(s, r, lane, table) and _pay(s, lane, int(Item.SAPLING), 1):
        set_block(s, lane, target, int(Block.PLANT))
        plants.sow(s, lane, target)
        unlock(s, r, x, lane, table, int(Achievement.PLACE_PLANT))


@wp.func
def _pay(s: State, lane: int, item: int, count: int) -> bool:
    """Take items from the inventory if there are enough; returns whether there were."""
    if s.inventory[lane, item] < count:
        return False
    s.inventory[lane, item] = s.inventory[lane, item] - count
    return True
