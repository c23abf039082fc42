"""JAX's random keys on the host, in NumPy: what a caller needs to seed many lanes as ``jax.random`` would."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Keys = npt.NDArray[np.uint32]

_EVEN = (13, 15, 26, 6)
_ODD = (17, 29, 16, 24)

SEEDS = 2**32
"""How many seeds there are."""


def threefry(keys: Keys, counters: npt.NDArray[np.uint32]) -> Keys:
    """Encrypt each counter with each key: shapes [..., 2] and [n] give [..., n, 2]."""
    k0, k1 = keys[..., :1], keys[..., 1:]
    schedule = (k0, k1, k0 ^ k1 ^ np.uint32(0x1BD11BDA))
    x = np.broadcast_to(k0, (*keys.shape[:-1], len(counters))).astype(np.uint32)
    y = (counters + k1).astype(np.uint32)
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


def split(keys: Keys, count: int = 2) -> Keys:
    """``jax.random.split``: [..., 2] gives [..., count, 2]."""
    return threefry(keys, np.arange(count, dtype=np.uint32))


def uniform(key: Keys, count: int) -> npt.NDArray[np.float32]:
    """``jax.random.uniform(key, (count,))``, which is any shape of so many elements, flattened."""
    words = threefry(key, np.arange(count, dtype=np.uint32))
    return ((words[..., 0] ^ words[..., 1]) >> np.uint32(9)).astype(np.float32) * np.float32(2.0**-23)
