# mypy: ignore-errors
# ruff: noqa: UP018 - Warp takes int(0), not 0, for a variable that a branch changes
"""The end of a step: limits, reward, the clock and the light, and whether the episode is over."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.rules.body import max_health, max_mana, max_need
from garten.craftax.full.rules.boss import has_won
from garten.craftax.full.state import Rules, Settings, State
from garten.craftax.rules.items import limit

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)


@wp.func
def clip(s: State, p: Settings, r: Rules, lane: int, table: int):
    """Keep all counts within their limits; a god never has less than 9 health."""
    limit(s, r, lane, table)
    for colour in range(6):
        s.potions[lane, colour] = wp.min(s.potions[lane, colour], r.item_limit[table])
    least = float(0.0)
    if p.god_mode[lane]:
        least = 9.0
    s.health[lane] = wp.min(wp.max(s.health[lane], least), max_health(s, lane))
    most = max_need(s, lane)
    s.food[lane] = wp.min(wp.max(s.food[lane], 0), most)
    s.drink[lane] = wp.min(wp.max(s.drink[lane], 0), most)
    s.energy[lane] = wp.min(wp.max(s.energy[lane], 0), most)
    s.mana[lane] = wp.min(wp.max(s.mana[lane], 0), max_mana(s, lane))


@wp.func
def is_over(s: State, lane: int) -> bool:
    """Whether the player has died or won."""
    return s.health[lane] <= 0.0 or has_won(s, lane)
