# mypy: ignore-errors
"""Programs as kernels see them: the rows of all variants in one array, and where each begins.

The original has none; so their draws are of the partitionable stream in every world.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import warp as wp

from garten import devices
from garten.craftax.full.ops import ARGUMENTS, WIDTH, Rows, check_program
from garten.craftax.keys import PartitionableKey, child, randint

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_OWN_KEY = wp.constant(7)  # of the key of the world, whose first seven children make it
_TOUCHING = tuple(op for op, arguments in ARGUMENTS.items() if arguments and arguments[0].name == "floor")


@wp.struct
class Programs:
    """All programs that lanes may choose from."""

    rows: wp.array2d(dtype=int)  # [rows of all variants, WIDTH]
    first_row: wp.array(dtype=int)  # [variants + 1], where each one's rows begin
    floors: wp.array(dtype=int)  # [variants], bit mask of the floors that each one works on
    first_variant: wp.array(dtype=int)  # [programs + 1], where each one's variants begin


@wp.func
def program_key(world_key: PartitionableKey) -> PartitionableKey:
    """The key that a world's program draws from: the next child of the world's key that makes no floor."""
    return child(world_key, _OWN_KEY, _OWN_KEY + 1)


@wp.func
def choose_variant(programs: Programs, program: int, world_key: PartitionableKey) -> int:
    """The variant of a program that a world runs."""
    first = programs.first_variant[program]
    return first + randint(child(program_key(world_key), 0, 1), programs.first_variant[program + 1] - first)


@wp.func
def row_key(world_key: PartitionableKey, row: int) -> PartitionableKey:
    """The key that a row of the variant draws from."""
    return child(program_key(world_key), row + 1, row + 2)


def pack(programs: Sequence[Sequence[Rows]], device: str) -> Programs:
    """Check programs and lay them out for kernels.

    Raises:
        ValueError: a program is wrong.
    """
    checked = [check_program(program, name=f"program {i}") for i, program in enumerate(programs)]
    variants = [rows for program in checked for rows in program]
    packed = Programs()
    rows = np.concatenate([*variants, np.zeros((1, WIDTH), np.int32)])  # never an empty array
    packed.rows = wp.array(rows, dtype=int, device=device)
    packed.first_row = _starts([len(rows) for rows in variants], device)
    packed.first_variant = _starts([len(program) for program in checked], device)
    floors = [_floors(rows) for rows in variants]
    packed.floors = wp.array(np.array([*floors, 0], np.int32), dtype=int, device=device)
    return packed


def _starts(lengths: Sequence[int], device: str) -> Any:
    return wp.array(np.cumsum([0, *lengths]).astype(np.int32), dtype=int, device=device)


def _floors(rows: Rows) -> int:
    """The bit mask of the floors that a variant's rows work on."""
    touched = rows[np.isin(rows[:, 0], [int(op) for op in _TOUCHING]), 2]
    return int(np.bitwise_or.reduce(1 << touched, initial=0))
