"""Cameras for re-shooting: those of the roles, and free ones placed by the scene's bounds."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from garten.errors import RenderError
from garten.records import Moment
from garten.scene import Camera, Kind, Scene

Shot = Callable[[Moment], Camera]
"""Where the camera is at each moment of an episode."""

FOV_Y = math.radians(45.0)
"""Vertical field of view of the free cameras: an everyday lens, little distortion at the rim."""

OVERVIEW_PITCH = math.radians(-40.0)
"""How far the overview looks down: steep enough to tell near from far, flat enough to show sides."""

OVERVIEW_HEADING = math.radians(60.0)
"""Where the overview looks: off the axes, along which most layouts have their walls and roads."""

CHASE_BACK = 6.0
"""How far behind a role's eyes the chase camera follows, in eye heights."""

CHASE_UP = 1.5
"""How far above a role's eyes it is, in eye heights."""

_EXTENT = {
    Kind.BOX: (1, 1, 1),
    Kind.SPHERE: (1, 0, 0),
    Kind.CAPSULE: (1, 1, 0),
    Kind.CYLINDER: (1, 1, 0),
    Kind.CONE: (1, 1, 0),
    Kind.WEDGE: (1, 1, 1),
}
"""Which of a shape's sizes reach outwards, for the kinds that fill a scene; the others carry it."""


def shot(camera: str, opening: Moment) -> Shot:
    """The camera of that name, for an episode that opens with this moment.

    Args:
        camera: A role's name: what that role sees. ``overview``: from above and aside, the whole scene.
            ``top``: straight down, +y up in the image. ``chase-ROLE``: from behind and above the role.
        opening: The first moment, whose bounds place the fixed cameras.

    Raises:
        RenderError: there is no such camera.
    """
    roles = opening.cameras
    if camera in roles:
        return lambda moment: moment.cameras[camera]
    known = [*roles, "overview", "top", *(f"chase-{role}" for role in roles)]
    if camera not in known:
        raise RenderError(f"There is no camera '{camera}'; choose one of {', '.join(known)}.")
    if camera == "overview":
        fixed = _facing(opening.scene, OVERVIEW_HEADING, OVERVIEW_PITCH)
    elif camera == "top":
        fixed = _facing(opening.scene, 0.5 * math.pi, -0.5 * math.pi)
    else:
        role = camera.removeprefix("chase-")
        return lambda moment: chase(moment.cameras[role])
    return lambda _: fixed


def bounds(scene: Scene) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The lowest and highest corner, each [3] metres, of a box that holds the solid shapes.

    Planes, height fields and meshes are left out, for they are mostly ground; a scene of nothing else is
    taken to be 10 m wide around the origin.
    """
    solid = [index for index, kind in enumerate(scene.kinds) if kind in _EXTENT]
    if not solid:
        return np.array([-5.0, -5.0, 0.0]), np.array([5.0, 5.0, 1.0])
    reach = np.array(
        [np.linalg.norm(scene.sizes[index] * _EXTENT[Kind(scene.kinds[index])]) for index in solid]
    )[:, None]
    places = scene.positions[solid].astype(np.float64)
    return (places - reach).min(axis=0), (places + reach).max(axis=0)


def chase(eyes: Camera) -> Camera:
    """A level camera behind and above a role's eyes that looks the way they do, at them."""
    x, y, z = eyes.position
    heading = _heading(eyes)
    height = max(z, 0.3)
    back, up = CHASE_BACK * height, CHASE_UP * height
    position = (x - back * math.cos(heading), y - back * math.sin(heading), z + up)
    return Camera.at(position, heading, pitch=-math.atan2(up, back), fov_y=FOV_Y)


def _heading(camera: Camera) -> float:
    """The heading of a camera's -z axis, seen from above."""
    w, a, b, c = camera.rotation
    return math.atan2(-2.0 * (b * c - w * a), -2.0 * (a * c + w * b))


def _facing(scene: Scene, heading: float, pitch: float) -> Camera:
    """A camera that looks in that direction from where all bounds fit into the image's height."""
    low, high = bounds(scene)
    distance = 0.5 * float(np.linalg.norm(high - low)) / math.sin(0.5 * FOV_Y)
    ahead = np.array(
        [math.cos(pitch) * math.cos(heading), math.cos(pitch) * math.sin(heading), math.sin(pitch)]
    )
    position = 0.5 * (low + high) - distance * ahead
    return Camera.at(position.tolist(), heading, pitch=pitch, fov_y=FOV_Y)
