"""Cameras for re-shooting: those of the roles, and free ones placed by the scene's bounds."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from garten.errors import RenderError
from garten.records import Moment, Shot
from garten.scene import Camera, Kind, Scene, rotation_matrices

FOV_Y = math.radians(45.0)
"""Vertical field of view of the free cameras: an everyday lens, little distortion at the rim."""

OVERVIEW_PITCH = math.radians(-40.0)
"""How far the overview looks down: steep enough to tell near from far, flat enough to show sides."""

OVERVIEW_HEADING = math.radians(60.0)
"""Where the overview looks: off the axes, along which most layouts have their walls and roads."""

CHASE_BACK = 4.0
"""How far behind a role's eyes the chase camera follows, in eye heights."""

CHASE_UP = 1.0
"""How far above a role's eyes it is, in eye heights."""

_HALF: dict[Kind, Callable[[NDArray[np.float32]], NDArray[np.float32]]] = {
    Kind.BOX: (lambda size: size),
    Kind.SPHERE: (lambda size: size[[0, 0, 0]]),
    Kind.CAPSULE: (lambda size: np.array([size[0], size[0], size[0] + size[1]])),
    Kind.CYLINDER: (lambda size: size[[0, 0, 1]]),
    Kind.CONE: (lambda size: size[[0, 0, 1]]),
    Kind.WEDGE: (lambda size: size),
}
"""Half extents of the kinds that fill a scene, in their own frame; the other kinds carry it."""


def shot(camera: str, opening: Moment, *, aspect: float = 16.0 / 9.0) -> Shot:
    """The camera of that name, for an episode that opens with this moment.

    Args:
        camera: A role's name: what that role sees. ``overview``: from above and aside, the whole scene.
            ``top``: straight down, +y up in the image. ``chase-ROLE``: from behind and above the role.
        opening: The first moment, whose bounds place the fixed cameras.
        aspect: Width over height of the image into which those fit the bounds.

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
        fixed = _facing(opening.scene, OVERVIEW_HEADING, OVERVIEW_PITCH, aspect=aspect)
    elif camera == "top":
        fixed = _facing(opening.scene, 0.5 * math.pi, -0.5 * math.pi, aspect=aspect)
    else:
        role = camera.removeprefix("chase-")
        return lambda moment: chase(moment.cameras[role])
    return lambda _: fixed


def bounds(scene: Scene) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The lowest and highest corner, each [3] metres, of a box that holds the solid shapes.

    Planes, height fields and meshes are left out, for they are mostly ground, and so is any shape that
    reaches more than twice as far as nine in ten shapes lie from their middle. A scene of nothing else is
    taken to be 10 m wide around the origin.
    """
    solid = [index for index, kind in enumerate(scene.kinds) if kind in _HALF]
    if not solid:
        return np.array([-5.0, -5.0, 0.0]), np.array([5.0, 5.0, 1.0])
    places = scene.positions[solid].astype(np.float64)
    half = np.array([_HALF[Kind(scene.kinds[index])](scene.sizes[index]) for index in solid])
    reach = np.einsum("sij,sj->si", np.abs(rotation_matrices(scene.rotations[solid])), half)
    spread = np.quantile(np.linalg.norm(places - np.median(places, axis=0), axis=1), 0.9)
    kept = reach.max(axis=1) <= 2.0 * max(spread, reach.max(axis=1).min())
    return (places - reach)[kept].min(axis=0), (places + reach)[kept].max(axis=0)


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


def _facing(scene: Scene, heading: float, pitch: float, *, aspect: float) -> Camera:
    """The nearest camera that looks in that direction at the middle of the bounds and sees all of them."""
    low, high = bounds(scene)
    middle = 0.5 * (low + high)
    camera = Camera.at(middle.tolist(), heading, pitch=pitch, fov_y=FOV_Y)
    turn = rotation_matrices(np.array([camera.rotation]))[0]
    corners = np.array([[(low, high)[corner >> axis & 1][axis] for axis in range(3)] for corner in range(8)])
    right, up, back = ((corners - middle) @ turn).T
    slope = math.tan(0.5 * FOV_Y)
    distance = np.maximum(np.abs(right) / (aspect * slope), np.abs(up) / slope) + back
    position = middle + float(distance.max()) * turn[:, 2]
    return Camera.at(position.tolist(), heading, pitch=pitch, fov_y=FOV_Y)
