"""Finding out about one's own eye and stride: the angle of view and of a turn, and how tall colours are.

Turning on the spot shifts the view by the same angle everywhere: the focal length and angle for which each
frame of a look round best predicts the next are taken. Walking makes things loom: the height for which two
sightings of a still thing, from two poses, give the same place is how tall things of its colour are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from garten.practice.mapping import Lens
from garten.practice.percepts import Region
from garten.records import Frame

GUESS_VIEW = math.radians(90.0)
"""Horizontal angle of view taken before it is found."""

GUESS_TURN = math.radians(30.0)
"""Angle of a turn taken before it is found."""

_VIEWS = np.radians(np.arange(45.0, 121.0, 5.0))  # angles of view tried
_TURNS = np.radians(np.concatenate([np.arange(5.0, 91.0, 2.5), -np.arange(5.0, 91.0, 2.5)]))
_STARTS = 5  # best coarse pairs of view and turn that are refined
_OVERLAP = 0.3  # share of the width that two frames must share to be compared
_WHOLE = 0.04  # an angle this near (as a ratio) to a whole part of the circle is taken to be it
_PAIR_REACH = 12  # looks between two sightings that are compared
_BASELINE = 1.5  # strides between two poses from which sightings are compared
_MISFIT = 0.2  # largest share of the baseline that two sightings of one thing may disagree by
_SHARP = 3.0  # pixels of height below which a sighting measures nothing


@dataclass(frozen=True)
class Look:
    """One look at the surroundings: when, the pose as counted, and the regions seen."""

    time: float  # seconds since the start
    x: float  # strides
    y: float  # strides
    heading: float  # radians
    regions: tuple[Region, ...]


@dataclass(frozen=True)
class Size:
    """How tall things of a colour are, by how many pairs of sightings."""

    strides: float
    pairs: int


def guess_lens(width: int, height: int) -> Lens:
    """A lens to begin with."""
    focal = 0.5 * width / math.tan(0.5 * GUESS_VIEW)
    return Lens(width, height, focal, GUESS_TURN, measured=False)


def find_lens(frames: Sequence[Frame]) -> Lens:
    """The lens from the frames of a look round, one left turn apart; a guess if they show too little."""
    height, width = frames[0].shape[:2]
    guess = guess_lens(width, height)
    profiles = np.stack([_profile(frame) for frame in frames])
    if len(frames) < 3 or profiles.std(1).max() < 1.0:
        return guess
    coarse = sorted((_mismatch(profiles, view, turn), view, turn) for view in _VIEWS for turn in _TURNS)
    error, view, turn = min(_refined(profiles, *start[1:]) for start in coarse[:_STARTS])
    if not math.isfinite(error):
        return guess
    parts = math.tau / turn
    if abs(round(parts) / parts - 1.0) < _WHOLE:
        turn = math.tau / round(parts)
        nearby = view + np.radians(np.arange(-4.0, 4.1, 0.5))
        view = min((_mismatch(profiles, v, turn), v) for v in nearby)[1]
    return replace(guess, focal=0.5 * width / math.tan(0.5 * view), turn=float(turn), measured=True)


def find_sizes(looks: Sequence[Look], lens: Lens) -> dict[int, Size]:
    """How tall the things of each colour are, from all pairs of sightings that can be of one still thing."""
    clearest = [_clearest(look.regions) for look in looks]
    samples: dict[int, list[tuple[float, float]]] = {}  # by colour: heights and their weights
    for index, later in enumerate(looks):
        for before in range(max(0, index - _PAIR_REACH), index):
            earlier = looks[before]
            if math.dist((earlier.x, earlier.y), (later.x, later.y)) < _BASELINE:
                continue
            for color in sorted(set(clearest[index]) & set(clearest[before])):
                pair = clearest[before][color], clearest[index][color]
                if (found := _size_of_pair(earlier, later, pair, lens)) is not None:
                    samples.setdefault(color, []).append(found)
    return {color: _mode(found) for color, found in sorted(samples.items()) if len(found) >= 3}


def merge_sizes(parts: Sequence[Mapping[int, Size]]) -> dict[int, Size]:
    """Sizes found in several games as one: the median by number of pairs."""
    merged: dict[int, Size] = {}
    for color in sorted({color for part in parts for color in part}):
        found = sorted((part[color].strides, part[color].pairs) for part in parts if color in part)
        total, seen = sum(pairs for _, pairs in found), 0
        for strides, pairs in found:
            seen += pairs
            if 2 * seen >= total:
                merged[color] = Size(strides, total)
                break
    return merged


def _profile(frame: Frame) -> NDArray[np.float64]:
    """The mean colours of three bands around the middle of a frame, by column; [W, 9]."""
    height = frame.shape[0]
    edges = [round(share * height) for share in (0.25, 0.42, 0.52, 0.65)]
    bands = [frame[a:b].mean(0) for a, b in pairwise(edges)]
    return np.concatenate(bands, 1)


def _refined(profiles: NDArray[np.float64], view: float, turn: float) -> tuple[float, float, float]:
    """The least mismatch found near a view and a turn, and where."""
    best = (_mismatch(profiles, view, turn), view, turn)
    for step in np.radians([1.0, 0.3]):
        views, turns = best[1] + 2.0 * step * np.arange(-2, 3), best[2] + step * np.arange(-2, 3)
        best = min(best, *((_mismatch(profiles, v, t), v, t) for v in views for t in turns))
    return best


def _mismatch(profiles: NDArray[np.float64], view: float, turn: float) -> float:
    """How badly profiles predict each other under a view and a turn, 1 being no better than their mean.

    All pairs that share enough of the view count, also those a whole circle apart, so that turns which do not
    add up to the circle fail.
    """
    count, width = profiles.shape[:2]
    focal = 0.5 * width / math.tan(0.5 * view)
    bearings = np.arctan((0.5 * width - np.arange(width) - 0.5) / focal)
    still = profiles.std(0).max(-1) < 1.0  # columns that never change are the viewer's own body
    off, plain = 0.0, 1e-9
    for apart in range(1, count):
        # What is at a bearing now is found at that bearing less the turns afterwards.
        after = bearings - math.remainder(apart * turn, math.tau)
        where = 0.5 * width - focal * np.tan(np.clip(after, -1.5, 1.5))
        inside = (np.abs(after) < 1.5) & (where > 0.0) & (where < width)
        if inside.mean() < _OVERLAP:
            if apart == 1:
                return math.inf
            continue
        inside &= ~still
        inside[inside] &= ~still[where[inside].astype(int)]
        before, target = profiles[:-apart][:, inside], profiles[apart:][:, where[inside].astype(int)]
        off += float(np.abs(before - target).sum())
        plain += float(np.abs(before - profiles.mean((0, 1))).sum())
    return off / plain


def _clearest(regions: Sequence[Region]) -> dict[int, Region]:
    """The tallest region of each colour: the nearest thing, or the largest piece of one half hidden."""
    tallest: dict[int, Region] = {}
    for region in regions:
        if region.color not in tallest or region.tall > tallest[region.color].tall:
            tallest[region.color] = region
    return {
        color: region
        for color, region in tallest.items()
        if region.tall >= _SHARP and region.top > 0 and not region.cut
    }


def _size_of_pair(
    earlier: Look, later: Look, pair: tuple[Region, Region], lens: Lens
) -> tuple[float, float] | None:
    """The height (strides) that puts two sightings in one place, and its weight; None if none does."""
    shift = later.x - earlier.x, later.y - earlier.y
    rays = []
    for look, region in zip((earlier, later), pair, strict=True):
        bearing = lens.bearing(region.column)
        length = lens.focal / region.tall / math.cos(bearing)
        rays.append((length * math.cos(look.heading + bearing), length * math.sin(look.heading + bearing)))
    wx, wy = rays[0][0] - rays[1][0], rays[0][1] - rays[1][1]
    square = wx * wx + wy * wy
    if square < 1e-6:
        return None
    size = (shift[0] * wx + shift[1] * wy) / square
    misfit = math.hypot(shift[0] - size * wx, shift[1] - size * wy)
    if size <= 0.0 or misfit > _MISFIT * math.hypot(*shift):
        return None
    return size, min(region.tall for region in pair) * math.hypot(*shift)


def _mode(found: Sequence[tuple[float, float]]) -> Size:
    """The height around which most weight lies: wrong pairs scatter, right ones agree."""
    logs = np.log([size for size, _ in found])
    weights = np.array([weight for _, weight in found])
    near = np.abs(logs[:, None] - logs[None]) < 0.2
    best = int((near @ weights).argmax())
    chosen = near[best]
    return Size(float(np.exp(np.average(logs[chosen], weights=weights[chosen]))), int(chosen.sum()))
