"""Pictures as blocks: what a terminal would show is close to the picture."""

import itertools
import re

import numpy as np
import pytest

from garten.cli import _blocks

RGB = np.random.default_rng(0)


def shown(lines: list[str]) -> np.ndarray:
    """The picture that a terminal shows for these lines, two by two points a cell."""
    rows = []
    for line in lines:
        front = back = None
        cells = []
        for code, block in re.findall(r"\x1b\[([0-9;]*)m|(.)", line):
            kind, *colour = code.split(";") if code else [""]
            if kind == "38":
                front = colour
            elif kind == "48":
                back = colour
            elif block:
                bits = _blocks.QUADRANTS.index(block)
                cells.append([rgb(front if bits >> point & 1 else back) for point in range(4)])
        rows.append(np.array(cells).reshape(-1, 2, 2, 3).swapaxes(0, 1).reshape(2, -1, 3))
    return np.concatenate(rows)


def rgb(code: list[str] | None) -> list[int]:
    assert code is not None, "a colour is used before it is told"
    if code[0] == "2":
        return [int(part) for part in code[1:]]
    steps = (0, 95, 135, 175, 215, 255)
    number = int(code[1]) - 16
    return [steps[number // 36], steps[number // 6 % 6], steps[number % 6]]


def test_two_colours_a_cell_are_shown_exactly():
    """Every arrangement of two colours in a cell, next to one another."""
    colours = np.array([[250, 10, 0], [3, 200, 90]], np.uint8)
    cells = [colours[list(bits)].reshape(2, 2, 3) for bits in itertools.product((0, 1), repeat=4)]
    picture = np.concatenate([np.concatenate(cells, axis=1)] * 2)
    lines = _blocks.lines(picture, colours=2**24)
    assert [len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in lines] == [16, 16]
    assert np.array_equal(shown(lines), picture)


def test_more_colours_are_fitted_best():
    """No block with two means comes closer; tried by hand for each way to part four points in two."""
    picture = RGB.integers(0, 256, (8, 12, 3)).astype(np.uint8)
    got = shown(_blocks.lines(picture, colours=2**24)).astype(float)
    for row, column in itertools.product(range(0, 8, 2), range(0, 12, 2)):
        points = picture[row : row + 2, column : column + 2].reshape(4, 3).astype(float)
        error = ((got[row : row + 2, column : column + 2].reshape(4, 3) - points) ** 2).sum()
        best = min(
            sum(
                ((points[part] - points[part].mean(0)) ** 2).sum()
                for part in (np.array(bits, bool), ~np.array(bits, bool))
                if part.any()
            )
            for bits in itertools.product((0, 1), repeat=4)
        )
        assert error <= best + 4 * 3 * 0.5**2 + 1e-6


def test_256_colours_are_the_nearest_of_the_cube():
    picture = RGB.integers(0, 256, (2, 2, 3)).astype(np.uint8)
    for value in range(256):
        picture[:] = (value, 255 - value, 128)
        steps = np.array([0, 95, 135, 175, 215, 255])
        nearest = [min(abs(steps - part)) for part in (value, 255 - value, 128)]
        got = np.abs(shown(_blocks.lines(picture, colours=256))[0, 0] - picture[0, 0].astype(int))
        assert got.tolist() == nearest


@pytest.mark.parametrize("colours", [256, 2**24])
def test_lines_end_in_the_terminal_s_own_colours(colours):
    lines = _blocks.lines(np.zeros((4, 6, 3), np.uint8), colours=colours)
    assert len(lines) == 2
    assert all(line.endswith("\x1b[0m") for line in lines)
