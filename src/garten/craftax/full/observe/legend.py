"""What every number of every observation means, made from the tables."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from garten.craftax.full.tables import (
    MELEE_CREATURES,
    PASSIVE_CREATURES,
    PROJECTILES,
    RANGED_CREATURES,
    TYPES,
    VIEW_COLUMNS,
    VIEW_ROWS,
    Block,
    Item,
    Thing,
)

CREATURES: tuple[tuple[str, ...], ...] = (
    MELEE_CREATURES,
    (*PASSIVE_CREATURES, *(f"unused passive {number}" for number in range(len(PASSIVE_CREATURES), TYPES))),
    RANGED_CREATURES,
    PROJECTILES,
    tuple(f"own {name}" for name in PROJECTILES),
)
"""Names by byte of the codes from the fourth on, and by bit; "own" are the player's projectiles."""

COLOURS = ("red", "green", "blue", "pink", "cyan", "yellow")
ARMOUR = ("helmet", "chestplate", "leggings", "boots")
STATS = ("health", "food", "drink", "energy", "mana")
ATTRIBUTES = ("dexterity", "strength", "intelligence")

COUNTED = (
    *(Item.WOOD, Item.STONE, Item.COAL, Item.IRON, Item.DIAMOND),
    *(Item.SAPPHIRE, Item.RUBY, Item.SAPLING, Item.TORCHES, Item.ARROWS),
)
"""Items whose counts come first among the numbers."""

BODY = (
    *(f"a tenth of the root of the {item.name.lower()} count" for item in COUNTED),
    "half of the books count",
    *("a quarter of the pickaxe level", "a quarter of the sword level"),
    *("sword enchantment, 1 fire, 2 ice", "bow enchantment, 1 fire, 2 ice", "bow level"),
    *(f"a tenth of the root of the {colour} potions count" for colour in COLOURS),
    *(f"a tenth of {name}" for name in (*STATS, "experience", *ATTRIBUTES)),
    *(f"1 facing {way}" for way in ("left", "right", "up", "down")),
    *(f"half of the {piece} level" for piece in ARMOUR),
    *(f"{piece} enchantment, 1 fire, 2 ice" for piece in ARMOUR),
    *("daylight", "1 asleep", "1 resting", "1 knowing fireball", "1 knowing iceball"),
    *("a tenth of the floor", "1 where the way down is open", "1 if the necromancer is vulnerable"),
)
"""The numbers of the body."""

CELL_HIGHS = (1, len(Block) - 1, len(Thing) - 1, *(2**TYPES - 1,) * len(CREATURES))
"""The greatest values of a cell's bytes."""


def number_highs(item_limit: int) -> npt.NDArray[np.float32]:
    """The greatest values of the numbers of the body under a rule table's limit; the least are 0."""
    count = float(np.sqrt(np.float32(item_limit)) / np.float32(10.0))
    tenths = np.array([13, 17, 17, 17, 21, np.iinfo(np.int32).max, 5, 5, 5, 8], np.float32) / np.float32(10.0)
    *body, floor = tenths.tolist()
    held = [item_limit / 2.0, 1.0, 1.0, 2.0, 2.0, 1.0]
    worn = [1.0] * 8 + [2.0] * 4
    counts, potions = [count] * len(COUNTED), [count] * len(COLOURS)
    return np.array([*counts, *held, *potions, *body, *worn, *[1.0] * 5, floor, 1.0, 1.0], np.float32)


def symbolic_legend() -> list[str]:
    """The meaning of each number of the symbolic observation, by index."""
    cells = []
    for row in range(VIEW_ROWS):
        for column in range(VIEW_COLUMNS):
            place = f"{row - VIEW_ROWS // 2:+d} down, {column - VIEW_COLUMNS // 2:+d} right"
            cells += [f"1 if {block.name.lower()} at {place}" for block in Block]
            cells += [f"1 if thing {thing.name.lower()} at {place}" for thing in Thing]
            cells += [f"1 if {name} at {place}" for kind in CREATURES for name in kind]
            cells.append(f"1 if lit at {place}")
    return [*cells, *BODY]


def codes_legend() -> dict[str, list[str]]:
    """The meaning of the codes: of a cell's bytes, by value or by bit, and of the numbers."""
    kinds = ("melee", "passive", "ranged", "projectiles", "own projectiles")
    return {
        "lit": ["dark", "lit"],
        "block": [block.name.lower() for block in Block],
        "thing": [thing.name.lower() for thing in Thing],
        **{kind: list(names) for kind, names in zip(kinds, CREATURES, strict=True)},
        "numbers": list(BODY),
    }
