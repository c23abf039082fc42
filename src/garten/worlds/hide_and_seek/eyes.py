"""Who sees whom, by straight looks at real bodies, and what agents trained on numbers are told."""

from __future__ import annotations

import math

import numpy as np

from garten.scene import Camera, rotation_matrices
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

_SLOPE_Y = math.tan(0.5 * math.radians(c.EYE_FOV))
_SLOPE_X = c.EYE_ASPECT * _SLOPE_Y
_FAR = 2.0 * float(c.ARENA)


def view(physics: Physics, role: str, pitch: float) -> Camera:
    """What a role looks through with its eyes raised by `pitch`, radians."""
    eye = physics.points(role, [(float(c.EYE_AHEAD), 0.0, float(c.EYE_HEIGHT))])[0]
    return Camera.at(eye.tolist(), physics.heading(role), pitch=pitch, fov_y=math.radians(c.EYE_FOV))


def closed(physics: Physics, role: str) -> Camera:
    """What a role sees with its eyes closed: the ground before its feet."""
    eye = physics.points(role, [(float(c.EYE_AHEAD), 0.0, 0.05)])[0]
    return Camera.at(eye.tolist(), physics.heading(role), pitch=-0.5 * math.pi, fov_y=math.radians(c.EYE_FOV))


def sees(physics: Physics, role: str, other: str, pitch: float) -> bool:
    """Whether any point of another person is within a role's view, with nothing solid before it."""
    camera = view(physics, role, pitch)
    eye = np.array(camera.position)
    ways = physics.points(other, _PLACES) - eye
    x, y, z = (ways @ rotation_matrices(np.array([camera.rotation]))[0]).T
    inside = (z < 0.0) & (np.abs(x) <= -_SLOPE_X * z) & (np.abs(y) <= -_SLOPE_Y * z)
    return bool(inside.any()) and _meets(physics, role, other, eye, ways[inside])


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
