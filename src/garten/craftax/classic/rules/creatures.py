# mypy: ignore-errors

"""What zombies, cows and skeletons have in common: their steps, and when they vanish."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.classic.rules.ground import direction, distance, is_free, set_occupied
from garten.craftax.classic.state import Settings, State
from garten.craftax.keys import Key, randint, uniform

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)


@wp.func
def random_step(key: Key, ways: int) -> wp.vec2i:
    """One of the four moves, or with more `ways` perhaps none."""
    return direction(1 + randint(key, ways))


@wp.func
def step_towards(start: wp.vec2i, goal: wp.vec2i, key: Key) -> wp.vec2i:
    """A step along the axis on which the goal is farther; `key` decides between equal ones."""
    away = goal - start
    tall = wp.abs(away[0])
    wide = wp.abs(away[1])
    along_rows = tall > wide
    if tall == wide:
        if tall == 0:
            return wp.vec2i(0, 0)
        weight = 1.0 / float(tall + wide)
        along_rows = weight >= (weight + weight) * (1.0 - uniform(key))
    if along_rows:
        return wp.vec2i(wp.sign(away[0]), 0)
    return wp.vec2i(0, wp.sign(away[1]))


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
