"""What the texts of both games share: names of table entries, the view tile by tile, the tile ahead."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

Cells = npt.NDArray[np.uint8]

FACING = {1: ("left", 0, -1), 2: ("right", 0, 1), 3: ("up", -1, 0), 4: ("down", 1, 0)}
"""The four moves: name, rows down, columns right."""


def plain(entry: IntEnum) -> str:
    """The name of an entry as words."""
    return entry.name.lower().replace("_", " ")


def in_view(cells: Cells, direction: int, tile: Callable[[Cells], str]) -> list[str]:
    """A line for each row of the view, from the top, tiles parted by commas; then one for the tile ahead.

    Args:
        cells: a lane's codes, [rows, columns, bytes].
        direction: the move that the player faces.
        tile: says what is on a tile.
    """
    rows = [", ".join(tile(cell) for cell in row) for row in cells]
    name, down, right = FACING[direction]
    ahead = tile(cells[cells.shape[0] // 2 + down, cells.shape[1] // 2 + right])
    return [*rows, f"You are in the middle, facing {name}: {ahead}."]


def on_tile(there: Iterable[str], block: IntEnum) -> str:
    """What is on a tile, on what."""
    return " on ".join(filter(None, (" and ".join(there), plain(block))))


def listed(names: Iterable[str], values: Iterable[Any]) -> str:
    """Names with their values."""
    return ", ".join(f"{name} {float(value):g}" for name, value in zip(names, values, strict=True))


def counted(names: Iterable[str], counts: Iterable[Any]) -> list[str]:
    """What there is some of, with how much."""
    return [f"{int(count)} {name}" for name, count in zip(names, counts, strict=True) if count]
