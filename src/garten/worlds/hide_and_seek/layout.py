"""Layouts: a plan, and where people and things start, drawn from the seed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from garten.worlds.hide_and_seek import constants as c
from garten.worlds.hide_and_seek import plan as plans
from garten.worlds.hide_and_seek.plan import ARENA, HALF, Line, Plan, Room

BOXES, PANELS, RAMPS = 2, 2, 2
"""How many movable things there are of each kind."""

_APART = 5.0
"""Metres between a hider and a seeker at the start, at least."""

_TRIES = 100
"""Places tried for a thing before the whole layout is drawn again."""

Pose = tuple[float, float, float]
"""A place and a heading: x, y in metres, radians."""


@dataclass(frozen=True)
class Layout:
    """A plan, and where everything starts."""

    plan: Plan
    boxes: tuple[Pose, ...]
    panels: tuple[Pose, ...]
    ramps: tuple[Pose, ...]
    hiders: tuple[Pose, ...]
    seekers: tuple[Pose, ...]


def draw(rng: np.random.Generator, *, hiders: int, seekers: int) -> Layout:
    """A layout; drawn again until everything has its place.

    The refuge of the plan has a panel for each of its doors and little else; seekers start outside of it.
    """
    while True:
        plan = plans.draw(rng)
        floor = _Floor(plan, [(door.x, door.y, 0.5 * c.DOOR) for door in plan.doors])
        try:
            return _furnish(plan, floor, rng, hiders, seekers)
        except _CrampedError:
            continue


class _CrampedError(Exception):
    """Something found no place."""


@dataclass(frozen=True)
class _Outline:
    """A thing seen from above: discs along its heading."""

    radius: float  # metres
    along: tuple[float, ...] = (0.0,)  # metres from its middle to those of the discs


_BOX = _Outline(0.5 * math.sqrt(2.0) * c.BOX)
_PANEL = _Outline(0.2, (-1.05, -0.7, -0.35, 0.0, 0.35, 0.7, 1.05))
_RAMP = _Outline(0.5 * math.hypot(c.RAMP_LENGTH, c.RAMP_WIDTH))
_BODY = _Outline(float(c.BODY_RADIUS))


@dataclass
class _Floor:
    """The ground that is still free; things keep their distance."""

    plan: Plan
    discs: list[tuple[float, float, float]] = field(default_factory=list)  # x, y, radius

    def put(
        self,
        outline: _Outline,
        rng: np.random.Generator,
        room: Room,
        *,
        out_of: Room | None = None,
        far_from: Sequence[Pose] = (),
    ) -> Pose:
        """Put a thing somewhere in a room.

        Raises:
            _CrampedError: there is no place for it.
        """
        for _ in range(_TRIES):
            x, y = float(rng.uniform(room.west, room.east)), float(rng.uniform(room.south, room.north))
            heading = float(rng.uniform(-math.pi, math.pi))
            if out_of is not None and out_of.holds(x, y):
                continue
            if any(math.dist((x, y), other[:2]) < _APART for other in far_from):
                continue
            way = math.cos(heading), math.sin(heading)
            discs = [(x + a * way[0], y + a * way[1], outline.radius) for a in outline.along]
            if all(self._is_free(*disc) for disc in discs):
                self.discs += discs
                return x, y, heading
        raise _CrampedError

    def _is_free(self, x: float, y: float, radius: float) -> bool:
        room = radius + c.GAP
        if max(abs(x), abs(y)) > HALF - room:
            return False
        if any(_to_line(x, y, wall) < room + 0.5 * c.WALL_THICKNESS for wall in self.plan.walls):
            return False
        return all(math.dist((x, y), (a, b)) >= room + other for a, b, other in self.discs)


def _to_line(x: float, y: float, line: Line) -> float:
    """Metres from a place to a stretch of wall's middle line."""
    (ax, ay), (bx, by) = line
    share = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)
    share = min(max(share, 0.0), 1.0)
    return math.hypot(x - ax - share * (bx - ax), y - ay - share * (by - ay))


def _furnish(plan: Plan, floor: _Floor, rng: np.random.Generator, hiders: int, seekers: int) -> Layout:
    """Put people and things into a plan."""
    refuge = plan.rooms[plan.refuge]
    needed = len(plan.doors_of(refuge))
    panels = [floor.put(_PANEL, rng, refuge if row < needed else ARENA) for row in range(PANELS)]
    ramps = [floor.put(_RAMP, rng, ARENA, out_of=refuge) for _ in range(RAMPS)]
    boxes = [floor.put(_BOX, rng, ARENA, out_of=refuge) for _ in range(BOXES)]
    looking = [floor.put(_BODY, rng, ARENA, out_of=refuge) for _ in range(seekers)]
    hiding = [floor.put(_BODY, rng, ARENA, far_from=looking) for _ in range(hiders)]
    return Layout(plan, tuple(boxes), tuple(panels), tuple(ramps), tuple(hiding), tuple(looking))
