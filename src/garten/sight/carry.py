"""Carrying an image to the next view by exact motion: what was seen before stays on its surface.

`carry_between` asks for every pixel of this view where the same point of the same surface was in the view
before, and which of the four pixels around that place saw that surface. `Carry.apply` then brings any image
of the view before, be it a frame, depth or what a network made, into this view, and says where it has holes:
what was hidden, or beside the image.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from garten.records import Moment
from garten.scene import Camera, Condition, Floats, Ints
from garten.sight.anchors import Anchors, anchors_of
from garten.sight.looks import caster

SLACK = 0.02
"""Share by which the depths of two pixels of one surface may differ beyond what its slope explains."""

LEAST = 0.25
"""Share of a pixel's four neighbours, by weight, that must have seen its surface; else it is a hole."""

NEIGHBOURS = ((0, 0), (0, 1), (1, 0), (1, 1))
"""Rows and columns from the first neighbour to each; bit k of `Carry.taps` stands for the k-th."""


@dataclass(frozen=True)
class Tracked(Condition):
    """The geometry of a frame, and what it has to do with what was seen before."""

    carry: Carry  # how the frame before carries over to this one
    anchors: Anchors | None = None  # where its pixels lie on the things of the scene, if that is known

    def held(self) -> Tracked:
        """The same once more, a frame later: nothing has moved."""
        height, width = self.depth.shape
        taps = np.full((height, width), (1 << len(NEIGHBOURS)) - 1, np.uint8)
        return replace(self, carry=Carry(np.zeros((height, width, 2), np.float32), taps))


@dataclass(frozen=True)
class Sources:
    """Which pixels of the view before make each pixel of this one."""

    weights: Floats  # [4, H, W], together 1, and 0 where there is a hole
    rows: NDArray[np.intp]  # [4, H, W]
    columns: NDArray[np.intp]  # [4, H, W]
    holes: NDArray[np.bool_]  # [H, W]


@dataclass(frozen=True)
class Carry:
    """Where the pixels of a view come from in the view before."""

    motion: Floats  # [H, W, 2] pixels to the right and down, from here to there; NaN where there is no place
    taps: NDArray[np.uint8]  # [H, W] bits: which of the four pixels around that place saw the same surface

    def apply(
        self, image: NDArray[Any], *, known: NDArray[np.bool_] | None = None
    ) -> tuple[Floats, NDArray[np.bool_]]:
        """An image of the view before, as seen in this view, and where it has holes.

        Args:
            image: of the view before, [H, W] or [H, W, C].
            known: where that image says something, [H, W]; None: everywhere.

        Returns:
            The image; and holes [H, W], True where too little of the surface was seen, so that it is 0 there.
        """
        sources = self.sources(known=known)
        values = image if image.ndim == 3 else image[..., None]
        carried = np.zeros(values.shape, np.float32)
        for weight, row, column in zip(sources.weights, sources.rows, sources.columns, strict=True):
            carried += weight[..., None] * np.where(weight[..., None] > 0.0, values[row, column], 0.0)
        return carried.reshape(image.shape), sources.holes

    def sources(self, *, known: NDArray[np.bool_] | None = None) -> Sources:
        """What each pixel is made of; `known` as in `apply`."""
        height, width = self.taps.shape
        row, column, down, right = _places(self.motion)
        weights = np.stack([(1 - down) * (1 - right), (1 - down) * right, down * (1 - right), down * right])
        weights *= (self.taps >> np.arange(4, dtype=np.uint8)[:, None, None]) & 1
        rows = np.stack([np.clip(row + below, 0, height - 1) for below, _ in NEIGHBOURS])
        columns = np.stack([np.clip(column + beside, 0, width - 1) for _, beside in NEIGHBOURS])
        if known is not None:
            weights *= known[rows, columns]
        total = weights.sum(0)
        holes = total < LEAST
        weights /= np.where(holes, np.inf, total)
        return Sources(weights, rows, columns, holes)


def carry_between(
    before: Moment, before_camera: Camera, now: Moment, camera: Camera, *, seen: Condition, here: Condition
) -> Carry:
    """How the view of one moment carries over to that of a later one.

    An engine that draws its own geometry tells no motion: then there are holes everywhere.

    Args:
        before: The earlier moment; both are of one episode.
        before_camera: Its camera.
        now: The later moment.
        camera: Its camera.
        seen: What the earlier camera saw, [H, W].
        here: What the later camera sees, [H, W].

    Raises:
        RenderError: the scenes do not hold the same shapes.
    """
    height, width = here.depth.shape
    if now.drawing is not None:
        return Carry(np.full((height, width, 2), np.nan, np.float32), np.zeros((height, width), np.uint8))
    motion, depth = caster().track(now.scene, camera, before.scene, before_camera, width, height)
    return Carry(motion, _taps(motion, depth, seen=seen, here=here))


def tracked(
    before: Moment, before_camera: Camera, now: Moment, camera: Camera, *, seen: Condition, here: Condition
) -> Tracked:
    """What a camera sees at a later moment, told how it follows from an earlier one; see `carry_between`."""
    return Tracked(
        **vars(here),
        carry=carry_between(before, before_camera, now, camera, seen=seen, here=here),
        anchors=anchors_of(here, now.scene, camera),
    )


def _taps(motion: Floats, depth: Floats, *, seen: Condition, here: Condition) -> NDArray[np.uint8]:
    """Which neighbours of the place where a pixel was saw its surface; `depth` is how deep it lay there.

    Inverse depth is linear on a plane, so a neighbour on the same surface differs by no more than the slope.
    """
    height, width = depth.shape
    inverse = np.where(np.isfinite(seen.depth), 1.0 / seen.depth, 0.0)
    slope = _least_step(inverse, 0) + _least_step(inverse, 1)
    expected = np.where(np.isfinite(depth) & (depth > 0.0), 1.0 / np.where(depth > 0.0, depth, 1.0), 0.0)
    pure, wanted = ~_mixed(seen.ids), ~_mixed(here.ids)
    row, column, _, _ = _places(motion)
    taps = np.zeros(depth.shape, np.uint8)
    for bit, (below, beside) in enumerate(NEIGHBOURS):
        rows, columns = row + below, column + beside
        inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
        rows, columns = np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)
        apart = np.abs(inverse[rows, columns] - expected)
        same = (seen.ids[rows, columns] == here.ids) & (
            apart <= SLACK * expected + 1.5 * slope[rows, columns]
        )
        same &= pure[rows, columns] | ~wanted
        taps |= (inside & same & np.isfinite(motion[..., 0])).astype(np.uint8) << bit
    return taps


def _mixed(ids: Ints) -> NDArray[np.bool_]:
    """Where a pixel borders on another thing, so that its colour may be partly of that."""
    padded = np.pad(ids, 1, "edge")
    around = (padded[:-2, 1:-1], padded[2:, 1:-1], padded[1:-1, :-2], padded[1:-1, 2:])
    mixed: NDArray[np.bool_] = np.any([beside != ids for beside in around], axis=0)
    return mixed


def _places(motion: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats, Floats]:
    """Row and column of the first neighbour of each pixel's place; how far below and right of it that is."""
    height, width = motion.shape[:2]
    reach = 4.0 * max(height, width)  # farther is as good as there
    moved = np.clip(np.nan_to_num(motion, nan=-reach), -reach, reach)
    x = np.arange(width, dtype=np.float32) + moved[..., 0]
    y = np.arange(height, dtype=np.float32)[:, None] + moved[..., 1]
    column, row = np.floor(x), np.floor(y)
    return row.astype(np.intp), column.astype(np.intp), y - row, x - column


def _least_step(values: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    """By pixel, the smaller of the steps to its two neighbours along an axis."""
    step = np.abs(np.diff(values, axis=axis))
    if step.shape[axis] == 0:
        return np.zeros_like(values)
    first, last = np.take(step, [0], axis), np.take(step, [-1], axis)
    least: NDArray[np.float64] = np.minimum(
        np.concatenate([first, step], axis), np.concatenate([step, last], axis)
    )
    return least
