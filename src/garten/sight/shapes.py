# mypy: ignore-errors
# ruff: noqa: UP018, RUF046 - Warp takes int(0), not 0, for a variable that a loop changes
"""Where a ray first meets each kind of shape, as Warp functions in the shape's own frame.

A ray is ``origin + t * direction``; the direction need not have unit length. Every function returns
``(t, normal)`` packed in a vec4: the smallest ``t`` > `T_MIN` at which the ray crosses the surface, from
outside or from within, and a unit normal of either sign. ``t`` is `MISS` where there is none.
"""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.scene import Kind

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

MISS = wp.constant(wp.inf)
T_MIN = wp.constant(1.0e-4)  # a surface nearer than this is behind the eye, or the one the ray starts from
TINY = wp.constant(1.0e-20)  # stands in for a zero that is divided by

BOX = wp.constant(int(Kind.BOX))
SPHERE = wp.constant(int(Kind.SPHERE))
CAPSULE = wp.constant(int(Kind.CAPSULE))
CYLINDER = wp.constant(int(Kind.CYLINDER))
CONE = wp.constant(int(Kind.CONE))
WEDGE = wp.constant(int(Kind.WEDGE))
PLANE = wp.constant(int(Kind.PLANE))
HEIGHT_FIELD = wp.constant(int(Kind.HEIGHT_FIELD))
MESH = wp.constant(int(Kind.MESH))


@wp.struct
class Assets:
    """Meshes and height fields of a scene."""

    meshes: wp.array(dtype=wp.uint64)  # [meshes] handles of `wp.Mesh`
    grids: wp.array(dtype=wp.vec3i)  # [height fields] (first index into heights, rows, columns)
    heights: wp.array(dtype=float)  # all height fields, row by row
    ranges: wp.array(dtype=wp.vec2)  # [height fields] (lowest, highest)


@wp.func
def _miss() -> wp.vec4:
    return wp.vec4(MISS, 0.0, 0.0, 0.0)


@wp.func
def _nonzero(value: float) -> float:
    """`value`, or a tiny number in its place if it cannot be divided by."""
    if wp.abs(value) < TINY:
        return TINY
    return value


@wp.func
def _hit(t: float, normal: wp.vec3) -> wp.vec4:
    return wp.vec4(t, normal[0], normal[1], normal[2])


@wp.func
def _convex(enter: float, leave: float, normal_in: wp.vec3, normal_out: wp.vec3) -> wp.vec4:
    """The first crossing of a convex shape that the ray is inside of between `enter` and `leave`."""
    if enter > leave or leave <= T_MIN:
        return _miss()
    if enter > T_MIN:
        return _hit(enter, normal_in)
    return _hit(leave, normal_out)


@wp.func
def box(origin: wp.vec3, direction: wp.vec3, size: wp.vec3) -> wp.vec4:
    """A box of half extents `size`."""
    enter = float(-MISS)
    leave = float(MISS)
    axis_in = int(0)
    axis_out = int(0)
    for axis in range(3):
        inverse = 1.0 / _nonzero(direction[axis])
        middle = -origin[axis] * inverse
        half = size[axis] * wp.abs(inverse)
        if middle - half > enter:
            enter = middle - half
            axis_in = axis
        if middle + half < leave:
            leave = middle + half
            axis_out = axis
    normal_in = wp.vec3(float(axis_in == 0), float(axis_in == 1), float(axis_in == 2))
    normal_out = wp.vec3(float(axis_out == 0), float(axis_out == 1), float(axis_out == 2))
    return _convex(enter, leave, normal_in, normal_out)


@wp.func
def sphere(origin: wp.vec3, direction: wp.vec3, radius: float) -> wp.vec4:
    """A sphere. Measured from the ray's nearest point, which keeps small and far ones exact."""
    squared = wp.dot(direction, direction)
    nearest = -wp.dot(origin, direction) / squared
    point = origin + nearest * direction
    room = radius * radius - wp.dot(point, point)
    if room < 0.0:
        return _miss()
    half = wp.sqrt(room / squared)
    t = nearest - half
    if t <= T_MIN:
        t = nearest + half
    if t <= T_MIN:
        return _miss()
    return _hit(t, (origin + t * direction) / radius)


@wp.func
def _tube(origin: wp.vec3, direction: wp.vec3, radius: float) -> wp.vec2:
    """Where the ray is inside an endless cylinder around z: (enter, leave), enter > leave if nowhere."""
    squared = _nonzero(direction[0] * direction[0] + direction[1] * direction[1])
    nearest = -(origin[0] * direction[0] + origin[1] * direction[1]) / squared
    x = origin[0] + nearest * direction[0]
    y = origin[1] + nearest * direction[1]
    room = radius * radius - (x * x + y * y)
    if room < 0.0:
        return wp.vec2(1.0, -1.0)
    half = wp.sqrt(room / squared)
    return wp.vec2(nearest - half, nearest + half)


@wp.func
def _around_z(origin: wp.vec3, direction: wp.vec3, t: float, radius: float) -> wp.vec3:
    return wp.vec3((origin[0] + t * direction[0]) / radius, (origin[1] + t * direction[1]) / radius, 0.0)


@wp.func
def cylinder(origin: wp.vec3, direction: wp.vec3, size: wp.vec3) -> wp.vec4:
    """A closed cylinder around z: radius, half height."""
    side = _tube(origin, direction, size[0])
    inverse = 1.0 / _nonzero(direction[2])
    middle = -origin[2] * inverse
    half = size[1] * wp.abs(inverse)
    enter = wp.max(side[0], middle - half)
    leave = wp.min(side[1], middle + half)
    if enter > leave or leave <= T_MIN:
        return _miss()
    t = enter
    on_side = side[0] > middle - half
    if enter <= T_MIN:
        t = leave
        on_side = side[1] < middle + half
    if on_side:
        return _hit(t, _around_z(origin, direction, t, size[0]))
    return wp.vec4(t, 0.0, 0.0, 1.0)


@wp.func
def capsule(origin: wp.vec3, direction: wp.vec3, size: wp.vec3) -> wp.vec4:
    """A capsule around z: radius, half the length of its straight part."""
    end = wp.vec3(0.0, 0.0, size[1])
    best = _miss()
    side = _tube(origin, direction, size[0])
    if side[0] <= side[1]:
        for k in range(2):
            t = side[k]
            if t > T_MIN and t < best[0] and wp.abs(origin[2] + t * direction[2]) <= size[1]:
                best = _hit(t, _around_z(origin, direction, t, size[0]))
    # A ray inside the capsule may cross the far half of an end sphere first, which is not surface. Each
    # sphere is asked for both its crossings, and one counts only beyond the straight part.
    for k in range(2):
        sign = 1.0 - 2.0 * float(k)
        start = origin - sign * end
        cap = sphere(start, direction, size[0])
        if cap[0] < MISS and sign * (start[2] + cap[0] * direction[2]) < 0.0:
            skip = cap[0]
            cap = sphere(start + skip * direction, direction, size[0])
            cap[0] = cap[0] + skip
            if cap[0] < MISS and sign * (start[2] + cap[0] * direction[2]) < 0.0:
                cap = _miss()
        if cap[0] < best[0]:
            best = cap
    return best


@wp.func
def cone(origin: wp.vec3, direction: wp.vec3, size: wp.vec3) -> wp.vec4:
    """A closed cone around z: radius of the base at -size[1], tip at +size[1]."""
    radius = size[0]
    height = size[1]
    best = _miss()
    # Base.
    t = (-height - origin[2]) / _nonzero(direction[2])
    x = origin[0] + t * direction[0]
    y = origin[1] + t * direction[1]
    if t > T_MIN and x * x + y * y <= radius * radius:
        best = wp.vec4(t, 0.0, 0.0, 1.0)
    # Side: x^2 + y^2 = (slope * (height - z))^2, solved around the ray's nearest point to the middle.
    slope = radius / (2.0 * height)
    shift = -wp.dot(origin, direction) / wp.dot(direction, direction)
    near = origin + shift * direction
    fall = slope * (height - near[2])
    change = -slope * direction[2]
    a = direction[0] * direction[0] + direction[1] * direction[1] - change * change
    b = near[0] * direction[0] + near[1] * direction[1] - fall * change
    c = near[0] * near[0] + near[1] * near[1] - fall * fall
    room = b * b - a * c
    if room < 0.0:
        return best
    root = wp.sqrt(room)
    if b < 0.0:
        root = -root
    q = -(b + root)
    for k in range(2):
        t = shift + q / _nonzero(a)
        if k == 1:
            t = shift + c / _nonzero(q)
        point = origin + t * direction
        if t > T_MIN and t < best[0] and wp.abs(point[2]) <= height:
            normal = wp.vec3(point[0], point[1], slope * slope * (height - point[2]))
            best = _hit(t, wp.normalize(normal))
    return best


@wp.func
def wedge(origin: wp.vec3, direction: wp.vec3, size: wp.vec3) -> wp.vec4:
    """A ramp in a box of half extents `size`: its top rises from -z at -x to +z at +x."""
    enter = float(-MISS)
    leave = float(MISS)
    normal_in = wp.vec3(0.0, 0.0, 1.0)
    normal_out = wp.vec3(0.0, 0.0, 1.0)
    slant = wp.normalize(wp.vec3(-size[2], 0.0, size[0]))
    for k in range(5):
        # The solid is where dot(normal, point) <= bound for all five faces.
        normal = wp.vec3(1.0, 0.0, 0.0)
        bound = size[0]
        if k == 1:
            normal = wp.vec3(0.0, 1.0, 0.0)
            bound = size[1]
        elif k == 2:
            normal = wp.vec3(0.0, -1.0, 0.0)
            bound = size[1]
        elif k == 3:
            normal = wp.vec3(0.0, 0.0, -1.0)
            bound = size[2]
        elif k == 4:
            normal = slant
            bound = 0.0
        speed = _nonzero(wp.dot(normal, direction))
        t = (bound - wp.dot(normal, origin)) / speed
        if speed < 0.0:
            if t > enter:
                enter = t
                normal_in = normal
        elif t < leave:
            leave = t
            normal_out = normal
    return _convex(enter, leave, normal_in, normal_out)


@wp.func
def plane(origin: wp.vec3, direction: wp.vec3, size: wp.vec3) -> wp.vec4:
    """The plane z = 0 within half extents along x and y, where 0 means endless."""
    t = -origin[2] / _nonzero(direction[2])
    if not t > T_MIN:
        return _miss()
    if size[0] > 0.0 and wp.abs(origin[0] + t * direction[0]) > size[0]:
        return _miss()
    if size[1] > 0.0 and wp.abs(origin[1] + t * direction[1]) > size[1]:
        return _miss()
    return wp.vec4(t, 0.0, 0.0, 1.0)


@wp.func
def mesh(origin: wp.vec3, direction: wp.vec3, size: wp.vec3, handle: wp.uint64) -> wp.vec4:
    """A triangle mesh scaled by `size`, seen from both sides."""
    start = wp.cw_div(origin, size) + T_MIN * wp.cw_div(direction, size)
    query = wp.mesh_query_ray(handle, start, wp.cw_div(direction, size), 1.0e9)
    if not query.result:
        return _miss()
    return _hit(query.t + T_MIN, wp.normalize(wp.cw_div(query.normal, size)))


@wp.func
def height_field(
    origin: wp.vec3,
    direction: wp.vec3,
    size: wp.vec3,
    grid: wp.vec3i,
    span: wp.vec2,
    heights: wp.array(dtype=float),
) -> wp.vec4:
    """A surface over the half extents size[0] x size[1], heights scaled by size[2], seen from both sides.

    The ray walks from cell to cell. Its height above the surface is linear between the cell borders and the
    diagonal, so a change of sign between two of those points is the crossing, and no gap can open.
    """
    rows = grid[1]
    columns = grid[2]
    low = span[0] * size[2]
    high = span[1] * size[2]
    # The stretch of the ray inside the bounding box, in which the surface lies.
    enter = float(T_MIN)
    leave = float(MISS)
    for axis in range(3):
        lower = -size[axis]
        upper = size[axis]
        if axis == 2:
            lower = low - 1.0e-4
            upper = high + 1.0e-4
        inverse = 1.0 / _nonzero(direction[axis])
        first = (lower - origin[axis]) * inverse
        second = (upper - origin[axis]) * inverse
        enter = wp.max(enter, wp.min(first, second))
        leave = wp.min(leave, wp.max(first, second))
    if enter > leave:
        return _miss()
    # In units of cells: column u and row v of a point at t are start + t * step.
    wide = 2.0 * size[0] / float(columns - 1)
    deep = 2.0 * size[1] / float(rows - 1)
    start_u = (origin[0] + size[0]) / wide
    start_v = (origin[1] + size[1]) / deep
    step_u = _nonzero(direction[0] / wide)
    step_v = _nonzero(direction[1] / deep)
    column = wp.clamp(int(wp.floor(start_u + enter * step_u)), 0, columns - 2)
    row = wp.clamp(int(wp.floor(start_v + enter * step_v)), 0, rows - 2)
    t = enter
    before = float(0.0)
    for _ in range(rows + columns + 2):
        base = grid[0] + row * columns + column
        corners = size[2] * wp.vec4(
            heights[base], heights[base + 1], heights[base + columns], heights[base + columns + 1]
        )
        edge_u = float(column + int(step_u > 0.0))
        edge_v = float(row + int(step_v > 0.0))
        out_u = (edge_u - start_u) / step_u
        out_v = (edge_v - start_v) / step_v
        out = wp.min(wp.min(out_u, out_v), leave)
        out = wp.max(out, t)
        turn = ((start_v - float(row)) - (start_u - float(column))) / _nonzero(step_u - step_v)
        for part in range(2):
            stop = out
            if part == 0:
                stop = wp.clamp(turn, t, out)
            middle = 0.5 * (t + stop)
            lower_triangle = start_u + middle * step_u - float(column) >= start_v + middle * step_v - float(
                row
            )
            # Slopes of the triangle in this part, per cell.
            rise_u = corners[3] - corners[2]
            rise_v = corners[2] - corners[0]
            if lower_triangle:
                rise_u = corners[1] - corners[0]
                rise_v = corners[3] - corners[1]
            flat = corners[0] + rise_u * (start_u - float(column)) + rise_v * (start_v - float(row))
            above = origin[2] - flat
            climb = direction[2] - rise_u * step_u - rise_v * step_v
            if t == enter:
                before = above + t * climb
            after = above + stop * climb
            if stop > t:
                if before * after <= 0.0:
                    crossing = wp.clamp(-above / _nonzero(climb), t, stop)
                    return _hit(crossing, wp.normalize(wp.vec3(-rise_u / wide, -rise_v / deep, 1.0)))
                before = after
            t = stop
        if out >= leave:
            return _miss()
        if out_u <= out_v:
            column += 2 * int(step_u > 0.0) - 1
        else:
            row += 2 * int(step_v > 0.0) - 1
        if column < 0 or column > columns - 2 or row < 0 or row > rows - 2:
            return _miss()
    return _miss()


@wp.func
def intersect(
    kind: int, origin: wp.vec3, direction: wp.vec3, size: wp.vec3, asset: int, assets: Assets
) -> wp.vec4:
    """The first crossing of a shape of any kind."""
    if kind == BOX:
        return box(origin, direction, size)
    if kind == PLANE:
        return plane(origin, direction, size)
    if kind == CYLINDER:
        return cylinder(origin, direction, size)
    if kind == SPHERE:
        return sphere(origin, direction, size[0])
    if kind == CAPSULE:
        return capsule(origin, direction, size)
    if kind == WEDGE:
        return wedge(origin, direction, size)
    if kind == CONE:
        return cone(origin, direction, size)
    if kind == MESH:
        return mesh(origin, direction, size, assets.meshes[asset])
    return height_field(origin, direction, size, assets.grids[asset], assets.ranges[asset], assets.heights)
