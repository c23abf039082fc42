"""The keys by which a person plays: one character for each action, in groups as they are shown.

To give an action a key, write it into a group here; the screen and the command line follow.
"""

from __future__ import annotations

from typing import NamedTuple

from garten.craftax.full.tables import Action

NEW, LEAVE = "n", "q"
"""Keys that are no action: a new game once one is over, and the end."""

ARROWS = {"A": "w", "B": "s", "C": "d", "D": "a"}
"""Keys that arrow keys stand for, by the letter that ends what a terminal sends for them."""


class Key(NamedTuple):
    """A key, its action, and what the screen says of it."""

    key: str
    action: Action
    label: str


_A = Action

GROUPS: dict[str, tuple[Key, ...]] = {
    "move": (
        Key("w", _A.UP, "up"),
        Key("a", _A.LEFT, "left"),
        Key("s", _A.DOWN, "down"),
        Key("d", _A.RIGHT, "right"),
    ),
    "act": (
        Key(" ", _A.DO, "do"),
        Key("p", _A.NOOP, "pass"),
        Key("z", _A.SLEEP, "sleep"),
        Key("r", _A.REST, "rest"),
        Key(">", _A.DESCEND, "descend"),
        Key("<", _A.ASCEND, "ascend"),
    ),
    "place": (
        Key("1", _A.PLACE_STONE, "stone"),
        Key("2", _A.PLACE_TABLE, "table"),
        Key("3", _A.PLACE_FURNACE, "furnace"),
        Key("4", _A.PLACE_PLANT, "plant"),
        Key("5", _A.PLACE_TORCH, "torch"),
    ),
    # Three rows of letters under one another: wood, stone, iron, diamond from left to right.
    "pickaxe": (
        Key("y", _A.MAKE_WOOD_PICKAXE, "wood"),
        Key("u", _A.MAKE_STONE_PICKAXE, "stone"),
        Key("i", _A.MAKE_IRON_PICKAXE, "iron"),
        Key("o", _A.MAKE_DIAMOND_PICKAXE, "diamond"),
    ),
    "sword": (
        Key("h", _A.MAKE_WOOD_SWORD, "wood"),
        Key("j", _A.MAKE_STONE_SWORD, "stone"),
        Key("k", _A.MAKE_IRON_SWORD, "iron"),
        Key("l", _A.MAKE_DIAMOND_SWORD, "diamond"),
    ),
    "armour": (Key(",", _A.MAKE_IRON_ARMOUR, "iron"), Key(".", _A.MAKE_DIAMOND_ARMOUR, "diamond")),
    "make": (Key("n", _A.MAKE_ARROW, "arrows"), Key("m", _A.MAKE_TORCH, "torches")),
    "shoot": (
        Key("f", _A.SHOOT_ARROW, "arrow"),
        Key("g", _A.CAST_FIREBALL, "fire"),
        Key("t", _A.CAST_ICEBALL, "ice"),
    ),
    "drink": (
        Key("R", _A.DRINK_POTION_RED, "red"),
        Key("G", _A.DRINK_POTION_GREEN, "green"),
        Key("B", _A.DRINK_POTION_BLUE, "blue"),
        Key("P", _A.DRINK_POTION_PINK, "pink"),
        Key("C", _A.DRINK_POTION_CYAN, "cyan"),
        Key("Y", _A.DRINK_POTION_YELLOW, "yellow"),
    ),
    "enchant": (
        Key("x", _A.ENCHANT_SWORD, "sword"),
        Key("c", _A.ENCHANT_ARMOUR, "armour"),
        Key("v", _A.ENCHANT_BOW, "bow"),
    ),
    "learn": (
        Key("7", _A.LEVEL_UP_DEXTERITY, "dexterity"),
        Key("8", _A.LEVEL_UP_STRENGTH, "strength"),
        Key("9", _A.LEVEL_UP_INTELLIGENCE, "intelligence"),
        Key("b", _A.READ_BOOK, "book"),
    ),
}
"""All keys of Craftax."""


def groups(actions: int) -> dict[str, tuple[Key, ...]]:
    """The groups of a game of so many actions: those of Craftax-Classic are the first 17 of Craftax."""
    own = {title: tuple(key for key in keys if key.action < actions) for title, keys in GROUPS.items()}
    return {title: keys for title, keys in own.items() if keys}


def bindings(actions: int) -> dict[str, Action]:
    """The action of each key, in a game of so many actions."""
    return {key.key: key.action for keys in groups(actions).values() for key in keys}
