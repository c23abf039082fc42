# mypy: ignore-errors

"""Arrows fly a tile a step, over water, until something stops them; tables and furnaces they destroy."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.classic.exchange import Exchange
from garten.craftax.classic.rules.ground import (
    block_at,
    in_bounds,
    is_occupied,
    is_reachable,
    is_solid,
    set_block,
)
from garten.craftax.classic.state import Rules, State
from garten.craftax.classic.tables import ARROWS, Achievement, Block
from garten.craftax.rules.achieve import unlock

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_ARROWS = wp.constant(ARROWS)


@wp.func
def move_arrows(s: State, r: Rules, x: Exchange, lane: int, table: int):
    """Let every arrow fly on; empty slots drift, unseen."""
    for slot in range(_ARROWS):
        target = s.arrow_position[lane, slot] + s.arrow_direction[lane, slot]
        s.arrow_position[lane, slot] = target
        if s.arrow_alive[lane, slot]:
            _land(s, r, x, lane, table, slot, target)


@wp.func
def _land(s: State, r: Rules, x: Exchange, lane: int, table: int, slot: int, target: wp.vec2i):
    """What a flying arrow does where it comes to.

    In 1.6.1 one that leaves over the upper or left edge hits the block on the opposite edge, and being woken
    by one is no achievement.
    """
    block = block_at(s, lane, target)
    stopped = not in_bounds(target) or is_occupied(s, lane, target)
    if stopped or (is_solid(block) and block != Block.WATER):
        s.arrow_alive[lane, slot] = False
    if target == s.player_position[lane]:
        s.health[lane] = s.health[lane] - r.arrow_damage[table]
        if s.sleeping[lane] and r.fixed[table]:
            unlock(s, r, x, lane, table, int(Achievement.WAKE_UP))
        s.sleeping[lane] = False
    if (block == Block.FURNACE or block == Block.TABLE) and is_reachable(r, table, target):
        set_block(s, lane, target, int(Block.PATH))
