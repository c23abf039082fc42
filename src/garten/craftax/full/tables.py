"""What there is in Craftax: floors, blocks, items, actions, achievements, creatures, sizes."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

SIZE = 48
"""Tiles along the side of a floor's map."""

TILES = SIZE * SIZE

FLOORS = 9

VIEW_ROWS, VIEW_COLUMNS = 9, 11
"""Tiles that the player sees, itself in the middle."""

MELEE, PASSIVE, RANGED, SHOTS, PLANTS = 3, 3, 2, 3, 10
"""Slots of each kind on a floor: no more of them exist there at once. `SHOTS` goes for each side."""

TYPES = 8
"""Types of creature of each kind, and of projectiles."""


class Block(IntEnum):
    """What a tile is made of."""

    INVALID = 0
    OUT_OF_BOUNDS = 1
    GRASS = 2
    WATER = 3
    STONE = 4
    TREE = 5
    WOOD = 6
    PATH = 7
    COAL = 8
    IRON = 9
    DIAMOND = 10
    TABLE = 11
    FURNACE = 12
    SAND = 13
    LAVA = 14
    PLANT = 15
    RIPE_PLANT = 16
    WALL = 17
    DARKNESS = 18
    WALL_MOSS = 19
    STALAGMITE = 20
    SAPPHIRE = 21
    RUBY = 22
    CHEST = 23
    FOUNTAIN = 24
    FIRE_GRASS = 25
    ICE_GRASS = 26
    GRAVEL = 27
    FIRE_TREE = 28
    ICE_SHRUB = 29
    FIRE_TABLE = 30
    ICE_TABLE = 31
    NECROMANCER = 32
    GRAVE = 33
    GRAVE_2 = 34
    GRAVE_3 = 35
    NECROMANCER_VULNERABLE = 36


class Thing(IntEnum):
    """What lies on a tile."""

    NONE = 0
    TORCH = 1
    LADDER_DOWN = 2
    LADDER_UP = 3
    LADDER_DOWN_BLOCKED = 4


class Action(IntEnum):
    """What the player can do in a step."""

    NOOP = 0
    LEFT = 1
    RIGHT = 2
    UP = 3
    DOWN = 4
    DO = 5
    SLEEP = 6
    PLACE_STONE = 7
    PLACE_TABLE = 8
    PLACE_FURNACE = 9
    PLACE_PLANT = 10
    MAKE_WOOD_PICKAXE = 11
    MAKE_STONE_PICKAXE = 12
    MAKE_IRON_PICKAXE = 13
    MAKE_WOOD_SWORD = 14
    MAKE_STONE_SWORD = 15
    MAKE_IRON_SWORD = 16
    REST = 17
    DESCEND = 18
    ASCEND = 19
    MAKE_DIAMOND_PICKAXE = 20
    MAKE_DIAMOND_SWORD = 21
    MAKE_IRON_ARMOUR = 22
    MAKE_DIAMOND_ARMOUR = 23
    SHOOT_ARROW = 24
    MAKE_ARROW = 25
    CAST_FIREBALL = 26
    CAST_ICEBALL = 27
    PLACE_TORCH = 28
    DRINK_POTION_RED = 29
    DRINK_POTION_GREEN = 30
    DRINK_POTION_BLUE = 31
    DRINK_POTION_PINK = 32
    DRINK_POTION_CYAN = 33
    DRINK_POTION_YELLOW = 34
    READ_BOOK = 35
    ENCHANT_SWORD = 36
    ENCHANT_ARMOUR = 37
    MAKE_TORCH = 38
    LEVEL_UP_DEXTERITY = 39
    LEVEL_UP_STRENGTH = 40
    LEVEL_UP_INTELLIGENCE = 41
    ENCHANT_BOW = 42


class Item(IntEnum):
    """What the inventory counts; of pickaxe, sword and bow the level."""

    WOOD = 0
    STONE = 1
    COAL = 2
    IRON = 3
    DIAMOND = 4
    SAPLING = 5
    PICKAXE = 6
    SWORD = 7
    BOW = 8
    ARROWS = 9
    TORCHES = 10
    RUBY = 11
    SAPPHIRE = 12
    BOOKS = 13


class Achievement(IntEnum):
    """What an episode can achieve, each once."""

    COLLECT_WOOD = 0
    PLACE_TABLE = 1
    EAT_COW = 2
    COLLECT_SAPLING = 3
    COLLECT_DRINK = 4
    MAKE_WOOD_PICKAXE = 5
    MAKE_WOOD_SWORD = 6
    PLACE_PLANT = 7
    DEFEAT_ZOMBIE = 8
    COLLECT_STONE = 9
    PLACE_STONE = 10
    EAT_PLANT = 11
    DEFEAT_SKELETON = 12
    MAKE_STONE_PICKAXE = 13
    MAKE_STONE_SWORD = 14
    WAKE_UP = 15
    PLACE_FURNACE = 16
    COLLECT_COAL = 17
    COLLECT_IRON = 18
    COLLECT_DIAMOND = 19
    MAKE_IRON_PICKAXE = 20
    MAKE_IRON_SWORD = 21
    MAKE_ARROW = 22
    MAKE_TORCH = 23
    PLACE_TORCH = 24
    MAKE_DIAMOND_SWORD = 25
    MAKE_IRON_ARMOUR = 26
    MAKE_DIAMOND_ARMOUR = 27
    ENTER_GNOMISH_MINES = 28
    ENTER_DUNGEON = 29
    ENTER_SEWERS = 30
    ENTER_VAULT = 31
    ENTER_TROLL_MINES = 32
    ENTER_FIRE_REALM = 33
    ENTER_ICE_REALM = 34
    ENTER_GRAVEYARD = 35
    DEFEAT_GNOME_WARRIOR = 36
    DEFEAT_GNOME_ARCHER = 37
    DEFEAT_ORC_SOLDIER = 38
    DEFEAT_ORC_MAGE = 39
    DEFEAT_LIZARD = 40
    DEFEAT_KOBOLD = 41
    DEFEAT_TROLL = 42
    DEFEAT_DEEP_THING = 43
    DEFEAT_PIGMAN = 44
    DEFEAT_FIRE_ELEMENTAL = 45
    DEFEAT_FROST_TROLL = 46
    DEFEAT_ICE_ELEMENTAL = 47
    DAMAGE_NECROMANCER = 48
    DEFEAT_NECROMANCER = 49
    EAT_BAT = 50
    EAT_SNAIL = 51
    FIND_BOW = 52
    FIRE_BOW = 53
    COLLECT_SAPPHIRE = 54
    LEARN_FIREBALL = 55
    CAST_FIREBALL = 56
    LEARN_ICEBALL = 57
    CAST_ICEBALL = 58
    COLLECT_RUBY = 59
    MAKE_DIAMOND_PICKAXE = 60
    OPEN_CHEST = 61
    DRINK_POTION = 62
    ENCHANT_SWORD = 63
    ENCHANT_ARMOUR = 64
    DEFEAT_KNIGHT = 65
    DEFEAT_ARCHER = 66


SOLID = (
    *(Block.STONE, Block.TREE, Block.COAL, Block.IRON, Block.DIAMOND, Block.TABLE, Block.FURNACE),
    *(Block.PLANT, Block.RIPE_PLANT, Block.WALL, Block.WALL_MOSS, Block.STALAGMITE, Block.RUBY),
    *(Block.SAPPHIRE, Block.CHEST, Block.FOUNTAIN, Block.FIRE_TREE, Block.FIRE_TABLE, Block.ICE_TABLE),
    *(Block.GRAVE, Block.GRAVE_2, Block.GRAVE_3, Block.NECROMANCER),
)
"""Blocks that nobody enters; who swims and who withstands lava depends on the creature."""

OPEN_GROUND = (Block.GRASS, Block.PATH, Block.FIRE_GRASS, Block.ICE_GRASS)
"""Blocks that creatures appear on."""

GRAVES = (Block.GRAVE, Block.GRAVE_2, Block.GRAVE_3)
"""Blocks that they appear on in the graveyard."""

TORCH_GROUND = (*OPEN_GROUND, Block.SAND)
"""Blocks that torches can be put on."""

PASSIVE_CREATURES = ("cow", "bat", "snail")
MELEE_CREATURES = (
    *("zombie", "gnome warrior", "orc soldier", "lizard", "knight", "troll", "pigman", "frost troll"),
)
RANGED_CREATURES = (
    *("skeleton", "gnome archer", "orc mage", "kobold", "knight archer", "deep thing"),
    *("fire elemental", "ice elemental"),
)
PROJECTILES = (
    *("arrow", "dagger", "fireball", "iceball", "strong arrow", "slimeball", "strong fireball"),
    "strong iceball",
)
"""Names of the creatures and projectiles, by type."""

KILL_ACHIEVEMENTS: tuple[tuple[Achievement, ...], ...] = (
    (Achievement.EAT_COW, Achievement.EAT_BAT, Achievement.EAT_SNAIL, *(Achievement.COLLECT_WOOD,) * 5),
    (
        *(Achievement.DEFEAT_ZOMBIE, Achievement.DEFEAT_GNOME_WARRIOR, Achievement.DEFEAT_ORC_SOLDIER),
        *(Achievement.DEFEAT_LIZARD, Achievement.DEFEAT_KNIGHT, Achievement.DEFEAT_TROLL),
        *(Achievement.DEFEAT_PIGMAN, Achievement.DEFEAT_FROST_TROLL),
    ),
    (
        *(Achievement.DEFEAT_SKELETON, Achievement.DEFEAT_GNOME_ARCHER, Achievement.DEFEAT_ORC_MAGE),
        *(Achievement.DEFEAT_KOBOLD, Achievement.DEFEAT_ARCHER, Achievement.DEFEAT_DEEP_THING),
        *(Achievement.DEFEAT_FIRE_ELEMENTAL, Achievement.DEFEAT_ICE_ELEMENTAL),
    ),
)
"""What killing a passive, melee or ranged creature achieves, by type; as in the original, passive ones that
do not exist give wood."""

FLOOR_ACHIEVEMENTS = (
    *(Achievement.COLLECT_WOOD, Achievement.ENTER_DUNGEON, Achievement.ENTER_GNOMISH_MINES),
    *(Achievement.ENTER_SEWERS, Achievement.ENTER_VAULT, Achievement.ENTER_TROLL_MINES),
    *(Achievement.ENTER_FIRE_REALM, Achievement.ENTER_ICE_REALM, Achievement.ENTER_GRAVEYARD),
)
"""What entering each floor achieves; floor 0 is never entered."""

FLOOR_NAMES = (
    "overworld",
    *(entered.name.removeprefix("ENTER_").lower().replace("_", " ") for entered in FLOOR_ACHIEVEMENTS[1:]),
)

LAND, FLYING, AQUATIC, AMPHIBIAN = 0b110, 0b000, 0b101, 0b100
"""Where a creature cannot go: bit 0 ground, bit 1 water, bit 2 lava."""

BARRIERS: tuple[tuple[int, ...], ...] = (
    (LAND, FLYING, LAND, LAND, LAND, LAND, LAND, LAND),
    (LAND, LAND, LAND, AMPHIBIAN, LAND, LAND, LAND, LAND),
    (LAND, LAND, LAND, LAND, LAND, AQUATIC, FLYING, FLYING),
)
"""That of passive, melee and ranged creatures, by type."""

SHOT_OF_RANGED = (0, 0, 2, 1, 4, 5, 6, 7)
"""The projectile that each type of ranged creature shoots."""

PLAYER_ARROW, FIREBALL, ICEBALL = 4, 2, 3
"""The player's projectiles, by type."""


def mask(values: Iterable[int]) -> int:
    """A bit mask with these bits set."""
    return sum(1 << int(value) for value in values)


RECIPES: tuple[tuple[Action, dict[Item, int], bool], ...] = (
    (Action.MAKE_WOOD_PICKAXE, {Item.WOOD: 1}, False),
    (Action.MAKE_STONE_PICKAXE, {Item.WOOD: 1, Item.STONE: 1}, False),
    (Action.MAKE_IRON_PICKAXE, {Item.WOOD: 1, Item.STONE: 1, Item.IRON: 1, Item.COAL: 1}, True),
    (Action.MAKE_DIAMOND_PICKAXE, {Item.WOOD: 1, Item.DIAMOND: 3}, False),
    (Action.MAKE_WOOD_SWORD, {Item.WOOD: 1}, False),
    (Action.MAKE_STONE_SWORD, {Item.WOOD: 1, Item.STONE: 1}, False),
    (Action.MAKE_IRON_SWORD, {Item.WOOD: 1, Item.STONE: 1, Item.IRON: 1, Item.COAL: 1}, True),
    (Action.MAKE_DIAMOND_SWORD, {Item.WOOD: 1, Item.DIAMOND: 2}, False),
    (Action.MAKE_IRON_ARMOUR, {Item.IRON: 3, Item.COAL: 3}, True),
    (Action.MAKE_DIAMOND_ARMOUR, {Item.DIAMOND: 3}, False),
    (Action.MAKE_ARROW, {Item.WOOD: 1, Item.STONE: 1}, False),
    (Action.MAKE_TORCH, {Item.WOOD: 1, Item.COAL: 1}, False),
)
"""What is made of what, and whether it needs a furnace beside the table."""

NOISES: tuple[tuple[str, int, int], ...] = (
    ("water", 3, 3),
    ("mountain", 3, 3),
    ("path", 6, 24),
    ("tree", 12, 12),
)
"""The four noises of a natural floor, and the cells of their grids down and across."""

NOISE_NODES = tuple((down + 1) * (across + 1) for _, down, across in NOISES)
