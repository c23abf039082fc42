"""Captions: what is named, in which order, and how."""

import numpy as np
import pytest

from garten.scene import NO_ID, Kind, SceneBuilder
from garten.sight.captions import caption
from garten.sight.surfaces import own_coat


@pytest.fixture
def scene():
    builder = SceneBuilder()
    grass = builder.material((0.35, 0.55, 0.25), "grass")
    red, white, blue = (
        builder.material(color, "paint") for color in ((0.9, 0.1, 0.1), (0.95, 0.95, 0.95), (0.2, 0.3, 0.9))
    )
    builder.add(Kind.PLANE, material=grass)
    house = builder.add(Kind.BOX, (1, 1, 1), material=red)
    builder.add(Kind.BOX, (1, 1, 1), material=white, thing=house)
    builder.add(Kind.SPHERE, (1,), material=blue)
    return builder.build()


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ({0: 60, 1: 30, 3: 5}, "green grass; red, white and blue paint"),
        ({3: 50, 0: 30}, "blue paint; green grass"),
        ({1: 90}, "red and white paint"),
        ({}, ""),
    ],
)
def test_surfaces_are_named_once_each_the_largest_first(scene, shares, words):
    ids = np.full(100, NO_ID, np.int32)
    ids[: sum(shares.values())] = np.repeat(list(shares), list(shares.values()))
    assert caption(scene, own_coat(scene), ids.reshape(10, 10)) == words


def test_what_is_tiny_is_not_named_and_the_style_is(scene):
    ids = np.zeros((20, 20), np.int32)
    ids[0, 0] = 3
    assert caption(scene, own_coat(scene), ids, style="noon") == "green grass at noon under a clear sky"
