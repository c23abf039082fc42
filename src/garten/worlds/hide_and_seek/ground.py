"""Where a person can walk: the arena from above as cells that are free or taken."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import label

from garten.worlds.hide_and_seek import constants as c
from garten.worlds.hide_and_seek.plan import HALF, Line, Plan
from garten.worlds.physics.simulation import Physics

CELLS = round(2.0 * HALF / c.GRID)
_MIDDLES = (np.arange(CELLS) + 0.5) * c.GRID - HALF
_X, _Y = np.meshgrid(_MIDDLES, _MIDDLES, indexing="ij")

HALF_SIZES = {
    "box": (0.5 * c.BOX, 0.5 * c.BOX),
    "panel": (0.5 * c.PANEL_LENGTH, 0.5 * c.PANEL_THICKNESS),
    "ramp": (0.5 * c.RAMP_LENGTH, 0.5 * c.RAMP_WIDTH),
}
"""Half length and half width of movable things, metres, by the first word of their names."""

_SQUEEZE = 0.03
"""Metres by which a person is taken to be slimmer: cells are coarse, and one that just fits gets through."""

Cells = NDArray[np.bool_]


def cell(x: float, y: float) -> tuple[int, int]:
    """The cell of a place."""
    column, row = (min(max(int((value + HALF) / c.GRID), 0), CELLS - 1) for value in (x, y))
    return column, row


def place(cell: tuple[int, int]) -> tuple[float, float]:
    """The middle of a cell, metres."""
    return float(_MIDDLES[cell[0]]), float(_MIDDLES[cell[1]])


def walls_free(plan: Plan, radius: float) -> Cells:
    """Where a disc of that radius touches no wall, [CELLS, CELLS] along x and y."""
    free: Cells = np.maximum(np.abs(_X), np.abs(_Y)) <= HALF - radius
    for line in plan.walls:
        free &= _outside(*_box_of(line), radius)
    return free


def things_free(physics: Physics, things: Sequence[str], radius: float) -> Cells:
    """Where a disc of that radius touches none of these things, [CELLS, CELLS]."""
    free = np.ones((CELLS, CELLS), np.bool_)
    for thing in things:
        x, y, heading = (physics.joint(f"{thing}/{name}") for name in ("x", "y", "turn"))
        free &= _outside(x, y, heading, *HALF_SIZES[thing.split("-")[0]], radius)
    return free


def walkable(physics: Physics, plan: Plan, things: Sequence[str]) -> Cells:
    """Where the middle of a person can be, [CELLS, CELLS]."""
    radius = c.BODY_RADIUS - _SQUEEZE
    return walls_free(plan, radius) & things_free(physics, things, radius)


def reached(free: Cells, x: float, y: float) -> Cells:
    """What can be walked to over free cells from the one nearest to a place, [CELLS, CELLS]."""
    areas, _ = label(free)
    reached: Cells = (areas == areas[nearest(free, x, y)]) & free
    return reached


def nearest(free: Cells, x: float, y: float) -> tuple[int, int]:
    """The free cell that is nearest to a place; if none is free, the place's own."""
    if not free.any():
        return cell(x, y)
    column, row = np.unravel_index(np.where(free, (_X - x) ** 2 + (_Y - y) ** 2, np.inf).argmin(), free.shape)
    return int(column), int(row)


def around(x: float, y: float, radius: float = 1.5) -> Cells:
    """The cells within that many metres of a place, [CELLS, CELLS]."""
    near: Cells = np.hypot(_X - x, _Y - y) <= radius
    return near


def _box_of(line: Line) -> tuple[float, float, float, float, float]:
    """A stretch of wall as a turned rectangle: middle, heading, half length and half width."""
    (ax, ay), (bx, by) = line
    half = 0.5 * c.WALL_THICKNESS
    length = 0.5 * math.dist(*line) + half
    return 0.5 * (ax + bx), 0.5 * (ay + by), math.atan2(by - ay, bx - ax), length, half


def _outside(x: float, y: float, heading: float, half_x: float, half_y: float, radius: float) -> Cells:
    """Where a disc of that radius touches no such rectangle."""
    along = (_X - x) * math.cos(heading) + (_Y - y) * math.sin(heading)
    aside = (_Y - y) * math.cos(heading) - (_X - x) * math.sin(heading)
    apart = np.hypot(np.maximum(np.abs(along) - half_x, 0.0), np.maximum(np.abs(aside) - half_y, 0.0))
    free: Cells = apart >= radius
    return free
