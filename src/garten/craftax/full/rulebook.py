"""The numbers of the rules, and what a lane may set for itself.

A rule table is one row of `RULES`; `Settings.rules` says which row a lane plays by. Changing a number
compiles nothing.
"""

from __future__ import annotations

import numpy as np

from garten.craftax.columns import Field, counts_bounded
from garten.craftax.full.tables import FLOORS, RECIPES, TYPES, Achievement, Item
from garten.craftax.rulebook import BODY, BUILDING, FIXED, HEALTH_REWARD, MOUNTAINS, recipe_costs
from garten.craftax.settings import DIALS, level_fields

A = Achievement

_INTERMEDIATE = (
    *(A.COLLECT_SAPPHIRE, A.COLLECT_RUBY, A.MAKE_DIAMOND_PICKAXE, A.MAKE_DIAMOND_SWORD, A.MAKE_IRON_ARMOUR),
    *(A.MAKE_DIAMOND_ARMOUR, A.ENTER_GNOMISH_MINES, A.ENTER_DUNGEON, A.DEFEAT_GNOME_WARRIOR),
    *(A.DEFEAT_GNOME_ARCHER, A.DEFEAT_ORC_SOLDIER, A.DEFEAT_ORC_MAGE, A.EAT_BAT, A.EAT_SNAIL, A.FIND_BOW),
    *(A.FIRE_BOW, A.OPEN_CHEST, A.DRINK_POTION),
)

_VERY_ADVANCED = (
    *(A.ENTER_FIRE_REALM, A.ENTER_ICE_REALM, A.ENTER_GRAVEYARD, A.DEFEAT_PIGMAN, A.DEFEAT_FIRE_ELEMENTAL),
    *(A.DEFEAT_FROST_TROLL, A.DEFEAT_ICE_ELEMENTAL, A.DAMAGE_NECROMANCER, A.DEFEAT_NECROMANCER),
)


def _achievement_rewards() -> np.ndarray:
    """1 for a basic achievement, 3 for an intermediate, 5 for an advanced, 8 for a very advanced one."""
    rewards = np.full(len(A), 5.0)
    rewards[: A.PLACE_TORCH + 1] = 1.0
    rewards[list(_INTERMEDIATE)] = 3.0
    rewards[list(_VERY_ADVANCED)] = 8.0
    return rewards


_SPAWN_CHANCES = np.array([(0.1, 0.02, 0.05, 0.1), *[(0.1, 0.06, 0.05, 0.0)] * 6, (0.0, 0.06, 0.05, 0.0)])

_MELEE_DAMAGE = (
    *((2, 0, 0), (4, 0, 0), (3, 0, 0), (5, 0, 0)),
    *((6, 0, 0), (6, 1, 1), (3, 5, 0), (4, 0, 5)),
)

_SHOT_DAMAGE = (
    *((2, 0, 0), (4, 0, 0), (0, 3, 0), (0, 0, 3)),
    *((5, 0, 0), (4, 3, 3), (3, 5, 0), (4, 0, 5)),
)

_NO_DEFENCE = (0.0, 0.0, 0.0)

_DEFENCES = (
    (_NO_DEFENCE,) * TYPES,
    (*(_NO_DEFENCE,) * 4, (0.5, 0.0, 0.0), (0.2, 0.0, 0.0), (0.9, 1.0, 0.0), (0.9, 0.0, 1.0)),
    (*(_NO_DEFENCE,) * 4, (0.5, 0.0, 0.0), _NO_DEFENCE, (0.9, 1.0, 0.0), (0.9, 0.0, 1.0)),
)

_HEALTHS = (
    (3.0, 4.0, 6.0, 8.0, 0.0, 0.0, 0.0, 0.0),
    (5.0, 7.0, 9.0, 11.0, 12.0, 20.0, 20.0, 24.0),
    (3.0, 5.0, 6.0, 8.0, 12.0, 4.0, 14.0, 16.0),
)

_FLOOR_TYPES = (
    *((0, 0, 0), (2, 2, 2), (1, 1, 1), (2, 3, 3), (2, 4, 4)),
    *((1, 5, 5), (1, 6, 6), (1, 7, 7), (0, 0, 0)),
)

_RECIPE_COSTS = recipe_costs([needs for _, needs, _ in RECIPES], len(Item))

_RULES: tuple[Field, ...] = (
    FIXED,
    # The player
    Field("item_limit", int, "most of each item", default=99),
    *BODY,
    Field("mana_limit", float, "recovery of mana that gives 1", default=30.0),
    Field("mana_awake", float, "recovery of mana in a step", default=1.0),
    Field("mana_asleep", float, "the same asleep", default=2.0),
    Field("mana_by_intelligence", float, "by what share each intelligence past 1 speeds it up", default=0.25),
    Field("need_by_dexterity", float, "by what share each dexterity past 1 lessens needs", default=0.125),
    # Doing
    Field("creature_food", int, "food of a passive creature", default=6),
    Field("plant_food", int, "food of a ripe plant", default=4),
    Field("sapling_chance", float, "chance that grass gives a sapling", default=0.1),
    Field("recipe_costs", int, "what each recipe takes", (len(RECIPES), len(Item)), _RECIPE_COSTS),
    Field("arrows_made", int, "arrows of one making", default=2),
    Field("torches_made", int, "torches of one making", default=4),
    *BUILDING,
    Field("spell_mana", int, "mana of a spell", default=2),
    Field("enchanting_mana", int, "mana of an enchantment", default=9),
    Field("potion_gain", int, "what a good potion gives", default=8),
    Field("potion_loss", int, "what a bad potion takes", default=3),
    # Chests
    Field(
        "loot_chances", float, "of torches, ore, potions, arrows, a tool", (5,), (0.6, 0.6, 0.5, 0.25, 0.2)
    ),
    Field(
        "ore_weights", float, "of coal, iron, diamond, sapphire, ruby", (5,), (0.3, 0.3, 0.15, 0.125, 0.125)
    ),
    Field("tool_weights", float, "of tool levels 1 to 4", (4,), (0.4, 0.3, 0.2, 0.1)),
    # Fighting
    Field("sword_damage", float, "by level of sword", (5,), (1.0, 2.0, 3.0, 5.0, 8.0)),
    Field("damage_by_strength", float, "by what share each strength past 1 raises it", default=0.25),
    Field("enchanted_share", float, "what share of a blow's damage an enchantment adds", default=0.5),
    Field("enchanted_by_intelligence", float, "by what share intelligence raises that", default=0.05),
    Field("arrow_by_dexterity", float, "by what share dexterity raises an arrow's damage", default=0.2),
    Field("spell_by_intelligence", float, "by what share intelligence raises a spell's damage", default=0.5),
    Field("armour_defence", float, "share of physical damage a level of armour keeps off", default=0.1),
    Field("enchanted_defence", float, "share of fire or ice an enchanted piece keeps off", default=0.2),
    Field("sleeper_damage", float, "what share a sleeper suffers more from a blow", default=2.5),
    Field("boss_damage", float, "what share all suffer more on the boss's floor", default=0.5),
    # Creatures, by type; damage and defence are physical, fire, ice
    Field("melee_damage", float, "of a blow", (TYPES, 3), _MELEE_DAMAGE),
    Field("shot_damage", float, "of a projectile", (TYPES, 3), _SHOT_DAMAGE),
    Field("defences", float, "of passive, melee, ranged creatures", (3, TYPES, 3), _DEFENCES),
    Field("healths", float, "of new passive, melee, ranged creatures", (3, TYPES), _HEALTHS),
    Field("melee_cooldown", int, "steps between blows", default=5),
    Field("chase_chance", float, "chance that they do", default=0.75),
    Field("ranged_cooldown", int, "steps between shots", default=4),
    Field("ranged_far", int, "distance from which ranged creatures approach", default=6),
    Field("ranged_near", int, "distance up to which they flee", default=3),
    Field("ranged_whim", float, "share of steps in which they walk at random", default=0.85),
    Field("ranged_shoots", int, "nearest and farthest distance they shoot from", (2,), (4, 5)),
    # Their coming, by floor
    Field(
        "floor_types", int, "type of passive, melee, ranged creature", (FLOORS, 3), _FLOOR_TYPES, 0, TYPES - 1
    ),
    Field(
        "spawn_chances",
        float,
        "of passive, melee, ranged creatures, and what night adds to melee ones",
        (FLOORS, 4),
        np.vstack([_SPAWN_CHANCES, _SPAWN_CHANCES[1:2]]),
    ),
    Field("uncleared_spawning", int, "how many times as often monsters come until then", default=3),
    Field("wave_spawning", int, "how many times as often in a wave of the boss", default=1000),
    Field("wave_steps", int, "steps of a wave", default=7),
    Field("passive_clearance", int, "passive creatures appear farther from the player than this", default=3),
    Field("monster_clearance", int, "monsters appear farther from the player than this", default=9),
    Field("wave_reach", int, "in a wave they appear no farther than this", default=6),
    # World generation
    Field("coast_level", float, "water noise above which there is shore", default=0.6),
    *MOUNTAINS,
    Field("lava_levels", float, "mountain and tree noise above which there is lava", (2,), (0.85, 0.7)),
    Field("lava_glow", float, "light of lava on its tile, beside it, and diagonally", (3,), (1.0, 0.7, 0.2)),
    Field("fountain_chance", float, "chance that a room has no fountain", default=0.5),
    Field("wall_bareness", float, "share of walls without moss, and of ways without puddles", default=0.9),
    # Reward
    Field("achievement_reward", float, "reward of each achievement", (len(A),), _achievement_rewards()),
    HEALTH_REWARD,
)

RULES = counts_bounded(_RULES, high=1_000_000)
"""One row is one rule table; the defaults are those of Craftax 1.6.1."""

SETTINGS: tuple[Field, ...] = (
    Field("rules", int, "row of the rule tables", low=0),
    Field("max_timesteps", int, "steps of an episode", default=100_000, low=1),
    Field("day_length", int, "steps of a day", default=300, low=1),
    Field("always_diamond", bool, "whether the overworld has a diamond for sure"),
    Field("mob_despawn_distance", int, "distance from which creatures vanish, tiles", default=14, low=0),
    Field("max_attribute", int, "most dexterity, strength, intelligence", default=5, low=1, high=5),
    Field("god_mode", bool, "whether the player has everything and cannot die"),
    Field("angles", int, "row of the given noise angles, or -1 to draw them", default=-1, low=-1),
    Field("program", int, "row of the programs run on each new world, or -1 for none", default=-1, low=-1),
    *DIALS,
    *level_fields(len(A)),
)
"""What each lane sets for itself: environment parameters, dials, and the rest of a level."""
