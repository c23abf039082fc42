"""A picture from geometry alone, for worlds whose engine draws its own: colours by id, sunlight by normal."""

from __future__ import annotations

import colorsys

import numpy as np
from numpy.typing import NDArray

from garten.records import Frame
from garten.scene import NO_ID, Camera, Condition, Light
from garten.sight.encodings import to_bytes
from garten.sight.geometry import matrix, sun_frame

GOLDEN = 0.381966
"""Step around the colour wheel between one id and the next, turns; it keeps neighbours apart."""


def shade(condition: Condition, camera: Camera, light: Light) -> Frame:
    """The picture of a condition: no materials and no cast shadows, else as the ray caster draws it."""
    turn = matrix(camera.rotation)
    normals = condition.normals.astype(np.float64) @ turn.T
    across = normals @ sun_frame(light).T
    sky = light.ambient * (0.8 + 0.2 * normals[..., 2] + 0.1 * across[..., 0])
    bright = np.sqrt(np.maximum(sky + (1.0 - light.ambient) * np.maximum(across[..., 2], 0.0), 0.0))
    ids, where = np.unique(condition.ids, return_inverse=True)
    colors = np.array([_color(int(item)) for item in ids])[where.reshape(condition.ids.shape)]
    seen = condition.ids != NO_ID
    return to_bytes(np.where(seen[..., None], bright[..., None] * colors, _sky(condition, turn, light)))


def _color(index: int) -> tuple[float, float, float]:
    """The colour of an id, sRGB."""
    return colorsys.hsv_to_rgb((0.3 + index * GOLDEN) % 1.0, 0.45, 0.85)


def _sky(condition: Condition, turn: NDArray[np.float64], light: Light) -> NDArray[np.float64]:
    """The sky behind every pixel, [H, W, 3]."""
    height, width = condition.depth.shape
    fx, fy, cx, cy = condition.intrinsics
    x = (np.arange(width) + 0.5 - cx) / fx
    y = (cy - np.arange(height) - 0.5) / fy
    rays = np.stack([*np.meshgrid(x, y), np.full((height, width), -1.0)], axis=-1)
    rise = (rays @ turn[2]) / np.linalg.norm(rays, axis=-1)
    share = np.sqrt(np.clip(rise, 0.0, 1.0))[..., None]
    horizon, sky = np.array(light.horizon), np.array(light.sky)
    return np.asarray(horizon + share * (sky - horizon))
