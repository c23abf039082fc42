# mypy: ignore-errors
# ruff: noqa: SIM102 - Warp takes int(0), not 0, for a variable that a branch changes
"""Putting a table, furnace, stone, torch or sapling on the tile one faces, if nobody stands there."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.exchange import Exchange
from garten.craftax.full.ground import torch_light
from garten.craftax.full.rules.achieve import unlock
from garten.craftax.full.rules.ground import (
    block_at,
    facing,
    in_bounds,
    is_beside,
    is_in,
    is_occupied,
    is_solid,
    set_block,
    thing_at,
)
from garten.craftax.full.state import Rules, State
from garten.craftax.full.tables import TORCH_GROUND, Achievement, Action, Block, Item, Thing, mask
from garten.craftax.rules import plants

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_WET = wp.constant(wp.uint64(mask((Block.WATER, Block.LAVA))))
_TORCH_GROUND = wp.constant(wp.uint64(mask(TORCH_GROUND)))


@wp.func
def place(s: State, r: Rules, x: Exchange, lane: int, table: int, action: int):
    """Place what the action names, if it can be placed.

    In 1.6.1 tables and furnaces stand on water and lava too, and a furnace needs no table.
    """
    if (
        action < int(Action.PLACE_STONE) or action > int(Action.PLACE_PLANT)
    ) and action != Action.PLACE_TORCH:
        return
    target = facing(s, lane)
    if not in_bounds(target) or is_occupied(s, lane, target):
        return
    ground = block_at(s, lane, target)
    bare = thing_at(s, lane, target) == Thing.NONE
    dry = bare and not is_solid(ground) and (not is_in(ground, _WET) or not r.fixed[table])
    if action == Action.PLACE_TABLE:
        if dry and _pay(s, lane, int(Item.WOOD), r.table_wood[table]):
            set_block(s, lane, target, int(Block.TABLE))
            unlock(s, r, x, lane, table, int(Achievement.PLACE_TABLE))
    elif action == Action.PLACE_FURNACE:
        allowed = is_beside(s, lane, int(Block.TABLE)) or not r.fixed[table]
        if dry and allowed and s.inventory[lane, int(Item.STONE)] > 0:
            if _pay(s, lane, int(Item.STONE), r.furnace_stone[table]):
                set_block(s, lane, target, int(Block.FURNACE))
                unlock(s, r, x, lane, table, int(Achievement.PLACE_FURNACE))
    elif action == Action.PLACE_STONE:
        if ground == Block.WATER or (bare and not is_solid(ground)):
            if _pay(s, lane, int(Item.STONE), 1):
                set_block(s, lane, target, int(Block.STONE))
                unlock(s, r, x, lane, table, int(Achievement.PLACE_STONE))
    elif action == Action.PLACE_TORCH:
        if bare and is_in(ground, _TORCH_GROUND) and _pay(s, lane, int(Item.TORCHES), 1):
            s.things[lane, s.floor[lane], target[0], target[1]] = wp.uint8(int(Thing.TORCH))
            _shine(s, lane, target)
            unlock(s, r, x, lane, table, int(Achievement.PLACE_TORCH))
    elif bare and ground == Block.GRASS and plants.may_sow(s, r, lane, table):
        if _pay(s, lane, int(Item.SAPLING), 1):
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


@wp.func
def _shine(s: State, lane: int, target: wp.vec2i):
    """Add the light of a torch to the tiles around it."""
    floor = s.floor[lane]
    for down in range(-4, 5):
        for across in range(-4, 5):
            there = target + wp.vec2i(down, across)
            if in_bounds(there):
                light = s.light_map[lane, floor, there[0], there[1]] + torch_light(down, across)
                s.light_map[lane, floor, there[0], there[1]] = wp.clamp(light, 0.0, 1.0)
