"""The ball's way to the goal, the keeper's dive, and how a kick ends; all in closed form.

The goal line lies at x = 0, the field at x > 0. The kicker faces -x, so their right is at +y; the keeper
faces +x, so their right is at -y.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from garten.worlds.penalty_shootout import constants as c

Point = tuple[float, float, float]

GOAL = "Goal."
SAVED = "The keeper has it."
POST = "The woodwork."
WIDE = "Wide of the goal."
OVER = "Over the bar."
LATE = "The kick was not taken in time."


class Shot(NamedTuple):
    """A kick: its arguments, and the wind."""

    aim: float  # -1 to 1, to the kicker's right
    lift: float  # 0 to 1
    power: float  # 0 to 1
    wind: float  # m/s^2 along y

    @property
    def seconds(self) -> float:
        """From the kick until the ball is at the goal line."""
        return c.SPOT / (c.SLOWEST + (c.FASTEST - c.SLOWEST) * self.power)

    @property
    def arrival(self) -> tuple[float, float]:
        """Where it crosses the plane of the goal: y and z of its middle, metres."""
        drift = 0.5 * self.wind * self.seconds**2
        rise = c.RISE * max(0.0, 2.0 * self.power - 1.0)
        return c.WIDEST * self.aim + drift, c.LOWEST + (c.HIGHEST - c.LOWEST) * self.lift + rise

    def ball(self, seconds: float) -> Point:
        """Where the ball is so long after the kick; beyond the goal line it flies straight on."""
        share = seconds / self.seconds
        y, z = self.arrival
        drift = 0.5 * self.wind * self.seconds**2
        bow = 0.6 * share * (1.0 - share) * min(1.0, z)  # rises a little above the straight way
        return (
            c.SPOT * (1.0 - share),
            share * (y - drift) + share * share * drift,
            max(float(c.BALL_RADIUS), c.BALL_RADIUS + share * (z - c.BALL_RADIUS) + bow),
        )


class Dive(NamedTuple):
    """Where a keeper throws themselves: -1 to 1 to their right, and 0 to 1 up."""

    side: float
    lift: float

    def hands(self, seconds: float) -> tuple[float, float]:
        """Where the hands are (y, z; metres) so long after it began."""
        share = min(1.0, max(0.0, seconds) / c.STRETCH)
        high = c.DIVE_LOW + (c.DIVE_HIGH - c.DIVE_LOW) * self.lift
        return -c.DIVE_WIDTH * self.side * share, 1.0 + (high - 1.0) * share

    def hips(self, seconds: float) -> tuple[float, float]:
        """Where the hips are (y, z; metres)."""
        y, _ = self.hands(seconds)
        return 0.45 * y, 0.9 - 0.4 * (1.0 - 0.6 * self.lift) * abs(y) / c.DIVE_WIDTH


STANDING = ((0.0, 0.25), (0.0, 1.75))
"""A keeper who has not dived, from feet to head: y and z, metres."""


def outcome(shot: Shot, dive: Dive | None, diving: float) -> str:
    """How a kick ends, if the keeper's dive has gone on for `diving` seconds when the ball arrives."""
    y, z = shot.arrival
    half, high, radius = float(c.GOAL_HALF_WIDTH), float(c.GOAL_HEIGHT), float(c.BALL_RADIUS)
    body = STANDING if dive is None else (dive.hips(diving), dive.hands(diving))
    if _distance((y, z), *body) <= c.REACH:
        return SAVED
    if abs(abs(y) - half) <= radius and z <= high + radius:
        return POST
    if abs(y) > half:
        return WIDE
    if abs(z - high) <= radius:
        return POST
    return OVER if z > high else GOAL


def _distance(point: tuple[float, float], start: tuple[float, float], end: tuple[float, float]) -> float:
    """From a point to a straight piece."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy
    share = 0.0
    if length > 0.0:
        share = min(1.0, max(0.0, ((point[0] - start[0]) * dx + (point[1] - start[1]) * dy) / length))
    return math.dist(point, (start[0] + share * dx, start[1] + share * dy))
