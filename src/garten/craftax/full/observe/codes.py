# mypy: ignore-errors
# ruff: noqa: SIM102 - Warp evaluates both sides of `and`, also what may be out of bounds

"""What the player sees, as compact codes: the native observation, from which the others follow.

`cells` holds eight bytes for each tile of the view: whether it is lit, its `Block`, the `Thing` on it, and a
byte for melee, passive and ranged creatures, the creatures' projectiles and the player's, with a bit for each
type there. In the dark, and by the rules of 1.6.1 off the map, all are 0. `numbers` holds the 51 numbers of
the body, ready to use.
"""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.exchange import Exchange
from garten.craftax.full.observe.legend import COUNTED
from garten.craftax.full.rules.boss import fights_boss, is_vulnerable
from garten.craftax.full.rules.ground import in_bounds
from garten.craftax.full.state import Rules, Settings, State
from garten.craftax.full.tables import MELEE, PASSIVE, RANGED, SHOTS, VIEW_COLUMNS, VIEW_ROWS, Block, Item

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

CELL = 8
"""Bytes of a tile."""

NUMBERS = 51
"""Numbers of the body."""

LIT, BLOCK, THING, CREATURES = 0, 1, 2, 3
"""Where in a cell these are; the five kinds of creature follow each other."""

_ROWS = wp.constant(VIEW_ROWS)
_COLUMNS = wp.constant(VIEW_COLUMNS)
_CELL = wp.constant(CELL)
_LIT = wp.constant(LIT)
_BLOCK = wp.constant(BLOCK)
_THING = wp.constant(THING)
_CREATURES = wp.constant(CREATURES)
_MELEE = wp.constant(MELEE)
_PASSIVE = wp.constant(PASSIVE)
_RANGED = wp.constant(RANGED)
_SHOTS = wp.constant(SHOTS)
_DARK = wp.constant(0.05)  # light up to which nothing is seen
_CLEAR = wp.constant(8)  # kills from which a floor is shown as cleared, whatever the rules say
_COUNTED = wp.constant(wp.types.vector(len(COUNTED), int)(*(int(item) for item in COUNTED)))


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
    """Write a lane's codes (or only if its episode is over): cells [lanes, 9, 11, 8], numbers [lanes, 51]."""
    lane = first + wp.tid()
    if only_over and not x.over[lane]:
        return
    floor = s.floor[lane]
    fixed = bool(r.fixed[p.rules[lane]])
    _see_tiles(s, lane, floor, fixed, cells_out)
    _see(s, lane, floor, s.melee_position, s.melee_alive, s.melee_type, _MELEE, 0, fixed, cells_out)
    _see(s, lane, floor, s.passive_position, s.passive_alive, s.passive_type, _PASSIVE, 1, fixed, cells_out)
    _see(s, lane, floor, s.ranged_position, s.ranged_alive, s.ranged_type, _RANGED, 2, fixed, cells_out)
    _see(s, lane, floor, s.mob_shot_position, s.mob_shot_alive, s.mob_shot_type, _SHOTS, 3, fixed, cells_out)
    own_shots = s.player_shot_position
    _see(s, lane, floor, own_shots, s.player_shot_alive, s.player_shot_type, _SHOTS, 4, fixed, cells_out)
    _feel(s, lane, floor, fixed, numbers_out)


@wp.func
def _corner(s: State, lane: int) -> wp.vec2i:
    return s.player_position[lane] - wp.vec2i(_ROWS // 2, _COLUMNS // 2)


@wp.func
def _see_tiles(s: State, lane: int, floor: int, fixed: bool, cells_out: wp.array4d(dtype=wp.uint8)):
    """Mark what is lit. In 1.6.1 it is dark beyond the edge of the map, which so cannot be told."""
    corner = _corner(s, lane)
    for row in range(_ROWS):
        for column in range(_COLUMNS):
            for part in range(_CELL):
                cells_out[lane, row, column, part] = wp.uint8(0)
            place = corner + wp.vec2i(row, column)
            if in_bounds(place):
                if s.light_map[lane, floor, place[0], place[1]] > _DARK:
                    cells_out[lane, row, column, _LIT] = wp.uint8(1)
                    cells_out[lane, row, column, _BLOCK] = s.blocks[lane, floor, place[0], place[1]]
                    cells_out[lane, row, column, _THING] = s.things[lane, floor, place[0], place[1]]
            elif fixed:
                cells_out[lane, row, column, _LIT] = wp.uint8(1)
                cells_out[lane, row, column, _BLOCK] = wp.uint8(int(Block.OUT_OF_BOUNDS))


@wp.func
def _see(
    s: State,
    lane: int,
    floor: int,
    positions: wp.array3d(dtype=wp.vec2i),
    alive: wp.array3d(dtype=bool),
    types: wp.array3d(dtype=int),
    slots: int,
    kind: int,
    fixed: bool,
    cells_out: wp.array4d(dtype=wp.uint8),
):
    """Mark the creatures of one kind.

    In 1.6.1 every slot writes whether it is seen, in order, and one just above or left of the view writes on
    the far side of it: so an unseen creature, or an empty slot, can hide another of its type.
    """
    corner = _corner(s, lane)
    for slot in range(slots):
        place = positions[lane, floor, slot] - corner
        seen = place[0] >= 0 and place[0] < _ROWS and place[1] >= 0 and place[1] < _COLUMNS
        row = wp.where(place[0] < 0, place[0] + _ROWS, place[0])
        column = wp.where(place[1] < 0, place[1] + _COLUMNS, place[1])
        marks = (seen and alive[lane, floor, slot]) or not fixed
        if marks and row >= 0 and row < _ROWS and column >= 0 and column < _COLUMNS:
            if cells_out[lane, row, column, _LIT] != wp.uint8(0):
                bit = 1 << types[lane, floor, slot]
                others = int(cells_out[lane, row, column, _CREATURES + kind]) & ~bit
                if seen and alive[lane, floor, slot]:
                    others = others | bit
                cells_out[lane, row, column, _CREATURES + kind] = wp.uint8(others)


@wp.func
def _root(count: int) -> float:
    return wp.sqrt(float(count)) / 10.0


@wp.func
def _flag(value: bool) -> float:
    return wp.where(value, 1.0, 0.0)


@wp.func
def _feel(s: State, lane: int, floor: int, fixed: bool, numbers_out: wp.array2d(dtype=float)):
    """Inventory, potions, body, direction, armour, light and the rest, in the original's order.

    In 1.6.1 the necromancer is told to be vulnerable on any floor without monsters once a wave is over.
    """
    for index in range(10):
        numbers_out[lane, index] = _root(s.inventory[lane, _COUNTED[index]])
    numbers_out[lane, 10] = float(s.inventory[lane, int(Item.BOOKS)]) / 2.0
    numbers_out[lane, 11] = float(s.inventory[lane, int(Item.PICKAXE)]) / 4.0
    numbers_out[lane, 12] = float(s.inventory[lane, int(Item.SWORD)]) / 4.0
    numbers_out[lane, 13] = float(s.sword_enchantment[lane])
    numbers_out[lane, 14] = float(s.bow_enchantment[lane])
    numbers_out[lane, 15] = float(s.inventory[lane, int(Item.BOW)])
    for colour in range(6):
        numbers_out[lane, 16 + colour] = _root(s.potions[lane, colour])
    numbers_out[lane, 22] = s.health[lane] / 10.0
    numbers_out[lane, 23] = float(s.food[lane]) / 10.0
    numbers_out[lane, 24] = float(s.drink[lane]) / 10.0
    numbers_out[lane, 25] = float(s.energy[lane]) / 10.0
    numbers_out[lane, 26] = float(s.mana[lane]) / 10.0
    numbers_out[lane, 27] = float(s.experience[lane]) / 10.0
    numbers_out[lane, 28] = float(s.dexterity[lane]) / 10.0
    numbers_out[lane, 29] = float(s.strength[lane]) / 10.0
    numbers_out[lane, 30] = float(s.intelligence[lane]) / 10.0
    for move in range(4):
        numbers_out[lane, 31 + move] = _flag(s.player_direction[lane] == move + 1)
        numbers_out[lane, 35 + move] = float(s.armour[lane, move]) / 2.0
        numbers_out[lane, 39 + move] = float(s.armour_enchantments[lane, move])
    numbers_out[lane, 43] = s.light[lane]
    numbers_out[lane, 44] = _flag(s.sleeping[lane])
    numbers_out[lane, 45] = _flag(s.resting[lane])
    numbers_out[lane, 46] = _flag(s.spells[lane, 0])
    numbers_out[lane, 47] = _flag(s.spells[lane, 1])
    numbers_out[lane, 48] = float(floor) / 10.0
    numbers_out[lane, 49] = _flag(s.kills[lane, floor] >= _CLEAR)
    numbers_out[lane, 50] = _flag(is_vulnerable(s, lane) and (fights_boss(s, lane) or not fixed))
