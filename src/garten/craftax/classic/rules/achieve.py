# mypy: ignore-errors

"""Achievements: each is rewarded once."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.classic.exchange import Exchange
from garten.craftax.classic.state import Rules, State

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)


@wp.func
def unlock(s: State, r: Rules, x: Exchange, lane: int, table: int, achievement: int):
    """Unlock an achievement and add its reward, unless it is unlocked already."""
    if not s.achievements[lane, achievement]:
        s.achievements[lane, achievement] = True
        x.rewards[lane] = x.rewards[lane] + r.achievement_reward[table, achievement]
