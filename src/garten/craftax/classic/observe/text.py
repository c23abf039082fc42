"""What the player perceives, in words."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from garten.craftax.classic.observe.legend import CREATURES
from garten.craftax.classic.tables import Block, Item
from garten.craftax.words import Cells, counted, in_view, listed, on_tile, plain

STATS = ("health", "food", "drink", "energy")


def describe(cells: Cells, state: dict[str, npt.NDArray[Any]]) -> str:
    """A lane's view and body as text.

    Args:
        cells: the lane's codes, [7, 9, 2].
        state: the lane's state, by field name.

    Returns:
        A line for each row of the view, from the top, tiles parted by commas; then lines for the player.
    """
    held = possessions(state)
    lines = [
        *in_view(cells, int(state["player_direction"]), _tile),
        f"Body: {listed(STATS, (state[name] for name in STATS))}.",
        f"Inventory: {', '.join(held) or 'nothing'}.",
        f"Daylight: {float(state['light']):.2f}.",
    ]
    return "\n".join([*lines, "You are asleep."] if state["sleeping"] else lines)


def possessions(state: dict[str, npt.NDArray[Any]]) -> list[str]:
    """What the player has."""
    return counted(map(plain, Item), state["inventory"])


def _tile(cell: npt.NDArray[np.uint8]) -> str:
    there = [name for bit, name in enumerate(CREATURES) if (int(cell[1]) >> bit) & 1]
    return on_tile(there, Block(int(cell[0])))
