# mypy: ignore-errors
"""Drawing tiles into pictures, in both games."""

from __future__ import annotations

import warp as wp

from garten import devices

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)


@wp.func
def draw(
    atlas_in: wp.array4d(dtype=wp.uint8),
    picture: int,
    size: int,
    row: int,
    column: int,
    light: float,
    pixels_out: wp.array4d(dtype=wp.uint8),
    lane: int,
):
    """Draw the opaque points of a picture on a tile."""
    for y in range(size):
        for x in range(size):
            if atlas_in[picture, y, x, 3] != wp.uint8(0):
                for channel in range(3):
                    value = float(int(atlas_in[picture, y, x, channel])) * light
                    pixels_out[lane, row * size + y, column * size + x, channel] = wp.uint8(int(value))
