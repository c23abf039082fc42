# mypy: ignore-errors
"""What holds on the map of either game: directions, distances, edges."""

from __future__ import annotations

from typing import Any

import warp as wp

from garten import devices

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)


@wp.func
def direction(move: int) -> wp.vec2i:
    """Tiles that a move, 1 to 4, goes; any other action stays."""
    if move == 1:
        return wp.vec2i(0, -1)
    if move == 2:
        return wp.vec2i(0, 1)
    if move == 3:
        return wp.vec2i(-1, 0)
    if move == 4:
        return wp.vec2i(1, 0)
    return wp.vec2i(0, 0)


@wp.func
def facing(s: Any, lane: int) -> wp.vec2i:
    """The place that the player faces."""
    return s.player_position[lane] + direction(s.player_direction[lane])


@wp.func
def distance(a: wp.vec2i, b: wp.vec2i) -> int:
    """Tiles to walk between two places."""
    return wp.abs(a[0] - b[0]) + wp.abs(a[1] - b[1])


@wp.func
def is_inside(place: wp.vec2i, size: int) -> bool:
    """Whether a place lies on a map so many tiles wide and high."""
    return place[0] >= 0 and place[0] < size and place[1] >= 0 and place[1] < size


@wp.func
def _from_far_edge(i: int, size: int) -> int:
    if i < 0:
        return i + size
    return i


@wp.func
def wrapped(place: wp.vec2i, size: int) -> wp.vec2i:
    """A place with negative coordinates counted from the far edge; it may still be off the map."""
    return wp.vec2i(_from_far_edge(place[0], size), _from_far_edge(place[1], size))


@wp.func
def nearest(place: wp.vec2i, size: int) -> wp.vec2i:
    """The tile that reading a place gives."""
    there = wrapped(place, size)
    return wp.vec2i(wp.clamp(there[0], 0, size - 1), wp.clamp(there[1], 0, size - 1))


@wp.func
def is_around(blocks: wp.array2d(dtype=wp.uint8), place: wp.vec2i, block: int) -> bool:
    """Whether one of the eight tiles around a place of a map is such a block."""
    for down in range(-1, 2):
        for across in range(-1, 2):
            there = place + wp.vec2i(down, across)
            beside = (down != 0 or across != 0) and is_inside(there, blocks.shape[0])
            if beside and int(blocks[there[0], there[1]]) == block:
                return True
    return False
