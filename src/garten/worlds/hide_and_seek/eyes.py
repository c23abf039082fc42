"""Who sees whom, by straight looks at real bodies, and what eyes look through."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from garten.scene import Camera
from garten.worlds.hide_and_seek import constants as c
from garten.worlds.physics import query
from garten.worlds.physics.simulation import Physics, Vector

_WIDE = 0.9 * c.BODY_RADIUS
_PLACES = np.array(
    [
        (0.0, 0.0, 1.1),
        (0.0, 0.0, 0.65),
        (0.0, 0.0, 0.2),
        *((x * _WIDE, y * _WIDE, 0.65) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))),
    ]
)
"""Points of a person that others can see, [7, 3] metres in its frame: head, chest, feet and sides."""

_EYE = np.array([(float(c.EYE_AHEAD), 0.0, float(c.EYE_HEIGHT))])
_SLOPE_Y = math.tan(0.5 * math.radians(c.EYE_FOV))
_SLOPE_X = c.EYE_ASPECT * _SLOPE_Y
_FAR = 2.0 * float(c.ARENA)


def eye_of(physics: Physics, role: str) -> Vector:
    """Where a role's eyes are, [3] metres."""
    eye: Vector = physics.points(role, _EYE)[0]
    return eye


def view(physics: Physics, role: str, pitch: float) -> Camera:
    """What a role looks through with its eyes raised by `pitch`, radians."""
    eye = eye_of(physics, role)
    return Camera.at(eye.tolist(), physics.heading(role), pitch=pitch, fov_y=math.radians(c.EYE_FOV))


def closed(physics: Physics, role: str) -> Camera:
    """What a role sees with its eyes closed: the ground before its feet."""
    eye = physics.points(role, [(float(c.EYE_AHEAD), 0.0, 0.05)])[0]
    return Camera.at(eye.tolist(), physics.heading(role), pitch=-0.5 * math.pi, fov_y=math.radians(c.EYE_FOV))


def sees(physics: Physics, role: str, other: str, pitch: float) -> bool:
    """Whether any point of another person is within a role's view, with nothing solid before it."""
    if _is_behind(physics, role, other):
        return False
    eye = eye_of(physics, role)
    ways = physics.points(other, _PLACES) - eye
    inside = in_view(ways, physics.heading(role), pitch)
    return bool(inside.any()) and _meets(physics, role, other, eye, ways[inside])


def _is_behind(physics: Physics, role: str, other: str) -> bool:
    """Whether all of another person is behind a role's eyes, which are never raised or lowered that far."""
    heading, way = physics.heading(role), physics.position(other) - physics.position(role)
    ahead = way[0] * math.cos(heading) + way[1] * math.sin(heading)
    return bool(ahead < c.EYE_AHEAD - c.BODY_RADIUS)


def in_view(ways: Vector, heading: float, pitch: float) -> NDArray[np.bool_]:
    """Which of these ways from the eye, [N, 3], are within the view of somebody who looks that way, [N]."""
    level, rise = math.cos(pitch), math.sin(pitch)
    cos, sin = math.cos(heading), math.sin(heading)
    ahead = ways @ (level * cos, level * sin, rise)
    right = ways @ (sin, -cos, 0.0)
    up = ways @ (-rise * cos, -rise * sin, level)
    inside: NDArray[np.bool_] = (
        (ahead > 0.0) & (np.abs(right) <= _SLOPE_X * ahead) & (np.abs(up) <= _SLOPE_Y * ahead)
    )
    return inside


def touches(physics: Physics, role: str, other: str) -> bool:
    """Whether a role is near enough to another person to touch it, with nothing solid between them."""
    way = physics.position(other) - physics.position(role)
    if math.hypot(way[0], way[1]) > c.CAUGHT or abs(way[2]) > c.BODY_HEIGHT:
        return False
    chest = physics.position(role) + _PLACES[1]
    return _meets(physics, role, other, chest, physics.points(other, _PLACES[:3]) - chest)


def _meets(physics: Physics, role: str, other: str, eye: Vector, ways: Vector) -> bool:
    lengths = np.linalg.norm(ways, axis=1, keepdims=True)
    _, bodies = query.rays(physics, eye, ways / np.maximum(lengths, 1e-6), most=_FAR, without=role)
    return bool((bodies == physics.body(other)).any())
