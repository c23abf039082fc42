"""Names that levels use, published ones among them, and the entries of our tables they mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from garten.craftax.full.ops import MELEE, PASSIVE, RANGED
from garten.craftax.full.tables import (
    MELEE_CREATURES,
    PASSIVE_CREATURES,
    RANGED_CREATURES,
    Achievement,
    Block,
)

PUBLISHED_BLOCKS = {
    "CRAFTING_TABLE": Block.TABLE,
    "ENCHANTMENT_TABLE_FIRE": Block.FIRE_TABLE,
    "ENCHANTMENT_TABLE_ICE": Block.ICE_TABLE,
    "GRAVE2": Block.GRAVE_2,
    "GRAVE3": Block.GRAVE_3,
}
"""Blocks that Craftax itself calls otherwise than our tables; levels may use both names."""

PUBLISHED_ACHIEVEMENTS = {"DEFEAT_ORC_SOLIDER": Achievement.DEFEAT_ORC_SOLDIER}
"""The same of achievements."""

KINDS = {"passive": PASSIVE, "melee": MELEE, "ranged": RANGED}

CREATURES = {PASSIVE: PASSIVE_CREATURES, MELEE: MELEE_CREATURES, RANGED: RANGED_CREATURES}
"""Names of the creatures of each kind, by type."""

_SHOWN = 80  # characters of a value in an error


def blocks() -> dict[str, Block]:
    """All names of blocks."""
    return {block.name: block for block in Block} | PUBLISHED_BLOCKS


def achievements() -> dict[str, Achievement]:
    """All names of achievements."""
    return {each.name: each for each in Achievement} | PUBLISHED_ACHIEVEMENTS


def shown(value: object) -> str:
    """A value as errors show it, cut short: hostile code hands over texts of any length."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def closest(name: object, known: Iterable[str]) -> str:
    """What to write instead of a name that does not exist."""
    choices = list(known)
    folded = {choice.lower(): choice for choice in choices}
    near = get_close_matches(str(name)[:_SHOWN].lower(), folded, n=1)
    return f"the closest is {folded[near[0]]}" if near else f"choose from {', '.join(choices)}"


def prelude_names() -> str:
    """Code by which level code can write ``BlockType.COAL`` and ``Achievement.EAT_COW`` as well as text."""
    tables: Mapping[str, Iterable[str]] = {"BlockType": blocks(), "Achievement": achievements()}
    classes = [
        "\n".join([f"class {name}:", *(f"    {entry} = {entry!r}" for entry in entries)])
        for name, entries in tables.items()
    ]
    return "\n\n".join(classes)
