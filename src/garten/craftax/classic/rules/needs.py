# mypy: ignore-errors

"""What the body needs: sleep, food, drink; and health, which follows from them."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.classic.exchange import Exchange
from garten.craftax.classic.state import Rules, State
from garten.craftax.rules import body

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)


@wp.func
def update_needs(s: State, r: Rules, x: Exchange, lane: int, table: int, action: int):
    """A step of the body's clockwork, in the original's order."""
    most = r.stat_limit[table]
    body.sleep_or_wake(s, r, x, lane, table, action, most)
    body.hunger_and_thirst(s, r, lane, table, 1.0, 1)
    body.fatigue(s, r, lane, table, 1.0, 1, most)
    change = body.recovery(s, r, lane, table, 1.0, 1.0)
    if change > 0:
        s.health[lane] = wp.min(s.health[lane] + 1, most)
    if change < 0:
        s.health[lane] = s.health[lane] - 1
