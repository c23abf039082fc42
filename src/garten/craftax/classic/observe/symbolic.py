# mypy: ignore-errors

"""The original's symbolic observation: 1345 numbers, written out from the codes."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.classic.tables import MAP_CHANNELS, VIEW_COLUMNS, VIEW_ROWS, Block

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_ROWS = wp.constant(VIEW_ROWS)
_COLUMNS = wp.constant(VIEW_COLUMNS)
_CHANNELS = wp.constant(MAP_CHANNELS)
_BLOCKS = wp.constant(len(Block))
_CELLS = wp.constant(VIEW_ROWS * VIEW_COLUMNS)


@wp.kernel
def observe_symbolic(
    # In:
    first: int,
    cells_in: wp.array4d(dtype=wp.uint8),
    numbers_in: wp.array2d(dtype=float),
    # Out:
    symbolic_out: wp.array2d(dtype=float),
):
    """Write one lane's numbers: of each tile its block one-hot and a flag for each creature; the body."""
    lane = first + wp.tid()
    for index in range(_CELLS * _CHANNELS):
        symbolic_out[lane, index] = 0.0
    for row in range(_ROWS):
        for column in range(_COLUMNS):
            start = (row * _COLUMNS + column) * _CHANNELS
            symbolic_out[lane, start + int(cells_in[lane, row, column, 0])] = 1.0
            creatures = int(cells_in[lane, row, column, 1])
            for kind in range(4):
                if ((creatures >> kind) & 1) != 0:
                    symbolic_out[lane, start + _BLOCKS + kind] = 1.0
    for index in range(22):
        symbolic_out[lane, _CELLS * _CHANNELS + index] = numbers_in[lane, index]
