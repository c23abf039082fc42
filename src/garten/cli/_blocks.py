"""Pictures as text: each cell of a terminal shows two by two points in the two colours that fit them best."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from garten.records import Frame

QUADRANTS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
"""The block for each set of points: bit 0 upper left, 1 upper right, 2 lower left, 3 lower right."""

# Sets without the upper left point are enough: the others are the same with the two colours exchanged.
_SETS = np.arange(0, 16, 2)
_IN = (_SETS[:, None] >> np.arange(4)) & 1 == 1  # [sets, points]

_STEPS = np.array([0, 95, 135, 175, 215, 255])  # of the cube that 256 colours offer
_NEAREST = np.abs(np.arange(256)[:, None] - _STEPS).argmin(1)

Colours = npt.NDArray[np.uint8]


def fit(picture: Frame) -> tuple[npt.NDArray[np.intp], Colours, Colours]:
    """The best block and its two colours for each cell.

    Args:
        picture: uint8 [2 rows, 2 columns, 3].

    Returns:
        Indices into `QUADRANTS` [rows, columns], and the colours of block and background, uint8
        [rows, columns, 3]: means of the points that they stand for.
    """
    rows, columns = picture.shape[0] // 2, picture.shape[1] // 2
    points = picture.reshape(rows, 2, columns, 2, 3).swapaxes(1, 2).reshape(rows, columns, 4, 3).astype(float)
    inside = _IN[:, None, None, :, None]
    fronts = _mean(points, inside)  # [sets, rows, columns, 3]
    backs = _mean(points, ~inside)
    shown = np.where(inside, fronts[..., None, :], backs[..., None, :])
    best = ((shown - points) ** 2).sum((-1, -2)).argmin(0)
    chosen = (best, *np.indices(best.shape))
    return _SETS[best], fronts[chosen].round().astype(np.uint8), backs[chosen].round().astype(np.uint8)


def _mean(points: npt.NDArray[np.float64], where: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """The mean of some points, 0 where there are none, [sets, rows, columns, 3]."""
    counts = where.sum(axis=3)
    return np.asarray((points * where).sum(axis=3) / np.maximum(counts, 1))


def lines(picture: Frame, *, colours: int) -> list[str]:
    """A picture as lines of text with ANSI colours.

    Args:
        picture: uint8 [2 rows, 2 columns, 3].
        colours: how many the terminal has: 256, or 2**24.

    Returns:
        One line a row, of `columns` cells, each ending in the terminal's own colours.
    """
    blocks, fronts, backs = fit(picture)
    code = _exactly if colours > 256 else _of_256
    return [
        _line([QUADRANTS[block] for block in row], code(front), code(back))
        for row, front, back in zip(blocks, fronts, backs, strict=True)
    ]


def _line(cells: list[str], fronts: list[str], backs: list[str]) -> str:
    """Cells with their colours, which are told only where they change."""
    parts, told_front, told_back = [], "", ""
    for cell, front, back in zip(cells, fronts, backs, strict=True):
        if cell != " " and front != told_front:
            parts.append(f"\x1b[38;{front}m")
            told_front = front
        if back != told_back:
            parts.append(f"\x1b[48;{back}m")
            told_back = back
        parts.append(cell)
    return "".join([*parts, "\x1b[0m"])


def _exactly(colours: Colours) -> list[str]:
    return [f"2;{red};{green};{blue}" for red, green, blue in colours.tolist()]


def _of_256(colours: Colours) -> list[str]:
    """The nearest colours of the cube of 6 x 6 x 6 that begins at number 16."""
    return [f"5;{16 + number}" for number in (_NEAREST[colours] @ np.array([36, 6, 1])).tolist()]
