"""The state of a lane: one world, its player and creatures.

The original keeps the same under other names; of what it keeps, only values that are never read are left out
(its ``state_rng``, the health and cooldown of arrows, the cooldown of cows).
"""

from __future__ import annotations

import numpy as np

from garten.craftax.classic.rulebook import RULES, SETTINGS
from garten.craftax.classic.tables import (
    ARROWS,
    COWS,
    PLANTS,
    SIZE,
    SKELETONS,
    ZOMBIES,
    Achievement,
    Block,
    Item,
)
from garten.craftax.columns import Field, Place, struct_type

_LAST = SIZE - 1

STATE: tuple[Field, ...] = (
    Field("blocks", np.uint8, "`Block` of every tile", (SIZE, SIZE), Block.GRASS, 0, max(Block)),
    Field("occupied", bool, "whether a creature stands there", (SIZE, SIZE)),
    Field("player_position", Place, "where the player stands", default=SIZE // 2, low=0, high=_LAST),
    Field("player_direction", int, "the move, 1 to 4, that the player faces", default=3, low=1, high=4),
    Field("health", int, "0 is dead", default=9, low=0, high=9),
    Field("food", int, "0 starves", default=9, low=0, high=9),
    Field("drink", int, "0 is parched", default=9, low=0, high=9),
    Field("energy", int, "0 is worn out", default=9, low=0, high=9),
    Field("sleeping", bool, "whether the player sleeps"),
    Field("recover", float, "progress to the next change of health"),
    Field("hunger", float, "progress to the next loss of food"),
    Field("thirst", float, "progress to the next loss of drink"),
    Field("fatigue", float, "progress to the next change of energy"),
    Field("inventory", int, "count of each `Item`", (len(Item),), 0, 0, 9),
    Field("zombie_position", Place, "of each slot, also of empty ones", (ZOMBIES,), 0, 0, _LAST),
    Field("zombie_health", int, "of each slot", (ZOMBIES,), 1),
    Field("zombie_alive", bool, "which slots hold a zombie", (ZOMBIES,)),
    Field("zombie_cooldown", int, "attacks from 0 on", (ZOMBIES,)),
    Field("cow_position", Place, "of each slot, also of empty ones", (COWS,), 0, 0, _LAST),
    Field("cow_health", int, "of each slot", (COWS,), 3),
    Field("cow_alive", bool, "which slots hold a cow", (COWS,)),
    Field("skeleton_position", Place, "of each slot, also of empty ones", (SKELETONS,), 0, 0, _LAST),
    Field("skeleton_health", int, "of each slot", (SKELETONS,)),
    Field("skeleton_alive", bool, "which slots hold a skeleton", (SKELETONS,)),
    Field("skeleton_cooldown", int, "shoots from 0 on", (SKELETONS,)),
    Field("arrow_position", Place, "of each slot; empty ones drift off the map", (ARROWS,)),
    Field("arrow_direction", Place, "tiles a step", (ARROWS,), 1, -1, 1),
    Field("arrow_alive", bool, "which slots hold an arrow", (ARROWS,)),
    Field("plant_position", Place, "of each slot", (PLANTS,), 0, 0, _LAST),
    Field("plant_age", int, "steps since planted or eaten", (PLANTS,), 0, 0),
    Field("plant_alive", bool, "which slots hold a plant", (PLANTS,)),
    Field("light", float, "daylight, 0 to 1", default=0.0, low=0.0, high=1.0),
    Field("achievements", bool, "which are unlocked", (len(Achievement),)),
    Field("timestep", int, "steps since the reset", default=0, low=0),
)

State = struct_type("State", STATE, module=__name__)
Settings = struct_type("Settings", SETTINGS, module=__name__)
Rules = struct_type("Rules", RULES, module=__name__)
