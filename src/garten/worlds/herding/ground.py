"""The field: a hedge around it, a pen in it, and how bodies are kept out of both and of each other.

Bodies are discs. A move is tried, pushed out of whatever it runs into and, where that fails, not made. Every
move leaves all bodies clear of everything and is shorter than the smallest body is wide, so that nothing can
cross a fence or end up inside another body.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from garten.worlds.herding.constants import FIELD_HALF, GATE_WIDTH, PEN_HALF

SLACK = 1e-9
"""Metres by which a body may be nearer than it should, so that rounding stops nothing."""

Rail = tuple[float, float, float, float]
"""A straight piece of fence along x or y: x and y of its lower end, x and y of its upper end."""


class Disc(NamedTuple):
    """Another body, as an obstacle."""

    x: float  # metres
    y: float  # metres
    clearance: float  # metres; how near the mover's centre may come to its centre
    name: str  # what to call it


@dataclass(frozen=True)
class Pen:
    """A square pen with a gate in the middle of one side."""

    x: float  # centre, metres
    y: float
    facing: int  # quarter turns counter-clockwise from +x to the side with the gate

    @cached_property
    def outward(self) -> tuple[int, int]:
        """Unit vector from the pen's centre to its gate."""
        return ((1, 0), (0, 1), (-1, 0), (0, -1))[self.facing]

    @cached_property
    def gate(self) -> tuple[float, float]:
        """The middle of the gate."""
        a, b = self.outward
        return self.x + a * PEN_HALF, self.y + b * PEN_HALF

    def place(self, ahead: float, aside: float) -> tuple[float, float]:
        """World position of a point given from the pen's centre: towards the gate, and to the left of it."""
        a, b = self.outward
        return self.x + a * ahead - b * aside, self.y + b * ahead + a * aside

    def local(self, x: float, y: float) -> tuple[float, float]:
        """The inverse of `place`."""
        a, b = self.outward
        return a * (x - self.x) + b * (y - self.y), a * (y - self.y) - b * (x - self.x)

    @cached_property
    def rails(self) -> tuple[Rail, ...]:
        """The fence: three whole sides and the two pieces beside the gate."""
        half, post = float(PEN_HALF), 0.5 * GATE_WIDTH
        ends = (
            ((-half, -half), (-half, half)),
            ((-half, half), (half, half)),
            ((-half, -half), (half, -half)),
            ((half, post), (half, half)),
            ((half, -half), (half, -post)),
        )
        return tuple(self._rail(*self.place(*a), *self.place(*b)) for a, b in ends)

    @staticmethod
    def _rail(ax: float, ay: float, bx: float, by: float) -> Rail:
        return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)

    def contains(self, x: float, y: float) -> bool:
        """Whether a body with its centre there counts as inside."""
        return abs(x - self.x) < PEN_HALF and abs(y - self.y) < PEN_HALF

    def way_in(self, x: float, y: float) -> float:
        """Metres to walk from there to the middle of the gate, round the pen's corners; 0 inside."""
        if self.contains(x, y):
            return 0.0
        half = float(PEN_HALF)
        ahead, aside = self.local(x, y)
        aside = abs(aside)
        if ahead >= half:
            return math.hypot(ahead - half, aside)
        if aside >= half:
            return math.hypot(half - ahead, aside - half) + half
        return math.hypot(-half - ahead, half - aside) + 3.0 * half


def move(
    pen: Pen, start: tuple[float, float], step: tuple[float, float], *, radius: float, discs: Sequence[Disc]
) -> tuple[float, float, str]:
    """Move a disc by `step` as far as the hedge, the pen's fence and other discs let it.

    Returns where it ends (metres) and the name of what it ran into: ``hedge``, ``fence``, the name of a disc,
    or an empty string.
    """
    x, y = start[0] + step[0], start[1] + step[1]
    met = ""
    for _ in range(3):
        x, y, hit = _pushed_out(pen, x, y, radius, discs)
        if not hit:
            break
        met = met or hit
    else:
        if _pushed_out(pen, x, y, radius, discs)[2]:
            return start[0], start[1], met
    if math.hypot(x - start[0], y - start[1]) >= radius:
        return start[0], start[1], met
    return x, y, met


def _pushed_out(
    pen: Pen, x: float, y: float, radius: float, discs: Sequence[Disc]
) -> tuple[float, float, str]:
    """The point pushed out of each thing it is in, one after the other, and the first of those."""
    met = ""
    for other_x, other_y, clearance, name in discs:
        dx, dy = x - other_x, y - other_y
        if dx * dx + dy * dy < (clearance - SLACK) ** 2:
            x, y = _away(x, y, other_x, other_y, clearance)
            met = met or name
    reach = PEN_HALF + radius
    if abs(x - pen.x) < reach and abs(y - pen.y) < reach:
        for low_x, low_y, high_x, high_y in pen.rails:
            near_x, near_y = min(max(x, low_x), high_x), min(max(y, low_y), high_y)
            dx, dy = x - near_x, y - near_y
            if dx * dx + dy * dy < (radius - SLACK) ** 2:
                x, y = _away(x, y, near_x, near_y, radius)
                met = met or "fence"
    bound = FIELD_HALF - radius
    if abs(x) > bound or abs(y) > bound:
        x, y = min(max(x, -bound), bound), min(max(y, -bound), bound)
        met = met or "hedge"
    return x, y, met


def _away(x: float, y: float, from_x: float, from_y: float, distance: float) -> tuple[float, float]:
    """The point moved straight away from another until it is `distance` from it."""
    dx, dy = x - from_x, y - from_y
    gap = math.hypot(dx, dy)
    if gap == 0.0:
        return from_x + distance, from_y
    return from_x + dx * distance / gap, from_y + dy * distance / gap
