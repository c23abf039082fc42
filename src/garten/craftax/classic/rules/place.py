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
    is_occupied,
    is_solid,
    set_block,
)
from garten.craftax.classic.state import Rules, State
from garten.craftax.classic.tables import PLANTS, Achievement, Action, Block, Item

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_PLANTS = wp.constant(PLANTS)


@wp.func
def place(s: State, r: Rules, x: Exchange, lane: int, table: int, action: int):
    """Place what the action names, if it can be placed."""
    if action < int(Action.PLACE_STONE) or action > int(Action.PLACE_PLANT):
        return
    target = s.player_position[lane] + direction(s.player_direction[lane])
    if not in_bounds(target) or is_occupied(s, lane, target):
        return
    ground = block_at(s, lane, target)
    if action == Action.PLACE_TABLE:
        if not is_solid(ground) and _pay(s, lane, int(Item.WOOD), r.table_wood[table]):
            set_block(s, lane, target, int(Block.TABLE))
            unlock(s, r, x, lane, table, int(Achievement.PLACE_TABLE))
    elif action == Action.PLACE_FURNACE:
        if not is_solid(ground) and _pay(s, lane, int(Item.STONE), r.furnace_stone[table]):
            set_block(s, lane, target, int(Block.FURNACE))
            unlock(s, r, x, lane, table, int(Achievement.PLACE_FURNACE))
    elif action == Action.PLACE_STONE:
        if (not is_solid(ground) or ground == Block.WATER) and _pay(s, lane, int(Item.STONE), 1):
            set_block(s, lane, target, int(Block.STONE))
            unlock(s, r, x, lane, table, int(Achievement.PLACE_STONE))
    elif ground == Block.GRASS and _pay(s, lane, int(Item.SAPLING), 1):
        set_block(s, lane, target, int(Block.PLANT))
        _plant(s, lane, target)
        unlock(s, r, x, lane, table, int(Achievement.PLACE_PLANT))


@wp.func
def _pay(s: State, lane: int, item: int, count: int) -> bool:
    """Take items from the inventory if there are enough; returns whether there were."""
    if s.inventory[lane, item] < count:
        return False
    s.inventory[lane, item] = s.inventory[lane, item] - count
    return True


@wp.func
def _plant(s: State, lane: int, target: wp.vec2i):
    """Let a sapling grow in the first free slot; as in the original, without one it never ripens."""
    for slot in range(_PLANTS):
        if not s.plant_alive[lane, slot]:
            s.plant_position[lane, slot] = target
            s.plant_age[lane, slot] = 0
            s.plant_alive[lane, slot] = True
            return
