"""Depth and normals as RGB images, and back: the form in which a renderer reads conditions.

Depth ``d`` > 0 becomes ``u = 1 - (1 + scale * d / 10) ** -2`` in [0, 1), and `u` walks the edges of the RGB
cube in seven equal straight segments from black to white, see `PATH`. Normals become ``(n + 1) / 2``. What is
invalid, or not seen, is black in both.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from garten.records import Frame
from garten.scene import Floats

PATH = np.array(
    [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 1, 1), (0, 0, 1), (1, 0, 1), (1, 1, 1)], np.float64
)
"""Corners of the RGB cube that depth walks: black, red, yellow, green, cyan, blue, magenta, white."""

METRIC = 1.0
"""The depth scale of scenes in metres."""

FARTHEST = 1.0 - 2.0**-24
"""The greatest `u` that is decoded, 40.9 km at the metric scale; white itself stands for no finite depth."""


def clip_scale(depths: Floats) -> float:
    """The scale for a clip of unknown unit, shared by its frames: its median depth goes to u = 0.5.

    Args:
        depths: depths of all frames, any shape; what is not finite and positive does not count.

    Raises:
        ValueError: no depth is valid.
    """
    valid = depths[np.isfinite(depths) & (depths > 0.0)]
    if valid.size == 0:
        raise ValueError("No depth of the clip is finite and positive, so it has no scale.")
    return 10.0 * (math.sqrt(2.0) - 1.0) / float(np.median(valid))


def depth_to_rgb(depth: Floats, scale: float = METRIC) -> Floats:
    """Depth [...] as RGB [..., 3], 0 to 1; black where depth is not finite or not positive."""
    valid = np.isfinite(depth) & (depth > 0.0)
    u = 1.0 - (1.0 + scale * np.where(valid, depth, 0.0).astype(np.float64) / 10.0) ** -2.0
    rgb = np.empty((*depth.shape, 3), np.float32)
    for channel, corners in enumerate(PATH.T):
        rgb[..., channel] = np.interp(u * (len(PATH) - 1), np.arange(len(PATH)), corners)
    return rgb


def rgb_to_depth(rgb: Floats, scale: float = METRIC) -> Floats:
    """RGB [..., 3] as depth [...]: that of the nearest point of the path; inf where it is black.

    Colours between the segments, as a codec or a network makes them, are read too.
    """
    colors = np.asarray(rgb, np.float64)
    nearest = np.full(colors.shape[:-1], np.inf)
    u = np.zeros(colors.shape[:-1])
    for segment, (start, end) in enumerate(pairwise(PATH)):
        along = np.clip((colors - start) @ (end - start), 0.0, 1.0)  # each edge has length 1
        distance = np.square(colors - start - along[..., None] * (end - start)).sum(-1)
        better = distance < nearest
        nearest[better] = distance[better]
        u[better] = (segment + along[better]) / (len(PATH) - 1)
    depth = 10.0 / scale * ((1.0 - np.minimum(u, FARTHEST)) ** -0.5 - 1.0)
    return np.where(u > 0.0, depth, np.inf).astype(np.float32)


def normals_to_rgb(normals: Floats) -> Floats:
    """Unit normals [..., 3] in the camera frame as RGB, 0 to 1; black where the normal is 0."""
    return np.where(normals.any(-1, keepdims=True), 0.5 * normals + 0.5, 0.0).astype(np.float32)


def rgb_to_normals(rgb: Floats) -> Floats:
    """RGB [..., 3], 0 to 1, as unit normals; 0 where it is black."""
    normals = 2.0 * np.asarray(rgb, np.float64) - 1.0
    lengths = np.linalg.norm(normals, axis=-1, keepdims=True)
    seen = np.any(rgb, axis=-1, keepdims=True) & (lengths > 0.0)
    return np.where(seen, normals / np.where(seen, lengths, 1.0), 0.0).astype(np.float32)


def to_bytes(rgb: NDArray[np.floating[Any]]) -> Frame:
    """Values 0 to 1 as bytes 0 to 255, rounded to the nearest."""
    return np.asarray(np.clip(rgb, 0.0, 1.0) * 255.0 + 0.5, np.uint8)


def from_bytes(frame: Frame) -> Floats:
    """Bytes 0 to 255 as values 0 to 1."""
    return frame.astype(np.float32) / np.float32(255.0)
