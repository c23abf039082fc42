# mypy: ignore-errors
# ruff: noqa: SIM102, UP018 - Warp takes int(0), not 0, for a variable that a loop changes
"""Floors built of rooms and corridors: eight rooms in nine chunks, each linked to one linked before.

Walls no way comes near stay in the dark.
"""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.ground import choose_by_count, choose_evenly
from garten.craftax.full.reach import move_way_down
from garten.craftax.full.state import Plans, Rules, State
from garten.craftax.full.tables import SIZE, TILES, Block, Thing
from garten.craftax.keys import Key, child, left, randint_at, right, uniform, uniform_at

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

ROOMS = 8

_SIZE = wp.constant(SIZE)
_TILES = wp.constant(TILES)
_ROOMS = wp.constant(ROOMS)
_CHUNK = wp.constant(16)  # tiles along the side of a chunk
_CHUNKS = wp.constant(9)
_OFFSETS = wp.constant(11)  # where in its chunk a room may start, each way
_LEAST_SIDE = wp.constant(5)
_SIDES = wp.constant(5)  # lengths that a room's side may have

Places = wp.types.matrix((ROOMS, 2), int)


@wp.func
def make_built_floor(
    key: Key, plans: Plans, plan: int, r: Rules, table: int, s: State, lane: int, floor: int
):
    """Make a floor from its key and plan."""
    for row in range(_SIZE):
        for column in range(_SIZE):
            s.blocks[lane, floor, row, column] = wp.uint8(int(Block.WALL))
            s.things[lane, floor, row, column] = wp.uint8(int(Thing.NONE))
            s.light_map[lane, floor, row, column] = 1.0
    chain = child(key, 0, 3)
    rooms = _build_rooms(s, r, table, plans.fountain[plan], lane, floor, right(chain), child(key, 2, 3))
    chain = left(chain)
    _dig_corridors(s, lane, floor, rooms, right(chain))
    chain = left(chain)
    s.blocks[lane, floor, rooms[0, 0] + 2, rooms[0, 1] + 2] = wp.uint8(plans.special[plan])
    _weather(s, r, table, plans.puddle[plan], lane, floor, right(chain))
    chain = left(chain)
    down = choose_evenly(s, lane, floor, int(Block.PATH), right(chain))
    up = choose_by_count(s, lane, floor, int(Block.PATH), right(left(chain)))
    s.down_ladder[lane, floor] = wp.vec2i(down // _SIZE, down % _SIZE)
    s.up_ladder[lane, floor] = wp.vec2i(up // _SIZE, up % _SIZE)
    s.things[lane, floor, down // _SIZE, down % _SIZE] = wp.uint8(int(Thing.LADDER_DOWN))
    s.things[lane, floor, up // _SIZE, up % _SIZE] = wp.uint8(int(Thing.LADDER_UP))
    if r.fixed[table]:
        move_way_down(s, lane, floor, s.up_ladder[lane, floor], int(Block.PATH), right(chain))


@wp.func
def _draw_from(mask: int, count: int, key: Key) -> int:
    """One of the bits of a mask of `count` bits, with equal weights."""
    threshold = float(0.0)
    for bit in range(count):
        if ((mask >> bit) & 1) != 0:
            threshold = threshold + 1.0
    threshold = threshold * (1.0 - uniform(key))
    seen = float(0.0)
    for bit in range(count):
        if ((mask >> bit) & 1) != 0:
            seen = seen + 1.0
            if seen >= threshold:
                return bit
    return 0


@wp.func
def _build_rooms(
    s: State,
    r: Rules,
    table: int,
    fountain: int,
    lane: int,
    floor: int,
    rooms_key: Key,
    sizes_key: Key,
) -> Places:
    """Build the rooms with their torches, chests and fountains; returns where they start."""
    rooms = Places()
    free = int((1 << _CHUNKS) - 1)
    chain = rooms_key
    for room in range(_ROOMS):
        tall = _LEAST_SIDE + randint_at(sizes_key, 2 * room, 2 * _ROOMS, _SIDES)
        wide = _LEAST_SIDE + randint_at(sizes_key, 2 * room + 1, 2 * _ROOMS, _SIDES)
        chunk = _draw_from(free, _CHUNKS, right(chain))
        free = free & ~(1 << chunk)
        chain = left(chain)
        top = (chunk % 3) * _CHUNK + randint_at(right(chain), 0, 2, _OFFSETS)
        first = (chunk // 3) * _CHUNK + randint_at(right(chain), 1, 2, _OFFSETS)
        chain = left(chain)
        rooms[room, 0] = top
        rooms[room, 1] = first
        _build_room(s, lane, floor, top, first, tall, wide)
        _put_inside(s, lane, floor, top, first, tall, wide, int(Block.CHEST), right(chain))
        chain = left(chain)
        if uniform(child(chain, 2, 3)) > r.fountain_chance[table]:
            _put_inside(s, lane, floor, top, first, tall, wide, fountain, child(chain, 1, 3))
        chain = child(chain, 0, 3)
    return rooms


@wp.func
def _build_room(s: State, lane: int, floor: int, top: int, first: int, tall: int, wide: int):
    """Clear the ground and put torches in the corners; what runs past the edge of the map is cut off."""
    for row in range(top, wp.min(top + tall, _SIZE)):
        for column in range(first, wp.min(first + wide, _SIZE)):
            s.blocks[lane, floor, row, column] = wp.uint8(int(Block.PATH))
            if (row == top or row == top + tall - 1) and (column == first or column == first + wide - 1):
                s.things[lane, floor, row, column] = wp.uint8(int(Thing.TORCH))


@wp.func
def _put_inside(
    s: State, lane: int, floor: int, top: int, first: int, tall: int, wide: int, block: int, key: Key
):
    """Put a block on a random tile of a room, not beside its upper and left wall."""
    row = top + 1 + randint_at(key, 0, 2, tall - 2)
    column = first + 1 + randint_at(key, 1, 2, wide - 2)
    if row < _SIZE and column < _SIZE:
        s.blocks[lane, floor, row, column] = wp.uint8(block)


@wp.func
def _dig_corridors(s: State, lane: int, floor: int, rooms: Places, key: Key):
    """Link each room to one linked before: along its row, then along the other's column."""
    linked = int(1 << (_ROOMS - 1))
    chain = key
    for room in range(_ROOMS):
        other = _draw_from(linked, _ROOMS, right(chain))
        chain = right(left(chain))
        linked = linked | (1 << room)
        row = rooms[room, 0]
        column = rooms[other, 1]
        if column != rooms[room, 1]:
            for step in range(wp.min(column, rooms[room, 1]), wp.max(column, rooms[room, 1]) + 1):
                _dig(s, lane, floor, row, step)
        if row != rooms[other, 0]:
            for step in range(wp.min(row, rooms[other, 0]), wp.max(row, rooms[other, 0]) + 1):
                _dig(s, lane, floor, step, column)


@wp.func
def _dig(s: State, lane: int, floor: int, row: int, column: int):
    if int(s.blocks[lane, floor, row, column]) == Block.WALL:
        s.blocks[lane, floor, row, column] = wp.uint8(int(Block.PATH))


@wp.func
def _weather(s: State, r: Rules, table: int, puddle: int, lane: int, floor: int, key: Key):
    """Let moss grow on walls and puddles form on ways, and leave walls that no way touches in the dark."""
    for row in range(_SIZE):
        for column in range(_SIZE):
            block = int(s.blocks[lane, floor, row, column])
            if block == Block.WALL and not _touches_way(s, lane, floor, row, column):
                s.blocks[lane, floor, row, column] = wp.uint8(int(Block.DARKNESS))
    for row in range(_SIZE):
        for column in range(_SIZE):
            block = int(s.blocks[lane, floor, row, column])
            bare = 1.0 - uniform_at(key, row * _SIZE + column, _TILES) <= r.wall_bareness[table]
            if block == Block.WALL and not bare:
                s.blocks[lane, floor, row, column] = wp.uint8(int(Block.WALL_MOSS))
            if block == Block.PATH and not bare:
                if int(s.things[lane, floor, row, column]) == Thing.NONE:
                    s.blocks[lane, floor, row, column] = wp.uint8(puddle)


@wp.func
def _touches_way(s: State, lane: int, floor: int, row: int, column: int) -> bool:
    """Whether one of the four tiles beside a wall is no wall."""
    return (
        _is_way(s, lane, floor, row - 1, column)
        or _is_way(s, lane, floor, row + 1, column)
        or _is_way(s, lane, floor, row, column - 1)
        or _is_way(s, lane, floor, row, column + 1)
    )


@wp.func
def _is_way(s: State, lane: int, floor: int, row: int, column: int) -> bool:
    if row < 0 or row >= _SIZE or column < 0 or column >= _SIZE:
        return False
    block = int(s.blocks[lane, floor, row, column])
    return block != Block.WALL and block != Block.DARKNESS
