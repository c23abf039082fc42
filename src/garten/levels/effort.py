"""How much work a level makes whenever one of its worlds begins, in tiles that its operations visit."""

from __future__ import annotations

from garten.craftax.full.ops import ARGUMENTS, Op, Rows
from garten.craftax.full.tables import SIZE, TILES

MOST_VISITS = 100 * TILES
"""What a level may ask for: milliseconds for each new world, where the plain game takes a quarter of one."""

_WHOLE = {Op.SCATTER, Op.ADJOIN, Op.NEAREST}
_AROUND = {Op.ADD_NEAR, Op.SCATTER_NEAR, Op.COUNT, Op.START_NEAR}


def visits(rows: Rows) -> int:
    """The tiles that the rows of a variant visit, as far as their constants tell, else at most."""
    return sum(_visits(row) for row in rows)


def _visits(row: Rows) -> int:
    op = Op(row[0])
    values = {
        argument.name: (int(row[1 + 2 * index]), int(row[2 + 2 * index]))
        for index, argument in enumerate(ARGUMENTS[op])
    }
    if op in _WHOLE:
        return TILES
    if op in _AROUND:
        register, most = values["most"]
        return TILES if register else min(2 * most + 1, SIZE) ** 2
    if op == Op.FILL:
        return _span(values["top"], values["bottom"]) * _span(values["left"], values["right"])
    return 1


def _span(one: tuple[int, int], other: tuple[int, int]) -> int:
    """Tiles from one number to another, each a register and what is added to it; both ends included."""
    return min(abs(one[1] - other[1]) + 1, SIZE) if one[0] == other[0] else SIZE
