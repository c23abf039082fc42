"""Lens and sizes found in painted views whose optics are known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.practice.painter import (
    BLUE,
    FOCAL,
    GROUND,
    HEIGHT,
    RED,
    SKY,
    WHITE,
    WIDTH,
    Post,
    look_round,
    paint,
)

from garten.practice.mapping import Lens
from garten.practice.percepts import Palette
from garten.practice.players.search.calibration import Look, Size, find_lens, find_sizes, merge_sizes

PALETTE = Palette(((SKY,), (GROUND,), (RED, (168, 15, 15)), (BLUE, (15, 37, 162))), (0, 1))
RING = [
    Post(6, 1, RED, 1.4),
    Post(5, 5, BLUE, 1.0),
    Post(-2, 7, WHITE, 1.2),
    Post(-7, 0, BLUE, 2.0),
    Post(-4, -5, RED, 0.9),
    Post(3, -6, WHITE, 1.6, 1.0),
]


@pytest.mark.parametrize("turns", [8, 12])
def test_view_and_turn_are_found_from_a_look_round(turns: int) -> None:
    lens = find_lens(look_round(RING, turns, steps=12))
    assert lens.measured
    assert math.degrees(lens.turn) == pytest.approx(360 / turns)
    assert math.degrees(2 * lens.half_view) == pytest.approx(90.0, abs=5.0)


def test_a_turn_that_goes_the_other_way_is_found() -> None:
    frames = [paint(RING, heading=-math.tau * index / 12) for index in range(13)]
    assert math.degrees(find_lens(frames).turn) == pytest.approx(-30.0)


def test_an_empty_view_tells_nothing() -> None:
    assert not find_lens([paint([])] * 13).measured


def walk_at(posts: list[Post], steps: int) -> list[Look]:
    poses = [(0.7 * step, 0.0, 0.0) for step in range(steps)]
    return [
        Look(step, x, y, heading, tuple(PALETTE.regions(paint(posts, x, y, heading))))
        for step, (x, y, heading) in enumerate(poses)
    ]


def test_sizes_are_found_by_walking() -> None:
    lens = Lens(WIDTH, HEIGHT, FOCAL, math.radians(30.0))
    sizes = find_sizes(walk_at([Post(9, 1, RED, 1.4), Post(10, -2, BLUE, 0.8)], 8), lens)
    assert sizes[2].strides == pytest.approx(1.4, rel=0.12)
    assert sizes[3].strides == pytest.approx(0.8, rel=0.2)
    assert sizes[2].pairs >= 3


def test_standing_still_measures_nothing() -> None:
    lens = Lens(WIDTH, HEIGHT, FOCAL, math.radians(30.0))
    looks = [Look(t, 0.0, 0.0, 0.0, tuple(PALETTE.regions(paint([Post(5, 0, RED)])))) for t in range(6)]
    assert find_sizes(looks, lens) == {}


def test_sizes_of_several_games_give_the_median_by_pairs() -> None:
    merged = merge_sizes([{0: Size(1.0, 10)}, {0: Size(9.0, 2), 1: Size(2.0, 3)}, {0: Size(1.1, 9)}])
    assert merged == {0: Size(1.1, 21), 1: Size(2.0, 3)}
    assert not np.isnan(merged[0].strides)
