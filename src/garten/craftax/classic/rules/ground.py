# mypy: ignore-errors

"""The map underfoot: reading, writing, where a creature can go.

Places off the map are read and written as the original's array library does it: one tile beyond the upper or
left edge is the opposite edge; farther out, reads give the nearest tile and writes are dropped.
"""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.classic.state import Rules, State
from garten.craftax.classic.tables import SIZE, SOLID_MASK, Block
from garten.craftax.rules.grid import is_around, is_inside, nearest, wrapped

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_SIZE = wp.constant(SIZE)
_SOLID = wp.constant(SOLID_MASK)


@wp.func
def in_bounds(place: wp.vec2i) -> bool:
    """Whether a place lies on the map."""
    return is_inside(place, _SIZE)


@wp.func
def is_reachable(r: Rules, table: int, place: wp.vec2i) -> bool:
    """Whether there is anything at a place: in 1.6.1 the opposite edge lies beyond an edge of the map."""
    return in_bounds(place) or not r.fixed[table]


@wp.func
def block_at(s: State, lane: int, place: wp.vec2i) -> int:
    """The block that reading a place gives."""
    there = nearest(place, _SIZE)
    return int(s.blocks[lane, there[0], there[1]])


@wp.func
def set_block(s: State, lane: int, place: wp.vec2i, block: int):
    """Change a tile."""
    there = wrapped(place, _SIZE)
    if in_bounds(there):
        s.blocks[lane, there[0], there[1]] = wp.uint8(block)


@wp.func
def is_occupied(s: State, lane: int, place: wp.vec2i) -> bool:
    """Whether a creature or the player stands on a place."""
    there = nearest(place, _SIZE)
    return s.occupied[lane, there[0], there[1]] or place == s.player_position[lane]


@wp.func
def set_occupied(s: State, lane: int, place: wp.vec2i, occupied: bool):
    """Note that a creature comes to a place or leaves it."""
    there = wrapped(place, _SIZE)
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
    return is_around(s.blocks[lane], s.player_position[lane], block)
