"""What a level's code finds defined when it runs in the sandbox. This file is run there, never imported.

It defines `Builder`, whose calls are written down and turned into rows by `garten.levels.builder`, and the
names of blocks and achievements. The reference of the methods is made from their signatures and docstrings.
The sandbox's Python has neither class inheritance nor properties; numbers here are Python's own, but places
and counts that only a new world knows stand for themselves until then.
"""

import random as _random
from typing import Any

_FIRST_FREE = 3  # registers that answers may take
_LAST_FREE = 31
_TOO_LARGE = 1e15


class _Book:
    """Everything that the level's code asked for, in order."""

    def __init__(self) -> None:
        self.calls: list[Any] = []
        self.drew = False  # whether chance decided what was asked for
        self.free = _FIRST_FREE

    def write(self, name: str, *arguments: Any) -> None:
        """Write a call down."""
        self.calls.append([name, [_plain(argument) for argument in arguments]])

    def register(self, count: int) -> int:
        """The first of so many registers that hold nothing yet."""
        first = self.free
        self.free += count
        if self.free > _LAST_FREE + 1:
            raise ValueError(
                "The level asks for more numbers and places than a world can hold; ask for fewer."
            )
        return first


_book = _Book()


def _plain(value: Any) -> Any:
    """A value as data that can leave the sandbox."""
    if isinstance(value, _Number):
        return {"register": value.register, "plus": value.plus}
    if isinstance(value, _Position):
        return [_plain(value.row), _plain(value.column)]
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, int | float) and not abs(value) < _TOO_LARGE:
        raise ValueError(f"{value} is no number that a level can use; keep numbers finite and small")
    if value is None or isinstance(value, int | float | str):
        return value
    raise TypeError(f"a level is made of numbers, text, lists and places; {type(value)} is none of them")


def _is_number(value: Any) -> bool:
    """Whether a value is a whole number, known or not."""
    return isinstance(value, int | _Number)


class _Number:
    """A whole number that each new world finds out; + and - work."""

    def __init__(self, register: int, plus: int) -> None:
        self.register = register
        self.plus = plus

    def __add__(self, other: Any) -> "_Number":
        if isinstance(other, _Number):
            return _combined("add_up", self, other)
        return _Number(self.register, self.plus + other)

    def __radd__(self, other: Any) -> "_Number":
        return _Number(self.register, self.plus + other)

    def __sub__(self, other: Any) -> "_Number":
        if isinstance(other, _Number):
            return _combined("subtract", self, other)
        return _Number(self.register, self.plus - other)

    def __rsub__(self, other: Any) -> "_Number":
        return _combined("subtract", other, self)

    def __eq__(self, other: Any) -> bool:
        raise TypeError("== is not supported by _Number")  # else Python would answer, always no


def _combined(how: str, one: Any, other: Any) -> _Number:
    """The sum or difference of two numbers, one of them not known yet."""
    register = _book.register(1)
    _book.write(how, register, one, other)
    return _Number(register, 0)


class _Position:
    """A place on the map that each new world finds out: `row`, `column`; + and - work, also with a pair."""

    def __init__(self, row: Any, column: Any) -> None:
        self.row = row
        self.column = column

    def __add__(self, other: Any) -> "_Position":
        down, across = _pair(other)
        return _Position(self.row + down, self.column + across)

    def __radd__(self, other: Any) -> "_Position":
        return self.__add__(other)

    def __sub__(self, other: Any) -> "_Position":
        down, across = _pair(other)
        return _Position(self.row - down, self.column - across)

    def __getitem__(self, index: int) -> Any:
        return (self.row, self.column)[index]

    def __iter__(self) -> Any:
        return iter((self.row, self.column))

    def __eq__(self, other: Any) -> bool:
        raise TypeError("== is not supported by _Position")


def _pair(value: Any) -> Any:
    """Rows and columns to go: those of a pair, or the same number of both."""
    if _is_number(value):
        return value, value
    down, across = value
    return down, across


class Builder:
    """Changes a new world of the plain game before its episode begins."""

    def __init__(self) -> None:
        self.player_position = _Position(_Number(1, 0), _Number(2, 0))

    def set_starting_floor(self, level: int) -> "Builder":
        """Start on floor `level`, at its ladder up; on floor 0 in its middle."""
        _book.write("set_starting_floor", level)
        return self

    def start_near_ladder(self, level: int, min_dist: Any = 0, max_dist: Any = 4) -> "Builder":
        """Start on floor `level`, on a random free tile `min_dist` to `max_dist` steps from its ladder down.

        With `max_dist` 0, or if no tile is free, on that ladder itself. Only the last floor has none.
        """
        _book.write("start_near_ladder", level, min_dist, max_dist)
        return self

    def set_player_stats(self, dexterity: Any = 1, strength: Any = 1, intelligence: Any = 1) -> "Builder":
        """Set the attributes, clipped to 1 to 5."""
        _book.write("set_player_stats", dexterity, strength, intelligence)
        return self

    def set_player_inventory(self, inventory_dict: dict[str, Any]) -> "Builder":
        """Hold what the dict says, counts by item.

        Of `pickaxe`, `sword` (0 to 4) and `bow` (0, 1) the level; of `armour` a list of four levels (0 to 2),
        of `potions` a list of six counts. What is held counts as achieved from the start.
        """
        _book.write("set_player_inventory", inventory_dict)
        return self

    def set_weapon_enchantments(self, sword: Any = 0, bow: Any = 0) -> "Builder":
        """Enchant the weapons: 0 not, 1 with fire, 2 with ice."""
        _book.write("set_weapon_enchantments", sword, bow)
        return self

    def set_armour_enchantments(
        self, helmet: Any = 0, chestplate: Any = 0, leggings: Any = 0, boots: Any = 0
    ) -> "Builder":
        """Enchant the pieces of armour: 0 not, 1 against fire, 2 against ice."""
        _book.write("set_armour_enchantments", helmet, chestplate, leggings, boots)
        return self

    def set_learned_spells(self, fireball: bool = False, iceball: bool = False) -> "Builder":
        """Know these spells from the start."""
        _book.write("set_learned_spells", fireball, iceball)
        return self

    def set_monsters_killed(self, level: int, count: Any) -> "Builder":
        """Count so many monsters of floor `level` as killed; at 8 its ladder down is open."""
        _book.write("set_monsters_killed", level, count)
        return self

    def place_block(self, level: int, block_type: str, position: Any) -> "Builder":
        """Put a block at (row, column)."""
        _book.write("place_block", level, block_type, position)
        return self

    def fill_area(self, level: int, block_type: str, top_left: Any, bottom_right: Any) -> "Builder":
        """Fill a rectangle with a block, its corners included."""
        _book.write("fill_area", level, block_type, top_left, bottom_right)
        return self

    def add_mob(self, level: int, mob_name: str, type_id: Any, position: Any, health: int = -1) -> "Builder":
        """Put a creature at (row, column).

        `mob_name` is its kind, `melee`, `ranged` or `passive`; `type_id` its number or name; the default
        health is that of its type. It is left out if the tile is taken or the floor has no slot left.
        """
        _book.write("add_mob", level, mob_name, type_id, position, health)
        return self

    def add_mobs_randomly_near(
        self,
        level: int,
        mob_name: str,
        type_id: Any,
        n: Any = 1,
        target_pos: Any = None,
        min_dist: Any = 0,
        max_dist: Any = 5,
        on_blocks: Any = ("GRASS", "PATH", "SAND"),
    ) -> "Builder":
        """Put `n` creatures on random free tiles of `on_blocks`.

        They are `min_dist` to `max_dist` steps from `target_pos` (the player's place by default), and as many
        as there are slots and tiles for: a floor holds 3 melee, 3 passive and 2 ranged creatures.
        """
        target = self.player_position if target_pos is None else target_pos
        _book.write(
            "add_mobs_randomly_near", level, mob_name, type_id, n, target, min_dist, max_dist, on_blocks
        )
        return self

    def place_randomly(
        self,
        level: int,
        block_type: str,
        n: Any = 1,
        on_blocks: Any = ("GRASS", "PATH", "FIRE_GRASS", "ICE_GRASS"),
    ) -> "Builder":
        """Put a block on `n` random free tiles of `on_blocks`."""
        _book.write("place_randomly", level, block_type, n, on_blocks)
        return self

    def place_randomly_near(
        self,
        level: int,
        block_type: str,
        target_pos: Any,
        min_dist: Any,
        max_dist: Any,
        n: Any = 1,
        on_blocks: Any = ("GRASS", "PATH", "FIRE_GRASS", "ICE_GRASS"),
    ) -> "Builder":
        """The same, `min_dist` (at least 1) to `max_dist` steps from `target_pos`."""
        _book.write("place_randomly_near", level, block_type, target_pos, min_dist, max_dist, n, on_blocks)
        return self

    def place_adjacent_to_existing(
        self,
        level: int,
        block_to_place: str,
        target_block_type: str,
        on_blocks: Any = ("GRASS", "PATH", "FIRE_GRASS", "ICE_GRASS"),
    ) -> "Builder":
        """Put a block on a random free tile of `on_blocks` beside (up, down, left, right of) any target."""
        _book.write("place_adjacent_to_existing", level, block_to_place, target_block_type, on_blocks)
        return self

    def find_block(self, level: int, block_type: str, near: Any = None) -> _Position:
        """The place of the block that is nearest to `near` (the player's place by default).

        Each new world finds it out; it is `near` itself if there is no such block.
        """
        register = _book.register(2)
        near = self.player_position if near is None else near
        _book.write("find_block", level, block_type, near, register)
        return _Position(_Number(register, 0), _Number(register + 1, 0))

    def count_blocks(self, level: int, block_type: str, near: Any = None, max_dist: Any = 96) -> _Number:
        """How many tiles within `max_dist` steps of `near` (the player's place by default) are of a block.

        Each new world counts them, so that code can add to the number and hand it on, but not branch on it.
        """
        register = _book.register(1)
        near = self.player_position if near is None else near
        _book.write("count_blocks", level, block_type, near, max_dist, register)
        return _Number(register, 0)

    def randint(self, low: int, high: int) -> int:
        """A random whole number, both ends included."""
        _book.drew = True
        return _random.randint(low, high)

    def choice(self, options: Any) -> Any:
        """One of the options, all equally likely."""
        _book.drew = True
        return _random.choice(list(options))

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        _book.drew = True
        return _random.random() < probability


def TaskParams(**dials: Any) -> dict[str, Any]:  # noqa: N802 - the published name
    """The dials of a level, by name."""
    return dials


def _collect(constants: dict[str, Any], dials: Any, generate: Any) -> dict[str, Any]:
    """All that a level says, as data."""
    if generate is not None:
        generate(Builder())
    return {
        "constants": _plain(constants),
        "dials": _plain(dials() if dials is not None else {}),
        "calls": _book.calls,
        "drew": _book.drew,
    }
