"""Running sums in the order the original's compiler adds up."""

import numpy as np
import pytest

from garten import devices
from garten.craftax import choice

wp = devices.init_warp()


@wp.kernel
def _sums(
    tiles: wp.array(dtype=int),
    count: int,
    size: int,
    sums_out: wp.array(dtype=float),
    end_out: wp.array(dtype=float),
):
    running = choice.start(count)
    for index in range(count):
        running = choice.add(running, tiles[index])
        sums_out[index] = running.total
    end_out[0] = choice.finish(running, size)


def blockwise(weights: np.ndarray) -> np.ndarray:
    """Running sums: in order within blocks of 16, before them the blocks' totals by the same recipe."""
    if len(weights) <= 16:
        return np.cumsum(weights, dtype=np.float32)
    rows = np.cumsum(weights.reshape(-1, 16), axis=1, dtype=np.float32)
    totals = np.zeros(-(-len(rows) // 16) * 16, np.float32)
    totals[: len(rows)] = rows[:, -1]
    before = np.concatenate([[np.float32(0)], blockwise(totals)[: len(rows) - 1]])
    return (rows + before[:, None]).ravel()


@pytest.mark.parametrize("size", [48 * 48, 64 * 64])
@pytest.mark.parametrize("share", [0.002, 0.05, 0.4, 1.0])
def test_sums_round_as_the_compiler_rounds(size, share):
    rng = np.random.default_rng(5)
    for _ in range(10):
        tiles = np.flatnonzero(rng.random(size) < share)
        if not len(tiles):
            tiles = np.array([17])
        weights = np.zeros(size, np.float32)
        weights[tiles] = np.float32(1) / np.float32(len(tiles))
        expected = blockwise(weights)
        sums, end = wp.zeros(len(tiles), dtype=float), wp.zeros(1, dtype=float)
        wp.launch(_sums, dim=1, inputs=[wp.array(tiles, dtype=int), len(tiles), size, sums, end])
        assert np.array_equal(sums.numpy(), expected[tiles])
        assert end.numpy()[0] == expected[-1]
