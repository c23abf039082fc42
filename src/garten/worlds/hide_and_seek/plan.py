"""Plans: inner walls, the doors in them and the rooms between them, drawn from the seed.

The arena's frame has x to the east, y to the north and its origin in the middle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from garten.worlds.hide_and_seek import constants as c

HALF = 0.5 * float(c.ARENA)

Line = tuple[tuple[float, float], tuple[float, float]]
"""A straight stretch of wall."""


@dataclass(frozen=True)
class Room:
    """A rectangle between walls, metres."""

    west: float
    south: float
    east: float
    north: float

    def holds(self, x: float, y: float) -> bool:
        """Whether a place is in it."""
        return self.west < x < self.east and self.south < y < self.north


ARENA = Room(-HALF, -HALF, HALF, HALF)


@dataclass(frozen=True)
class Door:
    """A gap in a wall."""

    x: float
    y: float
    heading: float  # radians along the wall

    def beside(self, away: float) -> tuple[float, float]:
        """The place that many metres before the middle of the door, or behind it if negative."""
        return self.x - away * math.sin(self.heading), self.y + away * math.cos(self.heading)


@dataclass(frozen=True)
class Plan:
    """Walls and doors; one of the rooms has a panel for each of its doors."""

    walls: tuple[Line, ...]
    doors: tuple[Door, ...]
    rooms: tuple[Room, ...]
    refuge: int  # row of that room

    def room_of(self, x: float, y: float) -> int:
        """The row of the room that a place is in, or -1."""
        return next((row for row, room in enumerate(self.rooms) if room.holds(x, y)), -1)

    def doors_of(self, room: Room) -> tuple[Door, ...]:
        """The doors that lead into a room."""
        near = 2.0 * c.WALL_THICKNESS
        wide = Room(room.west - near, room.south - near, room.east + near, room.north + near)
        return tuple(door for door in self.doors if wide.holds(door.x, door.y))


def draw(rng: np.random.Generator) -> Plan:
    """A plan of one of the two kinds."""
    if rng.random() < 0.5:
        return _quadrant(rng)
    while True:
        plan = _random_rooms(rng)
        if plan is not None:
            return plan


def _quadrant(rng: np.random.Generator) -> Plan:
    """One room in a corner of the arena, with a door in each of its two walls."""
    east, north = (1.0 if rng.random() < 0.5 else -1.0 for _ in range(2))
    doors = [float(rng.uniform(c.DOOR_TO_CORNER, HALF - c.DOOR_TO_CORNER)) for _ in range(2)]
    one, one_doors = _wall((0.0, 0.0), (east * HALF, 0.0), [doors[0]])
    two, two_doors = _wall((0.0, 0.0), (0.0, north * HALF), [doors[1]])
    room = Room(min(0.0, east * HALF), min(0.0, north * HALF), max(0.0, east * HALF), max(0.0, north * HALF))
    return Plan((*one, *two), (*one_doors, *two_doors), (room,), 0)


def _random_rooms(rng: np.random.Generator) -> Plan | None:
    """A wall from south to north and one or two across, each with doors; None if no room has a single one."""
    most = float(c.INNER_WALL_MOST)
    x = float(rng.uniform(-most, most))
    sides = [("west", -HALF, x), ("east", x, HALF)]
    split = [True, bool(rng.random() < 0.7)]
    if rng.random() < 0.5:
        split.reverse()
    walls: list[Line] = []
    doors: list[Door] = []
    rooms: list[Room] = []
    joints = []
    for (_, low, high), is_split in zip(sides, split, strict=True):
        if not is_split:
            rooms.append(Room(low, -HALF, high, HALF))
            continue
        y = float(rng.uniform(-most, most))
        joints.append(y)
        length = high - low
        stretch, gaps = _wall((low, y), (high, y), [float(rng.uniform(*_along(length)))])
        walls += stretch
        doors += gaps
        rooms += [Room(low, -HALF, high, y), Room(low, y, high, HALF)]
    places = [float(place) for place in rng.uniform(*_along(2.0 * HALF), size=int(rng.integers(1, 3)))]
    if any(abs(place - HALF - joint) < c.DOOR_TO_CORNER for place in places for joint in joints):
        return None
    if len(places) == 2 and abs(places[0] - places[1]) < 2.0 * c.DOOR_TO_CORNER:
        return None
    stretch, gaps = _wall((x, -HALF), (x, HALF), sorted(places))
    plan = Plan((*walls, *stretch), (*doors, *gaps), tuple(rooms), 0)
    single = [row for row, room in enumerate(rooms) if len(plan.doors_of(room)) == 1]
    if not single:
        return None
    return Plan(plan.walls, plan.doors, plan.rooms, single[int(rng.integers(len(single)))])


def _along(length: float) -> tuple[float, float]:
    """Where along a wall a door's middle may be."""
    return float(c.DOOR_TO_CORNER), length - c.DOOR_TO_CORNER


def _wall(
    start: tuple[float, float], end: tuple[float, float], doors: Sequence[float]
) -> tuple[list[Line], list[Door]]:
    """The stretches of a wall with doors that many metres along it.

    A stretch of wall reaches half its thickness beyond its ends, so gaps are drawn wider than doors are.
    """
    length = math.dist(start, end)
    way = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    half = 0.5 * (c.DOOR + c.WALL_THICKNESS)
    cuts = [0.0, *(cut for door in doors for cut in (door - half, door + half)), length]

    def place(along: float) -> tuple[float, float]:
        return start[0] + along * way[0], start[1] + along * way[1]

    stretches = [(place(low), place(high)) for low, high in zip(cuts[::2], cuts[1::2], strict=True)]
    return stretches, [Door(*place(door), math.atan2(way[1], way[0])) for door in doors]
