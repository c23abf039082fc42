"""Ready-made things for a blueprint: ground, walls, boxes, balls, ramps, doors, drawers.

Each returns its part, to which more shapes can be added. All lengths are metres, all angles radians.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from garten.errors import WorldError
from garten.scene import Color, Kind, turn_y, turn_z
from garten.worlds.physics.build import Blueprint
from garten.worlds.physics.part import FRICTION, Part

FLOOR_FRICTION = 0.4
"""Friction of the ground; what stands on it usually has more, and then that counts."""

LYING = tuple(turn_y(0.5 * math.pi).tolist())
"""Turns a cylinder's or capsule's axis from z to x."""


def ground(blueprint: Blueprint, color: Color, *, name: str = "ground") -> Part:
    """Endless level ground at height 0."""
    part = blueprint.fixed(name)
    part.add(Kind.PLANE, (0.0, 0.0), color=color, friction=FLOOR_FRICTION)
    return part


def wall(
    blueprint: Blueprint,
    name: str,
    corners: Sequence[tuple[float, float]],
    *,
    height: float,
    thickness: float,
    color: Color,
) -> Part:
    """A wall on the ground that runs straight from corner to corner; joints are filled.

    Raises:
        WorldError: fewer than two corners, or two that coincide.
    """
    if len(corners) < 2:
        raise WorldError(f"The wall '{name}' has {len(corners)} corners; give at least 2.")
    part = blueprint.fixed(name)
    for (x, y), (to_x, to_y) in pairwise(corners):
        length = math.hypot(to_x - x, to_y - y)
        if length == 0.0:
            raise WorldError(f"The wall '{name}' has a stretch without length at ({x}, {y}); leave it out.")
        part.add(
            Kind.BOX,
            (0.5 * (length + thickness), 0.5 * thickness, 0.5 * height),
            at=(0.5 * (x + to_x), 0.5 * (y + to_y), 0.5 * height),
            rotation=tuple(turn_z(math.atan2(to_y - y, to_x - x)).tolist()),
            color=color,
        )
    return part


def box(
    blueprint: Blueprint,
    name: str,
    half: Sequence[float],
    *,
    at: Sequence[float],
    mass: float,
    color: Color,
    heading: float = 0.0,
    friction: float = FRICTION,
) -> Part:
    """A box that can be moved, with half extents `half` and its middle at `at`."""
    part = blueprint.free(name, at, heading)
    part.add(Kind.BOX, half, color=color, mass=mass, friction=friction)
    return part


def ball(
    blueprint: Blueprint,
    name: str,
    radius: float,
    *,
    at: Sequence[float],
    mass: float,
    color: Color,
    friction: float = FRICTION,
    rolling: float = 0.001,
) -> Part:
    """A ball that rolls, and comes to rest by its `rolling` friction (metres)."""
    part = blueprint.free(name, at)
    part.add(Kind.SPHERE, (radius,), color=color, mass=mass, friction=friction, rolling=rolling)
    return part


def ramp(
    blueprint: Blueprint,
    name: str,
    half: Sequence[float],
    *,
    at: Sequence[float],
    color: Color,
    heading: float = 0.0,
    mass: float | None = None,
    friction: float = FRICTION,
) -> Part:
    """A ramp that rises along its heading, with its middle at `at`; without a mass it cannot be moved."""
    part = blueprint.fixed(name, at, heading) if mass is None else blueprint.free(name, at, heading)
    part.add(Kind.WEDGE, half, color=color, mass=mass or 0.0, friction=friction)
    return part


def door(
    frame: Part,
    name: str,
    *,
    at: Sequence[float],
    width: float,
    height: float,
    color: Color,
    opens: float = math.radians(110.0),
    thickness: float = 0.05,
    mass: float = 15.0,
    friction: float = 1.0,
) -> Part:
    """A door of a part: it hangs from `at`, its lower corner, and closes along the part's x axis.

    A positive `opens` swings it to the left of that axis (radians), a negative one to the right; `friction`
    (N m) holds it where it was left.

    Raises:
        WorldError: the door does not open, or a number makes no sense.
    """
    if opens == 0.0:
        raise WorldError(f"The door '{name}' opens by 0; give an angle in radians.")
    limits = (0.0, opens) if opens > 0.0 else (opens, 0.0)
    part = frame.hinge(name, at=at, axis=(0, 0, 1), limits=limits, damping=1.0, friction=friction)
    size = (0.5 * width, 0.5 * thickness, 0.5 * height)
    part.add(Kind.BOX, size, at=(0.5 * width, 0.0, 0.5 * height), color=color, mass=mass)
    return part


def drawer(
    chest: Part,
    name: str,
    half: Sequence[float],
    *,
    at: Sequence[float],
    opens: float,
    color: Color,
    wall_thickness: float = 0.02,
    mass: float = 3.0,
    friction: float = 3.0,
) -> Part:
    """An open-topped drawer of a part, its middle at `at` when shut; it pulls out along the part's x axis.

    It opens by `opens` metres; `friction` (N) holds it where it was left. Things can lie in it.

    Raises:
        WorldError: the walls are thicker than the drawer, or a number makes no sense.
    """
    x, y, z = map(float, half)
    thin = 0.5 * wall_thickness
    if thin >= min(x, y, z):
        raise WorldError(f"The drawer '{name}' has walls thicker than itself; make wall_thickness smaller.")
    part = chest.slide(name, at=at, axis=(1, 0, 0), limits=(0.0, opens), damping=5.0, friction=friction)
    panels = [
        ((x, y, thin), (0.0, 0.0, thin - z)),
        ((thin, y, z), (x - thin, 0.0, 0.0)),
        ((thin, y, z), (thin - x, 0.0, 0.0)),
        ((x, thin, z), (0.0, y - thin, 0.0)),
        ((x, thin, z), (0.0, thin - y, 0.0)),
    ]
    for size, place in panels:
        part.add(Kind.BOX, size, at=place, color=color, mass=mass / len(panels))
    return part
