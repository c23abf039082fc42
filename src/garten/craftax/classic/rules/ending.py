# mypy: ignore-errors

"""The end of a step: limits, death, reward, the clock and the light."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.classic.rules.ground import block_at
from garten.craftax.classic.state import State
from garten.craftax.classic.tables import Block

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)


@wp.func
def cap_health(s: State, lane: int):
    """Die in lava; nobody is deader than dead."""
    if block_at(s, lane, s.player_position[lane]) == Block.LAVA:
        s.health[lane] = 0
    s.health[lane] = wp.max(s.health[lane], 0)


@wp.func
def is_over(s: State, lane: int) -> bool:
    """Whether the player has died."""
    return s.health[lane] <= 0
