"""The little geometry that sight does outside its kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from garten.errors import RenderError
from garten.scene import Kind, Light, Scene

ENDLESS = 1.0e30
"""Bounds of what has no end, metres."""


def matrix(rotation: Sequence[float]) -> NDArray[np.float64]:
    """The rotation matrix of a quaternion (w, x, y, z), [3, 3]; the quaternion is brought to unit length."""
    w, x, y, z = rotation
    scale = 2.0 / (w * w + x * x + y * y + z * z)
    return np.array(
        [
            [1.0 - scale * (y * y + z * z), scale * (x * y - w * z), scale * (x * z + w * y)],
            [scale * (x * y + w * z), 1.0 - scale * (x * x + z * z), scale * (y * z - w * x)],
            [scale * (x * z - w * y), scale * (y * z + w * x), 1.0 - scale * (x * x + y * y)],
        ]
    )


def sun_frame(light: Light) -> NDArray[np.float64]:
    """Rows: two unit axes across the sun's direction, and the unit direction towards the sun, [3, 3]."""
    sun = np.asarray(light.sun, np.float64)
    sun = sun / np.linalg.norm(sun)
    aside = np.cross(sun, (0.0, 0.0, 1.0) if abs(sun[2]) < 0.99 else (0.0, 1.0, 0.0))
    aside = aside / np.linalg.norm(aside)
    return np.stack([aside, np.cross(sun, aside), sun])


def check_drawable(scene: Scene) -> None:
    """Refuse what the kernels cannot index.

    Raises:
        RenderError: a kind, material or asset that does not exist, or one without a surface.
    """
    _check_range("kind", scene.kinds, len(Kind))
    _check_range("material", scene.materials, len(scene.colors))
    _check_range("mesh", scene.assets[scene.kinds == Kind.MESH], len(scene.meshes))
    _check_range("height field", scene.assets[scene.kinds == Kind.HEIGHT_FIELD], len(scene.height_fields))
    for mesh in scene.meshes:
        if len(mesh.triangles) == 0:
            raise RenderError("A mesh of the scene has no triangles; give it at least one.")
        _check_range("vertex", mesh.triangles, len(mesh.vertices))
    for field in scene.height_fields:
        if min(field.heights.shape) < 2:
            raise RenderError("A height field of the scene has no cells; give it at least 2 x 2 heights.")


def _check_range(name: str, indices: NDArray[np.integer[Any]], count: int) -> None:
    wrong = indices[(indices < 0) | (indices >= count)]
    if wrong.size:
        raise RenderError(
            f"The scene refers to {name} {wrong.flat[0]} of {count}; let it refer to one it has."
        )


def bounds(scene: Scene) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The bounding boxes of all shapes in their own frames: lows and highs, each [S, 3], metres."""
    highs = np.abs(scene.sizes.astype(np.float64))
    for kind in (Kind.SPHERE, Kind.CAPSULE, Kind.CYLINDER, Kind.CONE):
        here = scene.kinds == kind
        radius, half = highs[here, 0], highs[here, 1]
        tall = {Kind.SPHERE: radius, Kind.CAPSULE: half + radius}.get(kind, half)
        highs[here] = np.stack([radius, radius, tall], axis=1)
    flat = scene.kinds == Kind.PLANE
    highs[flat] = np.where(highs[flat] > 0.0, highs[flat], ENDLESS)
    highs[flat, 2] = 0.0
    lows = -highs
    for i in np.flatnonzero(scene.kinds == Kind.HEIGHT_FIELD):
        heights = scene.height_fields[scene.assets[i]].heights * scene.sizes[i, 2]
        lows[i, 2], highs[i, 2] = heights.min(), heights.max()
    for i in np.flatnonzero(scene.kinds == Kind.MESH):
        vertices = scene.meshes[scene.assets[i]].vertices * scene.sizes[i]
        lows[i], highs[i] = vertices.min(axis=0), vertices.max(axis=0)
    return lows, highs
