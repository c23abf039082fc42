# mypy: ignore-errors

"""Putting a table, furnace, stone, torch or sapling on the tile one faces, if nobody stands there."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.exchange import Exchange
from garten.craftax.full.ground import torch_light
from garten.craftax.full.rules.ground import (
    block_at,
    in_bounds,
    is_in,
    is_occupied,
    is_solid,
    thing_at,
)
from garten.craftax.full.state import Rules, State
from garten.craftax.full.tables import TORCH_GROUND, Achievement, Action, Block, Item, Thing, mask
from garten.craftax.rules.achieve import unlock
from garten.craftax.rules.grid import facing
from garten.craftax.rules.items import take
from garten.craftax.rules.place import place_block

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_WET = wp.constant(wp.uint64(mask((Block.WATER, Block.LAVA))))
_TORCH_GROUND = wp.constant(wp.uint64(mask(TORCH_GROUND)))


@wp.func
def place(s: State, r: Rules, x: Exchange, lane: int, table: int, action: int):
    """Place what the action names, if it can be placed.

    In 1.6.1 tables and furnaces stand on water and lava too.
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
    if action == Action.PLACE_TORCH:
        if bare and is_in(ground, _TORCH_GROUND) and take(s, lane, int(Item.TORCHES), 1):
            s.things[lane, s.floor[lane], target[0], target[1]] = wp.uint8(int(Thing.TORCH))
            _shine(s, lane, target)
            unlock(s, r, x, lane, table, int(Achievement.PLACE_TORCH))
        return
    firm = bare and not is_solid(ground)
    dry = firm and (not is_in(ground, _WET) or not r.fixed[table])
    soil = bare and ground == Block.GRASS
    blocks = s.blocks[lane, s.floor[lane]]
    place_block(s, r, x, lane, table, action, blocks, target, dry, firm or ground == Block.WATER, soil)


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
