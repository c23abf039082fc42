"""Tile art, painted by code at any size: one picture a block, creature, item and digit.

A picture is painted on a grid of points, `x` to the right and `y` down, both from 0 to 1 across the tile.
What is not painted stays transparent.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from garten.craftax.classic.tables import Action, Block, Item

Picture = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
Color = tuple[int, int, int]

GRASS, SAND, PATH, STONE = (88, 148, 66), (219, 200, 140), (176, 160, 128), (122, 124, 128)
WATER, LAVA, WOOD, LEAF = (52, 104, 190), (226, 88, 24), (124, 84, 46), (32, 92, 44)
COAL, IRON, DIAMOND = (38, 38, 42), (216, 150, 106), (120, 226, 236)
SKIN, SHIRT, BONE, HIDE = (232, 184, 140), (196, 52, 60), (226, 224, 212), (92, 60, 44)
STEEL, FIRE, DARK = (206, 210, 216), (250, 196, 60), (24, 22, 26)

DIGITS = ("75557", "26227", "71747", "71717", "55711", "74717", "74757", "71122", "75757", "75717")
"""The digits 0 to 9, three dots wide: five rows from the top, each an octal number."""


class Canvas:
    """A transparent tile to paint on; `x` and `y` are the coordinates of its points."""

    def __init__(self, size: int) -> None:
        """Make a tile of `size` x `size` points."""
        middle = (np.arange(size) + 0.5) / size
        self.x, self.y = np.meshgrid(middle, middle)
        self.picture = np.zeros((size, size, 4), np.uint8)

    def paint(self, color: Color, where: Mask | bool = True) -> None:
        """Paint the points that a mask marks."""
        self.picture[np.broadcast_to(where, self.x.shape)] = (*color, 255)

    def box(self, left: float, top: float, right: float, bottom: float) -> Mask:
        """The points in a box."""
        return np.asarray((self.x >= left) & (self.x < right) & (self.y >= top) & (self.y < bottom))

    def disc(self, x: float, y: float, radius: float) -> Mask:
        """The points in a disc."""
        return np.asarray((self.x - x) ** 2 + (self.y - y) ** 2 < radius**2)

    def specks(self, seed: int, share: float) -> Mask:
        """Points strewn by chance, the same for the same seed."""
        return np.random.default_rng(seed).random(self.x.shape) < share

    def diagonal(self, width: float) -> Mask:
        """A stroke from the lower left to the upper right."""
        return np.asarray(np.abs(self.x + self.y - 1.0) < width)


def paint_block(block: Block, size: int) -> Picture:
    """The picture of a block, [size, size, 4]."""
    canvas = Canvas(size)
    ground, detail = _BLOCKS[block]
    canvas.paint(ground)
    if detail is not None:
        detail(canvas)
    return canvas.picture


def _grain(color: Color, share: float = 0.2, seed: int = 1) -> Callable[[Canvas], None]:
    return lambda canvas: canvas.paint(color, canvas.specks(seed, share))


def _ore(color: Color) -> Callable[[Canvas], None]:
    def paint(canvas: Canvas) -> None:
        for x, y in ((0.3, 0.3), (0.7, 0.45), (0.4, 0.75)):
            canvas.paint(color, canvas.disc(x, y, 0.16))

    return paint


def _waves(color: Color) -> Callable[[Canvas], None]:
    return lambda canvas: canvas.paint(color, np.sin(18.0 * canvas.y + 4.0 * np.sin(6.0 * canvas.x)) > 0.75)


def _tree(canvas: Canvas) -> None:
    canvas.paint(WOOD, canvas.box(0.42, 0.6, 0.58, 1.0))
    canvas.paint(LEAF, canvas.disc(0.5, 0.4, 0.38))


def _planks(canvas: Canvas) -> None:
    canvas.paint((92, 60, 32), (canvas.y * 4.0) % 1.0 < 0.2)


def _table(canvas: Canvas) -> None:
    _planks(canvas)
    canvas.paint((164, 118, 68), canvas.box(0.1, 0.1, 0.9, 0.5))
    canvas.paint(STEEL, canvas.box(0.2, 0.2, 0.45, 0.35))


def _furnace(canvas: Canvas) -> None:
    canvas.paint(DARK, canvas.box(0.2, 0.4, 0.8, 0.9))
    canvas.paint(FIRE, canvas.box(0.35, 0.6, 0.65, 0.9))


def _sapling(canvas: Canvas) -> None:
    canvas.paint(LEAF, canvas.box(0.45, 0.4, 0.55, 0.9) | canvas.disc(0.35, 0.45, 0.14))
    canvas.paint(LEAF, canvas.disc(0.65, 0.35, 0.14))


def _ripe_plant(canvas: Canvas) -> None:
    _sapling(canvas)
    canvas.paint((236, 84, 140), canvas.disc(0.5, 0.3, 0.2))


_BLOCKS: dict[Block, tuple[Color, Callable[[Canvas], None] | None]] = {
    Block.INVALID: ((255, 0, 255), None),
    Block.OUT_OF_BOUNDS: (DARK, None),
    Block.GRASS: (GRASS, _grain((76, 130, 56))),
    Block.WATER: (WATER, _waves((104, 150, 220))),
    Block.STONE: (STONE, _grain((100, 102, 106))),
    Block.TREE: (GRASS, _tree),
    Block.WOOD: (WOOD, _planks),
    Block.PATH: (PATH, _grain((160, 144, 112), 0.3)),
    Block.COAL: (STONE, _ore(COAL)),
    Block.IRON: (STONE, _ore(IRON)),
    Block.DIAMOND: (STONE, _ore(DIAMOND)),
    Block.TABLE: (WOOD, _table),
    Block.FURNACE: ((92, 94, 98), _furnace),
    Block.SAND: (SAND, _grain((204, 184, 122), 0.2, 2)),
    Block.LAVA: (LAVA, _waves(FIRE)),
    Block.PLANT: (GRASS, _sapling),
    Block.RIPE_PLANT: (GRASS, _ripe_plant),
}


def paint_creature(name: str, size: int) -> Picture:
    """The picture of a zombie, cow, skeleton or arrow on a clear ground, [size, size, 4]."""
    canvas = Canvas(size)
    if name == "zombie":
        canvas.paint((62, 122, 70), canvas.box(0.25, 0.1, 0.75, 0.9))
        canvas.paint((40, 60, 120), canvas.box(0.25, 0.6, 0.75, 0.9))
        canvas.paint(DARK, canvas.box(0.35, 0.22, 0.45, 0.35) | canvas.box(0.55, 0.22, 0.65, 0.35))
    elif name == "cow":
        canvas.paint(HIDE, canvas.box(0.1, 0.3, 0.9, 0.75))
        canvas.paint((240, 236, 228), canvas.disc(0.6, 0.5, 0.18) | canvas.box(0.1, 0.3, 0.3, 0.5))
        canvas.paint(DARK, canvas.box(0.15, 0.75, 0.3, 0.95) | canvas.box(0.7, 0.75, 0.85, 0.95))
    elif name == "skeleton":
        canvas.paint(BONE, canvas.box(0.3, 0.08, 0.7, 0.45) | canvas.box(0.45, 0.4, 0.55, 0.95))
        canvas.paint(BONE, canvas.box(0.25, 0.55, 0.75, 0.65))
        canvas.paint(DARK, canvas.box(0.35, 0.18, 0.46, 0.3) | canvas.box(0.54, 0.18, 0.65, 0.3))
    else:
        canvas.paint((236, 232, 220), canvas.diagonal(0.12))
    return canvas.picture


def paint_player(action: Action, size: int, *, asleep: bool = False) -> Picture:
    """The picture of the player facing a way, or asleep, on a clear ground, [size, size, 4]."""
    canvas = Canvas(size)
    canvas.paint(SHIRT, canvas.box(0.22, 0.4, 0.78, 0.9))
    canvas.paint(SKIN, canvas.disc(0.5, 0.3, 0.24))
    if asleep:
        canvas.paint(DARK, canvas.box(0.32, 0.28, 0.68, 0.36))
        return canvas.picture
    x, y = {
        Action.LEFT: (0.1, 0.5),
        Action.RIGHT: (0.9, 0.5),
        Action.UP: (0.5, 0.08),
        Action.DOWN: (0.5, 0.92),
    }[action]
    canvas.paint(STEEL, canvas.disc(x, y, 0.14))
    return canvas.picture


def paint_item(item: Item, size: int) -> Picture:
    """The picture of an item on a dark ground, [size, size, 4]."""
    canvas = Canvas(size)
    canvas.paint(DARK)
    metal = {"WOOD": WOOD, "STONE": STONE, "IRON": IRON}
    kind, _, tool = item.name.partition("_")
    if tool == "PICKAXE":
        canvas.paint(WOOD, canvas.diagonal(0.1))
        canvas.paint(metal[kind], canvas.box(0.3, 0.1, 0.9, 0.28) | canvas.box(0.72, 0.1, 0.9, 0.6))
    elif tool == "SWORD":
        canvas.paint(metal[kind], canvas.diagonal(0.14))
        canvas.paint(WOOD, canvas.disc(0.22, 0.78, 0.16))
    elif item == Item.SAPLING:
        _sapling(canvas)
    else:
        lump = {Item.WOOD: WOOD, Item.STONE: STONE, Item.COAL: (70, 70, 78), Item.IRON: IRON}
        canvas.paint(lump.get(item, DIAMOND), canvas.disc(0.5, 0.5, 0.36))
    return canvas.picture


def paint_stat(name: str, size: int) -> Picture:
    """The picture of health, food, drink or energy on a dark ground, [size, size, 4]."""
    canvas = Canvas(size)
    canvas.paint(DARK)
    color = {"health": (220, 40, 56), "food": (206, 128, 66), "drink": (80, 140, 232), "energy": FIRE}[name]
    canvas.paint(color, canvas.disc(0.5, 0.5, 0.36))
    return canvas.picture


def paint_digit(digit: int, size: int) -> Picture:
    """The picture of a digit on a clear ground, in the lower right of the tile, [size, size, 4]."""
    canvas = Canvas(size)
    left, top, dot = 0.5, 0.3, 0.5 / 3.0
    for row, bits in enumerate(DIGITS[digit]):
        for column in range(3):
            if int(bits, 8) & (4 >> column):
                x, y = left + column * dot, top + row * 0.7 / 5.0
                canvas.paint((255, 255, 255), canvas.box(x, y, x + dot, y + 0.7 / 5.0))
    return canvas.picture
