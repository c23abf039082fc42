# mypy: ignore-errors
# ruff: noqa: RUF046, UP018 - Warp takes int(0), not 0, for a variable that a branch changes
"""The map underfoot: reading, writing, where a creature can go. All on the player's floor.

Places off the map are read and written as the original's array library does it: one tile beyond the upper or
left edge is the opposite edge; farther out, reads give the nearest tile and writes are dropped.
"""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.state import Rules, State
from garten.craftax.full.tables import LAND, SIZE, SOLID, Block, mask
from garten.craftax.rules.grid import is_around, is_inside, nearest, wrapped

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_SIZE = wp.constant(SIZE)
_SOLID = wp.constant(wp.uint64(mask(SOLID)))
_LAND = wp.constant(LAND)


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
    return int(s.blocks[lane, s.floor[lane], there[0], there[1]])


@wp.func
def set_block(s: State, lane: int, place: wp.vec2i, block: int):
    """Change a tile."""
    there = wrapped(place, _SIZE)
    if in_bounds(there):
        s.blocks[lane, s.floor[lane], there[0], there[1]] = wp.uint8(block)


@wp.func
def thing_at(s: State, lane: int, place: wp.vec2i) -> int:
    """What lies where reading a place gives."""
    there = nearest(place, _SIZE)
    return int(s.things[lane, s.floor[lane], there[0], there[1]])


@wp.func
def is_occupied(s: State, lane: int, place: wp.vec2i) -> bool:
    """Whether a creature or the player stands on a place."""
    there = nearest(place, _SIZE)
    return s.occupied[lane, s.floor[lane], there[0], there[1]] or place == s.player_position[lane]


@wp.func
def set_occupied(s: State, lane: int, place: wp.vec2i, occupied: bool):
    """Note that a creature comes to a place or leaves it."""
    there = wrapped(place, _SIZE)
    if in_bounds(there):
        s.occupied[lane, s.floor[lane], there[0], there[1]] = occupied


@wp.func
def is_in(block: int, blocks: wp.uint64) -> bool:
    """Whether a bit mask of blocks holds this one."""
    return ((blocks >> wp.uint64(block)) & wp.uint64(1)) != wp.uint64(0)


@wp.func
def is_solid(block: int) -> bool:
    """Whether nobody enters this block."""
    return is_in(block, _SOLID)


@wp.func
def is_free(s: State, lane: int, place: wp.vec2i, barriers: int) -> bool:
    """Whether a creature with such barriers (see `BARRIERS`) can step onto a place."""
    if not in_bounds(place):
        return False
    block = block_at(s, lane, place)
    if is_solid(block) or is_occupied(s, lane, place):
        return False
    kind = int(1)
    if block == Block.WATER:
        kind = 2
    if block == Block.LAVA:
        kind = 4
    return (barriers & kind) == 0


@wp.func
def is_free_for_player(s: State, lane: int, place: wp.vec2i) -> bool:
    """Whether the player can step onto a place."""
    return is_free(s, lane, place, _LAND)


@wp.func
def is_beside(s: State, lane: int, block: int) -> bool:
    """Whether one of the eight tiles around the player is such a block."""
    return is_around(s.blocks[lane, s.floor[lane]], s.player_position[lane], block)
