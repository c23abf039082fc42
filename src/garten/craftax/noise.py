# mypy: ignore-errors
# ruff: noqa: SIM108, UP018 - Warp is not quite Python
"""Perlin noise of one octave on a square map, scaled to [0, 1]: the ground that worlds are made from.

A grid of nodes lies over the map, each with a direction. A tile's value blends what the four nodes around it
say: how far the tile lies along their directions.
"""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.keys import Key, right, uniform_at

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

STRIP = 16
"""Tiles of a cell worked on at once; cells of all grids have a multiple of it."""

Strip = wp.types.vector(STRIP, float)

_STRIP = wp.constant(STRIP)
_TAU = wp.constant(6.2831855)
_ROOT_2 = wp.constant(1.4142135)


@wp.func
def _ease(t: float) -> float:
    """A blend weight that starts and ends flat."""
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0)


@wp.func
def draw_directions(
    # In:
    key: Key,
    nodes: int,
    given_in: wp.array2d(dtype=float),
    given_row: int,
    given_start: int,
    # Out:
    directions_out: wp.array2d(dtype=wp.vec2),
    worker: int,
):
    """Write the nodes' directions as (cosine, sine): those given, or drawn from `key` if `given_row` is -1.

    Args:
        key: of this noise.
        nodes: how many, row-major.
        given_in: angles as shares of the full turn.
        given_row: row of `given_in` or -1.
        given_start: where this noise's nodes start in that row.
        directions_out: [workers, nodes or more].
        worker: which row of it to write.
    """
    own = right(right(key))
    for node in range(nodes):
        share = float(0.0)
        if given_row < 0:
            share = uniform_at(own, node, nodes)
        else:
            share = given_in[given_row, given_start + node]
        angle = _TAU * share
        directions_out[worker, node] = wp.vec2(wp.cos(angle), wp.sin(angle))


@wp.func
def _ramp(distance: Strip, step: float, other: Strip, other_step: float) -> Strip:
    """How far tiles lie along a node's direction (step, other_step)."""
    return step * distance + other_step * other


@wp.func
def draw_noise(
    # In:
    size: int,
    node_rows: int,
    node_columns: int,
    directions_in: wp.array2d(dtype=wp.vec2),
    # Out:
    strips_out: wp.array3d(dtype=Strip),
    worker: int,
    layer: int,
):
    """Write the noise of a `size` x `size` map, in strips; `tile_index` says where a tile is.

    Args:
        size: side of the map.
        node_rows: cells of the grid down the map; it has one more node than cells.
        node_columns: cells of the grid across the map.
        directions_in: [workers, nodes], from `draw_directions`.
        strips_out: [workers, layers, strips].
        worker: which row of both arrays.
        layer: which layer to write.
    """
    tall = size // node_rows
    wide = size // node_columns
    strips = tall * wide // _STRIP  # of a cell
    lowest = Strip(wp.inf)
    highest = Strip(-wp.inf)
    for strip in range(strips):
        x = Strip()
        y = Strip()
        blend_x = Strip()
        blend_y = Strip()
        for part in range(_STRIP):
            tile = strip * _STRIP + part
            x[part] = float(tile // wide) / float(tall)
            y[part] = float(tile % wide) / float(wide)
            blend_x[part] = _ease(x[part])
            blend_y[part] = _ease(y[part])
        one = Strip(1.0)
        for node_row in range(node_rows):
            for node_column in range(node_columns):
                node = node_row * (node_columns + 1) + node_column
                g00 = directions_in[worker, node]
                g01 = directions_in[worker, node + 1]
                g10 = directions_in[worker, node + node_columns + 1]
                g11 = directions_in[worker, node + node_columns + 2]
                n00 = _ramp(x, g00[0], y, g00[1])
                n10 = _ramp(x - one, g10[0], y, g10[1])
                n01 = _ramp(x, g01[0], y - one, g01[1])
                n11 = _ramp(x - one, g11[0], y - one, g11[1])
                n0 = wp.cw_mul(n00, one - blend_x) + wp.cw_mul(blend_x, n10)
                n1 = wp.cw_mul(n01, one - blend_x) + wp.cw_mul(blend_x, n11)
                value = _ROOT_2 * (wp.cw_mul(one - blend_y, n0) + wp.cw_mul(blend_y, n1))
                lowest = wp.min(lowest, value)
                highest = wp.max(highest, value)
                strips_out[worker, layer, (node_row * node_columns + node_column) * strips + strip] = value
    least = wp.min(lowest)
    floor = Strip(least)
    spread = Strip(wp.max(highest) - least)
    for strip in range(size * size // _STRIP):
        strips_out[worker, layer, strip] = wp.cw_div(strips_out[worker, layer, strip] - floor, spread)


@wp.func
def tile_index(size: int, node_rows: int, node_columns: int, row: int, column: int) -> int:
    """Where a tile's noise is among the numbers of a layer: cell by cell, each row-major."""
    tall = size // node_rows
    wide = size // node_columns
    cell = (row // tall) * node_columns + column // wide
    return cell * tall * wide + (row % tall) * wide + column % wide
