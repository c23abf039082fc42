"""A clip: frames with the geometry they show, and its form on disk, one compressed shard.

In shape comments T is the number of frames, H and W the image's rows and columns.
"""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from garten.errors import RenderError
from garten.records import Frame
from garten.scene import NO_ID, Floats, Ints
from garten.sight.carry import Carry, Tracked

Split = Literal["train", "layouts", "worlds"]
"""What a clip is for: training, or testing on layouts or on worlds that training never shows."""

FARTHEST = float(np.finfo(np.float16).max)
"""Metres; what is seen farther away is kept at this depth."""

_NORMAL = 127.0
"""What a normal's component of 1 is kept as."""


@dataclass(frozen=True)
class About:
    """Where a clip comes from and what it shows."""

    source: str  # the world, or the video's file name
    split: Split
    fps: float  # frames per second of world time
    caption: str
    style: str  # its name; "" where nobody says
    depth_scale: float  # 1 for metres; for depths of unknown unit it puts their median at u = 0.5
    frames: int
    size: tuple[int, int]  # width x height
    seed: int = 0  # of the world's layout
    camera: str = ""  # role, chase, orbit or walk
    palette: int | None = None  # that the coat is drawn from; None: the world's own colours


@dataclass(frozen=True)
class Clip:
    """Frames with the geometry they show."""

    about: About
    frames: Frame  # [T, H, W, 3]
    depth: Floats  # [T, H, W] metres, or of unknown unit; inf where nothing is seen
    normals: Floats  # [T, H, W, 3] in the camera frame (x right, y up, z to the viewer); 0 where unseen
    ids: Ints  # [T, H, W] of things; `NO_ID` where nothing is seen, or nobody says
    motion: Floats  # [T, H, W, 2] as `Carry.motion`, back to the frame before; NaN in the first one
    taps: NDArray[np.uint8]  # [T, H, W] as `Carry.taps`; 0 in the first frame

    def __len__(self) -> int:
        return len(self.frames)

    def carry(self, t: int) -> Carry:
        """How frame `t` - 1 carries over to frame `t`; all holes for the first frame."""
        return Carry(self.motion[t], self.taps[t])

    def condition(self, t: int) -> Tracked:
        """The geometry of frame `t`; nobody knows its camera's intrinsics any more."""
        return Tracked(self.depth[t], self.normals[t], self.ids[t], (math.nan,) * 4, self.carry(t))

    def part(self, start: int, count: int) -> Clip:
        """`count` frames from `start`; the new first one has no frame before it."""
        about = replace(self.about, frames=count)
        arrays = {name: getattr(self, name)[start : start + count] for name in ARRAYS}
        arrays["motion"], arrays["taps"] = arrays["motion"].copy(), arrays["taps"].copy()
        arrays["motion"][0], arrays["taps"][0] = np.nan, 0
        return Clip(about, **arrays)


Found = tuple[About, Callable[[], Clip]]
"""A clip that is there: what it shows, and how to read it."""

ARRAYS = tuple(item.name for item in fields(Clip) if item.name != "about")
"""The names of a clip's arrays."""


def still(count: int, size: tuple[int, int]) -> dict[str, NDArray[Any]]:
    """The arrays of a clip whose things and motion nobody knows: ids, motion, taps."""
    width, height = size
    shape = (count, height, width)
    return {
        "ids": np.full(shape, NO_ID, np.int32),
        "motion": np.full((*shape, 2), np.nan, np.float32),
        "taps": np.zeros(shape, np.uint8),
    }


def pack(clip: Clip) -> bytes:
    """The clip's arrays as a compressed .npz; equal clips give equal bytes. See `unpack` for what is lost."""
    depth = np.where(np.isfinite(clip.depth), np.minimum(clip.depth, FARTHEST), np.inf)
    kept: dict[str, NDArray[Any]] = {
        "frames": clip.frames,
        "depth": depth.astype(np.float16),
        "normals": np.round(clip.normals * _NORMAL).astype(np.int8),
        "ids": clip.ids.astype(np.int16),
        "motion": np.clip(clip.motion, -FARTHEST, FARTHEST).astype(np.float16),
        "taps": clip.taps,
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in kept.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, np.ascontiguousarray(array), allow_pickle=False)
            # A plain ZipInfo has the same date always.
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), member.getvalue(), zipfile.ZIP_DEFLATED, 1)
    return file.getvalue()


def unpack(about: About, path: Path) -> Clip:
    """A clip from its shard: depth and motion to 11 bits, normals to half a degree, the rest exact.

    Raises:
        RenderError: the shard is missing, damaged, or of another clip.
    """
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            return Clip(about, **_widened(kept, (about.frames, *reversed(about.size))))
    except (OSError, ValueError, KeyError, zipfile.BadZipFile, EOFError) as error:
        raise RenderError(
            f"{path} cannot be read as a clip ({error}); delete it and make it again with --resume."
        ) from error


def _widened(kept: Mapping[str, NDArray[Any]], shape: tuple[int, ...]) -> dict[str, NDArray[Any]]:
    arrays = {name: kept[name] for name in ARRAYS}
    for name, array in arrays.items():
        if array.shape[:3] != shape:
            raise ValueError(f"{name} are of {list(array.shape[:3])}, not {list(shape)}")
    normals = arrays["normals"].astype(np.float32)
    lengths = np.linalg.norm(normals, axis=-1, keepdims=True)
    return {
        "frames": arrays["frames"],
        "depth": arrays["depth"].astype(np.float32),
        "normals": normals / np.maximum(lengths, 1.0),
        "ids": arrays["ids"].astype(np.int32),
        "motion": arrays["motion"].astype(np.float32),
        "taps": arrays["taps"],
    }
