# mypy: ignore-errors

"""The player's own move: turn, then step if the way is free."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.rules.ground import is_free_for_player, is_reachable
from garten.craftax.full.state import Rules, Settings, State
from garten.craftax.rules.grid import direction

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)


@wp.func
def move(s: State, p: Settings, r: Rules, lane: int, table: int, action: int):
    """Move, if the action is a move. A god walks through everything, and in 1.6.1 off the map."""
    if action < 1 or action > 4:
        return
    s.player_direction[lane] = action
    target = s.player_position[lane] + direction(action)
    god = p.god_mode[lane] and is_reachable(r, table, target)
    if is_free_for_player(s, lane, target) or god:
        s.player_position[lane] = target
