"""The aids that calls of the builder give."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from garten.authors.craftax.aids import (
    CAPACITY,
    KINDS,
    TOOLS,
    Attributes,
    ByLadder,
    Creatures,
    Enchanted,
    Held,
    Near,
    Open,
    Scattered,
    Spells,
    Start,
    Worn,
)
from garten.authors.kit import Aid
from garten.authors.plan import HERE
from garten.craftax.full.tables import FLOORS, Block
from garten.levels.builder import methods
from garten.parsing import parse


def aids_of(method: str, arguments: Sequence[Any], named: Mapping[str, Any]) -> tuple[Aid, ...] | None:
    """The aids that a call gives; None if it is wrong, or gives what no aid is."""
    reader = _READERS.get(method)
    if reader is None:
        return None
    try:
        bound = _signature(method).bind(*arguments, **named)
        bound.apply_defaults()
        return reader(**bound.arguments)
    except (TypeError, ValueError):
        return None


@cache
def _signature(method: str) -> inspect.Signature:
    """The parameters of a method of the builder."""
    tree = parse(f"def method({methods()[method].signature}): pass").body[0]
    assert isinstance(tree, ast.FunctionDef)
    arguments = tree.args
    missing = len(arguments.args) - len(arguments.defaults)
    defaults = [inspect.Parameter.empty] * missing + [ast.literal_eval(node) for node in arguments.defaults]
    return inspect.Signature(
        [
            inspect.Parameter(argument.arg, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default)
            for argument, default in zip(arguments.args, defaults, strict=True)
        ]
    )


def _whole(value: Any, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{value!r} is no whole number from {low} to {high}")
    return value


def _read_start(level: Any) -> tuple[Aid, ...]:
    floor = _whole(level, 0, FLOORS - 1)
    return (Start(floor),) if floor else ()


def _read_ladder(level: Any, min_dist: Any, max_dist: Any) -> tuple[Aid, ...]:
    floor = _whole(level, 0, FLOORS - 2)
    if min_dist != 0:
        raise ValueError("farther than near")
    return (*_read_start(floor), ByLadder(floor, _whole(max_dist, 0, 94)))


def _read_attributes(dexterity: Any, strength: Any, intelligence: Any) -> tuple[Aid, ...]:
    levels = (_whole(dexterity, 1, 5), _whole(strength, 1, 5), _whole(intelligence, 1, 5))
    return (Attributes(levels),) if levels != (1, 1, 1) else ()


def _read_inventory(inventory_dict: Any) -> tuple[Aid, ...]:
    if not isinstance(inventory_dict, dict):
        raise ValueError("no dict")
    found: list[Aid] = []
    for item, value in inventory_dict.items():
        if item in ("armour", "potions"):
            counts = tuple(_whole(part, 0, 99) for part in value)
            found += [Worn(item, counts)] if any(counts) else []
        else:
            count = _whole(value, 0, TOOLS.get(item, 99))
            found += [Held(item, count)] if count else []
    return tuple(found)


def _read_spells(fireball: Any, iceball: Any) -> tuple[Aid, ...]:
    return (Spells(bool(fireball), bool(iceball)),) if fireball or iceball else ()


def _read_enchantments(sword: Any, bow: Any) -> tuple[Aid, ...]:
    elements = (_whole(sword, 0, 2), _whole(bow, 0, 2))
    return (Enchanted(*elements),) if any(elements) else ()


def _read_kills(level: Any, count: Any) -> tuple[Aid, ...]:
    return (Open(_whole(level, 0, FLOORS - 1), _whole(count, 1, 8)),)


def _read_near(
    level: Any, block_type: Any, target_pos: Any, min_dist: Any, max_dist: Any, n: Any, on_blocks: Any
) -> tuple[Aid, ...]:
    floor, block = _whole(level, 0, FLOORS - 1), _block(block_type)
    on = tuple(map(_block, on_blocks))
    if target_pos != HERE:
        raise ValueError("elsewhere")
    return (Near(floor, block, _whole(min_dist, 0, 94), _whole(max_dist, 1, 94), _whole(n, 1, 99), on),)


def _read_scattered(level: Any, block_type: Any, n: Any, on_blocks: Any) -> tuple[Aid, ...]:
    on = tuple(map(_block, on_blocks))
    return (Scattered(_whole(level, 0, FLOORS - 1), _block(block_type), _whole(n, 1, 99), on),)


def _read_creatures(
    level: Any,
    mob_name: Any,
    type_id: Any,
    n: Any,
    target_pos: Any,
    min_dist: Any,
    max_dist: Any,
    on_blocks: Any,
) -> tuple[Aid, ...]:
    kind = str(mob_name).lower()
    if target_pos not in (None, HERE) or kind not in KINDS:
        raise ValueError("elsewhere, or of no kind")
    names = KINDS[kind]
    name = type_id.lower() if isinstance(type_id, str) else names[_whole(type_id, 0, len(names) - 1)]
    if name not in names:
        raise ValueError("no creature")
    least, most = _whole(min_dist, 0, 94), _whole(max_dist, 1, 94)
    count = _whole(n, 1, CAPACITY[kind])
    floor = _whole(level, 0, FLOORS - 1)
    return (Creatures(floor, kind, name, count, least, most, tuple(map(_block, on_blocks))),)


def _block(name: Any) -> str:
    if not isinstance(name, str) or name.upper() not in Block.__members__:
        raise ValueError(f"{name!r} is no block")
    return name.upper()


_READERS: dict[str, Callable[..., tuple[Aid, ...]]] = {
    "set_starting_floor": _read_start,
    "start_near_ladder": _read_ladder,
    "set_player_stats": _read_attributes,
    "set_player_inventory": _read_inventory,
    "set_learned_spells": _read_spells,
    "set_weapon_enchantments": _read_enchantments,
    "set_monsters_killed": _read_kills,
    "place_randomly_near": _read_near,
    "place_randomly": _read_scattered,
    "add_mobs_randomly_near": _read_creatures,
}
