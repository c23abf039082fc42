# mypy: ignore-errors
# ruff: noqa: UP018, RUF046 - Warp takes int(0), not 0, for a variable that a loop changes
"""The kernel of the `photo` look: surfaces in a coat, a sun with soft shadows, a sky, corners, fog.

Everything is a smooth function of the place on the surface, without random draws by pixel: light that falls
into corners follows from distances (`distances`), the sun's disc is sampled in a pattern that is the same in
every pixel, and detail fades before it is finer than a pixel (`materials`). A network that learns from these
frames finds no noise to learn, and what a surface looks like moves with it.
"""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.sight import distances, kernels, materials, shapes
from garten.sight.surfaces import GAMMA

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

PHOTO = (wp.vec3ub,)
"""What `draw_photo` writes for each pixel."""

SUN_RAYS = 8
"""Places on the sun's disc that one sample of a pixel sends rays to."""

SAMPLES = 4
"""Samples of a pixel; together they send rays to all places of `Air.disc`."""

_SUN_RAYS = wp.constant(SUN_RAYS)
_ALL_RAYS = wp.constant((1 << SUN_RAYS) - 1)
_SAMPLES = wp.constant(SAMPLES)
_GAMMA = wp.constant(1.0 / GAMMA)
_STEPS = wp.constant(wp.vec4(0.07, 0.2, 0.5, 1.1))  # metres above a surface at which its openness is probed
_WEIGHTS = wp.constant(wp.vec4(0.15, 0.25, 0.25, 0.25))
_EXPOSURE = wp.constant(1.55)
_RELIEF = wp.constant(0.9)  # how strongly tufts and joints catch the light


@wp.struct
class Coat:
    """What each shape is painted with."""

    patterns: wp.array(dtype=int)
    sizes: wp.array(dtype=float)  # metres
    bright: wp.array(dtype=wp.vec3)  # linear
    dark: wp.array(dtype=wp.vec3)


@wp.struct
class Air:
    """Light and air; one-element arrays, so that a recorded launch sees new values."""

    sun: wp.array(dtype=wp.vec3)  # linear light on what faces the sun
    zenith: wp.array(dtype=wp.vec3)  # linear light on what looks up
    sky: wp.array(dtype=wp.vec3)
    horizon: wp.array(dtype=wp.vec3)
    haze: wp.array(dtype=wp.vec3)  # (fog per metre, share of clouds, tangent of the sun's radius)
    disc: wp.array(dtype=wp.vec2)  # places on a unit disc, dealt out to samples in turn


@wp.func
def _sky(toward: wp.vec3, sun: wp.vec3, air: Air) -> wp.vec3:
    """The linear colour of the sky in a unit direction."""
    up = toward[2]
    horizon = air.horizon[0]
    share = wp.pow(wp.clamp(up, 0.0, 1.0), 0.55)
    color = horizon + share * (air.sky[0] - horizon)
    cover = air.haze[0][1]
    if up > 0.01:
        at = wp.vec3(toward[0] / (up + 0.15), toward[1] / (up + 0.15), 0.0)
        thick = materials.clouds(1.3 * at, 0.004 / (up + 0.05), 4) + 1.5 * cover - 0.85
        share = wp.clamp(1.6 * thick, 0.0, 1.0) * wp.clamp(4.0 * up, 0.0, 1.0)
        white = 0.55 * air.sun[0] + 0.6 * air.zenith[0]
        color = color + 0.8 * share * (white - color)
    near = wp.max(wp.dot(toward, sun), 0.0)
    return color + (0.1 * wp.pow(near, 6.0) + 0.5 * wp.pow(near, 90.0)) * (1.0 - 0.8 * cover) * air.sun[0]


@wp.func
def _sunlit(
    point: wp.vec3,
    own: int,
    sample: int,
    shapes_in: kernels.Shapes,
    assets: shapes.Assets,
    shade: kernels.Shade,
    frame: wp.mat33,
    air: Air,
) -> float:
    """The share of the sun's disc that is seen from `point` (world frame), by one sample's rays."""
    across = frame * point
    grid = shade.grid[0]
    last = float(kernels.SUN_COLUMNS - 1)
    a = wp.clamp((across[0] - grid[0]) / grid[2], 0.5, last + 0.5)
    b = wp.clamp((across[1] - grid[1]) / grid[3], 0.5, last + 0.5)
    at = wp.vec2(grid[0] + a * grid[2], grid[1] + b * grid[3])
    cell = int(b) * kernels.SUN_COLUMNS + int(a)
    side = wp.vec3(frame[0, 0], frame[0, 1], frame[0, 2])
    over = wp.vec3(frame[1, 0], frame[1, 1], frame[1, 2])
    blocked = int(0)
    for k in range(shade.counts[cell]):
        i = shade.lists[cell, k]
        kind = shapes_in.kinds[i]
        outline = shade.outlines[i]
        shades_self = kind == shapes.HEIGHT_FIELD or kind == shapes.MESH
        inside = outline[0] <= at[0] and outline[2] >= at[0] and outline[1] <= at[1] and outline[3] >= at[1]
        if inside and shade.tops[i] > across[2] and (i != own or shades_self):
            turn = shade.turns[i]
            origin = turn * (point - shapes_in.positions[i])
            for ray in range(_SUN_RAYS):
                if (blocked >> ray) & 1 == 0:
                    place = air.haze[0][2] * air.disc[ray * _SAMPLES + sample]
                    toward = shade.suns[i] + turn * (place[0] * side + place[1] * over)
                    met = shapes.intersect(
                        kind, origin, toward, shapes_in.sizes[i], shapes_in.asset[i], assets
                    )
                    if met[0] < wp.inf:
                        blocked = blocked | (1 << ray)
            if blocked == _ALL_RAYS:
                return 0.0
    seen = float(0.0)
    for ray in range(_SUN_RAYS):
        seen += float(1 - ((blocked >> ray) & 1))
    return seen / float(_SUN_RAYS)


@wp.func
def _openness(
    point: wp.vec3,
    normal: wp.vec3,
    own: int,
    shapes_in: kernels.Shapes,
    assets: shapes.Assets,
    shade: kernels.Shade,
) -> float:
    """How much of the sky above a surface is free of what stands near, 0 to 1.

    Probes a few heights above the surface: what is nearer there than the surface itself takes sky away.
    """
    room = _STEPS
    enough = 2.0 * _STEPS[3]  # what is so far from the surface is nearer to no probe than the surface is
    for i in range(shapes_in.kinds.shape[0]):
        offset = point - shapes_in.positions[i]
        reach = shapes_in.reaches[i] + enough
        kind = shapes_in.kinds[i]
        takes_own = kind == shapes.HEIGHT_FIELD or kind == shapes.MESH
        if wp.dot(offset, offset) < reach * reach and (i != own or takes_own):
            turn = shade.turns[i]
            origin = turn * offset
            upward = turn * normal
            for k in range(4):
                away = distances.distance(
                    kind,
                    origin + _STEPS[k] * upward,
                    shapes_in.sizes[i],
                    shapes_in.asset[i],
                    assets,
                )
                room[k] = wp.min(room[k], away)
                if away > enough - _STEPS[k]:
                    break
    taken = float(0.0)
    for k in range(4):
        taken += _WEIGHTS[k] * (1.0 - room[k] / _STEPS[k])
    return wp.clamp(1.0 - taken, 0.0, 1.0)


@wp.kernel
def draw_photo(
    # In:
    shapes_in: kernels.Shapes,
    assets_in: shapes.Assets,
    lens_in: kernels.Lens,
    view_in: kernels.View,
    tiles_in: kernels.Tiles,
    columns: int,
    lamp_in: kernels.Lamp,
    shade_in: kernels.Shade,
    coat_in: Coat,
    air_in: Air,
    # Out:
    image_out: wp.array2d(dtype=wp.vec3ub),
):
    """The colour of every pixel, from four samples."""
    row, column = wp.tid()
    turn = lens_in.turn[0]
    eye = lens_in.position[0]
    focal = lens_in.focal[0]
    frame = lamp_in.frame[0]
    sun = wp.vec3(frame[2, 0], frame[2, 1], frame[2, 2])
    haze = air_in.haze[0]
    total = wp.vec3(0.0, 0.0, 0.0)
    last = int(-1)  # the shape that `free` was found on
    free = float(1.0)
    for sample in range(_SAMPLES):
        # A square of four, turned so that no two share a row or a column.
        x = float(column) + 0.125 + 0.25 * float((5 * sample + 1) % 4)
        y = float(row) + 0.125 + 0.25 * float(sample)
        ray = wp.vec3((x - focal[1]) / focal[0], (focal[2] - y) / focal[0], -1.0)
        seen = kernels.first_seen(ray, row, column, columns, shapes_in, view_in, assets_in, tiles_in)
        stretch = wp.length(ray)
        toward = (turn * ray) / stretch
        color = wp.vec3(0.0, 0.0, 0.0)
        if seen.shape < 0:
            color = _sky(toward, sun, air_in)
        else:
            i = seen.shape
            facing = kernels.facing(seen, ray, view_in)
            normal = turn * facing
            cosine = wp.max(-wp.dot(normal, toward), 0.05)
            point = eye + seen.depth * (turn * ray) + kernels.LIFT * normal
            local = view_in.eyes[i] + seen.depth * (view_in.turns[i] * ray)
            own = shade_in.turns[i] * normal
            thing = wp.vec3(7.7, 5.3, 3.1) * float(shapes_in.objects[i])
            pattern = coat_in.patterns[i]
            size = coat_in.sizes[i]
            footprint = 0.75 * seen.depth * stretch / focal[0] / wp.sqrt(wp.max(cosine, 0.1))
            much = materials.shown(pattern, size, local + thing, own, footprint)
            base = wp.lerp(coat_in.dark[i], coat_in.bright[i], much)
            if i != last:
                free = _openness(point, normal, i, shapes_in, assets_in, shade_in)
                last = i
            lit = wp.dot(normal, sun)
            direct = float(0.0)
            if lit > 0.0:
                direct = lit * _sunlit(point, i, sample, shapes_in, assets_in, shade_in, frame, air_in)
            if pattern == materials.FLEECE or pattern == materials.MEADOW or pattern == materials.BRICKS:
                # What stands out is brighter on the side of the sun.
                shifted = local + thing + 0.12 * size * (shade_in.turns[i] * sun)
                behind = materials.shown(pattern, size, shifted, own, footprint)
                direct = direct * wp.clamp(1.0 + _RELIEF * (much - behind), 0.3, 1.7)
            # Light from above is that of the sky, from below what the ground throws back.
            sky = (0.62 + 0.38 * normal[2]) * free
            bounce = 0.12 * (1.0 - normal[2]) * wp.max(sun[2], 0.0)
            light = sky * air_in.zenith[0] + (direct * (0.35 + 0.65 * free) + bounce * free) * air_in.sun[0]
            color = wp.cw_mul(base, light)
            if pattern == materials.WATER:
                tilt = 0.12 * (much - 0.5)
                mirror = normal + wp.vec3(tilt, -tilt, 0.0)
                back = wp.normalize(toward - 2.0 * wp.dot(toward, mirror) * mirror)
                share = 0.06 + 0.8 * wp.pow(1.0 - cosine, 4.0)
                color = color + share * (_sky(back, sun, air_in) - color)
            far = 1.0 - wp.exp(-haze[0] * seen.depth * stretch)
            color = color + far * (
                _sky(wp.normalize(wp.vec3(toward[0], toward[1], 0.0)), sun, air_in) - color
            )
        for channel in range(3):
            total[channel] = total[channel] + 1.0 - wp.exp(-_EXPOSURE * color[channel])
    for channel in range(3):
        total[channel] = wp.pow(wp.clamp(total[channel] / float(_SAMPLES), 0.0, 1.0), _GAMMA)
    image_out[row, column] = kernels.rgb(total)
