"""Measures of generated frames that need no other network: against the truth, and along the clip.

Frames are [T, H, W, 3] uint8; the first is the reference. "True frames" are those of the clip.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from garten.records import Frame
from garten.renderer.data.clip import Clip
from garten.scene import Floats

LEAST_SEEN = 0.004
"""Share of a frame's pixels that a thing must fill to be looked for."""

LEAST_ERROR = 1.0
"""Mean squared error, of 255 squared: a smaller one cannot be seen and counts as this. Where nothing moves at
all, frames can be equal, and one clip's infinite ratio would outweigh all others in a mean."""

EDGE = 0.08
"""Step of brightness, of 1, from one pixel to the next that counts as an edge of a picture."""

Flags = NDArray[np.bool_]


def psnr(made: Frame, true: Frame) -> float:
    """Peak signal-to-noise ratio of frames, dB: of the mean squared error over all of them; 48.1 at most."""
    return _decibels(np.square(made.astype(np.float64) - true))


def psnr_where(made: Frame, true: Frame, where: Flags) -> float | None:
    """The same of some pixels alone, [T, H, W]; None if there are none."""
    squares = np.square(made[where].astype(np.float64) - true[where])
    return _decibels(squares) if squares.size else None


def _decibels(squares: NDArray[np.float64]) -> float:
    return 10.0 * math.log10(255.0**2 / max(float(squares.mean()), LEAST_ERROR))


def come_into_view(clip: Clip) -> Flags:
    """Where a clip shows what its reference did not, as far as exact motion tells, [T, H, W]."""
    known, new = np.ones(clip.ids[0].shape, np.bool_), np.zeros(clip.ids.shape, np.bool_)
    for t in range(1, len(clip)):
        if np.isfinite(clip.motion[t]).any():
            new[t] = clip.carry(t).sources(known=known).holes
        known = ~new[t]
    return new


def palette(clip: Clip) -> dict[int, Floats]:
    """The mean colour of each thing that the reference shows."""
    ids, frame = clip.ids[0], clip.frames[0]
    seen, counts = np.unique(ids, return_counts=True)
    return {int(thing): frame[ids == thing].mean(0) for thing in seen[counts >= LEAST_SEEN * ids.size]}


def mask_overlap(frames: Frame, clip: Clip) -> float | None:
    """How well things can be told by their colour in the reference: mean intersection over union of masks.

    A pixel is taken for the thing whose mean colour in the reference is nearest; only pixels of things that
    the reference shows count. Patterns, shade and fog make this less than 1 for true frames too.

    Returns:
        None where the reference shows fewer than two things.
    """
    colors = palette(clip)
    if len(colors) < 2:
        return None
    things = np.array(list(colors))
    known = np.isin(clip.ids, things)
    overlaps = []
    for t in range(1, len(frames)):
        apart = np.square(frames[t][..., None, :].astype(np.float32) - np.stack(list(colors.values()))).sum(
            -1
        )
        told, true = things[apart.argmin(-1)], clip.ids[t]
        for thing in things:
            mask, guess = true == thing, (told == thing) & known[t]
            if mask.mean() >= LEAST_SEEN:
                overlaps.append(float((mask & guess).sum() / (mask | guess).sum()))
    return _mean(overlaps)


def palette_error(frames: Frame, clip: Clip) -> float | None:
    """How far the mean colours of the reference's things are from those in true frames, of 1."""
    errors = []
    for thing in palette(clip):
        for t in range(1, len(frames)):
            mask = clip.ids[t] == thing
            if mask.mean() >= LEAST_SEEN:
                apart = frames[t][mask].mean(0) - clip.frames[t][mask].mean(0)
                errors.append(float(np.abs(apart).mean()) / 255.0)
    return _mean(errors)


def motion_energy(frames: Frame) -> float:
    """How much pixels change from a frame to the next, the mean, of 1."""
    return float(np.abs(np.diff(frames.astype(np.float32), axis=0)).mean()) / 255.0


def edge_scores(frames: Frame, clip: Clip) -> list[float]:
    """How well edges in each frame after the reference are where geometry has them: F1, a pixel's tolerance.

    Geometry has an edge where one thing ends and another begins. True frames score below 1: patterns and
    shadows have edges of their own.
    """
    scores = []
    for t in range(1, len(frames)):
        light = frames[t].astype(np.float32).mean(-1) / 255.0
        drawn = _steps(light, lambda a, b: np.abs(a - b) > EDGE)
        given = _steps(clip.ids[t], np.not_equal)
        found = float((drawn & _wider(given)).sum() / max(drawn.sum(), 1))
        kept = float((given & _wider(drawn)).sum() / max(given.sum(), 1))
        scores.append(2 * found * kept / (found + kept) if found + kept else 0.0)
    return scores


def _steps(values: NDArray[np.generic], differ: Callable[..., Flags]) -> Flags:
    """Where a value differs from its neighbour to the right or below."""
    edges = np.zeros(values.shape, bool)
    edges[:, :-1] |= differ(values[:, :-1], values[:, 1:])
    edges[:-1] |= differ(values[:-1], values[1:])
    return edges


def _wider(flags: Flags) -> Flags:
    """Flags, and their neighbours."""
    padded = np.pad(flags, 1)
    around = [
        padded[1 + y : 1 + y + flags.shape[0], 1 + x : 1 + x + flags.shape[1]]
        for y in (-1, 0, 1)
        for x in (-1, 0, 1)
    ]
    wider: Flags = np.any(around, axis=0)
    return wider


def last_over_first(errors: list[float], *, fps: float, seconds: float = 5.0) -> float | None:
    """The mean error of the last seconds by that of the first; of short clips, of the outer thirds."""
    count = min(round(seconds * fps), len(errors) // 3)
    if count == 0:
        return None
    first, last = float(np.mean(errors[:count])), float(np.mean(errors[-count:]))
    return last / first if first > 0.0 else None


def growth(errors: list[float], *, fps: float) -> float | None:
    """How much an error grows in 10 s, along the straight line nearest to it, as a share of its mean.

    Returns:
        None for less than 10 s, or where nothing is wrong.
    """
    if len(errors) < 10.0 * fps or not np.any(errors):
        return None
    slope = np.polyfit(np.arange(len(errors)) / fps, errors, 1)[0]
    return float(10.0 * slope / np.mean(errors))


STILL = 0.1 / 255.0
"""Mean change of a pixel, of 1, below which a picture stands still, and ratios of changes say nothing."""


def seam_ratio(frames: Frame, clip: Clip, *, block: int) -> float | None:
    """How much more frames change, beyond exact motion, from block to block than within blocks.

    Returns:
        None if there is one block only, or nothing to speak of changes: see `STILL`.
    """
    changes = list(_changes(frames, clip))
    seams = [change for t, change in changes if t > 1 and (t - 1) % block == 0]
    inside = [change for t, change in changes if (t - 1) % block]
    if not seams or not inside or min(np.mean(seams), np.mean(inside)) < STILL:
        return None
    return float(np.mean(seams) / np.mean(inside))


def _changes(frames: Frame, clip: Clip) -> Iterator[tuple[int, float]]:
    """For each frame, how far it is from the one before, carried to its view where the motion is known."""
    for t in range(1, len(frames)):
        before, holes = frames[t - 1].astype(np.float32), np.zeros(clip.ids[t].shape, bool)
        if np.isfinite(clip.motion[t]).any():
            before, holes = clip.carry(t).apply(frames[t - 1])
        if not holes.all():
            yield t, float(np.abs(frames[t] - before)[~holes].mean()) / 255.0


def checkerboard(frames: Frame, true: Frame, *, periods: tuple[int, ...]) -> float:
    """How far patterns of these periods, pixels, stand out among their neighbours, by the truth's: 1 if not.

    The worst of all periods, along rows and along columns.
    """
    return max(
        _peak(frames, period, axis) / max(_peak(true, period, axis), 1e-9)
        for period in periods
        for axis in (1, 2)
    )


def _peak(frames: Frame, period: int, axis: int) -> float:
    """The power of a period along an axis of [T, H, W] by the mean of those beside it."""
    light = frames[1:].astype(np.float32).mean(-1)
    power = np.square(np.abs(np.fft.rfft(light, axis=axis)))
    power = power.mean(tuple(other for other in range(3) if other != axis))
    place = light.shape[axis] // period
    beside = [power[near] for near in (place - 1, place + 1) if 0 < near < len(power)]
    return float((power[place] + 1e-6) / (np.mean(beside) + 1e-6))


def _mean(values: list[float]) -> float | None:
    return float(np.mean(values)) if values else None
