"""The published form of clips: a JSON-lines manifest beside videos and arrays, written and read.

One line a clip: ``{"video": "a.mp4", "depth": "a_depth.npy", "normal": "a_normal.npy", "caption": "a meadow",
"depth_scale": 1.0}``, paths relative to the manifest. Depth is [T, H, W], 0 where nothing is seen; normals
are [T, H, W, 3] unit vectors in an array, or RGB in a video. Beside these five, we write and read ``fps``.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from garten.errors import RenderError
from garten.renderer.data.clip import About, Clip, Found, still
from garten.runs.codec import dump_line, from_json
from garten.runs.storage import make_folder, write_atomic
from garten.scene import Floats
from garten.sight import video
from garten.sight.encodings import from_bytes, rgb_to_normals

NAME = "manifest.jsonl"

FPS = 16.0
"""Frames per second of clips whose manifest does not say. [paper]"""


@dataclass(frozen=True)
class Row:
    """One line of a manifest."""

    video: str
    depth: str
    normal: str
    caption: str = ""
    depth_scale: float = 1.0
    fps: float = FPS


def write(clips: Iterable[Clip], out: Path) -> Path:
    """Write clips as videos and arrays in the folder `out`, and their manifest, whose path is returned.

    The video loses a little (H.264); the manifest appears when all the rest is there.

    Raises:
        RunError: the folder cannot be written.
    """
    make_folder(out)
    lines = []
    for number, clip in enumerate(clips):
        row = Row(
            video=f"{number:06d}.mp4",
            depth=f"{number:06d}_depth.npy",
            normal=f"{number:06d}_normal.npy",
            caption=clip.about.caption,
            depth_scale=clip.about.depth_scale,
            fps=clip.about.fps,
        )
        video.write(out / row.video, clip.frames, fps=row.fps)
        write_atomic(out / row.depth, _array(np.where(np.isfinite(clip.depth), clip.depth, 0.0), np.float32))
        write_atomic(out / row.normal, _array(clip.normals, np.float16))
        lines.append(dump_line(row))
    write_atomic(out / NAME, b"".join(lines))
    return out / NAME


def read(manifest: Path) -> list[Found]:
    """The clips of a manifest, all for training; each is read when it is asked for.

    Raises:
        RenderError: the manifest, or a depth array it names, is missing or damaged.
    """
    try:
        lines = [line for line in manifest.read_text(encoding="utf-8").splitlines() if line.strip()]
        rows = [from_json(Row, _known(json.loads(line))) for line in lines]
        return [(about := _about(manifest, row), partial(_load, manifest, row, about)) for row in rows]
    except (OSError, ValueError) as error:
        raise RenderError(f"{manifest} cannot be read as a manifest ({error}); write it again.") from error


def _known(line: Any) -> Any:
    """A line without what other programs may have added to it."""
    fields = Row.__dataclass_fields__
    return {name: value for name, value in line.items() if name in fields} if isinstance(line, dict) else line


def _about(manifest: Path, row: Row) -> About:
    shape = np.load(manifest.parent / row.depth, mmap_mode="r").shape
    if len(shape) != 3:
        raise ValueError(f"{row.depth} is no array of frames, rows and columns")
    frames, height, width = shape
    return About(row.video, "train", row.fps, row.caption, "", row.depth_scale, frames, (width, height))


def _load(manifest: Path, row: Row, about: About) -> Clip:
    folder = manifest.parent
    try:
        depth = np.load(folder / row.depth).astype(np.float32)
        normals = _normals(folder / row.normal)
        frames = np.stack(video.read(folder / row.video))
    except (OSError, ValueError) as error:
        raise RenderError(f"A clip of {manifest} cannot be read ({error}); make it again.") from error
    depth = np.where(np.isfinite(depth) & (depth > 0.0), depth, np.inf).astype(np.float32)
    if not frames.shape == normals.shape == (*depth.shape, 3):
        raise RenderError(
            f"{row.video}, {row.depth} and {row.normal} of {manifest} differ in size or number of frames; "
            "make them of one clip."
        )
    return Clip(about, frames=frames, depth=depth, normals=normals, **still(about.frames, about.size))


def _normals(path: Path) -> Floats:
    """Unit normals, from an array of vectors or a video of colours; 0 where there are none."""
    if path.suffix != ".npy":
        return rgb_to_normals(from_bytes(np.stack(video.read(path))))
    normals = np.load(path).astype(np.float32)
    return np.asarray(normals / np.maximum(np.linalg.norm(normals, axis=-1, keepdims=True), 1e-6))


def _array(values: NDArray[Any], dtype: type) -> bytes:
    file = io.BytesIO()
    np.save(file, values.astype(dtype))
    return file.getvalue()
