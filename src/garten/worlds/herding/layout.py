"""Where everything stands at the start, drawn from the seed."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from garten.worlds.herding import constants as c
from garten.worlds.herding.ground import Pen


@dataclass(frozen=True)
class Layout:
    """The start of an episode."""

    pen: Pen
    dogs: tuple[tuple[float, float, float], ...]  # x, y in metres, heading in radians
    sheep: tuple[tuple[float, float, float], ...]  # the same


def draw(rng: np.random.Generator) -> Layout:
    """Draw a layout: the pen with its gate to the open field, the flock before it, dogs on any side."""
    pen = _pen(rng)
    flock = _flock_centre(rng, pen)
    return Layout(pen, _dogs(rng, pen, flock), _sheep(rng, flock))


def _pen(rng: np.random.Generator) -> Pen:
    facing = int(rng.integers(4))
    back = float(rng.uniform(c.PEN_BACK_LEAST, c.PEN_BACK_MOST))
    aside = float(rng.uniform(-c.PEN_ASIDE, c.PEN_ASIDE))
    x, y = Pen(0.0, 0.0, facing).place(-back, aside)
    return Pen(x, y, facing)


def _flock_centre(rng: np.random.Generator, pen: Pen) -> tuple[float, float]:
    room = c.FIELD_HALF - c.FLOCK_ROOM
    while True:
        distance = float(rng.uniform(c.FLOCK_AHEAD_LEAST, c.FLOCK_AHEAD_MOST))
        angle = math.radians(float(rng.uniform(-c.FLOCK_ASIDE, c.FLOCK_ASIDE)))
        x, y = pen.place(c.PEN_HALF + distance * math.cos(angle), distance * math.sin(angle))
        if max(abs(x), abs(y)) < room:
            return x, y


def _sheep(rng: np.random.Generator, flock: tuple[float, float]) -> tuple[tuple[float, float, float], ...]:
    sheep: list[tuple[float, float, float]] = []
    while len(sheep) < c.SHEEP:
        dx, dy = (float(value) for value in rng.uniform(-c.FLOCK_SPREAD, c.FLOCK_SPREAD, 2))
        x, y = flock[0] + dx, flock[1] + dy
        apart = all(math.hypot(x - other[0], y - other[1]) >= c.SHEEP_GAP for other in sheep)
        if apart and math.hypot(dx, dy) <= c.FLOCK_SPREAD:
            sheep.append((x, y, _heading(rng)))
    return tuple(sheep)


def _dogs(
    rng: np.random.Generator, pen: Pen, flock: tuple[float, float]
) -> tuple[tuple[float, float, float], ...]:
    dogs: list[tuple[float, float, float]] = []
    while len(dogs) < c.DOGS:
        distance, angle = float(rng.uniform(c.DOG_AWAY_LEAST, c.DOG_AWAY_MOST)), _heading(rng)
        x, y = flock[0] + distance * math.cos(angle), flock[1] + distance * math.sin(angle)
        in_field = max(abs(x), abs(y)) <= c.FIELD_HALF - c.DOG_GAP
        clear = max(abs(x - pen.x), abs(y - pen.y)) >= c.PEN_HALF + c.DOG_GAP
        apart = all(math.hypot(x - other[0], y - other[1]) >= c.DOG_GAP for other in dogs)
        if in_field and clear and apart:
            dogs.append((x, y, _heading(rng)))
    return tuple(dogs)


def _heading(rng: np.random.Generator) -> float:
    return float(rng.uniform(-math.pi, math.pi))
