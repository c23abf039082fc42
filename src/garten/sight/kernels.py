# mypy: ignore-errors
# ruff: noqa: UP018, RUF046 - Warp takes int(0), not 0, for a variable that a loop changes
"""The ray caster's kernels: place the shapes before a camera, list them by tile, draw.

A pixel's ray has a direction whose camera-frame z is -1, so the ray's parameter is the metric depth along
the viewing axis. Shapes are sorted by their nearest depth; every tile lists the shapes whose outline may
touch it, in that order, and a pixel stops at the first shape that begins behind what it has already hit. The
same lists over a grid in the plane across the sun's direction serve the shadow rays.

Each output element is written by one thread from inputs alone, so results do not depend on scheduling.
"""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.scene import NO_ID
from garten.sight import shapes

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

TILE = 8
"""Pixels along the side of a screen tile."""

SUN_CELLS = 16
"""Cells along the side of the sun's grid."""

_TILE = wp.constant(TILE)
SUN_COLUMNS = wp.constant(SUN_CELLS)
_NO_ID = wp.constant(NO_ID)
_FAR = wp.constant(1.0e30)  # bounds of what has no end
_EYE = wp.constant(1.0e-4)  # depth of the plane in front of which bounds are projected
_LOW_SUN = wp.constant(0.1)  # height of the sun below which shadows count as no longer
_LARGE = wp.constant(8.0)  # a shape of this many times the usual extent has no say in where the grid lies
LIFT = wp.constant(
    1.0e-3
)  # metres by which shadow rays start above a surface, so that it does not shade itself


CONDITION = (float, wp.vec3, int)
"""What `draw_condition` writes for each pixel."""

RAW = (wp.vec3ub,)
"""What `draw_raw` writes for each pixel."""

MOTION = (wp.vec2, float)
"""What `draw_motion` writes for each pixel."""


@wp.struct
class Shapes:
    """A scene's shapes on the device."""

    kinds: wp.array(dtype=int)
    sizes: wp.array(dtype=wp.vec3)
    objects: wp.array(dtype=int)
    asset: wp.array(dtype=int)  # index into the meshes or the height fields
    colors: wp.array(dtype=wp.vec3)  # sRGB of each shape's material, 0 to 1
    lows: wp.array(dtype=wp.vec3)  # own-frame bounds
    highs: wp.array(dtype=wp.vec3)
    reaches: wp.array(dtype=float)  # no point is farther than this from the shape's position, metres
    positions: wp.array(dtype=wp.vec3)  # world frame, metres
    rotations: wp.array(dtype=wp.vec4)  # quaternions (w, x, y, z)


@wp.struct
class View:
    """Shapes as one camera sees them."""

    turns: wp.array(dtype=wp.mat33)  # camera frame to shape frame
    eyes: wp.array(dtype=wp.vec3)  # the camera's position in the shape frame
    nears: wp.array(dtype=float)  # least depth of the shape's bounds; infinite if none of it is ahead
    outlines: wp.array(dtype=wp.vec4)  # (x0, y0, x1, y1) that the bounds cover on the image, pixels
    order: wp.array(dtype=int)  # shapes from near to far


@wp.struct
class Shade:
    """Shapes as the sun sees them."""

    turns: wp.array(dtype=wp.mat33)  # world frame to shape frame
    spans: wp.array(dtype=wp.vec2)  # lowest and highest point in the world frame, metres
    suns: wp.array(dtype=wp.vec3)  # direction towards the sun in the shape frame
    tops: wp.array(dtype=float)  # greatest extent towards the sun, metres
    outlines: wp.array(dtype=wp.vec4)  # extents along the two axes across the sun's direction, metres
    order: wp.array(dtype=int)
    grid: wp.array(dtype=wp.vec4)  # [1] (first a, first b, width and height of a cell), metres
    counts: wp.array(dtype=int)  # [cells]
    lists: wp.array2d(dtype=int)  # [cells, shapes]


@wp.struct
class Lens:
    """A camera; one-element arrays, so that a recorded launch sees new values."""

    turn: wp.array(dtype=wp.mat33)  # camera frame to world frame
    position: wp.array(dtype=wp.vec3)
    focal: wp.array(dtype=wp.vec3)  # (focal length, principal x, principal y), pixels


@wp.struct
class Lamp:
    """Sun and sky."""

    frame: wp.array(
        dtype=wp.mat33
    )  # rows: two axes across the sun's direction, the direction towards the sun
    ambient: wp.array(dtype=float)
    softness: wp.array(dtype=float)  # tangent of the sun's radius; 0 for hard shadows
    sky: wp.array(dtype=wp.vec3)
    horizon: wp.array(dtype=wp.vec3)


@wp.func
def _matrix(q: wp.vec4) -> wp.mat33:
    return wp.quat_to_matrix(wp.quat(q[1], q[2], q[3], q[0]))


@wp.func
def _corner(low: wp.vec3, high: wp.vec3, k: int) -> wp.vec3:
    """Corner `k` of a box; bit i of `k` chooses the high end along axis i."""
    return wp.vec3(
        wp.where((k & 1) != 0, high[0], low[0]),
        wp.where((k & 2) != 0, high[1], low[1]),
        wp.where((k & 4) != 0, high[2], low[2]),
    )


@wp.func
def _endless(shapes_in: Shapes, i: int) -> bool:
    return shapes_in.highs[i][0] >= _FAR or shapes_in.highs[i][1] >= _FAR


@wp.kernel
def place_shapes(
    # In:
    shapes_in: Shapes,
    lens_in: Lens,
    # Out:
    view_out: View,
):
    """For each shape: the camera in its frame, its nearest depth and its outline on the image."""
    i = wp.tid()
    camera = lens_in.turn[0]
    turn = wp.transpose(_matrix(shapes_in.rotations[i])) * camera
    eye = wp.transpose(_matrix(shapes_in.rotations[i])) * (lens_in.position[0] - shapes_in.positions[i])
    view_out.turns[i] = turn
    view_out.eyes[i] = eye
    if _endless(shapes_in, i):
        view_out.nears[i] = 0.0
        view_out.outlines[i] = wp.vec4(-_FAR, -_FAR, _FAR, _FAR)
        return
    low = shapes_in.lows[i]
    high = shapes_in.highs[i]
    to_camera = wp.transpose(turn)
    focal = lens_in.focal[0]
    near = float(wp.inf)
    x0 = float(wp.inf)
    y0 = float(wp.inf)
    x1 = float(-wp.inf)
    y1 = float(-wp.inf)
    # The outline of the bounds is that of their corners ahead of the eye, and of the points where an edge
    # from such a corner reaches the eye's plane.
    for k in range(8):
        corner = to_camera * (_corner(low, high, k) - eye)
        if -corner[2] >= _EYE:
            for edge in range(4):
                point = corner
                if edge > 0:
                    other = to_camera * (_corner(low, high, k ^ (1 << (edge - 1))) - eye)
                    if -other[2] < _EYE:
                        share = (-corner[2] - _EYE) / (other[2] - corner[2])
                        point = corner + share * (other - corner)
                        point[2] = -_EYE
                depth = -point[2]
                x = focal[1] + focal[0] * point[0] / depth
                y = focal[2] - focal[0] * point[1] / depth
                near = wp.min(near, depth)
                x0 = wp.min(x0, x)
                y0 = wp.min(y0, y)
                x1 = wp.max(x1, x)
                y1 = wp.max(y1, y)
    # A margin for rounding: one pixel across, a thousandth in depth.
    view_out.nears[i] = 0.999 * near
    view_out.outlines[i] = wp.vec4(x0 - 1.0, y0 - 1.0, x1 + 1.0, y1 + 1.0)


@wp.kernel
def sort_shapes(
    # In and out:
    view: View,
):
    """Rank the shapes by nearest depth, equal ones by index."""
    i = wp.tid()
    near = view.nears[i]
    rank = int(0)
    for j in range(view.nears.shape[0]):
        other = view.nears[j]
        if other < near or (other == near and j < i):
            rank += 1
    view.order[rank] = i


@wp.kernel
def place_shades(
    # In:
    shapes_in: Shapes,
    lamp_in: Lamp,
    # Out:
    shade_out: Shade,
):
    """For each shape: the sun in its frame, and its extents towards and across the sun."""
    i = wp.tid()
    matrix = _matrix(shapes_in.rotations[i])
    frame = lamp_in.frame[0]
    shade_out.turns[i] = wp.transpose(matrix)
    shade_out.suns[i] = wp.transpose(matrix) * wp.vec3(frame[2, 0], frame[2, 1], frame[2, 2])
    if _endless(shapes_in, i):
        height = shapes_in.positions[i][2]
        shade_out.spans[i] = wp.vec2(height, height)
        shade_out.tops[i] = _FAR
        shade_out.outlines[i] = wp.vec4(-_FAR, -_FAR, _FAR, _FAR)
        return
    lowest = wp.vec3(wp.inf, wp.inf, wp.inf)
    highest = -lowest
    bottom = float(wp.inf)
    top = float(-wp.inf)
    for k in range(8):
        corner = matrix * _corner(shapes_in.lows[i], shapes_in.highs[i], k) + shapes_in.positions[i]
        bottom = wp.min(bottom, corner[2])
        top = wp.max(top, corner[2])
        point = frame * corner
        lowest = wp.min(lowest, point)
        highest = wp.max(highest, point)
    shade_out.spans[i] = wp.vec2(bottom, top)
    shade_out.tops[i] = highest[2]
    shade_out.outlines[i] = wp.vec4(lowest[0], lowest[1], highest[0], highest[1])


@wp.func
def _extent(outline: wp.vec4) -> float:
    return wp.max(outline[2] - outline[0], outline[3] - outline[1])


@wp.kernel
def fit_sun_grid(
    # In:
    lamp_in: Lamp,
    # In and out:
    shade: Shade,
):
    """Lay the sun's grid over the shapes of usual extent; its outer ring stands for all that is beyond.

    Outlines grow by as much as a soft shadow spreads on its way from the shape to the lowest ground.
    """
    ground = float(wp.inf)
    total = float(0.0)
    number = float(0.0)
    for i in range(shade.outlines.shape[0]):
        ground = wp.min(ground, shade.spans[i][0])
        outline = shade.outlines[i]
        if outline[2] < _FAR:
            total += wp.log(wp.max(_extent(outline), 1.0e-3))
            number += 1.0
    usual = wp.exp(total / wp.max(number, 1.0))
    a0 = float(wp.inf)
    b0 = float(wp.inf)
    a1 = float(-wp.inf)
    b1 = float(-wp.inf)
    for i in range(shade.outlines.shape[0]):
        outline = shade.outlines[i]
        if _extent(outline) <= _LARGE * usual:
            a0 = wp.min(a0, outline[0])
            b0 = wp.min(b0, outline[1])
            a1 = wp.max(a1, outline[2])
            b1 = wp.max(b1, outline[3])
    if a1 < a0:
        a0 = 0.0
        b0 = 0.0
        a1 = 0.0
        b1 = 0.0
    inner = float(SUN_COLUMNS - 2)
    wide = wp.max(1.001 * (a1 - a0), 1.0e-3) / inner
    high = wp.max(1.001 * (b1 - b0), 1.0e-3) / inner
    a0 = a0 - 1.0005 * wide
    b0 = b0 - 1.0005 * high
    shade.grid[0] = wp.vec4(a0, b0, wide, high)
    # What a shape covers beyond the grid goes to the middle of the ring's cells, where points beyond it are
    # looked up.
    a0 = a0 + 0.5 * wide
    b0 = b0 + 0.5 * high
    a1 = a0 + wide * (inner + 1.0)
    b1 = b0 + high * (inner + 1.0)
    spread = lamp_in.softness[0] / wp.max(lamp_in.frame[0][2, 2], _LOW_SUN)
    for i in range(shade.outlines.shape[0]):
        outline = shade.outlines[i]
        margin = spread * (shade.spans[i][1] - ground)
        shade.outlines[i] = wp.vec4(
            wp.clamp(outline[0] - margin, a0, a1),
            wp.clamp(outline[1] - margin, b0, b1),
            wp.clamp(outline[2] + margin, a0, a1),
            wp.clamp(outline[3] + margin, b0, b1),
        )


@wp.kernel
def list_shapes(
    # In:
    outlines_in: wp.array(dtype=wp.vec4),
    order_in: wp.array(dtype=int),
    grid_in: wp.array(dtype=wp.vec4),
    columns: int,
    # Out:
    counts_out: wp.array(dtype=int),
    lists_out: wp.array2d(dtype=int),
):
    """For each cell of a grid: the shapes whose outline touches it, in the order given."""
    cell = wp.tid()
    grid = grid_in[0]
    x0 = grid[0] + grid[2] * float(cell % columns)
    y0 = grid[1] + grid[3] * float(cell // columns)
    x1 = x0 + grid[2]
    y1 = y0 + grid[3]
    count = int(0)
    for k in range(order_in.shape[0]):
        i = order_in[k]
        outline = outlines_in[i]
        if outline[0] <= x1 and outline[2] >= x0 and outline[1] <= y1 and outline[3] >= y0:
            lists_out[cell, count] = i
            count += 1
    counts_out[cell] = count


@wp.struct
class Tiles:
    """The shapes listed for each screen tile."""

    counts: wp.array(dtype=int)  # [tiles]
    lists: wp.array2d(dtype=int)  # [tiles, shapes]


@wp.struct
class Seen:
    """What a pixel's ray meets first."""

    depth: float
    shape: int  # -1: nothing
    normal: wp.vec3  # unit, shape frame, either side


@wp.func
def ray_of(lens: Lens, row: int, column: int) -> wp.vec3:
    """The ray through the middle of a pixel, camera frame, with z of -1."""
    focal = lens.focal[0]
    return wp.vec3(
        (float(column) + 0.5 - focal[1]) / focal[0], (focal[2] - float(row) - 0.5) / focal[0], -1.0
    )


@wp.func
def first_seen(
    ray: wp.vec3,
    row: int,
    column: int,
    columns: int,
    shapes_in: Shapes,
    view: View,
    assets: shapes.Assets,
    tiles: Tiles,
) -> Seen:
    """What a ray that lies in the pixel at `row`, `column` meets first."""
    seen = Seen()
    seen.depth = wp.inf
    seen.shape = int(-1)
    tile = (row // _TILE) * columns + column // _TILE
    for k in range(tiles.counts[tile]):
        i = tiles.lists[tile, k]
        if view.nears[i] > seen.depth:
            break
        met = shapes.intersect(
            shapes_in.kinds[i],
            view.eyes[i],
            view.turns[i] * ray,
            shapes_in.sizes[i],
            shapes_in.asset[i],
            assets,
        )
        if met[0] < seen.depth:
            seen.depth = met[0]
            seen.shape = i
            seen.normal = wp.vec3(met[1], met[2], met[3])
    return seen


@wp.func
def facing(seen: Seen, ray: wp.vec3, view: View) -> wp.vec3:
    """The normal in the camera frame, on the side that faces the camera."""
    normal = wp.transpose(view.turns[seen.shape]) * seen.normal
    if wp.dot(normal, ray) > 0.0:
        normal = -normal
    return normal


@wp.kernel
def draw_condition(
    # In:
    shapes_in: Shapes,
    assets_in: shapes.Assets,
    lens_in: Lens,
    view_in: View,
    tiles_in: Tiles,
    columns: int,
    # Out:
    depth_out: wp.array2d(dtype=float),
    normal_out: wp.array2d(dtype=wp.vec3),
    ids_out: wp.array2d(dtype=int),
):
    """Depth, normal and id of every pixel."""
    row, column = wp.tid()
    ray = ray_of(lens_in, row, column)
    seen = first_seen(ray, row, column, columns, shapes_in, view_in, assets_in, tiles_in)
    depth_out[row, column] = seen.depth
    if seen.shape < 0:
        normal_out[row, column] = wp.vec3(0.0, 0.0, 0.0)
        ids_out[row, column] = _NO_ID
        return
    normal_out[row, column] = facing(seen, ray, view_in)
    ids_out[row, column] = shapes_in.objects[seen.shape]


@wp.func
def _in_shadow(
    point: wp.vec3, own: int, shapes_in: Shapes, assets: shapes.Assets, shade: Shade, frame: wp.mat33
) -> bool:
    """Whether some shape lies between `point` (world frame) and the sun."""
    across = frame * point
    grid = shade.grid[0]
    last = float(SUN_COLUMNS - 1)
    column = int(wp.clamp((across[0] - grid[0]) / grid[2], 0.0, last))
    row = int(wp.clamp((across[1] - grid[1]) / grid[3], 0.0, last))
    cell = row * SUN_COLUMNS + column
    for k in range(shade.counts[cell]):
        i = shade.lists[cell, k]
        kind = shapes_in.kinds[i]
        # A convex shape does not shade its own sunny side; the two that can are lifted off instead.
        shades_self = kind == shapes.HEIGHT_FIELD or kind == shapes.MESH
        if shade.tops[i] > across[2] and (i != own or shades_self):
            origin = shade.turns[i] * (point - shapes_in.positions[i])
            met = shapes.intersect(
                kind, origin, shade.suns[i], shapes_in.sizes[i], shapes_in.asset[i], assets
            )
            if met[0] < wp.inf:
                return True
    return False


@wp.func
def _byte(value: float) -> wp.uint8:
    return wp.uint8(int(wp.clamp(value, 0.0, 1.0) * 255.0 + 0.5))


@wp.func
def rgb(color: wp.vec3) -> wp.vec3ub:
    """A colour, 0 to 1, as bytes."""
    return wp.vec3ub(_byte(color[0]), _byte(color[1]), _byte(color[2]))


@wp.kernel
def draw_raw(
    # In:
    shapes_in: Shapes,
    assets_in: shapes.Assets,
    lens_in: Lens,
    view_in: View,
    tiles_in: Tiles,
    columns: int,
    lamp_in: Lamp,
    shade_in: Shade,
    # Out:
    image_out: wp.array2d(dtype=wp.vec3ub),
):
    """The colour of every pixel: material, sun, hard shadow, sky."""
    row, column = wp.tid()
    ray = ray_of(lens_in, row, column)
    seen = first_seen(ray, row, column, columns, shapes_in, view_in, assets_in, tiles_in)
    turn = lens_in.turn[0]
    if seen.shape < 0:
        up = (turn * ray)[2] / wp.length(ray)
        share = wp.sqrt(wp.clamp(up, 0.0, 1.0))
        image_out[row, column] = rgb(lamp_in.horizon[0] + share * (lamp_in.sky[0] - lamp_in.horizon[0]))
        return
    frame = lamp_in.frame[0]
    normal = turn * facing(seen, ray, view_in)
    across = frame * normal
    lit = across[2]
    if lit > 0.0:
        point = lens_in.position[0] + turn * (seen.depth * ray) + LIFT * normal
        if _in_shadow(point, seen.shape, shapes_in, assets_in, shade_in, frame):
            lit = 0.0
    # Light adds up linearly; the square root takes it to sRGB, near enough and much cheaper than the curve.
    # The sky is brighter above and a little to one side of the sun, so that no two faces of a box look alike.
    ambient = lamp_in.ambient[0]
    sky = ambient * (0.8 + 0.2 * normal[2] + 0.1 * across[0])
    light = sky + (1.0 - ambient) * wp.max(lit, 0.0)
    image_out[row, column] = rgb(wp.sqrt(wp.max(light, 0.0)) * shapes_in.colors[seen.shape])


@wp.kernel
def draw_motion(
    # In:
    shapes_in: Shapes,
    assets_in: shapes.Assets,
    lens_in: Lens,
    view_in: View,
    tiles_in: Tiles,
    columns: int,
    later_lens_in: Lens,
    later_view_in: View,
    # Out:
    motion_out: wp.array2d(dtype=wp.vec2),
    depth_out: wp.array2d(dtype=float),
):
    """How far what each pixel sees moves on the image until the later view, and how deep it lies there."""
    row, column = wp.tid()
    ray = ray_of(lens_in, row, column)
    seen = first_seen(ray, row, column, columns, shapes_in, view_in, assets_in, tiles_in)
    later = wp.vec3(0.0, 0.0, 0.0)
    depth_out[row, column] = wp.inf
    if seen.shape < 0:
        # What is endlessly far away moves with the turn of the camera alone.
        later = wp.transpose(later_lens_in.turn[0]) * (lens_in.turn[0] * ray)
    else:
        i = seen.shape
        point = view_in.eyes[i] + seen.depth * (view_in.turns[i] * ray)
        later = wp.transpose(later_view_in.turns[i]) * (point - later_view_in.eyes[i])
        depth_out[row, column] = -later[2]
    if later[2] >= 0.0:
        motion_out[row, column] = wp.vec2(wp.nan, wp.nan)
        return
    focal = later_lens_in.focal[0]
    x = focal[1] - focal[0] * later[0] / later[2]
    y = focal[2] + focal[0] * later[1] / later[2]
    motion_out[row, column] = wp.vec2(x - float(column) - 0.5, y - float(row) - 0.5)
