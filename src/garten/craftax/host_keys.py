"""JAX's random keys on the host, in NumPy: what a caller needs to seed many lanes as ``jax.random`` would.

`garten.craftax.keys` says how the two streams differ.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Keys = npt.NDArray[np.uint32]

Stream = Literal["partitionable", "original"]
"""JAX's default since 0.5, and the one before it (``jax_threefry_partitionable=False``)."""

_EVEN = (13, 15, 26, 6)
_ODD = (17, 29, 16, 24)

SEEDS = 2**32
"""How many seeds there are."""

_APART = 2**32 - 1


def threefry(keys: Keys, low: npt.NDArray[Any], high: npt.NDArray[Any] | int = 0) -> Keys:
    """Encrypt each counter (`high`, `low`) with each key: shapes [..., 2] and [n] give [..., n, 2]."""
    k0, k1 = keys[..., :1], keys[..., 1:]
    schedule = (k0, k1, k0 ^ k1 ^ np.uint32(0x1BD11BDA))
    x = (np.broadcast_to(np.asarray(high, np.uint32), low.shape) + k0).astype(np.uint32)
    y = (low.astype(np.uint32) + k1).astype(np.uint32)
    for group in range(5):
        for turn in _EVEN if group % 2 == 0 else _ODD:
            x = x + y
            y = ((y << np.uint32(turn)) | (y >> np.uint32(32 - turn))) ^ x
        x = x + schedule[(group + 1) % 3]
        y = y + schedule[(group + 2) % 3] + np.uint32(group + 1)
    return np.stack([x, y], axis=-1)


def key_of(seed: int) -> Keys:
    """``jax.random.PRNGKey(seed)``.

    Raises:
        ValueError: the seed does not fit 32 bits, where JAX itself depends on its settings.
    """
    if not 0 <= seed < SEEDS:
        raise ValueError(f"The seed {seed} does not fit; give one from 0 to 2**32 - 1.")
    return np.array([0, seed], np.uint32)


def split(keys: Keys, count: int = 2, *, stream: Stream = "partitionable") -> Keys:
    """``jax.random.split``: [..., 2] gives [..., count, 2]."""
    if stream == "original":
        return _original_words(keys, 2 * count).reshape(*keys.shape[:-1], count, 2)
    return threefry(keys, np.arange(count))


def uniform(key: Keys, count: int, *, stream: Stream = "partitionable") -> npt.NDArray[np.float32]:
    """``jax.random.uniform(key, (count,))``, which is any shape of so many elements, flattened."""
    if stream == "original":
        words = _original_words(key, count)
    else:
        words = np.bitwise_xor.reduce(threefry(key, np.arange(count)), axis=-1)
    return (words >> np.uint32(9)).astype(np.float32) * np.float32(2.0**-23)


def apart(keys: Keys) -> Keys:
    """``jax.random.fold_in(key, 2**32 - 1)``: keys that no split or draw from `keys` has to do with."""
    return threefry(keys, np.array([_APART]))[..., 0, :]


def _original_words(keys: Keys, count: int) -> Keys:
    """The words of the original stream, [..., count]."""
    half = (count + 1) // 2
    second = np.arange(half, 2 * half)
    second[second == count] = 0  # the padding of an odd count
    block = threefry(keys, second, np.arange(half))
    return np.concatenate([block[..., 0], block[..., 1]], axis=-1)[..., :count]
