# mypy: ignore-errors

"""The player's own move: turn, then step if the way is free or lava."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.classic.rules.ground import block_at, is_free, is_reachable
from garten.craftax.classic.state import Rules, State
from garten.craftax.classic.tables import Block
from garten.craftax.rules.grid import direction

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)


@wp.func
def move(s: State, r: Rules, lane: int, table: int, action: int):
    """Move, if the action is a move.

    In 1.6.1 lava on the opposite edge lets a player at the upper or left edge step off the map,
    into its death.
    """
    if action < 1 or action > 4:
        return
    s.player_direction[lane] = action
    target = s.player_position[lane] + direction(action)
    lava = block_at(s, lane, target) == Block.LAVA and is_reachable(r, table, target)
    if is_free(s, lane, target) or lava:
        s.player_position[lane] = target
