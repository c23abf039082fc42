# mypy: ignore-errors
"""How creatures choose their steps.

A creature draws from links of the chain of keys, as many as its kind has; what a step does not need is not
drawn. The functions take the links, and draw from the right halves of them.
"""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.keys import Key, randint, right, uniform
from garten.craftax.rules.grid import direction

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)


@wp.func
def wander(walk: Key, ways: int) -> wp.vec2i:
    """One of the four moves, or with more `ways` perhaps none."""
    return direction(1 + randint(right(walk), ways))


@wp.func
def approach(start: wp.vec2i, goal: wp.vec2i, axis: Key) -> wp.vec2i:
    """A step along the axis on which the goal is farther; `axis` decides between equal ones.

    From the goal itself there is none; there the original divides 0 by 0.
    """
    away = goal - start
    tall = wp.abs(away[0])
    wide = wp.abs(away[1])
    along_rows = tall > wide
    if tall == wide:
        if tall == 0:
            return wp.vec2i(0, 0)
        weight = 1.0 / float(tall + wide)
        along_rows = weight >= (weight + weight) * (1.0 - uniform(right(axis)))
    if along_rows:
        return wp.vec2i(wp.sign(away[0]), 0)
    return wp.vec2i(0, wp.sign(away[1]))


@wp.func
def chase(
    start: wp.vec2i, player: wp.vec2i, sees: bool, chance: float, walk: Key, axis: Key, whim: Key
) -> wp.vec2i:
    """The step of a creature that by a chance chases the player it sees, and else wanders."""
    if sees and uniform(right(whim)) < chance:
        return approach(start, player, axis)
    return wander(walk, 4)


@wp.func
def keep_distance(
    start: wp.vec2i,
    player: wp.vec2i,
    near: bool,
    far: bool,
    laziness: float,
    walk: Key,
    axis: Key,
    whim: Key,
) -> wp.vec2i:
    """The step of a creature that flees when near and approaches when far, but mostly wanders.

    Args:
        start: where it is.
        player: where the player is.
        near: whether that is too near.
        far: whether it is too far.
        laziness: share of steps in which it wanders all the same.
        walk: link of the direction.
        axis: link that decides between equally long axes.
        whim: link that decides whether it is lazy.
    """
    if (near or far) and uniform(right(whim)) > laziness:
        stride = approach(start, player, axis)
        if near:
            return -stride
        return stride
    return wander(walk, 4)


@wp.func
def first_free(alive: wp.array(dtype=bool)) -> int:
    """The first slot that holds nothing, or -1."""
    for slot in range(alive.shape[0]):
        if not alive[slot]:
            return slot
    return -1
