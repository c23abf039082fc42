# mypy: ignore-errors
# ruff: noqa: RUF046, SIM201, UP018 - Warp takes int(0), not 0, for a loop variable, and no != of vectors
"""A way down that can be reached: a repair of 1.6.1, whose ladders can stand on islands or on each other.

While a floor is made nobody stands on it, so that `occupied` is free to hold what was reached.
"""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.state import State
from garten.craftax.full.tables import SIZE, SOLID, TILES, Block, Thing, mask
from garten.craftax.keys import Key, uniform

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_SIZE = wp.constant(SIZE)
_TILES = wp.constant(TILES)

_EASILY_MINED = (
    *(Block.TREE, Block.FIRE_TREE, Block.STONE, Block.COAL, Block.STALAGMITE),
    *(Block.TABLE, Block.FURNACE, Block.CHEST),
)
_BARRED = wp.constant(wp.uint64(mask({*SOLID, Block.WATER, Block.LAVA} - {*_EASILY_MINED})))
"""Blocks that hold up a player with a wood pickaxe and no stones to put on water."""


@wp.func
def move_way_down(s: State, lane: int, floor: int, start: wp.vec2i, ground: int, key: Key):
    """Move the ladder down to a random tile that can be walked to, if it stands where it cannot be used.

    Args:
        s: the states.
        lane: whose world.
        floor: a floor that has just been made.
        start: where the player comes to it; a ladder down there could not be used either.
        ground: the block that ladders stand on.
        key: of the draw.
    """
    _mark_reached(s, lane, floor, start)
    down = s.down_ladder[lane, floor]
    if s.occupied[lane, floor, down[0], down[1]] and not down == start:
        return
    tile = _choose_reached(s, lane, floor, start, ground, key)
    if tile < 0:
        return
    if int(s.things[lane, floor, down[0], down[1]]) == Thing.LADDER_DOWN:
        s.things[lane, floor, down[0], down[1]] = wp.uint8(int(Thing.NONE))
    s.down_ladder[lane, floor] = wp.vec2i(tile // _SIZE, tile % _SIZE)
    s.things[lane, floor, tile // _SIZE, tile % _SIZE] = wp.uint8(int(Thing.LADDER_DOWN))


@wp.func
def _mark_reached(s: State, lane: int, floor: int, start: wp.vec2i):
    """Mark the tiles that can be walked to, in sweeps down and up the map until one marks no more."""
    for tile in range(_TILES):
        s.occupied[lane, floor, tile // _SIZE, tile % _SIZE] = False
    s.occupied[lane, floor, start[0], start[1]] = True
    marked = int(1)
    while marked > 0:
        marked = int(0)
        for tile in range(_TILES):
            marked = marked + _reach(s, lane, floor, tile)
        for tile in range(_TILES):
            marked = marked + _reach(s, lane, floor, _TILES - 1 - tile)


@wp.func
def _reach(s: State, lane: int, floor: int, tile: int) -> int:
    """Mark a tile if it is beside a marked one and lets the player pass; returns how many it marked."""
    row = tile // _SIZE
    column = tile % _SIZE
    if s.occupied[lane, floor, row, column]:
        return 0
    block = wp.uint64(s.blocks[lane, floor, row, column])
    if ((_BARRED >> block) & wp.uint64(1)) != wp.uint64(0):
        return 0
    if not (
        _is_marked(s, lane, floor, row - 1, column)
        or _is_marked(s, lane, floor, row + 1, column)
        or _is_marked(s, lane, floor, row, column - 1)
        or _is_marked(s, lane, floor, row, column + 1)
    ):
        return 0
    s.occupied[lane, floor, row, column] = True
    return 1


@wp.func
def _is_marked(s: State, lane: int, floor: int, row: int, column: int) -> bool:
    if row < 0 or row >= _SIZE or column < 0 or column >= _SIZE:
        return False
    return s.occupied[lane, floor, row, column]


@wp.func
def _choose_reached(s: State, lane: int, floor: int, start: wp.vec2i, ground: int, key: Key) -> int:
    """The flat index of a random marked tile of this block that has nothing on it, or -1."""
    count = int(0)
    for tile in range(_TILES):
        if _is_candidate(s, lane, floor, tile, start, ground):
            count = count + 1
    wanted = int(float(count) * uniform(key))
    for tile in range(_TILES):
        if _is_candidate(s, lane, floor, tile, start, ground):
            if wanted == 0:
                return tile
            wanted = wanted - 1
    return -1


@wp.func
def _is_candidate(s: State, lane: int, floor: int, tile: int, start: wp.vec2i, ground: int) -> bool:
    row = tile // _SIZE
    column = tile % _SIZE
    if not s.occupied[lane, floor, row, column] or (row == start[0] and column == start[1]):
        return False
    bare = int(s.things[lane, floor, row, column]) == Thing.NONE
    return bare and int(s.blocks[lane, floor, row, column]) == ground
