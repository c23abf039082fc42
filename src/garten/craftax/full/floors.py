"""What the nine floors are made from: one row of `FLOOR_PLANS` each, from the overworld to the graveyard."""

from __future__ import annotations

from typing import Any

import numpy as np

from garten.craftax.columns import Field
from garten.craftax.full.tables import Block

B = Block

NAMES = (
    "overworld",
    "dungeon",
    "gnomish mines",
    "sewers",
    "vaults",
    "troll mines",
    "fire realm",
    "ice realm",
    "graveyard",
)

_KEYS = {0: 1, 2: 2, 5: 3, 6: 4, 7: 5, 8: 6}
_DUNGEON_KEYS = {1: 1, 3: 2, 4: 3}

_NATURAL: dict[str, Any] = {
    "ground": B.GRASS,
    "sea": B.WATER,
    "coast": B.SAND,
    "mountain": B.STONE,
    "tunnel": B.PATH,
    "cave": B.PATH,
    "ore_hosts": (B.STONE,) * 5,
    "ores": (B.COAL, B.IRON, B.DIAMOND, B.SAPPHIRE, B.RUBY),
    "ore_chances": (0.0,) * 5,
    "tree_ground": B.GRASS,
    "tree": B.TREE,
    "lava": B.LAVA,
    "middle": B.GRASS,
    "ladder_ground": B.PATH,
    "ladder_up": True,
    "ladder_down": True,
    "mountain_distance": 5.0,
    "mountain_limit": 1.0,
    "light": 1.0,
    "water_level": 0.7,
    "tree_bareness": 0.8,
    "tree_level": 0.5,
}

_MINES = _NATURAL | {
    **dict.fromkeys(("ground", "coast", "tree_ground", "middle"), B.PATH),
    **dict.fromkeys(("tunnel", "cave"), B.STONE),
    "tree": B.STALAGMITE,
    "mountain_distance": 17.0,
    "mountain_limit": 1.5,
    "light": 0.0,
}

_FIRE = _NATURAL | {
    **dict.fromkeys(("ground", "tree_ground", "middle", "ladder_ground"), B.FIRE_GRASS),
    **dict.fromkeys(("tunnel", "cave"), B.STONE),
    "sea": B.LAVA,
    "tree": B.FIRE_TREE,
    "ore_chances": (0.05, 0.0, 0.0, 0.0, 0.025),
    "water_level": 0.5,
}

_ICE = _NATURAL | {
    **dict.fromkeys(("ground", "coast", "tree_ground", "middle", "ladder_ground"), B.ICE_GRASS),
    **dict.fromkeys(("tunnel", "cave"), B.STONE),
    "lava": B.WATER,
    "tree": B.ICE_SHRUB,
    "ore_chances": (0.0, 0.0, 0.005, 0.02, 0.0),
    "mountain_distance": 17.0,
    "mountain_limit": 1.5,
    "light": 0.0,
    "water_level": 0.5,
    "tree_bareness": 0.4,
}

_GRAVEYARD = _NATURAL | {
    **dict.fromkeys(("ground", "sea", "coast", "tree_ground"), B.PATH),
    **dict.fromkeys(("mountain", "tunnel", "cave", "lava"), B.WALL),
    "tree": B.GRAVE,
    "ore_hosts": (B.WALL, B.GRAVE, B.GRAVE, B.WALL, B.WALL),
    "ores": (B.WALL_MOSS, B.GRAVE_2, B.GRAVE_3, B.SAPPHIRE, B.RUBY),
    "ore_chances": (0.1, 0.333, 0.5, 0.0, 0.0),
    "middle": B.NECROMANCER,
    "ladder_up": False,
    "ladder_down": False,
    "mountain_distance": 10.0,
    "mountain_limit": 10.0,
    "light": 0.0,
    "tree_bareness": 0.95,
    "tree_level": -1.0,
}

_PLANS: tuple[dict[str, Any], ...] = (
    _NATURAL
    | {
        "ores": (B.COAL, B.IRON, B.DIAMOND, B.OUT_OF_BOUNDS, B.OUT_OF_BOUNDS),
        "ore_chances": (0.03, 0.02, 0.001, 0.0, 0.0),
        "ladder_up": False,
        "sure_diamond": True,
    },
    {"special": B.PATH, "fountain": B.FOUNTAIN, "puddle": B.PATH},
    _MINES | {"ore_chances": (0.04, 0.02, 0.005, 0.0025, 0.0025)},
    {"special": B.ICE_TABLE, "fountain": B.WATER, "puddle": B.WATER},
    {"special": B.FIRE_TABLE, "fountain": B.FOUNTAIN, "puddle": B.PATH},
    _MINES | {"ore_chances": (0.04, 0.03, 0.01, 0.01, 0.01)},
    _FIRE,
    _ICE,
    _GRAVEYARD,
)
"""Natural floors grow from noise; the others are built of rooms and corridors."""


def _column(name: str, default: Any) -> np.ndarray:
    rows = [np.asarray(plan.get(name, default)) for plan in _PLANS]
    return np.stack(rows)


def plans() -> dict[str, np.ndarray]:
    """Each number of the plans for all floors, by field name."""
    columns = {field.name: _column(field.name, np.zeros(field.shape)) for field in FLOOR_PLANS}
    columns["natural"] = np.array(["ground" in plan for plan in _PLANS])
    columns["key"] = np.array([_KEYS.get(floor, _DUNGEON_KEYS.get(floor)) for floor in range(len(_PLANS))])
    return columns


FLOOR_PLANS: tuple[Field, ...] = (
    Field("natural", bool, "whether it grows from noise"),
    Field("key", int, "which of the world's keys makes it"),
    Field("ground", int, "block of open ground"),
    Field("sea", int, "block of the sea"),
    Field("coast", int, "block of the shore"),
    Field("mountain", int, "block of the mountains"),
    Field("tunnel", int, "block of tunnels through them"),
    Field("cave", int, "block of caves in them"),
    Field("ore_hosts", int, "block that each ore lies in", (5,)),
    Field("ores", int, "block of each ore", (5,)),
    Field("ore_chances", float, "share of the host that is ore", (5,)),
    Field("tree_ground", int, "block that trees grow on"),
    Field("tree", int, "block of trees"),
    Field("lava", int, "block of pools inside the mountains"),
    Field("middle", int, "block in the middle"),
    Field("ladder_ground", int, "block that ladders stand on"),
    Field("ladder_up", bool, "whether there is a ladder up"),
    Field("ladder_down", bool, "whether there is a ladder down"),
    Field("sure_diamond", bool, "whether a sure diamond lies here"),
    Field("mountain_distance", float, "distance from the middle at which mountains are 1 higher"),
    Field("mountain_limit", float, "most that distance raises mountains"),
    Field("light", float, "light without torches"),
    Field("water_level", float, "water noise above which there is sea"),
    Field("tree_bareness", float, "share of tree ground without a tree"),
    Field("tree_level", float, "tree noise above which trees grow"),
    Field("special", int, "block in the first room"),
    Field("fountain", int, "block of fountains"),
    Field("puddle", int, "block of every tenth tile of the ways"),
)
"""One row is one floor; those of the other kind are 0."""
