"""Tile art that both games show, painted by code at any size: one picture a block, creature, item and digit.

A picture is painted on a grid of points, `x` to the right and `y` down, both from 0 to 1 across the tile.
What is not painted stays transparent.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
Color = tuple[int, int, int]
Detail = Callable[["Canvas"], None]

GRASS, SAND, PATH, STONE = (88, 148, 66), (219, 200, 140), (176, 160, 128), (122, 124, 128)
WATER, LAVA, WOOD, LEAF = (52, 104, 190), (226, 88, 24), (124, 84, 46), (32, 92, 44)
COAL, IRON, DIAMOND = (38, 38, 42), (216, 150, 106), (120, 226, 236)
MATERIALS = {"WOOD": WOOD, "STONE": STONE, "IRON": IRON, "DIAMOND": DIAMOND}
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


def paint(size: int, detail: Detail | None, *, ground: Color | None = None) -> Picture:
    """The picture of a detail on a ground, or on a clear one, [size, size, 4]."""
    canvas = Canvas(size)
    if ground is not None:
        canvas.paint(ground)
    if detail is not None:
        detail(canvas)
    return canvas.picture


def paint_block(name: str, size: int) -> Picture:
    """The picture of a block of `BLOCKS`, [size, size, 4]."""
    ground, detail = BLOCKS[name]
    return paint(size, detail, ground=ground)


def grain(color: Color, share: float = 0.2, seed: int = 1) -> Detail:
    """Specks of a colour."""
    return lambda canvas: canvas.paint(color, canvas.specks(seed, share))


def ore(color: Color) -> Detail:
    """Three lumps of a colour."""

    def paint(canvas: Canvas) -> None:
        for x, y in ((0.3, 0.3), (0.7, 0.45), (0.4, 0.75)):
            canvas.paint(color, canvas.disc(x, y, 0.16))

    return paint


def waves(color: Color) -> Detail:
    """Crests of a colour."""
    return lambda canvas: canvas.paint(color, np.sin(18.0 * canvas.y + 4.0 * np.sin(6.0 * canvas.x)) > 0.75)


def tree(leaf: Color) -> Detail:
    """A tree with leaves of a colour."""

    def paint(canvas: Canvas) -> None:
        canvas.paint(WOOD, canvas.box(0.42, 0.6, 0.58, 1.0))
        canvas.paint(leaf, canvas.disc(0.5, 0.4, 0.38))

    return paint


def _planks(canvas: Canvas) -> None:
    canvas.paint((92, 60, 32), (canvas.y * 4.0) % 1.0 < 0.2)


def table(canvas: Canvas) -> None:
    """A table of planks with a tool on it."""
    _planks(canvas)
    canvas.paint((164, 118, 68), canvas.box(0.1, 0.1, 0.9, 0.5))
    canvas.paint(STEEL, canvas.box(0.2, 0.2, 0.45, 0.35))


def _furnace(canvas: Canvas) -> None:
    canvas.paint(DARK, canvas.box(0.2, 0.4, 0.8, 0.9))
    canvas.paint(FIRE, canvas.box(0.35, 0.6, 0.65, 0.9))


def sapling(canvas: Canvas) -> None:
    """A small plant."""
    canvas.paint(LEAF, canvas.box(0.45, 0.4, 0.55, 0.9) | canvas.disc(0.35, 0.45, 0.14))
    canvas.paint(LEAF, canvas.disc(0.65, 0.35, 0.14))


def _ripe_plant(canvas: Canvas) -> None:
    sapling(canvas)
    canvas.paint((236, 84, 140), canvas.disc(0.5, 0.3, 0.2))


BLOCKS: dict[str, tuple[Color, Detail | None]] = {
    "INVALID": ((255, 0, 255), None),
    "OUT_OF_BOUNDS": (DARK, None),
    "GRASS": (GRASS, grain((76, 130, 56))),
    "WATER": (WATER, waves((104, 150, 220))),
    "STONE": (STONE, grain((100, 102, 106))),
    "TREE": (GRASS, tree(LEAF)),
    "WOOD": (WOOD, _planks),
    "PATH": (PATH, grain((160, 144, 112), 0.3)),
    "COAL": (STONE, ore(COAL)),
    "IRON": (STONE, ore(IRON)),
    "DIAMOND": (STONE, ore(DIAMOND)),
    "TABLE": (WOOD, table),
    "FURNACE": ((92, 94, 98), _furnace),
    "SAND": (SAND, grain((204, 184, 122), 0.2, 2)),
    "LAVA": (LAVA, waves(FIRE)),
    "PLANT": (GRASS, sapling),
    "RIPE_PLANT": (GRASS, _ripe_plant),
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


_HANDS = ((0.1, 0.5), (0.9, 0.5), (0.5, 0.08), (0.5, 0.92))  # facing left, right, up, down


def paint_players(size: int) -> list[Picture]:
    """The player facing left, right, up and down, and asleep, on a clear ground, each [size, size, 4]."""
    return [_player(size, hand) for hand in (*_HANDS, None)]


def _player(size: int, hand: tuple[float, float] | None) -> Picture:
    canvas = Canvas(size)
    canvas.paint(SHIRT, canvas.box(0.22, 0.4, 0.78, 0.9))
    canvas.paint(SKIN, canvas.disc(0.5, 0.3, 0.24))
    if hand is None:
        canvas.paint(DARK, canvas.box(0.32, 0.28, 0.68, 0.36))
    else:
        canvas.paint(STEEL, canvas.disc(*hand, 0.14))
    return canvas.picture


def pickaxe(color: Color) -> Detail:
    """A pickaxe with a head of a colour."""

    def paint(canvas: Canvas) -> None:
        canvas.paint(WOOD, canvas.diagonal(0.1))
        canvas.paint(color, canvas.box(0.3, 0.1, 0.9, 0.28) | canvas.box(0.72, 0.1, 0.9, 0.6))

    return paint


def sword(color: Color) -> Detail:
    """A sword with a blade of a colour."""

    def paint(canvas: Canvas) -> None:
        canvas.paint(color, canvas.diagonal(0.14))
        canvas.paint(WOOD, canvas.disc(0.22, 0.78, 0.16))

    return paint


def lump(color: Color) -> Detail:
    """A disc of a colour."""
    return lambda canvas: canvas.paint(color, canvas.disc(0.5, 0.5, 0.36))


def paint_item(name: str, size: int) -> Picture:
    """The picture of an item on a dark ground, [size, size, 4]: a tool of a material, or a material."""
    material, _, tool = name.partition("_")
    if tool:
        detail = (pickaxe if tool == "PICKAXE" else sword)(MATERIALS[material])
    else:
        detail = sapling if name == "SAPLING" else lump({**MATERIALS, "COAL": (70, 70, 78)}[name])
    return paint(size, detail, ground=DARK)


STATS = {"health": (220, 40, 56), "food": (206, 128, 66), "drink": (80, 140, 232), "energy": FIRE}
"""Colours of the stats, in order."""


def paint_stat(name: str, size: int) -> Picture:
    """The picture of a stat on a dark ground, [size, size, 4]."""
    return paint(size, lump(STATS[name]), ground=DARK)


def paint_digit(digit: int, size: int, *, left: float = 0.52) -> Picture:
    """The picture of a digit on a clear ground, in the lower part of the tile, [size, size, 4]."""
    canvas = Canvas(size)
    top, dot = 0.3, 0.14
    for row, bits in enumerate(DIGITS[digit]):
        for column in range(3):
            if int(bits, 8) & (4 >> column):
                x, y = left + column * dot, top + row * 0.7 / 5.0
                canvas.paint((255, 255, 255), canvas.box(x, y, x + dot, y + 0.7 / 5.0))
    return canvas.picture
