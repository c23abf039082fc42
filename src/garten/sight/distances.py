# mypy: ignore-errors

"""How far a point is from the surface of each kind of shape, as Warp functions in the shape's own frame.

Distances are in metres, the same from within as from outside; beyond the edges of wedges and cones, and over
height fields, they are a little too small. Nothing here is random, so what is made of them has no grain.
"""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.sight import shapes

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

BEYOND = wp.constant(10.0)
"""Metres; what is farther than this from a mesh is not measured."""


@wp.func
def _box(p: wp.vec3, size: wp.vec3) -> float:
    q = wp.vec3(wp.abs(p[0]), wp.abs(p[1]), wp.abs(p[2])) - size
    outside = wp.length(wp.max(q, wp.vec3(0.0, 0.0, 0.0)))
    return outside + wp.min(wp.max(q[0], wp.max(q[1], q[2])), 0.0)


@wp.func
def _capsule(p: wp.vec3, size: wp.vec3) -> float:
    beyond = p[2] - wp.clamp(p[2], -size[1], size[1])
    return wp.length(wp.vec3(p[0], p[1], beyond)) - size[0]


@wp.func
def _cylinder(p: wp.vec3, size: wp.vec3) -> float:
    aside = wp.length(wp.vec2(p[0], p[1])) - size[0]
    above = wp.abs(p[2]) - size[1]
    outside = wp.length(wp.vec2(wp.max(aside, 0.0), wp.max(above, 0.0)))
    return outside + wp.min(wp.max(aside, above), 0.0)


@wp.func
def _cone(p: wp.vec3, size: wp.vec3) -> float:
    side = wp.normalize(wp.vec2(2.0 * size[1], size[0]))
    slant = side[0] * wp.length(wp.vec2(p[0], p[1])) + side[1] * (p[2] - size[1])
    return wp.max(slant, -size[1] - p[2])


@wp.func
def _wedge(p: wp.vec3, size: wp.vec3) -> float:
    slant = wp.dot(wp.normalize(wp.vec3(-size[2], 0.0, size[0])), p)
    return wp.max(_box(p, size), slant)


@wp.func
def _plane(p: wp.vec3, size: wp.vec3) -> float:
    if size[0] <= 0.0 and size[1] <= 0.0:
        return p[2]
    wide = wp.vec3(wp.where(size[0] > 0.0, size[0], 1.0e6), wp.where(size[1] > 0.0, size[1], 1.0e6), 0.0)
    return _box(p, wide)


@wp.func
def _height_field(p: wp.vec3, size: wp.vec3, grid: wp.vec3i, heights: wp.array(dtype=float)) -> float:
    rows = grid[1]
    columns = grid[2]
    u = wp.clamp((p[0] + size[0]) / (2.0 * size[0]), 0.0, 1.0) * float(columns - 1)
    v = wp.clamp((p[1] + size[1]) / (2.0 * size[1]), 0.0, 1.0) * float(rows - 1)
    column = wp.min(int(u), columns - 2)
    row = wp.min(int(v), rows - 2)
    base = grid[0] + row * columns + column
    share = u - float(column)
    near = wp.lerp(heights[base], heights[base + 1], share)
    far = wp.lerp(heights[base + columns], heights[base + columns + 1], share)
    above = p[2] - size[2] * wp.lerp(near, far, v - float(row))
    aside = wp.vec2(wp.max(wp.abs(p[0]) - size[0], 0.0), wp.max(wp.abs(p[1]) - size[1], 0.0))
    return wp.max(0.8 * wp.abs(above), wp.length(aside))


@wp.func
def _mesh(p: wp.vec3, size: wp.vec3, handle: wp.uint64) -> float:
    query = wp.mesh_query_point_no_sign(handle, wp.cw_div(p, size), BEYOND)
    if not query.result:
        return BEYOND
    nearest = wp.mesh_eval_position(handle, query.face, query.u, query.v)
    return wp.length(p - wp.cw_mul(nearest, size))


@wp.func
def distance(kind: int, p: wp.vec3, size: wp.vec3, asset: int, assets: shapes.Assets) -> float:
    """How far `p` is from the surface of a shape of any kind."""
    if kind == shapes.BOX:
        return wp.abs(_box(p, size))
    if kind == shapes.PLANE:
        return wp.abs(_plane(p, size))
    if kind == shapes.CYLINDER:
        return wp.abs(_cylinder(p, size))
    if kind == shapes.SPHERE:
        return wp.abs(wp.length(p) - size[0])
    if kind == shapes.CAPSULE:
        return wp.abs(_capsule(p, size))
    if kind == shapes.WEDGE:
        return wp.abs(_wedge(p, size))
    if kind == shapes.CONE:
        return wp.abs(_cone(p, size))
    if kind == shapes.MESH:
        return _mesh(p, size, assets.meshes[asset])
    return _height_field(p, size, assets.grids[asset], assets.heights)
