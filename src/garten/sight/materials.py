# mypy: ignore-errors
# ruff: noqa: UP018 - Warp takes int(0), not 0, for a variable that a loop changes
"""Procedural surfaces as Warp functions of a point in the shape's own frame.

A surface is anchored to its shape: it moves and turns with it, and is the same from wherever it is seen.
Detail finer than a pixel fades to its mean, so that nothing flickers when the camera moves; `footprint` is
the width, in metres on the surface, of what the pixel covers. All return how much of the bright colour shows,
0 to 1, about 0.5 on average.
"""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.sight.surfaces import Pattern

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

MEADOW = wp.constant(int(Pattern.MEADOW))
FLEECE = wp.constant(int(Pattern.FLEECE))
EARTH = wp.constant(int(Pattern.EARTH))
BRICKS = wp.constant(int(Pattern.BRICKS))
PLANKS = wp.constant(int(Pattern.PLANKS))
TILES = wp.constant(int(Pattern.TILES))
STRIPES = wp.constant(int(Pattern.STRIPES))
WATER = wp.constant(int(Pattern.WATER))


@wp.func
def chance(x: int, y: int, z: int) -> float:
    """A number in [0, 1) for a point of the integer lattice."""
    h = (
        wp.uint32(x) * wp.uint32(374761393)
        + wp.uint32(y) * wp.uint32(668265263)
        + wp.uint32(z) * wp.uint32(1103515245)
    )
    h = (h ^ (h >> wp.uint32(15))) * wp.uint32(1274126177)
    h = (h ^ (h >> wp.uint32(13))) * wp.uint32(1911520717)
    h = h ^ (h >> wp.uint32(16))
    return float(h & wp.uint32(16777215)) / 16777216.0


@wp.func
def _ease(t: float) -> float:
    return t * t * (3.0 - 2.0 * t)


@wp.func
def noise(p: wp.vec3) -> float:
    """Smooth value noise of one feature per unit, -1 to 1."""
    x = wp.floor(p[0])
    y = wp.floor(p[1])
    z = wp.floor(p[2])
    i = int(x)
    j = int(y)
    k = int(z)
    u = _ease(p[0] - x)
    v = _ease(p[1] - y)
    w = _ease(p[2] - z)
    low = wp.lerp(
        wp.lerp(chance(i, j, k), chance(i + 1, j, k), u),
        wp.lerp(chance(i, j + 1, k), chance(i + 1, j + 1, k), u),
        v,
    )
    high = wp.lerp(
        wp.lerp(chance(i, j, k + 1), chance(i + 1, j, k + 1), u),
        wp.lerp(chance(i, j + 1, k + 1), chance(i + 1, j + 1, k + 1), u),
        v,
    )
    return 2.0 * wp.lerp(low, high, w) - 1.0


@wp.func
def visible(footprint: float, period: float) -> float:
    """How much of a detail of that period survives in a pixel of that footprint, 0 to 1."""
    return wp.clamp(1.7 - 2.4 * footprint / period, 0.0, 1.0)


@wp.func
def clouds(p: wp.vec3, footprint: float, octaves: int) -> float:
    """Noise of several scales, halved and doubled, about -1 to 1; `p` in units of the largest."""
    total = float(0.0)
    height = float(0.6)
    period = float(1.0)
    for _ in range(octaves):
        seen = visible(footprint, period)
        if seen > 0.0:
            total += height * seen * noise(p / period + wp.vec3(7.31, 3.17, 5.77) * period)
        height *= 0.55
        period *= 0.47
    return total


@wp.func
def _wave(x: float, footprint: float) -> float:
    """A square wave of period 2 with soft flanks as wide as a pixel, -1 to 1."""
    soft = wp.max(1.2 * footprint, 0.02)
    inside = wp.abs(x - 2.0 * wp.floor(0.5 * x + 0.5)) - 0.5
    return wp.clamp(-2.0 * inside / soft, -1.0, 1.0) * visible(footprint, 2.0)


@wp.func
def _joint(x: float, wide: float, footprint: float) -> float:
    """1 in a joint of that width at the whole numbers, 0 between them, as much of it as a pixel shows."""
    away = wp.abs(x - wp.floor(x + 0.5))
    soft = wp.max(footprint, 0.02)
    return wp.clamp((wide - away) / soft + 0.5, 0.0, 1.0) * visible(footprint, 1.0)


@wp.func
def flat(p: wp.vec3, normal: wp.vec3) -> wp.vec2:
    """The point on the plane across the axis that the normal is nearest to."""
    x = wp.abs(normal[0])
    y = wp.abs(normal[1])
    z = wp.abs(normal[2])
    if z >= x and z >= y:
        return wp.vec2(p[0], p[1])
    if x >= y:
        return wp.vec2(p[1], p[2])
    return wp.vec2(p[0], p[2])


@wp.func
def _bricks(at: wp.vec2, p: wp.vec3, footprint: float) -> float:
    row = wp.floor(at[1] / 0.45)
    along = at[0] + 0.5 * (row - 2.0 * wp.floor(0.5 * row))
    tint = chance(int(wp.floor(along)), int(row), 17) - 0.5
    joint = wp.max(_joint(along, 0.035, footprint), _joint(at[1] / 0.45, 0.07, footprint / 0.45))
    grain = 0.25 * clouds(3.0 * p, 3.0 * footprint, 2)
    return (0.62 + 0.7 * tint * visible(footprint, 1.0) + grain) * (1.0 - 0.85 * joint)


@wp.func
def _planks(at: wp.vec2, p: wp.vec3, footprint: float) -> float:
    board = wp.floor(at[1])
    tint = chance(int(board), 5, 29) - 0.5
    grain = clouds(wp.vec3(0.45 * at[0] + 9.0 * board, 5.0 * at[1], 0.0), 5.0 * footprint, 3)
    joint = _joint(at[1], 0.045, footprint)
    return (0.58 + 0.55 * tint * visible(footprint, 1.0) + 0.45 * grain) * (1.0 - 0.8 * joint)


@wp.func
def shown(pattern: int, size: float, p: wp.vec3, normal: wp.vec3, footprint: float) -> float:
    """How much of the bright colour a pattern shows at `p` (metres), where the surface faces `normal`."""
    q = p / size
    pixel = footprint / size
    if pattern == MEADOW:
        patches = noise(0.13 * q + wp.vec3(3.3, 1.7, 0.5)) * visible(pixel, 8.0)
        return wp.clamp(0.5 + 0.38 * patches + 0.55 * clouds(q, pixel, 4), 0.0, 1.0)
    if pattern == FLEECE:
        tufts = 1.0 - 2.2 * wp.abs(clouds(q, pixel, 3))
        return wp.clamp(wp.lerp(0.5, tufts, visible(pixel, 1.0)), 0.0, 1.0)
    if pattern == EARTH:
        stains = noise(0.3 * q) * visible(pixel, 3.0)
        return wp.clamp(0.5 + 0.3 * stains + 0.5 * clouds(2.2 * q, 2.2 * pixel, 3), 0.0, 1.0)
    at = flat(q, normal)
    if pattern == BRICKS:
        return wp.clamp(_bricks(at, q, pixel), 0.0, 1.0)
    if pattern == PLANKS:
        return wp.clamp(_planks(at, q, pixel), 0.0, 1.0)
    if pattern == TILES:
        worn = 0.12 * clouds(2.0 * q, 2.0 * pixel, 2)
        return wp.clamp(0.5 + 0.42 * _wave(at[0], pixel) * _wave(at[1], pixel) + worn, 0.0, 1.0)
    if pattern == STRIPES:
        return wp.clamp(0.5 + 0.45 * _wave(at[0] + 0.35 * at[1], pixel), 0.0, 1.0)
    if pattern == WATER:
        return wp.clamp(0.5 + 0.5 * clouds(wp.vec3(q[0], 2.0 * q[1], q[2]), 2.0 * pixel, 3), 0.0, 1.0)
    return wp.clamp(0.5 + 0.5 * clouds(q, pixel, 2), 0.0, 1.0)
