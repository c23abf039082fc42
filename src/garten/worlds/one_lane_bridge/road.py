"""Footprints and the ground they stand on: the geometry behind road edges and car contact.

A pose is (x, y, heading); a footprint is the rectangle a car covers at a pose. Two convex shapes are apart
exactly if some edge direction of one of them separates them, so two directions a rectangle are enough.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from garten.worlds.one_lane_bridge import constants as c


class Pose(NamedTuple):
    """Where a car is: the middle of its footprint in metres, its heading in radians."""

    x: float
    y: float
    heading: float


class Rectangle(NamedTuple):
    """An axis-aligned rectangle, metres."""

    west: float
    east: float
    south: float
    north: float

    @property
    def middle(self) -> tuple[float, float]:
        """Its middle (x, y)."""
        return 0.5 * (self.west + self.east), 0.5 * (self.south + self.north)

    @property
    def half(self) -> tuple[float, float]:
        """Half its extents along x and y."""
        return 0.5 * (self.east - self.west), 0.5 * (self.north - self.south)


Corners = Sequence[tuple[float, float]]
"""A convex polygon, corner by corner."""


def footprint(pose: Pose) -> Corners:
    """The four corners of a car: front left, rear left, rear right, front right."""
    cos, sin = math.cos(pose.heading), math.sin(pose.heading)
    ahead_x, ahead_y = 0.5 * c.CAR_LENGTH * cos, 0.5 * c.CAR_LENGTH * sin
    left_x, left_y = -0.5 * c.CAR_WIDTH * sin, 0.5 * c.CAR_WIDTH * cos
    return (
        (pose.x + ahead_x + left_x, pose.y + ahead_y + left_y),
        (pose.x - ahead_x + left_x, pose.y - ahead_y + left_y),
        (pose.x - ahead_x - left_x, pose.y - ahead_y - left_y),
        (pose.x + ahead_x - left_x, pose.y + ahead_y - left_y),
    )


def corners_of(area: Rectangle) -> Corners:
    """The four corners of an axis-aligned rectangle."""
    west, east, south, north = area
    return (east, north), (west, north), (west, south), (east, south)


def overlap(first: Corners, second: Corners) -> bool:
    """Whether two rectangles share more than their border."""
    return not (_separated(first, second) or _separated(second, first))


def on_road(corners: Corners, banks: tuple[Rectangle, Rectangle], water: Sequence[Rectangle]) -> bool:
    """Whether a footprint lies on the banks and the deck between them, and nowhere over the water."""
    west, east, south, north = banks[0].west, banks[1].east, banks[0].south, banks[0].north
    if not all(west <= x <= east and south <= y <= north for x, y in corners):
        return False
    return not any(overlap(corners, corners_of(area)) for area in water)


def _separated(first: Corners, second: Corners) -> bool:
    """Whether one of the two edge directions of `first` has all of `second` to one side of `first`."""
    (ax, ay), (bx, by), (cx, cy), _ = first
    for from_x, from_y, to_x, to_y in ((bx, by, ax, ay), (bx, by, cx, cy)):
        along_x, along_y = to_x - from_x, to_y - from_y
        low = from_x * along_x + from_y * along_y
        high = to_x * along_x + to_y * along_y
        spans = [x * along_x + y * along_y for x, y in second]
        if max(spans) <= low or min(spans) >= high:
            return True
    return False
