# mypy: ignore-errors
"""Achievements: each is rewarded once."""

from __future__ import annotations

from typing import Any

import warp as wp

from garten import devices

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)


@wp.func
def unlock(s: Any, r: Any, x: Any, lane: int, table: int, achievement: int):
    """Unlock an achievement and add its reward, unless it is unlocked already."""
    if not s.achievements[lane, achievement]:
        s.achievements[lane, achievement] = True
        x.rewards[lane] = x.rewards[lane] + r.achievement_reward[table, achievement]
