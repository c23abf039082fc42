# mypy: ignore-errors
"""Putting a table, furnace, stone or sapling on a tile."""

from __future__ import annotations

from typing import Any

import warp as wp

from garten import devices
from garten.craftax.classic.tables import (  # they have the same numbers in Craftax
    Achievement,
    Action,
    Block,
    Item,
)
from garten.craftax.rules.achieve import unlock
from garten.craftax.rules.grid import is_around
from garten.craftax.rules.items import take
from garten.craftax.rules.plants import may_sow, sow

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)


@wp.func
def place_block(
    s: Any,
    r: Any,
    x: Any,
    lane: int,
    table: int,
    action: int,
    blocks: wp.array2d(dtype=wp.uint8),
    target: wp.vec2i,
    stands: bool,
    lies: bool,
    grows: bool,
):
    """Place what the action names, if it can be placed and paid for.

    Args:
        s: the states.
        r: the rule tables.
        x: rewards.
        lane: whose player.
        table: row of the rule tables.
        action: an `Action`.
        blocks: the player's map.
        target: a tile of it.
        stands: whether a table or a furnace can stand there; by fixed rules a furnace needs a table as well.
        lies: whether a stone can lie there.
        grows: whether a sapling can grow there.
    """
    if action == Action.PLACE_TABLE and stands and take(s, lane, int(Item.WOOD), r.table_wood[table]):
        _put(s, r, x, lane, table, blocks, target, int(Block.TABLE), int(Achievement.PLACE_TABLE))
    if action == Action.PLACE_FURNACE and stands:
        allowed = is_around(blocks, s.player_position[lane], int(Block.TABLE)) or not r.fixed[table]
        if allowed and take(s, lane, int(Item.STONE), r.furnace_stone[table]):
            _put(s, r, x, lane, table, blocks, target, int(Block.FURNACE), int(Achievement.PLACE_FURNACE))
    if action == Action.PLACE_STONE and lies and take(s, lane, int(Item.STONE), 1):
        _put(s, r, x, lane, table, blocks, target, int(Block.STONE), int(Achievement.PLACE_STONE))
    grows = grows and may_sow(s, r, lane, table)
    if action == Action.PLACE_PLANT and grows and take(s, lane, int(Item.SAPLING), 1):
        _put(s, r, x, lane, table, blocks, target, int(Block.PLANT), int(Achievement.PLACE_PLANT))
        sow(s, lane, target)


@wp.func
def _put(
    s: Any,
    r: Any,
    x: Any,
    lane: int,
    table: int,
    blocks: wp.array2d(dtype=wp.uint8),
    target: wp.vec2i,
    block: int,
    achievement: int,
):
    blocks[target[0], target[1]] = wp.uint8(block)
    unlock(s, r, x, lane, table, achievement)
