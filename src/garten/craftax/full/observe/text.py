"""What the player perceives, in words."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from garten.craftax.full.observe.codes import BLOCK, CREATURES, LIT, THING
from garten.craftax.full.observe.legend import ARMOUR, ATTRIBUTES, BODY, COLOURS, STATS
from garten.craftax.full.observe.legend import CREATURES as NAMES
from garten.craftax.full.tables import FLOOR_NAMES, Block, Item, Thing
from garten.craftax.words import Cells, counted, in_view, listed, on_tile, plain

_TOOLS = ("no", "wood", "stone", "iron", "diamond")
_PIECES = ("no", "iron", "diamond")
_ENCHANTED = ("", "fire ", "ice ")
_LEVELS = (Item.PICKAXE, Item.SWORD, Item.BOW)
_COUNTS = tuple(item for item in Item if item not in _LEVELS)

_OPEN = BODY.index("1 where the way down is open")
_VULNERABLE = BODY.index("1 if the necromancer is vulnerable")

State = dict[str, npt.NDArray[Any]]


def describe(cells: Cells, numbers: npt.NDArray[np.float32], state: State) -> str:
    """A lane's view and body as text.

    Args:
        cells: the lane's codes, [9, 11, 8].
        numbers: those of its body, [51].
        state: the lane's state, by field name.

    Returns:
        A line for each row of the view, from the top, tiles parted by commas; then lines for the player.
    """
    floor = int(state["floor"])
    names = (*ATTRIBUTES, "experience")
    lines = [
        *in_view(cells, int(state["player_direction"]), _tile),
        f"Floor {floor}: {FLOOR_NAMES[floor]}; the way down is {'open' if numbers[_OPEN] else 'shut'}.",
        f"Body: {listed(STATS, (state[name] for name in STATS))}.",
        f"Attributes: {listed(names, (state[name] for name in names))}.",
        f"Tools: {', '.join(_tools(state)) or 'none'}.",
        f"Armour: {', '.join(_armour(state)) or 'none'}.",
        f"Inventory: {', '.join(_held(state)) or 'nothing'}.",
        f"Daylight: {float(state['light']):.2f}.",
    ]
    lines += [f"You know {' and '.join(known)}."] if (known := _spells(state)) else []
    lines += ["The necromancer can be hurt."] if numbers[_VULNERABLE] else []
    lines += ["You are asleep."] if state["sleeping"] else []
    lines += ["You are resting."] if state["resting"] else []
    return "\n".join(lines)


def possessions(state: State) -> list[str]:
    """What the player has: tools, armour, spells, items, potions."""
    return [*_tools(state), *_armour(state), *_spells(state), *_held(state)]


def _tile(cell: npt.NDArray[np.uint8]) -> str:
    if not cell[LIT]:
        return "dark"
    there = [
        name
        for kind, names in enumerate(NAMES)
        for bit, name in enumerate(names)
        if (int(cell[CREATURES + kind]) >> bit) & 1
    ]
    thing = Thing(int(cell[THING]))
    return on_tile([*there, plain(thing)] if thing else there, Block(int(cell[BLOCK])))


def _tools(state: State) -> list[str]:
    pickaxe, sword, bow = (int(state["inventory"][item]) for item in _LEVELS)
    owned = [f"{_TOOLS[pickaxe]} pickaxe"] if pickaxe else []
    owned += [f"{_ENCHANTED[int(state['sword_enchantment'])]}{_TOOLS[sword]} sword"] if sword else []
    return owned + ([f"{_ENCHANTED[int(state['bow_enchantment'])]}bow"] if bow else [])


def _armour(state: State) -> list[str]:
    pieces = zip(ARMOUR, state["armour"], state["armour_enchantments"], strict=True)
    return [f"{_ENCHANTED[charm]}{_PIECES[level]} {piece}" for piece, level, charm in pieces if level]


def _spells(state: State) -> list[str]:
    return [name for name, known in zip(("fireball", "iceball"), state["spells"], strict=True) if known]


def _held(state: State) -> list[str]:
    items = counted(map(plain, _COUNTS), (state["inventory"][item] for item in _COUNTS))
    return items + counted((f"{colour} potions" for colour in COLOURS), state["potions"])
