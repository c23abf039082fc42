"""Pictures: every tile is the one of its block, with what stands on it, dimmed by the dark."""

import itertools

import numpy as np
import pytest

from garten import craftax
from garten.craftax.classic.observe import pixels
from garten.craftax.classic.tables import SIZE, Block, Item

MIDDLE = SIZE // 2


def test_all_tiles_differ_at_the_smallest_size():
    tiles = pixels.atlas(7)
    assert tiles.shape == (len(Block) + 4 + 5 + 4 + len(Item) + 10, 7, 7, 4)
    for one, other in itertools.combinations(range(len(tiles)), 2):
        assert not np.array_equal(tiles[one], tiles[other]), (one, other)


def test_pictures_have_the_size_asked_for():
    for options, side in (({}, 63), ({"tile": 16}, 144)):
        env = craftax.make("Craftax-Classic", num_envs=2, obs="pixels", **options)
        picture = env.reset(seed=1)
        assert (picture.shape, picture.dtype) == ((2, side, side, 3), np.uint8)
    with pytest.raises(ValueError, match="at least 4"):
        craftax.make("Craftax-Classic", obs="pixels", tile=2)


def test_the_view_shows_blocks_creatures_and_counts(make_hand):
    hand = make_hand(obs="pixels", tile=8)
    hand.set(light=1.0, health=7)
    hand.put((MIDDLE - 3, MIDDLE - 4), Block.DIAMOND)
    hand.creature("skeleton", (MIDDLE + 3, MIDDLE + 4))
    hand.env.engine.run("codes", "pixels")
    tiles = pixels.atlas(8)
    picture = hand.env.observation[0]
    assert np.array_equal(picture[:8, :8], tiles[Block.DIAMOND][..., :3])
    skeleton = tiles[len(Block) + 2]
    shown = np.where(skeleton[..., 3:] > 0, skeleton, tiles[Block.GRASS])[..., :3]
    assert np.array_equal(picture[48:56, 64:72], shown)
    first_stat = len(Block) + 4 + 5
    digit = tiles[first_stat + 4 + len(Item) + 7]
    health = np.where(digit[..., 3:] > 0, digit, tiles[first_stat])[..., :3]
    assert np.array_equal(picture[56:64, :8], health)
    assert (picture[64:, 48:] == tiles[Block.OUT_OF_BOUNDS][0, 0, :3]).all()


def test_night_and_sleep_darken_the_view_only(make_hand):
    hand = make_hand(obs="pixels")
    seen = []
    for light, sleeping in ((1.0, False), (0.0, False), (0.0, True)):
        hand.set(light=light, sleeping=sleeping)
        hand.env.engine.run("codes", "pixels")
        seen.append(hand.env.observation[0].astype(int))
    day, night, sleep = seen
    assert day[:28].sum() > 2 * night[:28].sum() > 4 * sleep[:28].sum() > 0
    assert np.array_equal(day[49:], sleep[49:])
