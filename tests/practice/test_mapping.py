"""The map against geometry that is known."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from tests.practice.painter import BLUE, FOCAL, GROUND, HEIGHT, RED, SKY, WIDTH, Post, paint

from garten.practice.mapping import EgoMap, Lens, lens_from_data, middle, surest
from garten.practice.percepts import Palette

PALETTE = Palette(((SKY,), (GROUND,), (RED, (168, 15, 15)), (BLUE, (15, 37, 162))), (0, 1))
LENS = Lens(WIDTH, HEIGHT, FOCAL, math.radians(30.0), sizes={2: 1.0, 3: 1.0})


def see(here: EgoMap, posts: list[Post], now: float = 0.0) -> None:
    here.see(PALETTE.regions(paint(posts, here.x, here.y, here.heading)), now=now)


def test_a_thing_is_placed_where_it_stands() -> None:
    here = EgoMap(LENS)
    see(here, [Post(6.0, 2.0, RED)])
    (track,) = here.things(2)
    assert (track.x, track.y) == pytest.approx((6.0, 2.0), abs=0.4)
    assert here.bearing_to(track.x, track.y) == pytest.approx(math.atan2(2.0, 6.0), abs=0.02)


def test_walking_and_turning_keep_it_in_place_out_of_view_too() -> None:
    here = EgoMap(LENS)
    posts = [Post(6.0, 1.0, RED)]
    see(here, posts)
    for now in range(1, 4):
        here.walk(1.0)
        see(here, posts, now)
    for now in range(4, 10):
        here.turn(LENS.turn)
        see(here, posts, now)
    (track,) = here.things(2)
    assert (track.x, track.y) == pytest.approx((6.0, 1.0), abs=0.3)
    assert here.heading == pytest.approx(math.pi)
    assert abs(here.bearing_to(track.x, track.y)) > 2.5
    assert track.looks >= 4


def test_sightings_of_like_things_are_told_apart() -> None:
    here = EgoMap(LENS)
    posts = [Post(5.0, 2.0, RED), Post(5.0, -2.0, RED), Post(8.0, 0.0, BLUE)]
    for now in range(4):
        see(here, posts, now)
        here.walk(0.5)
    assert sorted(round(track.y) for track in here.things(2)) == [-2, 2]
    assert len(here.things(3)) == 1


def test_a_thing_that_is_gone_is_struck_off_but_not_one_behind_another() -> None:
    here = EgoMap(LENS)
    see(here, [Post(8.0, 0.0, RED), Post(6.0, 3.0, BLUE)])
    screen = Post(3.0, 0.0, BLUE, width=1.0)
    for now in range(1, 5):
        see(here, [screen], now)
    assert len(here.things(2)) == 1  # may still stand behind the screen
    assert all(track.y < 1.0 for track in here.things(3))  # the other blue one is seen to be gone


def test_things_that_move_are_counted_as_moved() -> None:
    still, moving = EgoMap(LENS), EgoMap(LENS)
    for now in range(6):
        see(still, [Post(4.0, 0.0, RED)], now)
        see(moving, [Post(4.0, -2.5 + 0.9 * now, RED)], now)
    assert still.counts[2] == (5, 0)
    assert moving.counts[2][1] >= 4


def test_bumps_lie_ahead() -> None:
    here = EgoMap(LENS, x=1.0, heading=math.pi / 2)
    here.bump(1.0)
    assert here.bumps == [pytest.approx((1.0, 1.0))]


def test_middle_and_surest() -> None:
    here = EgoMap(LENS)
    see(here, [Post(4.0, 1.0, RED), Post(4.0, -1.0, RED)])
    see(here, [Post(4.0, 1.0, RED), Post(4.0, -1.0, RED)])
    see(here, [Post(4.0, 1.0, RED), Post(4.0, -1.0, RED), Post(19.0, 9.0, RED)])
    tracks = here.things(2)
    assert len(tracks) == 3
    assert middle(surest(tracks, within=4.0)) == pytest.approx((4.0, 0.0), abs=0.3)


def test_a_lens_from_data() -> None:
    lens = lens_from_data({"width": 160, "height": 90, "focal": 80.0, "turn": LENS.turn})
    assert lens == replace(LENS, sizes={})
    assert math.degrees(lens.half_view) == pytest.approx(45.0)
    assert lens.sized(320, 180).half_view == pytest.approx(lens.half_view)
    with pytest.raises(ValueError, match="cannot be"):
        lens_from_data({"width": 160, "height": 90, "focal": -1.0, "turn": 0.5})
