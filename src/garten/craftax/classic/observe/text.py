"""What the player perceives, in words."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from garten.craftax.classic.observe.legend import CREATURES
from garten.craftax.classic.tables import VIEW_COLUMNS, VIEW_ROWS, Action, Block, Item

_MIDDLE = (VIEW_ROWS // 2, VIEW_COLUMNS // 2)


def describe(cells: npt.NDArray[np.uint8], state: dict[str, npt.NDArray[Any]]) -> str:
    """A lane's view and body as text.

    Args:
        cells: the lane's codes, [7, 9, 2].
        state: the lane's state, by field name.

    Returns:
        A line for each row of the view, from the top, tiles parted by commas; then lines for the player.
    """
    rows = [
        ", ".join(_tile(cells[row, column]) for column in range(VIEW_COLUMNS)) for row in range(VIEW_ROWS)
    ]
    facing = Action(int(state["player_direction"]))
    step = {Action.LEFT: (0, -1), Action.RIGHT: (0, 1), Action.UP: (-1, 0), Action.DOWN: (1, 0)}[facing]
    ahead = _tile(cells[_MIDDLE[0] + step[0], _MIDDLE[1] + step[1]])
    stats = ", ".join(f"{name} {int(state[name])}" for name in ("health", "food", "drink", "energy"))
    held = [
        f"{int(count)} {item.name.lower().replace('_', ' ')}"
        for item, count in zip(Item, state["inventory"], strict=True)
        if count
    ]
    lines = [
        *rows,
        f"You are in the middle, facing {facing.name.lower()}: {ahead}.",
        f"Body: {stats}.",
        f"Inventory: {', '.join(held) or 'nothing'}.",
        f"Daylight: {float(state['light']):.2f}.",
    ]
    return "\n".join([*lines, "You are asleep."] if state["sleeping"] else lines)


def _tile(cell: npt.NDArray[np.uint8]) -> str:
    """A tile: what is on it, on what."""
    block = Block(int(cell[0])).name.lower().replace("_", " ")
    there = [name for bit, name in enumerate(CREATURES) if (int(cell[1]) >> bit) & 1]
    return " and ".join(there) + f" on {block}" if there else block
