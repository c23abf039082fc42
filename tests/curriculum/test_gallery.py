"""What galleries of levels tell."""

import numpy as np
import pytest

from garten.craftax.full.tables import SIZE, Block
from garten.curriculum import gallery
from garten.curriculum.build import build
from garten.training.config import preset


def floor(*blocks):
    made = np.full((SIZE, SIZE), Block.GRASS, np.uint8)
    for row, column, block in blocks:
        made[row, column] = block
    return made


def test_distances_by_hand():
    near, far = floor((24, 26, Block.TREE), (0, 0, Block.TREE)), floor((20, 23, Block.TREE))
    assert gallery.distance(near, Block.TREE) == 2
    assert gallery.distance(far, Block.TREE) == 5
    assert gallery.distance(far, Block.COAL) is None
    assert gallery.mean_distances([near, far]) == {"tree": pytest.approx((3.5, 1.5))}


def test_a_picture_shows_floors_in_rows_and_where_the_player_starts():
    shown = gallery.picture([floor()] * 3, tile=4, across=2)
    side = SIZE * 4 + 4
    assert shown.shape == (2 * side, 2 * side, 3)
    assert (shown[side:, side:] == 255).all()
    assert (shown[96:100, 96:100] == (255, 0, 0)).all()


def test_favourites_are_those_of_most_weight():
    source = build(preset("laptop", "gru", curriculum="plr"))
    assert gallery.favourites(source, 2) == []
    for score in range(5):
        source.buffer.insert(f"level {score}", score=float(score), best=0.0)
    assert gallery.favourites(source, 1) == ["level 4"]
    searched = build(preset("laptop", "gru", curriculum="sfl"))
    searched.found = ["best", "next"]
    assert gallery.favourites(searched, 1) == ["best"]
    assert gallery.favourites(build(preset("laptop", "gru", curriculum="dr")), 1) == []
