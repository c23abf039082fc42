"""Pictures: every tile is the one of its block, with what stands on it, dimmed by the dark."""

import itertools

import numpy as np
import pytest

from garten.craftax.env import make
from garten.craftax.full.observe import pixels
from garten.craftax.full.observe.pixels import FIRST
from garten.craftax.full.tables import SIZE, TYPES, Block, Item, Thing

MIDDLE = SIZE // 2
TILE = 10


@pytest.fixture
def scene(make_hand):
    hand = make_hand(obs="pixels")
    hand.set(light=1.0)
    return hand


def shown(hand) -> np.ndarray:
    """The picture's tiles, [13, 11, 10, 10, 3]."""
    hand.env.engine.run("codes", "pixels")
    picture = hand.env.observation[0].copy()
    return picture.reshape(13, TILE, 11, TILE, 3).swapaxes(1, 2)


def over(ground: np.ndarray, *numbers: int) -> np.ndarray:
    """Pictures of the atlas laid on a ground."""
    for number in numbers:
        top = pixels.atlas(TILE)[number]
        ground = np.where(top[..., 3:] > 0, top[..., :3], ground)
    return ground


def block(kind: Block) -> np.ndarray:
    return pixels.atlas(TILE)[kind][..., :3]


def test_all_pictures_differ_but_those_of_creatures_that_are_none():
    tiles = pixels.atlas(TILE)
    unused = range(FIRST["creature"] + TYPES + 3, FIRST["creature"] + 2 * TYPES)
    for one, other in itertools.combinations(set(range(len(tiles))) - set(unused), 2):
        assert not np.array_equal(tiles[one], tiles[other]), (one, other)


def test_pictures_have_the_size_of_the_original_s():
    env = make("Craftax", num_envs=2, obs="pixels")
    picture = env.reset(seed=1)
    assert (picture.shape, picture.dtype) == ((2, 130, 110, 3), np.uint8)
    assert picture[0].std() > 10.0
    assert make("Craftax", obs="pixels", tile=16).reset(seed=1).shape == (1, 208, 176, 3)


def test_the_view_shows_blocks_things_and_creatures(scene):
    scene.put((MIDDLE - 4, MIDDLE - 5), Block.CHEST)
    scene.put((MIDDLE, MIDDLE + 5), Block.PATH, thing=Thing.LADDER_UP)
    scene.creature("ranged", (MIDDLE + 4, MIDDLE + 5), type=5)
    scene.creature("player_shot", (MIDDLE + 4, MIDDLE - 5), type=2)
    tiles = shown(scene)
    assert np.array_equal(tiles[0, 0], block(Block.CHEST))
    assert np.array_equal(tiles[4, 10], over(block(Block.PATH), FIRST["thing"] + Thing.LADDER_UP))
    creature = FIRST["creature"] + 2 * TYPES + 5
    assert np.array_equal(tiles[8, 10], over(block(Block.PATH), creature))
    assert np.array_equal(tiles[8, 0], over(block(Block.PATH), FIRST["creature"] + 3 * TYPES + 2))
    assert np.array_equal(tiles[4, 5], over(block(Block.PATH), FIRST["player"] + 2))


def test_the_dark_hides_and_dims(scene):
    light = scene.state["light_map"]
    light[0, MIDDLE - 4, MIDDLE - 5] = 0.0
    light[0, MIDDLE - 4, MIDDLE - 4] = 0.5
    scene.set(light_map=light)
    tiles = shown(scene)
    assert np.array_equal(tiles[0, 0], block(Block.OUT_OF_BOUNDS))
    assert 0.6 < tiles[0, 1].mean() / tiles[0, 2].mean() < 0.7
    scene.set(sleeping=True)
    assert 0.28 < shown(scene)[0, 2].mean() / tiles[0, 2].mean() < 0.32
    assert np.array_equal(tiles[9:], shown(scene)[9:])


def test_the_slots_show_what_the_player_has(scene):
    scene.give(wood=7, books=2, pickaxe=4, sword=2)
    scene.set(
        health=6.5, experience=42, potions=[0, 0, 0, 0, 0, 3], armour=[0, 2, 0, 0], spells=[False, True]
    )
    scene.set(sword_enchantment=2, armour_enchantments=[0, 1, 0, 0])
    tiles, empty, digit = shown(scene), block(Block.OUT_OF_BOUNDS), FIRST["digit"]
    assert np.array_equal(tiles[9, 0], over(empty, FIRST["stat"], digit + 7))
    assert np.array_equal(tiles[9, 5], over(empty, FIRST["stat"] + 5, digit + 2, digit + 14))
    assert np.array_equal(tiles[10, 0], over(empty, FIRST["item"] + Item.WOOD, digit + 7))
    assert np.array_equal(tiles[10, 10], over(empty, FIRST["item"] + 10, digit + 2))
    assert np.array_equal(tiles[11, 0], over(empty, FIRST["tool"] + 3))
    assert np.array_equal(tiles[11, 1], over(empty, FIRST["tool"] + 5, FIRST["mark"] + 1))
    assert np.array_equal(tiles[11, 4], over(empty, FIRST["tool"] + 12, FIRST["mark"]))
    assert np.array_equal(tiles[11, 8], over(empty, FIRST["tool"] + 18))
    assert np.array_equal(tiles[12, 5], over(empty, FIRST["potion"] + 5, digit + 3))
    for row, column in ((9, 10), (10, 1), (11, 2), (11, 7), (11, 10), (12, 0), (12, 10)):
        assert np.array_equal(tiles[row, column], empty), (row, column)
