"""Where everything stands at the start, drawn from the seed."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from garten.worlds.herding.constants import DOGS, FIELD_HALF, PEN_HALF, SHEEP
from garten.worlds.herding.ground import Pen

PEN_BACK = (6.5, 8.5)
"""Metres from the middle of the field back to the middle of the pen, which faces the open field."""

PEN_ASIDE = 5.0
"""Metres the pen may stand to either side."""

FLOCK_AHEAD = (7.5, 11.0)
"""Metres from the gate to the middle of the flock."""

FLOCK_ASIDE = math.radians(35.0)
"""Largest angle at the gate between straight ahead and the flock."""

FLOCK_SPREAD = 2.2
"""Metres from the middle of the flock within which sheep start."""

SHEEP_GAP = 1.3
"""Least metres between two sheep at the start."""

DOG_AWAY = (8.5, 11.0)
"""Metres from the middle of the flock at which dogs start, out of reach of every sheep."""

DOG_GAP = 2.5
"""Least metres between the dogs at the start, and between a dog and the fence or the hedge."""


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
    back, aside = float(rng.uniform(*PEN_BACK)), float(rng.uniform(-PEN_ASIDE, PEN_ASIDE))
    x, y = Pen(0.0, 0.0, facing).place(-back, aside)
    return Pen(x, y, facing)


def _flock_centre(rng: np.random.Generator, pen: Pen) -> tuple[float, float]:
    room = FIELD_HALF - 4.0
    while True:
        distance, angle = float(rng.uniform(*FLOCK_AHEAD)), float(rng.uniform(-FLOCK_ASIDE, FLOCK_ASIDE))
        x, y = pen.place(PEN_HALF + distance * math.cos(angle), distance * math.sin(angle))
        if max(abs(x), abs(y)) < room:
            return x, y


def _sheep(rng: np.random.Generator, flock: tuple[float, float]) -> tuple[tuple[float, float, float], ...]:
    sheep: list[tuple[float, float, float]] = []
    while len(sheep) < SHEEP:
        dx, dy = (float(value) for value in rng.uniform(-FLOCK_SPREAD, FLOCK_SPREAD, 2))
        x, y = flock[0] + dx, flock[1] + dy
        apart = all(math.hypot(x - other[0], y - other[1]) >= SHEEP_GAP for other in sheep)
        if apart and math.hypot(dx, dy) <= FLOCK_SPREAD:
            sheep.append((x, y, _heading(rng)))
    return tuple(sheep)


def _dogs(
    rng: np.random.Generator, pen: Pen, flock: tuple[float, float]
) -> tuple[tuple[float, float, float], ...]:
    dogs: list[tuple[float, float, float]] = []
    while len(dogs) < DOGS:
        distance, angle = float(rng.uniform(*DOG_AWAY)), _heading(rng)
        x, y = flock[0] + distance * math.cos(angle), flock[1] + distance * math.sin(angle)
        in_field = max(abs(x), abs(y)) <= FIELD_HALF - DOG_GAP
        clear = max(abs(x - pen.x), abs(y - pen.y)) >= PEN_HALF + DOG_GAP
        apart = all(math.hypot(x - other[0], y - other[1]) >= DOG_GAP for other in dogs)
        if in_field and clear and apart:
            dogs.append((x, y, _heading(rng)))
    return tuple(dogs)


def _heading(rng: np.random.Generator) -> float:
    return float(rng.uniform(-math.pi, math.pi))
