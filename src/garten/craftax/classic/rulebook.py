"""The numbers of the rules, and what a lane may set for itself.

A rule table is one row of `RULES`; `Settings.rules` says which row a lane plays by. Changing a number
compiles nothing.
"""

from __future__ import annotations

from garten.craftax.classic.tables import RECIPES, Achievement, Item
from garten.craftax.columns import Field, counts_bounded
from garten.craftax.rulebook import BODY, BUILDING, FIXED, HEALTH_REWARD, MOUNTAINS, recipe_costs
from garten.craftax.settings import level_fields

_RECIPE_COSTS = recipe_costs([needs for needs, _ in RECIPES.values()], len(Item))

_RULES: tuple[Field, ...] = (
    FIXED,
    # The player
    Field("stat_limit", int, "most health, food, drink and energy", default=9),
    Field("item_limit", int, "most of each item", default=9),
    *BODY,
    # Doing
    Field("cow_food", int, "food of a cow", default=6),
    Field("plant_food", int, "food of a ripe plant", default=4),
    Field("water_drink", int, "drink of water", default=1),
    Field("sapling_chance", float, "chance that grass gives a sapling", default=0.1),
    Field("bare_damage", int, "damage without a sword", default=1),
    Field("sword_damage", int, "damage for each wood, stone, iron sword owned", (3,), (2, 3, 5)),
    Field("recipe_costs", int, "what each recipe takes", (len(RECIPES), len(Item)), _RECIPE_COSTS),
    *BUILDING,
    Field("growing_plants_age", int, "steps until a sapling is ripe", default=600),
    # Creatures
    Field("zombie_damage", int, "damage of a zombie", default=2),
    Field("zombie_damage_asleep", int, "damage of a zombie to a sleeper", default=7),
    Field("zombie_cooldown", int, "steps between a zombie's attacks", default=5),
    Field("zombie_chase_range", int, "distance below which a zombie chases", default=10),
    Field("zombie_chase_chance", float, "chance that it does", default=0.75),
    Field("skeleton_cooldown", int, "steps between a skeleton's arrows", default=4),
    Field("skeleton_far", int, "distance from which a skeleton approaches", default=10),
    Field("skeleton_near", int, "distance up to which it flees", default=3),
    Field("skeleton_whim", float, "share of steps in which it walks at random", default=0.85),
    Field("skeleton_shoots", int, "nearest and farthest distance it shoots from", (2,), (4, 5)),
    Field("arrow_damage", int, "damage of an arrow", default=2),
    Field("cow_clearance", int, "cows appear farther from the player than this", default=3),
    Field("monster_clearance", int, "zombies and skeletons appear farther than this", default=9),
    # World generation
    Field("water_level", float, "water noise above which there is water", default=0.7),
    Field("sand_levels", float, "water noise between which there is sand", (2,), (0.6, 0.75)),
    *MOUNTAINS,
    Field("coal_chance", float, "share of stone that is coal", default=0.04),
    Field("iron_chance", float, "share of stone that is iron", default=0.03),
    Field("diamond_chance", float, "share of deep stone that is diamond", default=0.005),
    Field("diamond_level", float, "mountain noise above which there are diamonds", default=0.8),
    Field("tree_level", float, "tree noise above which trees grow", default=0.5),
    Field("tree_bareness", float, "share of grass there without a tree", default=0.8),
    Field("lava_levels", float, "mountain and tree noise above which there is lava", (2,), (0.85, 0.7)),
    # Reward
    Field("achievement_reward", float, "reward of each achievement", (len(Achievement),), 1.0),
    HEALTH_REWARD,
)

RULES = counts_bounded(_RULES, high=1_000_000)
"""One row is one rule table; the defaults are those of Craftax 1.6.1."""

SETTINGS: tuple[Field, ...] = (
    Field("rules", int, "row of the rule tables", default=0, low=0),
    Field("max_timesteps", int, "steps of an episode", default=10000, low=1),
    Field("day_length", int, "steps of a day", default=300, low=1),
    Field("always_diamond", bool, "whether every world has a diamond for sure", default=True),
    Field("zombie_health", int, "health of a new zombie", default=5, low=1),
    Field("cow_health", int, "health of a new cow", default=3, low=1),
    Field("skeleton_health", int, "health of a new skeleton", default=3, low=1),
    Field("mob_despawn_distance", int, "distance from which creatures vanish, tiles", default=14, low=0),
    Field("spawn_cow_chance", float, "chance of a new cow in a step", default=0.1, low=0.0),
    Field("spawn_zombie_base_chance", float, "the same for a zombie by day", default=0.02, low=0.0),
    Field("spawn_zombie_night_chance", float, "what night adds to it", default=0.1, low=0.0),
    Field("spawn_skeleton_chance", float, "the same for a skeleton", default=0.05, low=0.0),
    Field("angles", int, "row of the given noise angles, or -1 to draw them", default=-1, low=-1),
    *level_fields(len(Achievement)),
)
"""What each lane sets for itself: the environment parameters of Craftax-Classic, and what a level sets."""
