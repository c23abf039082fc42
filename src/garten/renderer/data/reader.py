"""Reads clips for training: any number of sets as one, by split, in batches set by seed and step."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from garten.errors import RenderError
from garten.renderer.data import manifest, shards
from garten.renderer.data.clip import About, Clip, Found, Split
from garten.seeds import derive


class Clips:
    """The clips of one split, as parts of a fixed number of frames.

    What `batch` gives is a function of the arguments and of the files alone, so training that was stopped
    goes on with the clips it would have had.
    """

    def __init__(
        self,
        places: Sequence[Path],
        *,
        frames: int,
        split: Split = "train",
        seed: int = 0,
        scale_jitter: float = 0.0,
    ) -> None:
        """Find the clips.

        Args:
            places: Runs of clips, and manifests (.jsonl), whose clips are all for training.
            frames: How many frames a part has; shorter clips are left out.
            split: Which clips.
            seed: Of what `batch` draws.
            scale_jitter: Each part's depth scale is multiplied by a number between ``exp(-jitter)`` and
                ``exp(jitter)``, so that a network does not rely on exact distances.

        Raises:
            RunError: a place holds no run of clips.
            RenderError: a manifest cannot be read, or there is no clip of that split and length.
        """
        found = [item for place in places for item in _read(place)]
        self._found = [item for item in found if item[0].split == split and item[0].frames >= frames]
        if not self._found:
            raise RenderError(
                f"There is no clip of {frames} frames or more of the split '{split}' in "
                f"{', '.join(map(str, places))}; make some with `garten render data`."
            )
        self._frames, self._seed, self._jitter = frames, seed, scale_jitter

    def __len__(self) -> int:
        return len(self._found)

    @property
    def abouts(self) -> Iterator[About]:
        """What each clip shows, in order."""
        return (about for about, _ in self._found)

    @property
    def shortest(self) -> int:
        """Frames of the shortest clip."""
        return min(about.frames for about in self.abouts)

    def clip(self, index: int, *, start: int = 0) -> Clip:
        """The part of clip `index` that begins at frame `start`."""
        _, load = self._found[index]
        return load().part(start, self._frames)

    def __iter__(self) -> Iterator[Clip]:
        """The first part of every clip, in order."""
        return (self.clip(index) for index in range(len(self)))

    def batch(self, step: int, count: int) -> list[Clip]:
        """The clips of training step `step`: `count` parts, drawn evenly over the clips and their frames."""
        rng = np.random.default_rng(derive(self._seed, "batch", step))
        parts = []
        for index in rng.integers(len(self), size=count):
            about = self._found[index][0]
            clip = self.clip(int(index), start=int(rng.integers(about.frames - self._frames + 1)))
            factor = math.exp(rng.uniform(-self._jitter, self._jitter))
            scaled = replace(clip.about, depth_scale=clip.about.depth_scale * factor)
            parts.append(replace(clip, about=scaled))
        return parts


def _read(place: Path) -> list[Found]:
    return manifest.read(place) if place.suffix == ".jsonl" else shards.read(place)
