# mypy: ignore-errors
# ruff: noqa: SIM102 - Warp is not quite Python
"""The map underfoot: reading, writing, where a creature can go.

Places off the map are read and written as the original's array library does it: one tile beyond the upper or
left edge is the opposite edge; farther out, reads give the nearest tile and writes are dropped.
"""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.classic.state import Rules, State
from garten.craftax.classic.tables import SIZE, SOLID_MASK, Block

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_SIZE = wp.constant(SIZE)
_SOLID = wp.constant(SOLID_MASK)


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
def distance(a: wp.vec2i, b: wp.vec2i) -> int:
    """Tiles to walk between two places."""
    return wp.abs(a[0] - b[0]) + wp.abs(a[1] - b[1])


@wp.func
def in_bounds(place: wp.vec2i) -> bool:
    """Whether a place lies on the map."""
    return place[0] >= 0 and place[0] < _SIZE and place[1] >= 0 and place[1] < _SIZE


@wp.func
def is_reachable(r: Rules, table: int, place: wp.vec2i) -> bool:
    """Whether there is anything at a place: in 1.6.1 the opposite edge lies beyond an edge of the map."""
    return in_bounds(place) or not r.fixed[table]


@wp.func
def _wrapped(i: int) -> int:
    if i < 0:
        return i + _SIZE
    return i


@wp.func
def wrapped(place: wp.vec2i) -> wp.vec2i:
    """A place with negative coordinates counted from the far edge; it may still be off the map."""
    return wp.vec2i(_wrapped(place[0]), _wrapped(place[1]))


@wp.func
def nearest(place: wp.vec2i) -> wp.vec2i:
    """The tile that reading a place gives."""
    there = wrapped(place)
    return wp.vec2i(wp.clamp(there[0], 0, _SIZE - 1), wp.clamp(there[1], 0, _SIZE - 1))


@wp.func
def block_at(s: State, lane: int, place: wp.vec2i) -> int:
    """The block that reading a place gives."""
    there = nearest(place)
    return int(s.blocks[lane, there[0], there[1]])


@wp.func
def set_block(s: State, lane: int, place: wp.vec2i, block: int):
    """Change a tile."""
    there = wrapped(place)
    if in_bounds(there):
        s.blocks[lane, there[0], there[1]] = wp.uint8(block)


@wp.func
def is_occupied(s: State, lane: int, place: wp.vec2i) -> bool:
    """Whether a creature or the player stands on a place."""
    there = nearest(place)
    return s.occupied[lane, there[0], there[1]] or place == s.player_position[lane]


@wp.func
def set_occupied(s: State, lane: int, place: wp.vec2i, occupied: bool):
    """Note that a creature comes to a place or leaves it."""
    there = wrapped(place)
    if in_bounds(there):
        s.occupied[lane, there[0], there[1]] = occupied


@wp.func
def is_solid(block: int) -> bool:
    """Whether nobody walks onto this block."""
    return ((_SOLID >> block) & 1) != 0


@wp.func
def is_free(s: State, lane: int, place: wp.vec2i) -> bool:
    """Whether a creature can step onto a place."""
    if not in_bounds(place):
        return False
    block = block_at(s, lane, place)
    return not (is_solid(block) or block == Block.LAVA or is_occupied(s, lane, place))


@wp.func
def is_beside(s: State, lane: int, block: int) -> bool:
    """Whether one of the eight tiles around the player is such a block."""
    here = s.player_position[lane]
    for down in range(-1, 2):
        for across in range(-1, 2):
            place = here + wp.vec2i(down, across)
            if (down != 0 or across != 0) and in_bounds(place):
                if block_at(s, lane, place) == block:
                    return True
    return False
