"""Clips from videos that nobody knows the geometry of: estimators, which are plugged in, say what it is."""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from garten.errors import RenderError
from garten.records import Frame
from garten.renderer.data.clip import About, Clip, still
from garten.renderer.data.manifest import FPS
from garten.scene import Floats
from garten.sight import video
from garten.sight.encodings import METRIC, clip_scale

FOV_Y = 55.0
"""Degrees; the vertical field of view that videos are taken to have."""


class DepthEstimator(Protocol):
    """Sees depth in frames."""

    unit: Literal["metres", "unknown"]

    def depth(self, frames: Frame) -> Floats:
        """Depth along the viewing axis [T, H, W] of frames [T, H, W, 3]; unseen where not finite or <= 0."""
        ...


class NormalEstimator(Protocol):
    """Sees normals in frames."""

    axes: Literal["graphics", "vision"]
    """Of the camera frame: x right, y up, z to the viewer; or x right, y down, z away from the viewer."""

    def normals(self, frames: Frame) -> Floats:
        """Normals [T, H, W, 3] of frames [T, H, W, 3], of any length and on either side; 0: unseen."""
        ...


@dataclass(frozen=True)
class Geometry:
    """What was estimated for a clip, in the form of a `Clip`."""

    depth: Floats  # [T, H, W]
    normals: Floats  # [T, H, W, 3]
    depth_scale: float


def estimator(name: str, method: str) -> Any:
    """The estimator that ``module:attribute`` names: a class or function that is called without arguments.

    Args:
        name: Where it is.
        method: What it must have, ``depth`` or ``normals``.

    Raises:
        RenderError: there is none.
    """
    module, colon, attribute = name.partition(":")
    try:
        made = getattr(importlib.import_module(module), attribute)()
    except Exception as error:
        raise RenderError(
            f"The estimator {name!r} cannot be made ({type(error).__name__}: {error}); name it module:class."
        ) from error
    if not colon or not hasattr(made, method):
        raise RenderError(
            f"{name!r} has no method {method}; see the estimators in garten.renderer.data.videos."
        )
    return made


def estimate(frames: Frame, depth_by: DepthEstimator, normals_by: NormalEstimator | None) -> Geometry:
    """The geometry of a clip; without an estimator of normals they follow from depth.

    Depth of unknown unit is kept as it is, with the scale that puts the clip's median at u = 0.5. Normals
    come out in one convention: camera frame, x right, y up, z to the viewer, unit length, facing the camera.

    Raises:
        RenderError: an estimate has the wrong shape, or no depth is valid.
    """
    depth = _shaped("depth", depth_by.depth(frames), frames.shape[:3])
    depth = np.where(np.isfinite(depth) & (depth > 0.0), depth, np.inf).astype(np.float32)
    if not np.isfinite(depth).any():
        raise RenderError("The estimator finds no depth in a clip; leave the video out or use another one.")
    rays = _rays(*frames.shape[1:3])
    if normals_by is None:
        normals = normals_of(depth, rays)
    else:
        normals = _shaped("normals", normals_by.normals(frames), frames.shape)
        if normals_by.axes == "vision":
            normals = normals * np.array([1.0, -1.0, -1.0], np.float32)
    return Geometry(
        depth=depth,
        normals=_facing(normals, rays),
        depth_scale=METRIC if depth_by.unit == "metres" else clip_scale(depth),
    )


def normals_of(depth: Floats, rays: Floats) -> Floats:
    """Normals [T, H, W, 3] of the surface that depth [T, H, W] describes along rays [H, W, 3]."""
    seen = np.isfinite(depth)
    points = np.where(seen, depth, 0.0)[..., None] * rays
    across = np.gradient(points, axis=2)
    upward = -np.gradient(points, axis=1)
    # A neighbour that is unseen has no place; nor has the normal then.
    known = seen.copy()
    for axis in (1, 2):
        for step in (-1, 1):
            known &= np.roll(seen, step, axis)
    return np.where(known[..., None], np.cross(across, upward), 0.0).astype(np.float32)


@dataclass(frozen=True)
class VideoRecipe:
    """Settings of a set of clips from videos; with the same recipe, videos and estimators the same clips."""

    video: str  # a folder of videos
    depth_by: str  # a depth estimator as ``module:attribute``
    normals_by: str | None = None  # a normal estimator likewise; None: from depth
    caption: str = ""  # of all clips
    frames: int = 33  # of each clip
    size: tuple[int, int] = (160, 96)  # width x height


class Videos:
    """The videos of a folder, cut into clips of equal length; read in order, each is decoded once."""

    def __init__(self, recipe: VideoRecipe) -> None:
        """Find the videos and make the estimators.

        Raises:
            RenderError: there is no folder, no video in it that is long enough, or no such estimator.
        """
        folder = Path(recipe.video)
        if not folder.is_dir():
            raise RenderError(f"There is no folder {folder}; give one that holds videos.")
        self.recipe = recipe
        self._depth_by: DepthEstimator = estimator(recipe.depth_by, "depth")
        self._normals_by: NormalEstimator | None = (
            estimator(recipe.normals_by, "normals") if recipe.normals_by else None
        )
        found = sorted(path for path in folder.iterdir() if path.suffix.lower() in video.FORMATS)
        self._parts = [(path, part) for path in found for part in range(_clips(path, recipe.frames))]
        if not self._parts:
            raise RenderError(
                f"{folder} holds no video of {recipe.frames} frames at {FPS:g} a second; add longer ones."
            )
        self._open: tuple[Path, int, Iterator[Frame]] | None = None  # a video, and the next part of it

    def __len__(self) -> int:
        return len(self._parts)

    def clip(self, number: int) -> Clip:
        """The clip of that number, from 0.

        Raises:
            RenderError: the video is damaged, or an estimate is of no use.
        """
        path, part = self._parts[number]
        recipe = self.recipe
        frames = self._read(path, part)
        found = estimate(frames, self._depth_by, self._normals_by)
        about = About(
            source=path.name,
            split="train",
            fps=FPS,
            caption=recipe.caption,
            style="",
            depth_scale=found.depth_scale,
            frames=recipe.frames,
            size=recipe.size,
        )
        arrays = still(recipe.frames, recipe.size)
        return Clip(about, frames=frames, depth=found.depth, normals=found.normals, **arrays)

    def _read(self, path: Path, part: int) -> Frame:
        """The frames of one part, [T, H, W, 3]."""
        if self._open is None or self._open[0] != path or self._open[1] > part:
            self._open = path, 0, _resampled(path)
        _, position, frames = self._open
        for _ in islice(frames, (part - position) * self.recipe.frames):
            pass
        read = [_fitted(frame, self.recipe.size) for frame in islice(frames, self.recipe.frames)]
        self._open = path, part + 1, frames
        if len(read) < self.recipe.frames:
            raise RenderError(f"{path} ends before its last clip is full; write it again.")
        return np.stack(read)


def _clips(path: Path, frames: int) -> int:
    """How many clips of so many frames a video is enough for."""
    length, fps = video.length(path)
    return int(length * FPS / fps) // frames


def _resampled(path: Path) -> Iterator[Frame]:
    """The frames of a video at `FPS`: for each instant the last frame shown by then."""
    _, fps = video.length(path)
    shown = 0
    for number, frame in enumerate(video.frames(path)):
        while math.floor(shown * fps / FPS) == number:
            yield frame
            shown += 1


def _fitted(frame: Frame, size: tuple[int, int]) -> Frame:
    """A frame cropped in the middle to the shape of `size`, and brought to it."""
    from PIL import Image

    height, width = frame.shape[:2]
    share = min(width / size[0], height / size[1])
    wide, high = share * size[0], share * size[1]
    box = ((width - wide) / 2, (height - high) / 2, (width + wide) / 2, (height + high) / 2)
    image = Image.fromarray(frame).resize(size, Image.Resampling.BOX, box=box)
    return np.asarray(image)


def _rays(height: int, width: int) -> Floats:
    """Camera-frame directions of the pixels, [H, W, 3], each with z of -1."""
    slope = 2.0 * math.tan(0.5 * math.radians(FOV_Y)) / height
    x = (np.arange(width) + 0.5 - 0.5 * width) * slope
    y = (0.5 * height - np.arange(height) - 0.5) * slope
    return np.stack([*np.meshgrid(x, y), np.full((height, width), -1.0)], axis=-1).astype(np.float32)


def _facing(normals: Floats, rays: Floats) -> Floats:
    """Normals of unit length on the side that faces the camera."""
    lengths = np.linalg.norm(normals, axis=-1, keepdims=True)
    unit = np.where(lengths > 0.0, normals / np.where(lengths > 0.0, lengths, 1.0), 0.0)
    away = (unit * rays).sum(-1, keepdims=True) > 0.0
    return np.where(away, -unit, unit).astype(np.float32)


def _shaped(name: str, values: NDArray[Any], shape: tuple[int, ...]) -> Floats:
    given = np.asarray(values, np.float32)
    if given.shape != tuple(shape):
        raise RenderError(
            f"The estimator gives {name} of {list(given.shape)} for {list(shape)}; "
            "let it give one value, or vector, for each pixel of each frame."
        )
    return given
