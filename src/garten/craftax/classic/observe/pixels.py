# mypy: ignore-errors
# ruff: noqa: RUF046, UP018 - Warp takes int(0), not 0, for a variable that a branch changes
"""What the player sees as a picture: the view, and below it two rows for the body and the inventory.

Tiles come from an atlas made once for a size; darkness dims the view, sleep darkens it.
"""

from __future__ import annotations

import functools

import numpy as np
import warp as wp

from garten import devices
from garten.craftax import art, icons
from garten.craftax.classic.observe.legend import CREATURES
from garten.craftax.classic.state import State
from garten.craftax.classic.tables import VIEW_COLUMNS, VIEW_ROWS, Block, Item
from garten.craftax.drawing import draw

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

ROWS, COLUMNS = VIEW_ROWS + 2, VIEW_COLUMNS
"""Tiles of the picture."""

_FIRST_CREATURE = wp.constant(len(Block))
_FIRST_PLAYER = wp.constant(len(Block) + len(CREATURES))  # facing left, right, up, down; asleep
_FIRST_STAT = wp.constant(len(Block) + len(CREATURES) + 5)
_FIRST_ITEM = wp.constant(len(Block) + len(CREATURES) + 5 + len(icons.STATS))
_FIRST_DIGIT = wp.constant(len(Block) + len(CREATURES) + 5 + len(icons.STATS) + len(Item))
_VIEW_ROWS = wp.constant(VIEW_ROWS)
_ROWS = wp.constant(ROWS)
_COLUMNS = wp.constant(COLUMNS)
_STATS = wp.constant(len(icons.STATS))
_ITEMS = wp.constant(len(Item))
_DIMMEST = wp.constant(0.35)  # brightness of the darkest night
_ASLEEP = wp.constant(0.3)


@functools.cache
def atlas(size: int) -> np.ndarray:
    """All pictures of a size, uint8 [pictures, size, size, 4], in the order of the constants above."""
    return np.stack(
        [
            *(art.paint_block(block.name, size) for block in Block),
            *(art.paint_creature(name, size) for name in CREATURES),
            *art.paint_players(size),
            *(icons.paint_icon(stat, size) for stat in icons.STATS.values()),
            *(icons.paint_item(item.name, size) for item in Item),
            *(icons.paint_digit(digit, size) for digit in range(10)),
        ]
    )


@wp.kernel
def observe_pixels(
    # In:
    first: int,
    size: int,
    atlas_in: wp.array4d(dtype=wp.uint8),
    cells_in: wp.array4d(dtype=wp.uint8),
    s: State,
    # Out:
    pixels_out: wp.array4d(dtype=wp.uint8),
):
    """Draw one lane's picture from its codes: pixels [lanes, 9 * size, 9 * size, 3]."""
    lane = first + wp.tid()
    light = _brightness(s, lane)
    for row in range(_ROWS):
        for column in range(_COLUMNS):
            if row < _VIEW_ROWS:
                draw(
                    atlas_in, int(cells_in[lane, row, column, 0]), size, row, column, light, pixels_out, lane
                )
                creatures = int(cells_in[lane, row, column, 1])
                for kind in range(4):
                    if ((creatures >> kind) & 1) != 0:
                        draw(atlas_in, _FIRST_CREATURE + kind, size, row, column, light, pixels_out, lane)
            else:
                _draw_slot(atlas_in, s, size, row, column, pixels_out, lane)
    draw(atlas_in, _player_picture(s, lane), size, _VIEW_ROWS // 2, _COLUMNS // 2, light, pixels_out, lane)


@wp.func
def _brightness(s: State, lane: int) -> float:
    light = _DIMMEST + (1.0 - _DIMMEST) * s.light[lane]
    if s.sleeping[lane]:
        light = light * _ASLEEP
    return light


@wp.func
def _player_picture(s: State, lane: int) -> int:
    picture = _FIRST_PLAYER + s.player_direction[lane] - 1
    if s.sleeping[lane]:
        picture = _FIRST_PLAYER + 4
    return picture


@wp.func
def _draw_slot(
    atlas_in: wp.array4d(dtype=wp.uint8),
    s: State,
    size: int,
    row: int,
    column: int,
    pixels_out: wp.array4d(dtype=wp.uint8),
    lane: int,
):
    """Draw a slot below the view: a stat or an item with its count, or nothing."""
    slot = (row - _VIEW_ROWS) * _COLUMNS + column
    picture = int(Block.OUT_OF_BOUNDS)
    count = int(0)
    if slot < _STATS:
        picture = _FIRST_STAT + slot
        count = _stat(s, lane, slot)
    elif slot < _STATS + _ITEMS:
        item = slot - _STATS
        count = s.inventory[lane, item]
        if count > 0:
            picture = _FIRST_ITEM + item
    draw(atlas_in, picture, size, row, column, 1.0, pixels_out, lane)
    if slot < _STATS or count > 0:
        draw(atlas_in, _FIRST_DIGIT + wp.clamp(count, 0, 9), size, row, column, 1.0, pixels_out, lane)


@wp.func
def _stat(s: State, lane: int, index: int) -> int:
    if index == 0:
        return s.health[lane]
    if index == 1:
        return s.food[lane]
    if index == 2:
        return s.drink[lane]
    return s.energy[lane]
