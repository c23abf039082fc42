"""From what a level's code asked of its builder to the rows that the engine runs.

The code runs in the sandbox against ``prelude.py``, which writes its calls down. Here each call is checked
and becomes one or more rows. Nothing the sandbox says is trusted: what does not fit is refused in one
sentence that names the call.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from garten.craftax.full import ops
from garten.craftax.full.ops import At, Op, Rows, at, blocks_low_high, row
from garten.craftax.full.tables import FLOORS, SIZE, TILES, Item
from garten.errors import LevelError
from garten.levels.words import CREATURES, KINDS, blocks, closest, shown
from garten.parsing import parse

_MOST_HELD = 99

_UNREADABLE = LevelError("The level's calls cannot be read; leave names that begin with _ alone.")

Number = int | At


@dataclass(frozen=True)
class Method:
    """One thing a builder does, as the prelude defines it.

    Attributes:
        name: of it.
        signature: its parameters with their defaults, as written.
        parameters: their names.
        meaning: its docstring, on one line.
    """

    name: str
    signature: str
    parameters: tuple[str, ...]
    meaning: str


@cache
def prelude() -> str:
    """The code that runs in the sandbox before a level's."""
    return (files("garten.levels") / "prelude.py").read_text(encoding="utf-8")


@cache
def methods() -> dict[str, Method]:
    """The builder's methods by name, read from the prelude."""
    tree = parse(prelude())
    builder = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Builder")
    found = {}
    for node in builder.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            for argument in node.args.args:
                argument.annotation = None
            parameters = tuple(argument.arg for argument in node.args.args[1:])
            signature = ast.unparse(node.args).removeprefix("self").removeprefix(", ")
            meaning = " ".join(inspect.cleandoc(ast.get_docstring(node) or "").split())
            found[node.name] = Method(node.name, signature, parameters, meaning)
    return found


def rows_of(calls: Any) -> Rows:
    """The rows of a level's calls.

    Args:
        calls: as the prelude wrote them down: pairs of a name and a list of arguments.

    Raises:
        LevelError: a call is wrong.
    """
    if not isinstance(calls, list):
        raise _UNREADABLE
    rows: list[Rows] = []
    for index, call in enumerate(calls):
        rows += _rows_of_call(index, call)
    if len(rows) > ops.MOST_ROWS:
        raise LevelError(f"The level has {len(rows)} operations; use at most {ops.MOST_ROWS}.")
    return np.array(rows, np.int32).reshape(-1, ops.WIDTH)


def _rows_of_call(index: int, call: Any) -> list[Rows]:
    match call:
        case [str(name), list(values)] if name in _TRANSLATE:
            translate, parameters = _TRANSLATE[name]
            if len(values) == len(parameters):
                return translate(Call(index, name, dict(zip(parameters, values, strict=True))))
    raise _UNREADABLE


@dataclass(frozen=True)
class Call:
    """One call of a builder's method, and ways to read its arguments.

    All of them raise a LevelError if the argument is wrong.
    """

    index: int
    name: str
    arguments: Mapping[str, Any]

    def refusal(self, why: str) -> LevelError:
        """What is wrong with the call, as an error to raise."""
        return LevelError(f"Call {self.index + 1} of the builder, {self.name}: {why}.")

    def number(self, name: str, low: int = -ops.LIMIT, high: int = ops.LIMIT) -> Number:
        """A whole number between bounds, or one that each world finds out."""
        return self.read(name, self.arguments[name], low, high)

    def constant(self, name: str, low: int, high: int) -> int:
        """A whole number between bounds that the level itself says."""
        value = self.number(name, low, high)
        if isinstance(value, At):
            raise self.refusal(f"{name} must be known beforehand; give a plain number")
        return value

    def flag(self, name: str) -> int:
        """True or False."""
        value = self.arguments[name]
        if not isinstance(value, bool):
            raise self.refusal(f"{name} is {shown(value)}; give True or False")
        return int(value)

    def floor(self) -> int:
        """The floor of the argument `level`."""
        return self.constant("level", 0, FLOORS - 1)

    def block(self, name: str) -> int:
        """A block that may be put, by its name."""
        block = self._block(name, self.arguments[name])
        if block not in ops.PLACEABLE:
            raise self.refusal(f"{name} is {self.arguments[name]}, which no level may put; choose another")
        return block

    def blocks(self, name: str) -> dict[str, int]:
        """A set of blocks, by their names."""
        value = self.arguments[name]
        if not isinstance(value, list) or not value:
            raise self.refusal(f"{name} is {shown(value)}; give a list of blocks, as ['GRASS', 'SAND']")
        return blocks_low_high(self._block(name, part) for part in value)

    def place(self, name: str) -> tuple[Number, Number]:
        """A place, (row, column); it must lie on the map where that is known."""
        value = self.arguments[name]
        if not isinstance(value, list) or len(value) != 2:
            raise self.refusal(f"{name} is {shown(value)}; give a place (row, column)")
        try:
            down, across = (self.read(name, part, 0, SIZE - 1) for part in value)
        except _OutOfBoundsError as error:
            known = tuple("?" if isinstance(part, dict) else part for part in value)
            why = (
                f"{name} ({known[0]}, {known[1]}) lies off the map; rows and columns go from 0 to {SIZE - 1}"
            )
            raise self.refusal(why) from error
        return down, across

    def creature(self) -> tuple[int, int]:
        """Kind and type of the creature that `mob_name` and `type_id` name."""
        kind = KINDS.get(str(self.arguments["mob_name"]).lower())
        if kind is None:
            raise self.refusal(
                f"there is no mob_name {shown(self.arguments['mob_name'])}; {closest('', KINDS)}"
            )
        names = CREATURES[kind]
        type_id = self.arguments["type_id"]
        if isinstance(type_id, str):
            if type_id.lower() not in names:
                raise self.refusal(f"there is no {shown(type_id)} of that kind; {closest(type_id, names)}")
            return kind, names.index(type_id.lower())
        return kind, self.constant("type_id", 0, len(names) - 1)

    def _block(self, name: str, value: Any) -> int:
        known = blocks()
        if not isinstance(value, str) or value.upper() not in known:
            raise self.refusal(f"{name} is {shown(value)}, which is no block; {closest(value, known)}")
        return known[value.upper()]

    def read(self, name: str, value: Any, low: int, high: int) -> Number:
        """A value as a whole number between bounds, or one that each world finds out."""
        if isinstance(value, dict) and value.keys() == {"register", "plus"}:
            register, plus = value["register"], value["plus"]
            if _is_whole(register) and _is_whole(plus) and 0 < register < ops.REGISTERS:
                if abs(plus) > ops.LIMIT:
                    raise self.refusal(f"{name} is too large; keep numbers within {ops.LIMIT}")
                return at(register, plus)
        if not _is_whole(value):
            raise self.refusal(f"{name} is {shown(value)}; give a whole number")
        if not low <= value <= high:
            raise _OutOfBoundsError(str(self.refusal(f"{name} is {value}; keep it within {low} to {high}")))
        return int(value)


class _OutOfBoundsError(LevelError):
    """A whole number lies outside its bounds."""


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _set_starting_floor(call: Call) -> list[Rows]:
    return [row(Op.START, floor=call.floor())]


def _start_near_ladder(call: Call) -> list[Rows]:
    return [row(Op.START_NEAR, floor=call.constant("level", 0, FLOORS - 2), **_distances(call))]


def _set_player_stats(call: Call) -> list[Rows]:
    return [row(Op.ATTRIBUTES, **{name: call.number(name) for name in call.arguments})]


def _set_player_inventory(call: Call) -> list[Rows]:
    given = call.arguments["inventory_dict"]
    if not isinstance(given, dict):
        raise call.refusal("give a dict of items and counts, as {'wood': 3}")
    slots = {item.name.lower(): int(item) for item in Item}
    groups = {"armour": (ops.ARMOUR_SLOT, 4), "potions": (ops.POTION_SLOT, 6)}
    rows = []
    for name, value in given.items():
        if name in groups:
            first, count = groups[name]
            if not isinstance(value, list) or len(value) != count:
                raise call.refusal(f"{name} is {shown(value)}; give a list of {count} numbers")
            parts = {f"{name}[{index}]": (first + index, part) for index, part in enumerate(value)}
        elif name in slots:
            parts = {name: (slots[name], value)}
        else:
            raise call.refusal(f"there is no item {shown(name)}; {closest(name, [*slots, *groups])}")
        for part, (slot, count) in parts.items():
            rows.append(row(Op.HOLD, slot=slot, count=call.read(part, count, 0, _MOST_HELD)))
    return rows


def _set_weapon_enchantments(call: Call) -> list[Rows]:
    return _enchant(call, {"sword": ops.SWORD, "bow": ops.BOW})


def _set_armour_enchantments(call: Call) -> list[Rows]:
    pieces = (ops.HELMET, ops.CHEST, ops.LEGS, ops.BOOTS)
    return _enchant(call, dict(zip(call.arguments, pieces, strict=True)))


def _enchant(call: Call, pieces: Mapping[str, int]) -> list[Rows]:
    return [row(Op.ENCHANT, piece=piece, element=call.number(name)) for name, piece in pieces.items()]


def _set_learned_spells(call: Call) -> list[Rows]:
    return [row(Op.LEARN, spell=spell, known=call.flag(name)) for spell, name in enumerate(call.arguments)]


def _set_monsters_killed(call: Call) -> list[Rows]:
    return [row(Op.KILLS, floor=call.floor(), count=call.number("count", 0))]


def _place_block(call: Call) -> list[Rows]:
    down, across = call.place("position")
    return [row(Op.PLACE, floor=call.floor(), block=call.block("block_type"), row=down, column=across)]


def _fill_area(call: Call) -> list[Rows]:
    (top, left), (bottom, right) = call.place("top_left"), call.place("bottom_right")
    corners = {"top": top, "left": left, "bottom": bottom, "right": right}
    return [row(Op.FILL, floor=call.floor(), block=call.block("block_type"), **corners)]


def _add_mob(call: Call) -> list[Rows]:
    kind, type_id = call.creature()
    down, across = call.place("position")
    where = {"floor": call.floor(), "row": down, "column": across}
    return [row(Op.ADD, kind=kind, type=type_id, health=call.number("health", -1, 1000), **where)]


def _add_mobs_randomly_near(call: Call) -> list[Rows]:
    kind, type_id = call.creature()
    return [row(Op.ADD_NEAR, kind=kind, type=type_id, **_scattered(call), **_ring(call))]


def _place_randomly(call: Call) -> list[Rows]:
    return [row(Op.SCATTER, block=call.block("block_type"), **_scattered(call))]


def _place_randomly_near(call: Call) -> list[Rows]:
    return [row(Op.SCATTER_NEAR, block=call.block("block_type"), **_scattered(call), **_ring(call))]


def _place_adjacent_to_existing(call: Call) -> list[Rows]:
    block, target = call.block("block_to_place"), call.block("target_block_type")
    on_blocks = call.blocks("on_blocks")
    return [row(Op.ADJOIN, floor=call.floor(), block=block, target=target, **on_blocks)]


def _scattered(call: Call) -> dict[str, Number]:
    return {"floor": call.floor(), "count": call.number("n", 0, TILES), **call.blocks("on_blocks")}


def _ring(call: Call) -> dict[str, Number]:
    down, across = call.place("target_pos")
    return {"row": down, "column": across, **_distances(call)}


def _distances(call: Call) -> dict[str, Number]:
    least, most = (call.number(name, 0, 2 * SIZE) for name in ("min_dist", "max_dist"))
    if isinstance(least, int) and isinstance(most, int) and least > most:
        raise call.refusal(f"min_dist {least} is more than max_dist {most}; give at most as much")
    return {"least": least, "most": most}


def _find_block(call: Call) -> list[Rows]:
    down, across = call.place("near")
    found = {"block": call.block("block_type"), "to": call.constant("to", ops.FIRST_FREE, ops.REGISTERS - 2)}
    return [row(Op.NEAREST, floor=call.floor(), row=down, column=across, **found)]


def _count_blocks(call: Call) -> list[Rows]:
    down, across = call.place("near")
    where = {"row": down, "column": across, "most": call.number("max_dist", 0, 2 * SIZE)}
    return [row(Op.COUNT, floor=call.floor(), block=call.block("block_type"), to=_register(call), **where)]


def _add_up(call: Call) -> list[Rows]:
    return [row(Op.ADD_UP, to=_register(call), one=call.number("one"), other=call.number("other"))]


def _subtract(call: Call) -> list[Rows]:
    return [row(Op.SUBTRACT, to=_register(call), one=call.number("one"), other=call.number("other"))]


def _register(call: Call) -> int:
    return call.constant("to", ops.FIRST_FREE, ops.REGISTERS - 1)


_METHODS: dict[str, Callable[[Call], list[Rows]]] = {
    "set_starting_floor": _set_starting_floor,
    "start_near_ladder": _start_near_ladder,
    "set_player_stats": _set_player_stats,
    "set_player_inventory": _set_player_inventory,
    "set_weapon_enchantments": _set_weapon_enchantments,
    "set_armour_enchantments": _set_armour_enchantments,
    "set_learned_spells": _set_learned_spells,
    "set_monsters_killed": _set_monsters_killed,
    "place_block": _place_block,
    "fill_area": _fill_area,
    "add_mob": _add_mob,
    "add_mobs_randomly_near": _add_mobs_randomly_near,
    "place_randomly": _place_randomly,
    "place_randomly_near": _place_randomly_near,
    "place_adjacent_to_existing": _place_adjacent_to_existing,
}

_ASKING: dict[str, Callable[[Call], list[Rows]]] = {"find_block": _find_block, "count_blocks": _count_blocks}
"""Methods that answer; the register of the answer is written down after their arguments."""

_SUMS: dict[str, Callable[[Call], list[Rows]]] = {"add_up": _add_up, "subtract": _subtract}

_TRANSLATE: dict[str, tuple[Callable[[Call], list[Rows]], tuple[str, ...]]] = {
    **{name: (translate, methods()[name].parameters) for name, translate in _METHODS.items()},
    **{name: (translate, (*methods()[name].parameters, "to")) for name, translate in _ASKING.items()},
    **{name: (translate, ("to", "one", "other")) for name, translate in _SUMS.items()},
}
