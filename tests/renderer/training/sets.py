"""Sets of clips to train on, made without a world: a square crosses a field, in colours of its own."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from garten.renderer.data import shards
from garten.renderer.data.clip import About, Clip, still
from garten.renderer.data.recipe import KIND
from garten.renderer.training.config import checked
from garten.renderer.training.origin import settled, source_of
from garten.renderer.training.presets import preset
from garten.runs.resume import begin

SIZE = (64, 32)


def made(number, *, frames=9, size=SIZE, split="train"):
    """The clip of that number."""
    width, height = size
    rng = np.random.default_rng(number)
    ground, thing = rng.integers(40, 216, (2, 3))
    pictures = np.broadcast_to(ground, (frames, height, width, 3)).astype(np.uint8)
    depth = np.full((frames, height, width), 12.0, np.float32)
    normals = np.broadcast_to(np.float32([0, 1, 0]), (frames, height, width, 3)).copy()
    arrays = still(frames, size)
    arrays["ids"][:] = 0
    for t in range(frames):
        here = (slice(8, 20), slice(4 + 2 * t, 20 + 2 * t))
        pictures[t][here], depth[t][here], normals[t][here] = thing, 4.0, (0, 0, 1)
        arrays["ids"][t][here] = 1
    about = About(
        source="field",
        split=split,
        fps=15.0,
        caption=f"clip {number}",
        style="noon",
        depth_scale=1.0,
        frames=frames,
        size=size,
    )
    return Clip(about, frames=pictures, depth=depth, normals=normals, **arrays)


def clips_run(path: Path, *, count=4, shoot=made, **options) -> Path:
    """A run of such clips."""
    with begin(path, {}, seeds=[0], kind=KIND) as run:
        shards.make(partial(shoot, **options), count, run)
    return path


def config_for(stage, places, *, origin=None, teacher=None, **changes):
    """Settings of a tiny run."""
    config = preset("tiny", stage)
    data = replace(config.data, places=tuple(map(str, places)))
    sources = {
        name: source_of(place)
        for name, place in (("origin", origin), ("teacher", teacher))
        if place is not None
    }
    return checked(settled(replace(config, data=data, **sources, **changes)))
