"""The state of a lane: nine floors, the player and the creatures.

The original keeps the same under other names; of what it keeps, only values that are never read are left out
(its ``state_rng``, the health and cooldown of projectiles, the cooldown of passive creatures).
"""

from __future__ import annotations

import numpy as np

from garten.craftax.columns import Field, Key, Place, struct_type
from garten.craftax.full.floors import FLOOR_PLANS
from garten.craftax.full.rulebook import RULES, SETTINGS
from garten.craftax.full.tables import (
    FLOORS,
    MELEE,
    PASSIVE,
    PLANTS,
    RANGED,
    SHOTS,
    SIZE,
    TYPES,
    Achievement,
    Block,
    Item,
    Thing,
)

_LAST = SIZE - 1
_MAP = (FLOORS, SIZE, SIZE)
_TYPE = TYPES - 1
_LEVELS = {Item.PICKAXE: 4, Item.SWORD: 4, Item.BOW: 1}
_MOST_ITEMS = tuple(_LEVELS.get(item, 99) for item in Item)

GAME: tuple[Field, ...] = (
    Field("blocks", np.uint8, "`Block` of every tile", _MAP, Block.GRASS, 0, max(Block)),
    Field("things", np.uint8, "`Thing` on every tile", _MAP, Thing.NONE, 0, max(Thing)),
    Field("occupied", bool, "whether a creature stands there", _MAP),
    Field("light_map", float, "light of every tile, 0 to 1", _MAP, 1.0, 0.0, 1.0),
    Field("down_ladder", Place, "where the way down is", (FLOORS,), 0, 0, _LAST, spread=True),
    Field("up_ladder", Place, "where the way up is", (FLOORS,), 0, 0, _LAST, spread=True),
    Field("chest_opened", bool, "floors on which a chest was opened", (FLOORS,), spread=True),
    Field("kills", int, "monsters killed on each floor", (FLOORS,), 0, 0, spread=True),
    Field("player_position", Place, "where the player stands", (), SIZE // 2, 0, _LAST),
    Field("floor", int, "where the player is", (), 0, 0, FLOORS - 1),
    Field("player_direction", int, "the move, 1 to 4, that the player faces", (), 3, 1, 4),
    Field("health", float, "0 is dead", (), 9.0, 0.0, 13.0),
    Field("food", int, "0 starves", (), 9, 0, 17),
    Field("drink", int, "0 is parched", (), 9, 0, 17),
    Field("energy", int, "0 is worn out", (), 9, 0, 17),
    Field("mana", int, "what spells take", (), 9, 0, 21),
    Field("sleeping", bool, "whether the player sleeps"),
    Field("resting", bool, "whether the player rests"),
    Field("recover", float, "progress to the next change of health"),
    Field("hunger", float, "progress to the next loss of food"),
    Field("thirst", float, "progress to the next loss of drink"),
    Field("fatigue", float, "progress to the next change of energy"),
    Field("recover_mana", float, "progress to the next mana"),
    Field("experience", int, "what attributes cost", (), 0, 0),
    Field("dexterity", int, "1 to 5", (), 1, 1, 5),
    Field("strength", int, "1 to 5", (), 1, 1, 5),
    Field("intelligence", int, "1 to 5", (), 1, 1, 5),
    Field("inventory", int, "count of each `Item`", (len(Item),), 0, 0, _MOST_ITEMS),
    Field("potions", int, "count of each colour", (6,), 0, 0, 99),
    Field("armour", int, "level of helmet, chest, legs, boots", (4,), 0, 0, 2),
    Field("potion_effects", int, "what each colour does in this episode", (6,), range(6), 0, 5),
    Field("spells", bool, "whether fireball, iceball are known", (2,)),
    Field("sword_enchantment", int, "1 fire, 2 ice", (), 0, 0, 2),
    Field("bow_enchantment", int, "1 fire, 2 ice", (), 0, 0, 2),
    Field("armour_enchantments", int, "of each piece, 1 fire, 2 ice", (4,), 0, 0, 2),
    Field(
        "melee_position", Place, "of each slot, also of empty ones", (FLOORS, MELEE), 0, 0, _LAST, spread=True
    ),
    Field("melee_health", float, "of each slot", (FLOORS, MELEE), 1.0, spread=True),
    Field("melee_alive", bool, "which slots hold a creature", (FLOORS, MELEE), spread=True),
    Field("melee_cooldown", int, "attacks from 0 on", (FLOORS, MELEE), spread=True),
    Field("melee_type", int, "of each slot", (FLOORS, MELEE), 0, 0, _TYPE, spread=True),
    Field(
        "passive_position",
        Place,
        "of each slot, also of empty ones",
        (FLOORS, PASSIVE),
        0,
        0,
        _LAST,
        spread=True,
    ),
    Field("passive_health", float, "of each slot", (FLOORS, PASSIVE), 1.0, spread=True),
    Field("passive_alive", bool, "which slots hold a creature", (FLOORS, PASSIVE), spread=True),
    Field("passive_type", int, "of each slot", (FLOORS, PASSIVE), 0, 0, _TYPE, spread=True),
    Field(
        "ranged_position",
        Place,
        "of each slot, also of empty ones",
        (FLOORS, RANGED),
        0,
        0,
        _LAST,
        spread=True,
    ),
    Field("ranged_health", float, "of each slot", (FLOORS, RANGED), 1.0, spread=True),
    Field("ranged_alive", bool, "which slots hold a creature", (FLOORS, RANGED), spread=True),
    Field("ranged_cooldown", int, "shoots from 0 on", (FLOORS, RANGED), spread=True),
    Field("ranged_type", int, "of each slot", (FLOORS, RANGED), 0, 0, _TYPE, spread=True),
    Field("mob_shot_position", Place, "of the creatures' projectiles", (FLOORS, SHOTS), spread=True),
    Field("mob_shot_direction", Place, "tiles a step", (FLOORS, SHOTS), 1, -1, 1, spread=True),
    Field("mob_shot_alive", bool, "which slots hold one", (FLOORS, SHOTS), spread=True),
    Field("mob_shot_type", int, "of each slot", (FLOORS, SHOTS), 0, 0, _TYPE, spread=True),
    Field("player_shot_position", Place, "of the player's projectiles", (FLOORS, SHOTS), spread=True),
    Field("player_shot_direction", Place, "tiles a step", (FLOORS, SHOTS), 1, -1, 1, spread=True),
    Field("player_shot_alive", bool, "which slots hold one", (FLOORS, SHOTS), spread=True),
    Field("player_shot_type", int, "of each slot", (FLOORS, SHOTS), 0, 0, _TYPE, spread=True),
    Field("plant_position", Place, "of each slot, on floor 0", (PLANTS,), 0, 0, _LAST),
    Field("plant_age", int, "steps since planted or eaten", (PLANTS,), 0, 0),
    Field("plant_alive", bool, "which slots hold a plant", (PLANTS,)),
    Field("boss_progress", int, "blows that hit the necromancer", (), 0, 0, FLOORS - 1),
    Field("boss_timer", int, "steps until this wave's creatures stop coming", (), 7),
    Field("light", float, "daylight, 0 to 1", (), 0.0, 0.0, 1.0),
    Field("achievements", bool, "which are unlocked", (len(Achievement),)),
    Field("timestep", int, "steps since the reset", (), 0, 0),
)

"""What the original keeps too."""

STATE: tuple[Field, ...] = (
    *GAME,
    Field("world_key", Key, "the key that the floors are made from"),
    Field(
        "floor_made", bool, "which floors are made; the others hold what was there before", (FLOORS,), True
    ),
)
"""All of it: floors are made when they are first entered."""

State = struct_type("State", STATE, module=__name__)
Settings = struct_type("Settings", SETTINGS, module=__name__)
Rules = struct_type("Rules", RULES, module=__name__)
Plans = struct_type("Plans", FLOOR_PLANS, module=__name__)
