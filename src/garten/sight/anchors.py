"""Where on the things of a scene the pixels of a view lie: a place that stays theirs wherever they move."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from garten.scene import NO_ID, Camera, Condition, Floats, Ints, Scene, rotation_matrices


@dataclass(frozen=True)
class Anchors:
    """Places on things; a thing's frame is that of its first shape, also where it has joints."""

    things: Ints  # [H, W] ids as in `Scene.objects`; `NO_ID` where nothing is seen
    places: Floats  # [H, W, 3] metres in the thing's frame; 0 where nothing is seen
    footprints: Floats  # [H, W] metres that a pixel is wide there


def anchors_of(seen: Condition, scene: Scene, camera: Camera) -> Anchors:
    """The anchors of what a camera sees of a scene."""
    focal, _, middle_x, middle_y = seen.intrinsics
    height, width = seen.depth.shape
    known = np.isfinite(seen.depth) & (seen.ids != NO_ID)
    depth = np.where(known, seen.depth, 0.0)
    x = (np.arange(width) + 0.5 - middle_x) / focal
    y = (middle_y - np.arange(height)[:, None] - 0.5) / focal
    points = np.stack([x * depth, y * depth, -depth], -1)
    world = points @ rotation_matrices(np.array([camera.rotation]))[0].T + np.array(camera.position)
    things, first = np.unique(scene.objects, return_index=True)
    shape = first[np.searchsorted(things, np.where(known, seen.ids, things[:1]))]
    turns = rotation_matrices(scene.rotations)[shape]
    places = np.einsum("hwji,hwj->hwi", turns, world - scene.positions[shape])
    return Anchors(
        things=np.where(known, seen.ids, NO_ID).astype(np.int32),
        places=np.where(known[..., None], places, 0.0).astype(np.float32),
        footprints=(depth / focal).astype(np.float32),
    )
