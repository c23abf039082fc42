"""What a seed decides: which end of the cross-wall is open, where the rocks and the loader are, how they lie.

The places that do not change, and those that change sides only, are here too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from garten.scene import Mesh
from garten.worlds.quarry_loader import constants as c

Place = Sequence[float] | NDArray[np.float64]
"""Somewhere: x, y and perhaps more, metres."""

SIDES = (-1.0, 1.0)
"""West and east, as signs of x."""


@dataclass(frozen=True)
class Area:
    """A rectangle on the ground along the axes, metres."""

    x: float  # its middle
    y: float
    half_x: float
    half_y: float

    @property
    def middle(self) -> tuple[float, float]:
        """Its middle."""
        return self.x, self.y

    def holds(self, points: NDArray[np.float64]) -> bool:
        """Whether all points, [N, 2 or more], lie in it, seen from above."""
        dx, dy = np.abs(points[:, 0] - self.x), np.abs(points[:, 1] - self.y)
        return bool((dx <= self.half_x).all() and (dy <= self.half_y).all())


@dataclass(frozen=True)
class Rock:
    """A rock and where it starts."""

    mesh: Mesh  # metres
    x: float
    y: float
    rotation: tuple[float, float, float, float]


@dataclass(frozen=True)
class Layout:
    """One quarry."""

    open_side: float  # 1: the cross-wall's open end is in the east, -1: in the west
    rocks: tuple[Rock, Rock]  # the west one, the east one
    start: tuple[float, float, float]  # x, y, heading of the loader

    @property
    def wall_end(self) -> tuple[float, float]:
        """The middle of the cross-wall's open end."""
        return self.open_side * (c.HALF_WIDTH - c.WALL_GAP), float(c.WALL_Y)

    @property
    def gap(self) -> tuple[float, float]:
        """The middle of the way round the open end."""
        return self.open_side * (c.HALF_WIDTH - 0.5 * c.WALL_GAP), float(c.WALL_Y)

    def way(self, start: Place, end: Place) -> float:
        """Length of the way from start to end (x, y, ...), round the cross-wall's open end if need be."""
        if (start[1] < c.WALL_Y) == (end[1] < c.WALL_Y):
            return math.dist(start[:2], end[:2])
        return math.dist(start[:2], self.gap) + math.dist(self.gap, end[:2])

    @property
    def bunker(self) -> Area:
        """The bunker's floor; it is open towards the side of the open end."""
        half = float(c.BUNKER_HALF)
        return Area(-self.open_side * c.BUNKER_AWAY, float(c.BUNKER_Y), half, half)


PADS = tuple(Area(side * c.PAD_X, float(c.PAD_Y), float(c.PAD_HALF), float(c.PAD_HALF)) for side in SIDES)
"""The staging pads, west and east."""

BAY = Area(0.0, 0.5 * (c.BAY_MOUTH + c.SOUTH), float(c.BAY_HALF), 0.5 * (c.BAY_MOUTH - c.SOUTH))
"""The parking bay."""


def draw(rng: np.random.Generator) -> Layout:
    """The layout of an episode."""
    open_side = SIDES[int(rng.integers(2))]
    west, east = (_rock(rng, side) for side in SIDES)
    turn = math.radians(c.START_TURN)
    start = (
        float(rng.uniform(-c.START_X_MOST, c.START_X_MOST)),
        float(c.START_Y),
        0.5 * math.pi + float(rng.uniform(-turn, turn)),
    )
    return Layout(open_side, (west, east), start)


def _rock(rng: np.random.Generator, side: float) -> Rock:
    x = side * float(rng.uniform(c.ROCK_X_LEAST, c.ROCK_X_MOST))
    y = float(rng.uniform(c.ROCK_Y_LEAST, c.ROCK_Y_MOST))
    w, a, b, d = rng.normal(size=4).tolist()
    length = math.sqrt(w * w + a * a + b * b + d * d)
    return Rock(rock_mesh(rng), x, y, (w / length, a / length, b / length, d / length))


def rock_mesh(rng: np.random.Generator) -> Mesh:
    """An uneven icosahedron, metres."""
    golden = 0.5 * (1.0 + math.sqrt(5.0))
    signs = [(one, other) for one in (-1.0, 1.0) for other in (-golden, golden)]
    corners = np.array(
        [(0.0, a, b) for a, b in signs] + [(a, b, 0.0) for a, b in signs] + [(b, 0.0, a) for a, b in signs]
    )
    uneven = rng.uniform(1.0 - c.ROCK_UNEVEN, 1.0 + c.ROCK_UNEVEN, (len(corners), 1))
    scaled = corners / np.linalg.norm(corners[0]) * c.ROCK_RADIUS * uneven
    return Mesh(scaled.astype(np.float32), _faces(corners))


def _faces(corners: NDArray[np.float64]) -> NDArray[np.int32]:
    """The 20 triangles of a regular icosahedron, counter-clockwise from outside: all triples 2 apart."""
    count = len(corners)
    near = np.abs(np.linalg.norm(corners[:, None] - corners[None], axis=-1) - 2.0) < 1e-9
    faces = []
    for i in range(count):
        for j in range(i + 1, count):
            for k in range(j + 1, count):
                if near[i, j] and near[j, k] and near[i, k]:
                    outward = np.linalg.det(corners[[i, j, k]]) > 0.0
                    faces.append((i, j, k) if outward else (i, k, j))
    return np.array(faces, np.int32)
