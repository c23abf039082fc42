"""Perlin noise against the textbook formula in double precision."""

import numpy as np
import pytest

from garten import devices
from garten.craftax import host_keys, keys, noise

wp = devices.init_warp()


@wp.kernel
def _noise(
    key: keys.PartitionableKey,
    size: int,
    rows: int,
    columns: int,
    given: wp.array2d(dtype=float),
    given_row: int,
    directions: wp.array2d(dtype=wp.vec2),
    out: wp.array3d(dtype=noise.Strip),
):
    nodes = (rows + 1) * (columns + 1)
    noise.draw_directions(key, nodes, given, given_row, 3, directions, 0)
    noise.draw_noise(size, rows, columns, directions, out, 0, 0)


@wp.kernel
def _places(size: int, rows: int, columns: int, out: wp.array2d(dtype=int)):
    row, column = wp.tid()
    out[row, column] = noise.tile_index(size, rows, columns, row, column)


def drawn(key: np.ndarray, size: int, rows: int, columns: int, given: np.ndarray | None = None) -> np.ndarray:
    """The kernel's noise as a map."""
    directions = wp.zeros((1, (rows + 1) * (columns + 1)), dtype=wp.vec2)
    out = wp.zeros((1, 1, size * size // noise.STRIP), dtype=noise.Strip)
    table = wp.array(np.zeros((1, 1)) if given is None else given, dtype=float)
    row = -1 if given is None else 0
    wp.launch(
        _noise, dim=1, inputs=[wp.vec2ui(*key.tolist()), size, rows, columns, table, row, directions, out]
    )
    places = wp.zeros((size, size), dtype=int)
    wp.launch(_places, dim=(size, size), inputs=[size, rows, columns, places])
    assert sorted(places.numpy().ravel()) == list(range(size * size))
    return out.numpy().ravel()[places.numpy()]


def textbook(shares: np.ndarray, size: int) -> np.ndarray:
    """The noise of a grid of angles, shares of the full turn, scaled to 0 to 1."""
    rows, columns = shares.shape[0] - 1, shares.shape[1] - 1
    at = np.arange(size)
    i, x = np.divmod(at * rows / size, 1)
    j, y = np.divmod(at * columns / size, 1)
    i, j, x, y = i.astype(int)[:, None], j.astype(int)[None], x[:, None], y[None]

    def ramp(down: int, across: int) -> np.ndarray:
        angle = 2 * np.pi * shares[i + down, j + across].astype(float)
        return np.cos(angle) * (x - down) + np.sin(angle) * (y - across)

    def ease(t: np.ndarray) -> np.ndarray:
        return 6 * t**5 - 15 * t**4 + 10 * t**3

    left = ramp(0, 0) * (1 - ease(x)) + ramp(1, 0) * ease(x)
    right = ramp(0, 1) * (1 - ease(x)) + ramp(1, 1) * ease(x)
    value = left * (1 - ease(y)) + right * ease(y)
    return (value - value.min()) / (value.max() - value.min())


GRIDS = [(64, 4, 4), (64, 8, 32), (64, 16, 16), (48, 3, 3), (48, 6, 24), (48, 12, 12)]


@pytest.mark.parametrize(("size", "rows", "columns"), GRIDS)
def test_noise_is_the_textbook_s(size, rows, columns):
    key = host_keys.key_of(21)
    own = host_keys.split(host_keys.split(key)[1])[1]
    shares = host_keys.uniform(own, (rows + 1) * (columns + 1)).reshape(rows + 1, columns + 1)
    assert np.abs(drawn(key, size, rows, columns) - textbook(shares, size)).max() < 2e-6


def test_angles_can_be_given():
    rng = np.random.default_rng(1)
    given = rng.random((1, 28), np.float32)
    result = drawn(host_keys.key_of(0), 64, 4, 4, given)
    assert np.abs(result - textbook(given[0, 3:].reshape(5, 5), 64)).max() < 2e-6
