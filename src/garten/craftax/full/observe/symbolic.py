# mypy: ignore-errors
"""The original's symbolic observation: 8268 numbers, written out from the codes."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.observe.codes import BLOCK, CREATURES, LIT, NUMBERS, THING
from garten.craftax.full.tables import TYPES, VIEW_COLUMNS, VIEW_ROWS, Block, Thing

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

CHANNELS = len(Block) + len(Thing) + 5 * TYPES + 1
"""Numbers of a tile: block and thing one-hot, a flag for each type of creature, whether it is lit."""

SYMBOLIC = VIEW_ROWS * VIEW_COLUMNS * CHANNELS + NUMBERS
"""Length of the observation."""

_ROWS = wp.constant(VIEW_ROWS)
_COLUMNS = wp.constant(VIEW_COLUMNS)
_CELLS = wp.constant(VIEW_ROWS * VIEW_COLUMNS)
_CHANNELS = wp.constant(CHANNELS)
_NUMBERS = wp.constant(NUMBERS)
_FIRST_THING = wp.constant(len(Block))
_FIRST_CREATURE = wp.constant(len(Block) + len(Thing))
_TYPES = wp.constant(TYPES)
_LIT = wp.constant(LIT)
_BLOCK = wp.constant(BLOCK)
_THING = wp.constant(THING)
_CREATURES = wp.constant(CREATURES)


@wp.kernel
def observe_symbolic(
    # In:
    first: int,
    cells_in: wp.array4d(dtype=wp.uint8),
    numbers_in: wp.array2d(dtype=float),
    # Out:
    symbolic_out: wp.array2d(dtype=float),
):
    """Write one lane's numbers: of each tile what is there, in the dark nothing; then the body."""
    lane = first + wp.tid()
    for index in range(_CELLS * _CHANNELS):
        symbolic_out[lane, index] = 0.0
    for row in range(_ROWS):
        for column in range(_COLUMNS):
            start = (row * _COLUMNS + column) * _CHANNELS
            if cells_in[lane, row, column, _LIT] != wp.uint8(0):
                symbolic_out[lane, start + int(cells_in[lane, row, column, _BLOCK])] = 1.0
                symbolic_out[lane, start + _FIRST_THING + int(cells_in[lane, row, column, _THING])] = 1.0
                for kind in range(5):
                    types = int(cells_in[lane, row, column, _CREATURES + kind])
                    if types != 0:
                        for type_id in range(_TYPES):
                            if ((types >> type_id) & 1) != 0:
                                index = _FIRST_CREATURE + kind * _TYPES + type_id
                                symbolic_out[lane, start + index] = 1.0
                symbolic_out[lane, start + _CHANNELS - 1] = 1.0
    for index in range(_NUMBERS):
        symbolic_out[lane, _CELLS * _CHANNELS + index] = numbers_in[lane, index]
