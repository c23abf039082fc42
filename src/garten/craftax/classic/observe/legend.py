"""What every number of every observation means, made from the tables."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from garten.craftax.classic.tables import VIEW_COLUMNS, VIEW_ROWS, Block, Item
from garten.craftax.words import plain

CREATURES = ("zombie", "cow", "skeleton", "arrow")
"""The kinds of creature, by bit of the codes' second byte."""

BODY = (
    *(f"a tenth of the {plain(item)} count" for item in Item),
    *(f"a tenth of {name}" for name in ("health", "food", "drink", "energy")),
    *(f"1 facing {way}" for way in ("left", "right", "up", "down")),
    "daylight",
    "1 asleep",
)
"""The numbers of the body."""

CELL_HIGHS = (len(Block) - 1, 2 ** len(CREATURES) - 1)
"""The greatest values of a cell's bytes."""


def number_highs(item_limit: int, stat_limit: int, *, fixed: bool) -> npt.NDArray[np.float32]:
    """The greatest values of the numbers of the body under a rule table's limits; the least are 0."""
    counts = np.array([item_limit] * len(Item) + [stat_limit] * 4)
    tenths = counts / np.float32(10.0) if fixed else counts.astype(np.float16) * np.float16(0.1)
    return np.concatenate([tenths, np.ones(6)]).astype(np.float32)


def symbolic_legend() -> list[str]:
    """The meaning of each number of the symbolic observation, by index."""
    cells = []
    for row in range(VIEW_ROWS):
        for column in range(VIEW_COLUMNS):
            place = f"{row - VIEW_ROWS // 2:+d} down, {column - VIEW_COLUMNS // 2:+d} right"
            cells += [f"1 if {block.name.lower()} at {place}" for block in Block]
            cells += [f"1 if {creature} at {place}" for creature in CREATURES]
    return [*cells, *BODY]


def codes_legend() -> dict[str, list[str]]:
    """The meaning of the codes: a cell's first byte by value, its second by bit, and the numbers."""
    return {
        "block": [block.name.lower() for block in Block],
        "creatures": list(CREATURES),
        "numbers": list(BODY),
    }
