"""Where the start and the landmarks of a world lie, and how high its ground is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sled.game import LANDMARKS

Floats = npt.NDArray[np.float64]

HALF = 6.5
"""Metres from the middle to a wall."""

NODES = 27
"""Of the height field, along a side."""

LOW, HIGH = -2.0, 4.0
"""Bounds of heights in metres."""

AWAY = 2.5
"""Metres between two of start and landmarks, at least, unless a level brings them nearer."""

_SHAPES = {"MEADOW": (0.0, 1.0), "HOLLOW": (-0.5, 1.3), "HILL": (0.8, 1.2), "SUMMIT": (1.2, 1.3)}
"""Height and width (standard deviation) of the bump at each landmark, metres."""

_INNER = 4.5  # landmarks lie within so many metres of the middle, along both axes
_ROUGH = 0.12  # metres of the ground's waves

_axis = np.linspace(-HALF, HALF, NODES)
_X, _Y = np.meshgrid(_axis, _axis)  # as MuJoCo has it: columns along x, rows along y
_RIM = 1.5 * (np.maximum(np.abs(_X) - 5.5, 0.0) ** 2 + np.maximum(np.abs(_Y) - 5.5, 0.0) ** 2)


@dataclass(frozen=True)
class Terrain:
    """A world.

    Attributes:
        places: float64 [1 + landmarks, 2], start and landmarks, metres.
        heights: float64 [NODES, NODES], metres.
    """

    places: Floats
    heights: Floats


def draw(rng: np.random.Generator, *, near: Floats, share: Floats) -> Terrain:
    """A new world.

    Args:
        rng: of what is drawn.
        near: [landmarks], metres from the start to each at most, infinite where it lies anywhere.
        share: [landmarks], of each landmark's full height.
    """
    places = _places(rng, near)
    waves = rng.normal(0.0, 0.7, (4, 2)), rng.uniform(0.0, 2.0 * np.pi, 4)
    heights = _RIM.copy()
    for (along_x, along_y), phase in zip(*waves, strict=True):
        heights += _ROUGH / 2.0 * np.sin(along_x * _X + along_y * _Y + phase)
    for name, place, part in zip(LANDMARKS, places[1:], share, strict=True):
        height, width = _SHAPES[name]
        distance = (_X - place[0]) ** 2 + (_Y - place[1]) ** 2
        heights += part * height * np.exp(-0.5 * distance / width**2)
    return Terrain(places, heights.clip(LOW, HIGH))


def _places(rng: np.random.Generator, near: Floats) -> Floats:
    """Start and landmarks; those that are brought near are not kept as far apart from each other."""
    places = [rng.uniform(-_INNER, _INNER, 2)]
    for most in near:
        apart = min(AWAY, most)
        for _ in range(50):
            place = rng.uniform(-_INNER, _INNER, 2)
            if np.isfinite(most):
                angle, distance = rng.uniform(0.0, 2.0 * np.pi), rng.uniform(0.8 * most, most)
                place = places[0] + distance * np.array([np.cos(angle), np.sin(angle)])
            inside = np.abs(place).max() <= _INNER
            if inside and min(np.linalg.norm(place - each) for each in places) >= 0.7 * apart:
                break
        places.append(place.clip(-_INNER, _INNER))
    return np.array(places)


def height_at(heights: Floats, points: Floats) -> Floats:
    """Heights at points [lanes, points, 2] of each lane's ground [lanes, NODES, NODES], between its nodes."""
    at = ((points + HALF) * (NODES - 1) / (2.0 * HALF)).clip(0.0, NODES - 1.001)
    low = at.astype(np.int64)
    part = at - low
    lanes = np.arange(len(heights))[:, None]
    column, row = low[..., 0], low[..., 1]
    along, across = part[..., 0], part[..., 1]
    here = heights[lanes, row, column] * (1.0 - along) + heights[lanes, row, column + 1] * along
    beyond = heights[lanes, row + 1, column] * (1.0 - along) + heights[lanes, row + 1, column + 1] * along
    found: Floats = here * (1.0 - across) + beyond * across
    return found
