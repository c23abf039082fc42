"""How sheep move: away from near dogs, weakly together under pressure, apart under very close pressure.

A sheep without a dog near it stands still. There is no chance in it: where a sheep goes follows from where
the dogs and the other sheep are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from garten.worlds.herding.constants import (
    BOLT_SPEED,
    FIELD_HALF,
    FLEE_RANGE,
    GATHER,
    GATHER_GAP,
    HEDGE_SHY,
    SCATTER_RANGE,
    SHEEP_SPEED,
)

Point = tuple[float, float]
"""x and y in metres, or a velocity in metres a second."""


def velocity(here: Point, dogs: Sequence[Point], others: Sequence[Point]) -> Point:
    """The velocity a sheep wants, given the dogs and the other sheep."""
    flight_x, flight_y, pressure, nearest = _flight(here, dogs)
    if pressure == 0.0:
        return 0.0, 0.0
    bolting = nearest < SCATTER_RANGE
    flock_x, flock_y = _towards_flock(here, others, beyond=0.0 if bolting else float(GATHER_GAP))
    pull = -pressure if bolting else GATHER * pressure
    wish = flight_x + pull * flock_x, flight_y + pull * flock_y
    return _along_hedge(here, _at_speed(wish, bolting=bolting))


def _flight(here: Point, dogs: Sequence[Point]) -> tuple[float, float, float, float]:
    """The sum over near dogs of pressure times the direction away, the summed pressure, the nearest distance.

    Pressure is 1 where dog and sheep would meet and falls evenly to 0 at the range of flight.
    """
    x = y = total = 0.0
    nearest = math.inf
    for dog_x, dog_y in dogs:
        dx, dy = here[0] - dog_x, here[1] - dog_y
        distance = math.hypot(dx, dy)
        nearest = min(nearest, distance)
        if 0.0 < distance < FLEE_RANGE:
            pressure = 1.0 - distance / FLEE_RANGE
            x += pressure * dx / distance
            y += pressure * dy / distance
            total += pressure
    return x, y, total, nearest


def _towards_flock(here: Point, others: Sequence[Point], *, beyond: float) -> Point:
    """The unit vector to the middle of the other sheep; zero unless it is further than `beyond` metres."""
    if not others:
        return 0.0, 0.0
    dx = sum(other[0] for other in others) / len(others) - here[0]
    dy = sum(other[1] for other in others) / len(others) - here[1]
    distance = math.hypot(dx, dy)
    if distance <= beyond:
        return 0.0, 0.0
    return dx / distance, dy / distance


def _at_speed(wish: Point, *, bolting: bool) -> Point:
    """The velocity for a wish: a bolting sheep runs flat out, another as fast as the wish is strong."""
    strength = math.hypot(*wish)
    if strength == 0.0:
        return 0.0, 0.0
    speed = float(BOLT_SPEED) if bolting else SHEEP_SPEED * min(1.0, strength)
    return wish[0] * speed / strength, wish[1] * speed / strength


def _along_hedge(here: Point, wanted: Point) -> Point:
    """The velocity without the part that would take the sheep into the strip along the hedge."""
    edge = FIELD_HALF - HEDGE_SHY
    x, y = wanted
    if abs(here[0]) > edge and x * here[0] > 0.0:
        x = 0.0
    if abs(here[1]) > edge and y * here[1] > 0.0:
        y = 0.0
    return x, y
