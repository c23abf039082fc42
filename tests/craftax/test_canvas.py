"""Shapes cover what geometry says, and pictures gain detail with size."""

import numpy as np
import pytest

from garten.craftax.canvas import Canvas, darker, lighter, paint
from garten.craftax.classic.observe import pixels as classic
from garten.craftax.full.observe import pixels as full
from garten.craftax.icons import paint_digit

SHAPES = {
    "box": (lambda canvas: canvas.box(0.1, 0.2, 0.6, 0.9), 0.5 * 0.7),
    "disc": (lambda canvas: canvas.disc(0.5, 0.4, 0.3), np.pi * 0.3**2),
    "oval": (lambda canvas: canvas.oval(0.5, 0.5, 0.4, 0.2), np.pi * 0.4 * 0.2),
    "rhomb": (lambda canvas: canvas.rhomb(0.5, 0.5, 0.4, 0.3), 2 * 0.4 * 0.3),
    "wedge": (lambda canvas: canvas.wedge(0.5, 0.2, 0.8, (0.1, 0.3)), (0.1 + 0.3) * 0.6),
    "stroke": (lambda canvas: canvas.stroke((0.3, 0.3), (0.6, 0.7), 0.1), 0.5 * 0.1 + np.pi * 0.05**2),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_cover_their_area(shape):
    mask, area = SHAPES[shape]
    assert mask(Canvas(400)).mean() == pytest.approx(area, rel=0.02)


def test_specks_lie_in_the_same_places_at_every_size():
    small, large = (Canvas(size).specks(3, 0.3) for size in (10, 40))
    assert np.array_equal(np.repeat(np.repeat(small, 4, 0), 4, 1), large)
    assert 0.2 < small.mean() < 0.4


def test_an_outline_is_one_point_wide_and_left_out_of_small_tiles():
    def square(canvas):
        canvas.paint((1, 2, 3), canvas.box(0.25, 0.25, 0.75, 0.75))

    outlined, bare = (paint(16, square, outlined=outlined)[..., 3] > 0 for outlined in (True, False))
    assert (bare.sum(), outlined.sum()) == (64, 64 + 4 * 8)
    assert np.array_equal(paint(10, square, outlined=True), paint(10, square))


def test_the_ground_is_only_where_nothing_else_is():
    picture = paint(
        20, lambda canvas: canvas.paint((1, 2, 3), canvas.box(0.0, 0.0, 0.5, 1.0)), ground=(9, 9, 9)
    )
    assert (picture[..., 3] == 255).all()
    assert (picture[:, :10, :3] == (1, 2, 3)).all()
    assert (picture[:, 10:, :3] == 9).all()


def test_shades():
    assert lighter((0, 100, 255), 1.0) == (255, 255, 255)
    assert darker((0, 100, 255), 0.5) == (0, 50, 128)
    assert lighter((0, 100, 255), 0.0) == darker((0, 100, 255), 0.0) == (0, 100, 255)


@pytest.mark.parametrize("size", [7, 10, 16, 32, 48])
def test_two_digits_fit_side_by_side(size):
    """Units and tens share no dot, and no digit leaves the tile."""
    for digit in range(10):
        units, tens = (paint_digit(digit, size, place=place) for place in (0, 1))
        dots = [(picture[..., :3] == 255).all(-1) & (picture[..., 3] > 0) for picture in (units, tens)]
        assert not (dots[0] & dots[1]).any()
        assert dots[0].sum() == dots[1].sum() > 0
        columns = [np.flatnonzero(mask.any(0)) for mask in dots]
        assert columns[1].max() < columns[0].min() - 1 or digit == 1


@pytest.mark.parametrize("atlas", [full.atlas, classic.atlas])
def test_larger_tiles_have_more_detail(atlas):
    """A picture of twice the size is no mere enlargement, but for plain ones."""
    small, large = atlas(16), atlas(32)
    enlarged = np.repeat(np.repeat(small, 2, 1), 2, 2)
    plain = [len(np.unique(picture.reshape(-1, 4), axis=0)) == 1 for picture in large]
    same = [np.array_equal(one, other) for one, other in zip(enlarged, large, strict=True)]
    assert [
        index for index, (flat, equal) in enumerate(zip(plain, same, strict=True)) if equal and not flat
    ] == []
