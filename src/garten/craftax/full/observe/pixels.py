# mypy: ignore-errors
# ruff: noqa: RUF046, UP018 - Warp takes int(0), not 0, for a variable that a branch changes
"""What the player sees as a picture: the view, and below it four rows for body, items, gear and potions.

Tiles come from an atlas made once for a size; the dark dims the view, sleep darkens it.
"""

from __future__ import annotations

import functools

import numpy as np
import warp as wp

from garten import devices
from garten.craftax import art, icons
from garten.craftax.canvas import paint
from garten.craftax.drawing import draw
from garten.craftax.full.observe import art as own
from garten.craftax.full.observe import creatures
from garten.craftax.full.observe import icons as own_icons
from garten.craftax.full.observe.codes import BLOCK, CREATURES, LIT, THING
from garten.craftax.full.observe.legend import COUNTED
from garten.craftax.full.state import State
from garten.craftax.full.tables import (
    MELEE_CREATURES,
    PASSIVE_CREATURES,
    PROJECTILES,
    RANGED_CREATURES,
    SIZE,
    TYPES,
    VIEW_COLUMNS,
    VIEW_ROWS,
    Block,
    Item,
    Thing,
)
from garten.craftax.rules.grid import nearest

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

ROWS, COLUMNS = VIEW_ROWS + 4, VIEW_COLUMNS
"""Tiles of the picture."""

_KINDS = (MELEE_CREATURES, PASSIVE_CREATURES, RANGED_CREATURES, PROJECTILES)

_PARTS = {
    "block": len(Block),
    "thing": len(Thing),
    "creature": len(_KINDS) * TYPES,
    "player": 5,
    "stat": len(own_icons.STATS),
    "item": len(own_icons.COUNTED),
    "tool": len(own_icons.TOOLS),
    "potion": len(own_icons.POTIONS),
    "mark": len(own_icons.MARKS),
    "digit": 20,
}

FIRST = dict(zip(_PARTS, np.cumsum([0, *_PARTS.values()]).tolist(), strict=False))
"""Where in the atlas each part begins."""

_THING_0 = wp.constant(FIRST["thing"])
_CREATURE_0 = wp.constant(FIRST["creature"])
_PLAYER_0 = wp.constant(FIRST["player"])
_STAT_0 = wp.constant(FIRST["stat"])
_ITEM_0 = wp.constant(FIRST["item"])
_PICKAXE_0 = wp.constant(FIRST["tool"])
_SWORD_0 = wp.constant(FIRST["tool"] + 4)
_BOW_0 = wp.constant(FIRST["tool"] + 8)
_ARMOUR_0 = wp.constant(FIRST["tool"] + 9)
_SPELL_0 = wp.constant(FIRST["tool"] + 17)
_POTION_0 = wp.constant(FIRST["potion"])
_MARK_0 = wp.constant(FIRST["mark"])
_DIGIT_0 = wp.constant(FIRST["digit"])
_EMPTY = wp.constant(int(Block.OUT_OF_BOUNDS))
_STATS = wp.constant(len(own_icons.STATS))
_VIEW_ROWS = wp.constant(VIEW_ROWS)
_COLUMNS = wp.constant(VIEW_COLUMNS)
_SIZE = wp.constant(SIZE)
_TYPES = wp.constant(TYPES)
_LIT, _BLOCK, _THING, _CREATURES = (wp.constant(part) for part in (LIT, BLOCK, THING, CREATURES))
_COUNTED = wp.constant(
    wp.types.vector(len(COUNTED) + 1, int)(*(int(item) for item in (*COUNTED, Item.BOOKS)))
)
_DIMMEST = wp.constant(0.35)  # brightness of the darkest night, and of a tile that is barely lit
_ASLEEP = wp.constant(0.3)


@functools.cache
def atlas(size: int) -> np.ndarray:
    """All pictures of a size, uint8 [pictures, size, size, 4], in the order of `FIRST`."""
    names = [name for kind in _KINDS for name in (*kind, *("",) * (TYPES - len(kind)))]
    shown = (*own_icons.STATS, *own_icons.COUNTED, *own_icons.TOOLS, *own_icons.POTIONS)
    return np.stack(
        [
            *(own.paint_block(block, size) for block in Block),
            *(own.paint_thing(thing, size) for thing in Thing),
            *(creatures.paint_creature(name, size) for name in names),
            *art.paint_players(size),
            *(icons.paint_icon(detail, size) for detail in shown),
            *(paint(size, detail) for detail in own_icons.MARKS),
            *(icons.paint_digit(digit, size, place=place) for place in (0, 1) for digit in range(10)),
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
    """Draw one lane's picture from its codes: pixels [lanes, 13 * size, 11 * size, 3]."""
    lane = first + wp.tid()
    light = _brightness(s, lane)
    for row in range(_VIEW_ROWS):
        for column in range(_COLUMNS):
            _draw_tile(atlas_in, cells_in, s, size, row, column, light, pixels_out, lane)
    player = _PLAYER_0 + s.player_direction[lane] - 1
    if s.sleeping[lane] or s.resting[lane]:
        player = _PLAYER_0 + 4
    draw(atlas_in, player, size, _VIEW_ROWS // 2, _COLUMNS // 2, light, pixels_out, lane)
    for column in range(_COLUMNS):
        _draw_slot(atlas_in, _stat(s, lane, column), size, _VIEW_ROWS, column, pixels_out, lane)
        _draw_slot(atlas_in, _item(s, lane, column), size, _VIEW_ROWS + 1, column, pixels_out, lane)
        _draw_slot(atlas_in, _tool(s, lane, column), size, _VIEW_ROWS + 2, column, pixels_out, lane)
        mark = _charm(s, lane, column)
        if mark > 0:
            draw(atlas_in, _MARK_0 + mark - 1, size, _VIEW_ROWS + 2, column, 1.0, pixels_out, lane)
        _draw_slot(atlas_in, _potion(s, lane, column), size, _VIEW_ROWS + 3, column, pixels_out, lane)


@wp.func
def _brightness(s: State, lane: int) -> float:
    light = float(1.0)
    if s.floor[lane] == 0:
        light = _DIMMEST + (1.0 - _DIMMEST) * s.light[lane]
    if s.sleeping[lane]:
        light = light * _ASLEEP
    return light


@wp.func
def _draw_tile(
    atlas_in: wp.array4d(dtype=wp.uint8),
    cells_in: wp.array4d(dtype=wp.uint8),
    s: State,
    size: int,
    row: int,
    column: int,
    light: float,
    pixels_out: wp.array4d(dtype=wp.uint8),
    lane: int,
):
    """Draw a tile of the view: block, thing, creatures; nothing in the dark."""
    if cells_in[lane, row, column, _LIT] == wp.uint8(0):
        draw(atlas_in, _EMPTY, size, row, column, 1.0, pixels_out, lane)
        return
    # The player may have been moved since the codes were observed, so that the tile is off the map.
    away = wp.vec2i(row - _VIEW_ROWS // 2, column - _COLUMNS // 2)
    place = nearest(s.player_position[lane] + away, _SIZE)
    lit = light * (_DIMMEST + (1.0 - _DIMMEST) * s.light_map[lane, s.floor[lane], place[0], place[1]])
    draw(atlas_in, int(cells_in[lane, row, column, _BLOCK]), size, row, column, lit, pixels_out, lane)
    thing = _THING_0 + int(cells_in[lane, row, column, _THING])
    draw(atlas_in, thing, size, row, column, lit, pixels_out, lane)
    for kind in range(5):
        types = int(cells_in[lane, row, column, _CREATURES + kind])
        for type_id in range(_TYPES):
            if ((types >> type_id) & 1) != 0:
                picture = _CREATURE_0 + wp.min(kind, 3) * _TYPES + type_id
                draw(atlas_in, picture, size, row, column, lit, pixels_out, lane)


@wp.func
def _draw_slot(
    atlas_in: wp.array4d(dtype=wp.uint8),
    shown: wp.vec2i,
    size: int,
    row: int,
    column: int,
    pixels_out: wp.array4d(dtype=wp.uint8),
    lane: int,
):
    """Draw a picture and, unless it is negative, a count of at most two digits."""
    draw(atlas_in, shown[0], size, row, column, 1.0, pixels_out, lane)
    count = wp.min(shown[1], 99)
    if count >= 0:
        draw(atlas_in, _DIGIT_0 + count % 10, size, row, column, 1.0, pixels_out, lane)
    if count >= 10:
        draw(atlas_in, _DIGIT_0 + 10 + count // 10, size, row, column, 1.0, pixels_out, lane)


@wp.func
def _stat(s: State, lane: int, slot: int) -> wp.vec2i:
    """Picture and count of a slot of the first row."""
    count = int(-1)
    if slot == 0:
        count = int(wp.ceil(s.health[lane]))
    elif slot == 1:
        count = s.food[lane]
    elif slot == 2:
        count = s.drink[lane]
    elif slot == 3:
        count = s.energy[lane]
    elif slot == 4:
        count = s.mana[lane]
    elif slot == 5:
        count = s.experience[lane]
    elif slot == 6:
        count = s.dexterity[lane]
    elif slot == 7:
        count = s.strength[lane]
    elif slot == 8:
        count = s.intelligence[lane]
    elif slot == 9:
        count = s.floor[lane]
    return wp.vec2i(wp.where(slot < _STATS, _STAT_0 + slot, _EMPTY), count)


@wp.func
def _some(picture: int, count: int) -> wp.vec2i:
    """A picture with its count, or nothing where there is none."""
    return wp.where(count > 0, wp.vec2i(picture, count), wp.vec2i(_EMPTY, -1))


@wp.func
def _item(s: State, lane: int, slot: int) -> wp.vec2i:
    """Picture and count of a slot of the second row."""
    return _some(_ITEM_0 + slot, s.inventory[lane, _COUNTED[slot]])


@wp.func
def _tool(s: State, lane: int, slot: int) -> wp.vec2i:
    """Picture of a slot of the third row: pickaxe, sword, bow, armour, spells."""
    picture = int(0)
    level = int(0)
    if slot == 0:
        level = s.inventory[lane, int(Item.PICKAXE)]
        picture = _PICKAXE_0 + wp.min(level, 4) - 1
    elif slot == 1:
        level = s.inventory[lane, int(Item.SWORD)]
        picture = _SWORD_0 + wp.min(level, 4) - 1
    elif slot == 2:
        level = s.inventory[lane, int(Item.BOW)]
        picture = _BOW_0
    elif slot < 7:
        level = s.armour[lane, slot - 3]
        picture = _ARMOUR_0 + 2 * (slot - 3) + level - 1
    elif slot < 9:
        level = wp.where(s.spells[lane, slot - 7], 1, 0)
        picture = _SPELL_0 + slot - 7
    return wp.vec2i(wp.where(level > 0, picture, _EMPTY), -1)


@wp.func
def _charm(s: State, lane: int, slot: int) -> int:
    """The enchantment of a slot of the third row."""
    if slot == 1:
        return s.sword_enchantment[lane]
    if slot == 2:
        return s.bow_enchantment[lane]
    if slot >= 3 and slot < 7:
        return s.armour_enchantments[lane, slot - 3]
    return 0


@wp.func
def _potion(s: State, lane: int, slot: int) -> wp.vec2i:
    """Picture and count of a slot of the last row."""
    if slot < 6:
        return _some(_POTION_0 + slot, s.potions[lane, slot])
    return wp.vec2i(_EMPTY, -1)
