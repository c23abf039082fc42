"""Geometry at full size: its numbers, where they lie, and that a stream is told what training was."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from garten.renderer.dense import dense_channels, guides
from garten.renderer.presets import TINY
from garten.renderer.settings import check
from renderer.training.sets import made

DENSE = replace(TINY, geometry=replace(TINY.geometry, dense=2))


def test_geometry_says_where_edges_are():
    """Normals and nearness, at full size; nothing where nothing is seen."""
    clip = made(0, frames=2)
    depth, normals = clip.depth.copy(), clip.normals.copy()
    depth[1, 0, 0], normals[1, 0, 0] = np.inf, 0.0
    geometry = guides(depth, normals)
    assert geometry.shape == (2, 4, 32, 64)
    assert geometry.dtype == torch.float32
    assert geometry[1, :, 0, 0].tolist() == [0.0] * 4
    assert geometry[1, :, 10, 10].tolist() == [0.0, 0.0, 1.0, pytest.approx(5 / 9)]
    assert geometry[0, :, 0, 0].tolist() == [0.0, 1.0, 0.0, pytest.approx(5 / 17)]


@pytest.mark.parametrize("pool", [1, 2, 4])
def test_each_latent_has_the_pixels_it_stands_for(pool):
    """Of both frames of a latent frame; the reference has one, twice."""
    settings, rng = replace(TINY, geometry=replace(TINY.geometry, dense=pool)), np.random.default_rng(0)
    scale = settings.codec.scale
    depth = rng.uniform(1, 20, (5, 32, 64)).astype(np.float32)
    normals = rng.normal(size=(5, 32, 64, 3)).astype(np.float32)
    channels = dense_channels(depth, normals, settings)
    assert channels.shape == (3, settings.dense, *settings.latent_size)
    near = 5 / (5 + depth)
    pooled = near.reshape(5, 32 // pool, pool, 64 // pool, pool).mean((2, 4))
    side = scale // pool
    for latent, frames in ((0, (0, 0)), (1, (1, 2)), (2, (3, 4))):
        for row, column in ((0, 0), (1, 3), (3, 2)):
            own = channels[latent, :, row, column].view(2, 4, side, side)[:, 3]
            cut = (slice(row * side, (row + 1) * side), slice(column * side, (column + 1) * side))
            np.testing.assert_allclose(own, pooled[list(frames)][:, *cut], rtol=1e-5)


def test_a_block_is_told_the_same_as_the_clip_that_it_is_a_part_of():
    clip = made(0)
    whole = dense_channels(clip.depth, clip.normals, DENSE)
    blocks = [
        dense_channels(clip.depth[part], clip.normals[part], DENSE)
        for part in (slice(0, 1), slice(1, 5), slice(5, 9))
    ]
    assert torch.equal(torch.cat(blocks), whole)


@pytest.mark.parametrize("pool", [3, 16, -1])
def test_squares_fill_latents(pool):
    with pytest.raises(ValueError, match=r"do not fill a latent of 8; set geometry\.dense to a divisor"):
        check(replace(TINY, geometry=replace(TINY.geometry, dense=pool)))
