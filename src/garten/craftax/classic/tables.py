"""What there is in Craftax-Classic: blocks, actions, achievements, items, sizes."""

from __future__ import annotations

from enum import IntEnum

SIZE = 64
"""Tiles along the side of the map."""

TILES = SIZE * SIZE

VIEW_ROWS, VIEW_COLUMNS = 7, 9
"""Tiles that the player sees, itself in the middle."""

ZOMBIES, COWS, SKELETONS, ARROWS, PLANTS = 3, 3, 2, 3, 10
"""Slots of each kind: no more of them exist at once."""


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


SOLID = (
    Block.WATER,
    Block.STONE,
    Block.TREE,
    Block.COAL,
    Block.IRON,
    Block.DIAMOND,
    Block.TABLE,
    Block.FURNACE,
    Block.PLANT,
    Block.RIPE_PLANT,
)
"""Blocks that nobody walks onto; lava can be entered by the player, who dies of it."""

SOLID_MASK = sum(1 << block for block in SOLID)


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


class Item(IntEnum):
    """What the inventory counts."""

    WOOD = 0
    STONE = 1
    COAL = 2
    IRON = 3
    DIAMOND = 4
    SAPLING = 5
    WOOD_PICKAXE = 6
    STONE_PICKAXE = 7
    IRON_PICKAXE = 8
    WOOD_SWORD = 9
    STONE_SWORD = 10
    IRON_SWORD = 11


RECIPES: dict[Item, tuple[dict[Item, int], Achievement]] = {
    Item.WOOD_PICKAXE: ({Item.WOOD: 1}, Achievement.MAKE_WOOD_PICKAXE),
    Item.STONE_PICKAXE: ({Item.WOOD: 1, Item.STONE: 1}, Achievement.MAKE_STONE_PICKAXE),
    Item.IRON_PICKAXE: (
        {Item.WOOD: 1, Item.STONE: 1, Item.COAL: 1, Item.IRON: 1},
        Achievement.MAKE_IRON_PICKAXE,
    ),
    Item.WOOD_SWORD: ({Item.WOOD: 1}, Achievement.MAKE_WOOD_SWORD),
    Item.STONE_SWORD: ({Item.WOOD: 1, Item.STONE: 1}, Achievement.MAKE_STONE_SWORD),
    Item.IRON_SWORD: (
        {Item.WOOD: 1, Item.STONE: 1, Item.COAL: 1, Item.IRON: 1},
        Achievement.MAKE_IRON_SWORD,
    ),
}
"""What is made of what, in the order of the actions; iron tools need a furnace beside the table."""

NOISES: tuple[tuple[str, int, int], ...] = (
    ("water", 4, 4),
    ("mountain", 4, 4),
    ("path", 8, 32),
    ("tree", 16, 16),
)
"""The four noises of a world, and the cells of their grids down and across; nodes are one more each way."""

NOISE_NODES = tuple((down + 1) * (across + 1) for _, down, across in NOISES)

MAP_CHANNELS = len(Block) + 4
"""Symbolic numbers for each tile: its block, then zombie, cow, skeleton, arrow."""

SYMBOLIC = VIEW_ROWS * VIEW_COLUMNS * MAP_CHANNELS + 22
"""Length of the symbolic observation."""
