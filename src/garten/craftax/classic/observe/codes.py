# mypy: ignore-errors

"""What the player sees, as compact codes: the native observation, from which the others follow.

`cells` holds two bytes for each tile of the view: its `Block`, and a bit for each kind of creature on it.
`numbers` holds the 22 numbers of the body, ready to use.
"""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.classic.exchange import Exchange
from garten.craftax.classic.rules.ground import in_bounds
from garten.craftax.classic.state import Rules, Settings, State
from garten.craftax.classic.tables import (
    ARROWS,
    COWS,
    SKELETONS,
    VIEW_COLUMNS,
    VIEW_ROWS,
    ZOMBIES,
    Block,
    Item,
)

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_ROWS = wp.constant(VIEW_ROWS)
_COLUMNS = wp.constant(VIEW_COLUMNS)
_ITEMS = wp.constant(len(Item))


@wp.kernel
def observe_codes(
    # In:
    first: int,
    only_over: bool,
    p: Settings,
    r: Rules,
    x: Exchange,
    s: State,
    # Out:
    cells_out: wp.array4d(dtype=wp.uint8),
    numbers_out: wp.array2d(dtype=float),
):
    """Write a lane's codes (or only if its episode is over): cells [lanes, 7, 9, 2], numbers [lanes, 22]."""
    lane = first + wp.tid()
    if only_over and not x.over[lane]:
        return
    fixed = bool(r.fixed[p.rules[lane]])
    _see_blocks(s, lane, cells_out)
    _see(s, lane, s.zombie_position, s.zombie_alive, wp.static(ZOMBIES), 0, fixed, cells_out)
    _see(s, lane, s.cow_position, s.cow_alive, wp.static(COWS), 1, fixed, cells_out)
    _see(s, lane, s.skeleton_position, s.skeleton_alive, wp.static(SKELETONS), 2, fixed, cells_out)
    _see(s, lane, s.arrow_position, s.arrow_alive, wp.static(ARROWS), 3, fixed, cells_out)
    _feel(s, lane, fixed, numbers_out)


@wp.func
def _see_blocks(s: State, lane: int, cells_out: wp.array4d(dtype=wp.uint8)):
    corner = s.player_position[lane] - wp.vec2i(_ROWS // 2, _COLUMNS // 2)
    for row in range(_ROWS):
        for column in range(_COLUMNS):
            place = corner + wp.vec2i(row, column)
            block = wp.uint8(int(Block.OUT_OF_BOUNDS))
            if in_bounds(place):
                block = s.blocks[lane, place[0], place[1]]
            cells_out[lane, row, column, 0] = block
            cells_out[lane, row, column, 1] = wp.uint8(0)


@wp.func
def _see(
    s: State,
    lane: int,
    positions: wp.array2d(dtype=wp.vec2i),
    alive: wp.array2d(dtype=bool),
    slots: int,
    kind: int,
    fixed: bool,
    cells_out: wp.array4d(dtype=wp.uint8),
):
    """Mark the creatures of one kind.

    In 1.6.1 every slot writes whether it is seen, in order, and one just above or left of the view writes on
    the far side of it: so an unseen creature, or an empty slot, can hide another of its kind.
    """
    corner = s.player_position[lane] - wp.vec2i(_ROWS // 2, _COLUMNS // 2)
    bit = 1 << kind
    for slot in range(slots):
        place = positions[lane, slot] - corner
        seen = place[0] >= 0 and place[0] < _ROWS and place[1] >= 0 and place[1] < _COLUMNS
        row = wp.where(place[0] < 0, place[0] + _ROWS, place[0])
        column = wp.where(place[1] < 0, place[1] + _COLUMNS, place[1])
        marks = (seen and alive[lane, slot]) or not fixed
        if marks and row >= 0 and row < _ROWS and column >= 0 and column < _COLUMNS:
            others = int(cells_out[lane, row, column, 1]) & ~bit
            if seen and alive[lane, slot]:
                others = others | bit
            cells_out[lane, row, column, 1] = wp.uint8(others)


@wp.func
def _tenth(count: int, fixed: bool) -> float:
    """A tenth of a count, in 1.6.1 rounded: a product in half precision."""
    if fixed:
        return float(count) / 10.0
    return float(wp.float16(float(count)) * wp.float16(0.1))


@wp.func
def _feel(s: State, lane: int, fixed: bool, numbers_out: wp.array2d(dtype=float)):
    """Inventory, health, food, drink, energy, direction, light, sleep."""
    for item in range(_ITEMS):
        numbers_out[lane, item] = _tenth(s.inventory[lane, item], fixed)
    numbers_out[lane, 12] = _tenth(s.health[lane], fixed)
    numbers_out[lane, 13] = _tenth(s.food[lane], fixed)
    numbers_out[lane, 14] = _tenth(s.drink[lane], fixed)
    numbers_out[lane, 15] = _tenth(s.energy[lane], fixed)
    for move in range(4):
        numbers_out[lane, 16 + move] = wp.where(s.player_direction[lane] == move + 1, 1.0, 0.0)
    numbers_out[lane, 20] = s.light[lane]
    numbers_out[lane, 21] = wp.where(s.sleeping[lane], 1.0, 0.0)
