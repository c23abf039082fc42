"""A tile to paint on by code, at any size, and what both games paint in common colours.

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
SKIN, SHIRT, BONE, HIDE = (232, 184, 140), (196, 52, 60), (226, 224, 212), (92, 60, 44)
STEEL, FIRE, DARK = (206, 210, 216), (250, 196, 60), (24, 22, 26)

TILES = {"Craftax": 10, "Craftax-Classic": 7}
"""The games, and pixels along the side of a tile of the original's pictures: 130 x 110 and 63 x 63."""

_GRAINS = 10
"""Specks along the side of a tile, whatever its size."""

_OUTLINED = 14
"""Least size at which outlines leave room for what they surround."""


def lighter(color: Color, share: float = 0.35) -> Color:
    """A colour with a share of white."""
    red, green, blue = (round(part + (255 - part) * share) for part in color)
    return red, green, blue


def darker(color: Color, share: float = 0.35) -> Color:
    """A colour with a share of black."""
    red, green, blue = (round(part * (1.0 - share)) for part in color)
    return red, green, blue


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

    def oval(self, x: float, y: float, wide: float, high: float) -> Mask:
        """The points in an ellipse of these half axes."""
        return np.asarray(((self.x - x) / wide) ** 2 + ((self.y - y) / high) ** 2 < 1.0)

    def rhomb(self, x: float, y: float, wide: float, high: float) -> Mask:
        """The points in a rhomb of these half diagonals."""
        return np.asarray(np.abs(self.x - x) / wide + np.abs(self.y - y) / high < 1.0)

    def wedge(self, x: float, top: float, bottom: float, widths: tuple[float, float]) -> Mask:
        """The points between two heights whose half width goes from the first to the second."""
        share = (self.y - top) / (bottom - top)
        width = widths[0] + (widths[1] - widths[0]) * share
        return np.asarray((share >= 0.0) & (share < 1.0) & (np.abs(self.x - x) < width))

    def stroke(self, start: tuple[float, float], end: tuple[float, float], width: float) -> Mask:
        """The points no farther than half a width from a line between two points."""
        along = np.array(end) - start
        share = ((self.x - start[0]) * along[0] + (self.y - start[1]) * along[1]) / (along @ along)
        share = np.clip(share, 0.0, 1.0)
        away = (self.x - start[0] - share * along[0]) ** 2 + (self.y - start[1] - share * along[1]) ** 2
        return np.asarray(away < (width / 2.0) ** 2)

    def specks(self, seed: int, share: float) -> Mask:
        """Squares strewn by chance, the same for the same seed, in the same places at every size."""
        strewn = np.random.default_rng(seed).random((_GRAINS, _GRAINS)) < share
        return np.asarray(strewn[(self.y * _GRAINS).astype(int), (self.x * _GRAINS).astype(int)])

    def outline(self, color: Color = DARK) -> None:
        """Draw a line of a point around what is painted, unless the tile is too small for one."""
        if len(self.x) < _OUTLINED:
            return
        painted = np.pad(self.picture[..., 3] > 0, 1)
        beside = painted[:-2, 1:-1] | painted[2:, 1:-1] | painted[1:-1, :-2] | painted[1:-1, 2:]
        self.paint(color, beside & ~painted[1:-1, 1:-1])


def paint(
    size: int, detail: Detail | None, *, ground: Color | None = None, outlined: bool = False
) -> Picture:
    """The picture of a detail, perhaps outlined, on a ground or on a clear one, [size, size, 4]."""
    canvas = Canvas(size)
    if detail is not None:
        detail(canvas)
    if outlined:
        canvas.outline()
    if ground is not None:
        canvas.paint(ground, canvas.picture[..., 3] == 0)
    return canvas.picture
