"""The track: a closed middle line drawn from the seed, and how far along it a place is."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from garten.worlds.racing import constants as c

WAVES = (2, 3, 4)
"""How often each wave of the middle line goes in and out on the way round."""

FINE = 8
"""Points of the middle line for each piece of road."""


@dataclass(frozen=True)
class Track:
    """A closed track, driven counter-clockwise; N is the number of points of its middle line."""

    points: NDArray[np.float64]  # [N, 2] metres, all the same way apart
    length: float  # metres once round

    @property
    def spacing(self) -> float:
        """Metres from a point to the next."""
        return self.length / len(self.points)

    def nearest(self, x: float, y: float) -> float:
        """How far along the middle line the nearest point of it is, metres from the start line."""
        away = (self.points[:, 0] - x) ** 2 + (self.points[:, 1] - y) ** 2
        index = int(away.argmin())
        tangent = self.tangent(index)
        ahead = (x - self.points[index, 0]) * tangent[0] + (y - self.points[index, 1]) * tangent[1]
        ahead = float(min(max(ahead, -self.spacing), self.spacing))
        return (index * self.spacing + ahead) % self.length

    def tangent(self, index: int) -> NDArray[np.float64]:
        """The unit vector [2] along the track at a point."""
        count = len(self.points)
        way = self.points[(index + 1) % count] - self.points[(index - 1) % count]
        unit: NDArray[np.float64] = way / np.linalg.norm(way)
        return unit

    def place(self, along: float, aside: float = 0.0) -> tuple[float, float, float]:
        """A place by metres along the middle line and to its left: x, y, and the track's heading there."""
        index = round(along / self.spacing) % len(self.points)
        (x, y), (tx, ty) = self.points[index], self.tangent(index)
        return float(x - aside * ty), float(y + aside * tx), math.atan2(ty, tx)


def draw(rng: np.random.Generator) -> Track:
    """A track whose bends are no tighter than they may be, drawn again until it is one."""
    while True:
        track = _bent_ring(rng)
        if _tightest(track) >= c.BEND_LEAST:
            return track


def _bent_ring(rng: np.random.Generator) -> Track:
    angles = np.linspace(0.0, math.tau, 2000, endpoint=False)
    radius = np.ones_like(angles)
    for wave in WAVES:
        size, shift = rng.uniform(0.3, 1.0) * c.BENDS_MOST, rng.uniform(0.0, math.tau)
        radius += size * np.cos(wave * angles + shift)
    radius *= c.BASE_RADIUS
    turn = rng.uniform(0.0, math.tau)  # where on the ring the start line is
    x, y = c.STRETCH * radius * np.cos(angles), radius * np.sin(angles)
    first = round(turn / math.tau * len(angles))
    ring = np.roll(np.stack([x, y], axis=1), -first, axis=0)
    closed = np.vstack([ring, ring[:1]])
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=1))])
    length = float(along[-1])
    even = np.linspace(0.0, length, int(c.PIECES) * FINE, endpoint=False)
    points = np.stack([np.interp(even, along, closed[:, axis]) for axis in range(2)], axis=1)
    return Track(points, length)


def bends(track: Track) -> NDArray[np.float64]:
    """How sharply the middle line bends at each of its points, [N], 1/m, positive to the left."""
    step = FINE  # over a piece of road: the points themselves lie on short straight lines
    before, after = np.roll(track.points, step, axis=0), np.roll(track.points, -step, axis=0)
    into, out = track.points - before, after - track.points
    turn = np.arctan2(into[:, 0] * out[:, 1] - into[:, 1] * out[:, 0], (into * out).sum(axis=1))
    curve: NDArray[np.float64] = turn / (step * track.spacing)
    return curve


def _tightest(track: Track) -> float:
    return float(1.0 / np.abs(bends(track)).max())
