"""Geometry, truth and what a renderer makes of it, side by side."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from garten.records import Frame
from garten.renderer.data.clip import Clip
from garten.sight.encodings import depth_to_rgb, to_bytes

ZOOM = 3
"""Pixels of the picture along the side of one of a frame, by default."""


def side_by_side(clip: Clip, made: Frame, *, zoom: int = ZOOM) -> Iterator[Frame]:
    """Pictures of depth, true frame and generated frame, left to right, for each generated frame."""
    for depth, true, frame in zip(clip.depth, clip.frames, made, strict=False):
        geometry = to_bytes(depth_to_rgb(depth, clip.about.depth_scale))
        picture = np.concatenate([geometry, true, frame], axis=1)
        yield picture.repeat(zoom, 0).repeat(zoom, 1)
