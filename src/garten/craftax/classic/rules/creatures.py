# mypy: ignore-errors

"""What zombies, cows and skeletons have in common: their steps, and when they vanish."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.classic.rules.ground import is_free, set_occupied
from garten.craftax.classic.state import Settings, State
from garten.craftax.rules.grid import distance

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)


@wp.func
def settle(
    s: State,
    p: Settings,
    positions: wp.array2d(dtype=wp.vec2i),
    alive: wp.array2d(dtype=bool),
    lane: int,
    slot: int,
    target: wp.vec2i,
):
    """End a creature's turn: step to the target if it is free, and vanish if the player was far away.

    Empty slots move like the rest, unseen: they can come back to life where they are.
    """
    start = positions[lane, slot]
    finish = start
    if is_free(s, lane, target):
        finish = target
    if alive[lane, slot]:
        set_occupied(s, lane, start, False)
        if distance(start, s.player_position[lane]) < p.mob_despawn_distance[lane]:
            set_occupied(s, lane, finish, True)
        else:
            alive[lane, slot] = False
    positions[lane, slot] = finish
