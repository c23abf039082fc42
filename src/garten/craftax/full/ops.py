"""Programs: rows of operations run on new worlds, so that a level is data and a new one compiles nothing.

A program is one or more variants, of which each new world runs one, drawn evenly. A variant is an int32 array
[rows, `WIDTH`], a row one operation: its `Op`, then for each of its arguments two numbers, a register and a
constant. An argument's value is the register plus the constant. Register 0 is always 0, so that most
arguments are just constants; `PLAYER_ROW` and `PLAYER_COLUMN` are where the player stands; those from
`FIRST_FREE` on hold what the program draws, counts and finds.

    from garten.craftax.full.ops import Op, at, row
    engine.give_programs([[[
        row(Op.FILL, floor=0, block=Block.PATH, top=20, left=20, bottom=28, right=28),
        row(Op.PLACE, floor=0, block=Block.TABLE, row=at(PLAYER_ROW, -1), column=at(PLAYER_COLUMN)),
    ]]])
    env.set(program=0)

`ARGUMENTS` says what each operation takes, `Op` what it does. Each row draws from a key of its own, made from
the key of the world: draws differ between episodes and are the same in equal ones, and the game's own draws
are what they are without a program. What finds no room is left out and counted in ``exchange.misplaced``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from garten.craftax.full.tables import (
    FLOORS,
    PASSIVE_CREATURES,
    SIZE,
    SOLID,
    TILES,
    TYPES,
    Block,
    Item,
)

Rows = npt.NDArray[np.int32]

REGISTERS = 32
PLAYER_ROW, PLAYER_COLUMN, FIRST_FREE = 1, 2, 3
"""Registers. What is written to them is kept within `LIMIT`."""

LIMIT = 1_000_000
"""No constant and no register goes beyond it, either way."""

MOST_ROWS = 4096
"""Rows that a variant may have."""

MOST_VARIANTS = 256
"""Variants that a program may have."""

PASSIVE, MELEE, RANGED = range(3)
"""Kinds of creature."""

SWORD, BOW, HELMET, CHEST, LEGS, BOOTS = range(6)
"""What can be enchanted."""

POTION_SLOT = len(Item)
ARMOUR_SLOT = POTION_SLOT + 6
SLOTS = ARMOUR_SLOT + 4
"""What can be held: slots are items, then potions by colour, then pieces of armour."""

PLACEABLE = tuple(
    block
    for block in Block
    if block not in (Block.INVALID, Block.OUT_OF_BOUNDS, Block.NECROMANCER_VULNERABLE)
)
"""Blocks that programs may put."""

WALKABLE = tuple(
    block for block in PLACEABLE if block not in (*SOLID, Block.WATER, Block.LAVA, Block.DARKNESS)
)
"""Blocks on which a player may start."""

LOW_BLOCKS = 31
"""Sets of blocks are two bit masks: `low` for blocks up to 30, `high` for those from 31 on."""


class Op(IntEnum):
    """What a row can do."""

    START = 0
    """The player starts on this floor, where its ladder up stands; on the first, in its middle."""
    ATTRIBUTES = 1
    """Set the player's attributes, each clipped to 1 to 5."""
    HOLD = 2
    """The player holds so many of a slot, clipped to what it can hold; levels of tools and armour too."""
    ENCHANT = 3
    """Enchant a piece: 0 not, 1 fire, 2 ice; clipped to that."""
    LEARN = 4
    """The player knows a spell (0 fireball, 1 iceball), or not."""
    KILLS = 5
    """So many monsters of a floor were killed already."""
    PLACE = 6
    """Put a block on a tile."""
    FILL = 7
    """Put a block on each tile of a rectangle, its corners included, cut off at the map's edge."""
    ADD = 8
    """Put a creature on a tile that is free; a health of 0 or less is that of its type."""
    ADD_NEAR = 9
    """Put creatures on random free tiles of the blocks given, so far from a place (tiles to walk)."""
    SCATTER = 10
    """Put a block on `count` random tiles of the blocks given."""
    SCATTER_NEAR = 11
    """The same, so far from a place; never on it."""
    ADJOIN = 12
    """Put a block on a random tile of the blocks given that lies beside (in four directions) a `target`."""
    RANDOM = 13
    """A register takes a random whole number, both ends included."""
    PICK = 14
    """A register takes one of the first `count` of eight numbers."""
    COUNT = 15
    """A register takes how many tiles so near a place (tiles to walk) are of a block."""
    NEAREST = 16
    """A register and the next take row and column of the tile of a block nearest to a place, or the place."""
    ADD_UP = 17
    """A register takes the sum of two numbers."""
    SUBTRACT = 18
    """A register takes the difference of two numbers."""
    SKIP_UNLESS = 19
    """Skip the next rows unless a number lies between two others, both included."""
    START_NEAR = 20
    """The player starts on this floor, on a random free tile so far (tiles to walk) from its ladder down; on
    that ladder if there is none."""


@dataclass(frozen=True)
class Argument:
    """One argument of an operation.

    Attributes:
        name: of it.
        low: its least constant.
        high: its greatest constant.
        fixed: whether it must be a constant, without a register.
    """

    name: str
    low: int
    high: int
    fixed: bool = False


def _numbers(*names: str, low: int = -LIMIT, high: int = LIMIT) -> tuple[Argument, ...]:
    return tuple(Argument(name, low, high) for name in names)


_FLOOR = Argument("floor", 0, FLOORS - 1, fixed=True)
_BLOCK = Argument("block", min(PLACEABLE), max(PLACEABLE), fixed=True)
_KIND = (Argument("kind", PASSIVE, RANGED, fixed=True), Argument("type", 0, TYPES - 1, fixed=True))
_ON = (
    Argument("low", 0, 2**LOW_BLOCKS - 1, fixed=True),
    Argument("high", 0, 2 ** (len(Block) - LOW_BLOCKS) - 1, fixed=True),
)
_PLACE = _numbers("row", "column", low=0, high=SIZE - 1)
_HOW_MANY = _numbers("count", low=0, high=TILES)
_RING = _numbers("least", "most", low=0, high=2 * SIZE)
_TO = Argument("to", FIRST_FREE, REGISTERS - 1, fixed=True)

ARGUMENTS: dict[Op, tuple[Argument, ...]] = {
    Op.START: (_FLOOR,),
    Op.ATTRIBUTES: _numbers("dexterity", "strength", "intelligence"),
    Op.HOLD: (Argument("slot", 0, SLOTS - 1, fixed=True), *_numbers("count")),
    Op.ENCHANT: (Argument("piece", SWORD, BOOTS, fixed=True), *_numbers("element")),
    Op.LEARN: (Argument("spell", 0, 1, fixed=True), *_numbers("known", low=0, high=1)),
    Op.KILLS: (_FLOOR, *_numbers("count", low=0)),
    Op.PLACE: (_FLOOR, _BLOCK, *_PLACE),
    Op.FILL: (_FLOOR, _BLOCK, *_numbers("top", "left", "bottom", "right", low=0, high=SIZE - 1)),
    Op.ADD: (_FLOOR, *_KIND, *_PLACE, *_numbers("health")),
    Op.ADD_NEAR: (_FLOOR, *_KIND, *_HOW_MANY, *_PLACE, *_RING, *_ON),
    Op.SCATTER: (_FLOOR, _BLOCK, *_HOW_MANY, *_ON),
    Op.SCATTER_NEAR: (_FLOOR, _BLOCK, *_HOW_MANY, *_PLACE, *_RING, *_ON),
    Op.ADJOIN: (_FLOOR, _BLOCK, Argument("target", 0, max(Block), fixed=True), *_ON),
    Op.RANDOM: (_TO, *_numbers("least", "most")),
    Op.PICK: (_TO, Argument("count", 1, 8, fixed=True), *_numbers(*(f"option_{i}" for i in range(8)))),
    Op.COUNT: (_FLOOR, _BLOCK, *_PLACE, *_RING[1:], _TO),
    Op.NEAREST: (_FLOOR, _BLOCK, *_PLACE, Argument("to", FIRST_FREE, REGISTERS - 2, fixed=True)),
    Op.ADD_UP: (_TO, *_numbers("one", "other")),
    Op.SUBTRACT: (_TO, *_numbers("one", "other")),
    Op.SKIP_UNLESS: (
        *_numbers("least", "number", "most"),
        Argument("rows", 0, MOST_ROWS, fixed=True),
    ),
    Op.START_NEAR: (Argument("floor", 0, FLOORS - 2, fixed=True), *_RING),
}
"""What each operation takes, in order."""

MOST_ARGUMENTS = max(map(len, ARGUMENTS.values()))

WIDTH = 1 + 2 * MOST_ARGUMENTS
"""Numbers of a row; those past its arguments are 0."""


class At(NamedTuple):
    """An argument that is a register plus a constant."""

    register: int
    plus: int


def at(register: int, plus: int = 0) -> At:
    """What a register holds, and a constant more."""
    return At(register, plus)


def blocks_low_high(blocks: Iterable[int]) -> dict[str, int]:
    """The arguments `low` and `high` of a set of blocks."""
    bits = sum(1 << int(block) for block in set(blocks))
    return {"low": bits & (2**LOW_BLOCKS - 1), "high": bits >> LOW_BLOCKS}


def row(op: Op, **values: int | At) -> Rows:
    """One row, its arguments by name; those not given are 0.

    Raises:
        ValueError: the operation has no such argument.
    """
    out = np.zeros(WIDTH, np.int32)
    out[0] = op
    names = [argument.name for argument in ARGUMENTS[op]]
    for name, value in values.items():
        if name not in names:
            raise ValueError(f"{op.name} has no argument {name}; it has {', '.join(names) or 'none'}.")
        index = names.index(name)
        out[1 + 2 * index : 3 + 2 * index] = value if isinstance(value, At) else (0, value)
    return out


def check_program(program: Sequence[Rows], *, name: str = "the program") -> tuple[Rows, ...]:
    """A program's variants as they are kept, checked.

    Args:
        program: its variants, integers [rows, WIDTH].
        name: what errors call it.

    Raises:
        ValueError: it has no variant or too many, or a row is wrong.
    """
    if not 1 <= len(program) <= MOST_VARIANTS:
        raise ValueError(f"{name} has {len(program)} variants; give it 1 to {MOST_VARIANTS}.")
    return tuple(_checked(rows, f"{name}, variant {index}") for index, rows in enumerate(program))


def _checked(rows: Rows, name: str) -> Rows:
    given = np.asarray(rows)
    if given.size == 0:
        given = np.zeros((0, WIDTH), np.int32)
    if given.ndim != 2 or given.shape[1] != WIDTH or given.dtype.kind not in "iu":
        found = f"{given.dtype} of shape {given.shape}"
        raise ValueError(f"The rows of {name} are {found}; give integers of shape (rows, {WIDTH}).")
    if len(given) > MOST_ROWS:
        raise ValueError(f"{name} has {len(given)} rows; give at most {MOST_ROWS}.")
    array = given.astype(np.int64)
    for op in np.unique(array[:, 0]):
        where = np.flatnonzero(array[:, 0] == op)
        if op not in list(Op):
            raise ValueError(f"Row {where[0]} of {name} is operation {op}; there are 0 to {max(Op)}.")
        _check_arguments(Op(op), array[where], where, name)
    return np.ascontiguousarray(array, np.int32)


def _check_arguments(op: Op, rows: npt.NDArray[np.int64], where: npt.NDArray[np.intp], name: str) -> None:
    """Check rows of one operation; `where` says which rows of the variant they are."""

    def refuse(wrong: npt.NDArray[np.bool_], say: str) -> None:
        if wrong.any():
            index = int(np.flatnonzero(wrong)[0])
            raise ValueError(f"Row {where[index]} of {name} ({op.name}): {say.format(*rows[index])}.")

    for index, argument in enumerate(ARGUMENTS[op]):
        register, constant = rows[:, 1 + 2 * index], rows[:, 2 + 2 * index]
        what = argument.name
        if argument.fixed:
            refuse(register != 0, f"{what} uses a register; give a plain number")
        refuse((register < 0) | (register >= REGISTERS), f"{what} uses a register past {REGISTERS - 1}")
        low = np.where(register == 0, argument.low, -LIMIT)
        high = np.where(register == 0, argument.high, LIMIT)
        found = f"{what} is {{{2 + 2 * index}}}; keep it within {argument.low} to {argument.high}"
        refuse((constant < low) | (constant > high), found)
    if op in (Op.ADD, Op.ADD_NEAR):
        wrong = (rows[:, 4] == PASSIVE) & (rows[:, 6] >= len(PASSIVE_CREATURES))
        refuse(wrong, f"there is no passive type {{6}}; the last is {len(PASSIVE_CREATURES) - 1}")
    unused = rows[:, 1 + 2 * len(ARGUMENTS[op]) :]
    refuse((unused != 0).any(axis=1), "numbers past its arguments are not 0")
