# mypy: ignore-errors
# ruff: noqa: D103, F811 - a function that differs between the streams is there twice

"""JAX's random keys in kernels: the same key gives the same draw, bit for bit.

A key is two 32-bit words for the Threefry-2x32 cipher (20 rounds). All draws encrypt counters. Which ones,
and what is taken of the result, depends on the stream, and the stream of a key is its type:

* "partitionable", JAX's default since 0.5: key i of a split encrypts i and takes both words, element i of a
  draw encrypts i and takes their exclusive or, however many there are;
* "original", the default before (``jax_threefry_partitionable=False``): n words come from the numbers 0 to
  n - 1, the first half of them paired with the second; an odd count is padded with a 0. A split into n keys
  is 2 n such words.

A draw nobody looks at need not be made: only splits count.

`left` and `right` are the halves of ``jax.random.split(key)``; code that follows a chain of keys continues
with one of them and draws from the other.
"""

from __future__ import annotations

from typing import Any

import warp as wp

from garten import devices

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

Key = Any
"""In a function's signature: a key of either stream. It is compiled for those of the keys it gets."""

PartitionableKey = wp.vec2ui

OriginalKey = wp.vec3ui
"""The third word says nothing; it makes the type another."""

_PARITY = wp.constant(wp.uint32(0x1BD11BDA))
_TO_UNIT = wp.constant(float(2.0**-23))


@wp.func
def _mix(x: wp.uint32, y: wp.uint32, turn: wp.uint32):
    """One round: add, rotate left by `turn` bits, exclusive or."""
    total = x + y
    return total, ((y << turn) | (y >> (wp.uint32(32) - turn))) ^ total


@wp.func
def _four_rounds(x: wp.uint32, y: wp.uint32, a: wp.uint32, b: wp.uint32, c: wp.uint32, d: wp.uint32):
    """Four rounds with four rotations."""
    x1, y1 = _mix(x, y, a)
    x2, y2 = _mix(x1, y1, b)
    x3, y3 = _mix(x2, y2, c)
    x4, y4 = _mix(x3, y3, d)
    return x4, y4


@wp.func
def _even_rounds(x: wp.uint32, y: wp.uint32):
    x1, y1 = _four_rounds(x, y, wp.uint32(13), wp.uint32(15), wp.uint32(26), wp.uint32(6))
    return x1, y1


@wp.func
def _odd_rounds(x: wp.uint32, y: wp.uint32):
    x1, y1 = _four_rounds(x, y, wp.uint32(17), wp.uint32(29), wp.uint32(16), wp.uint32(24))
    return x1, y1


@wp.func
def _encrypt(k0: wp.uint32, k1: wp.uint32, high: wp.uint32, low: wp.uint32) -> wp.vec2ui:
    """Encrypt a counter of two words."""
    k2 = k0 ^ k1 ^ _PARITY
    x, y = _even_rounds(high + k0, low + k1)
    x, y = _odd_rounds(x + k1, y + k2 + wp.uint32(1))
    x, y = _even_rounds(x + k2, y + k0 + wp.uint32(2))
    x, y = _odd_rounds(x + k0, y + k1 + wp.uint32(3))
    x, y = _even_rounds(x + k1, y + k2 + wp.uint32(4))
    return wp.vec2ui(x + k2, y + k0 + wp.uint32(5))


@wp.func
def of_stream(words: wp.vec2ui, like: PartitionableKey):
    """The key of these words, in the stream of the key `like`."""
    return words


@wp.func
def of_stream(words: wp.vec2ui, like: OriginalKey):
    return OriginalKey(words[0], words[1], wp.uint32(0))


@wp.func
def words(key: Key):
    """What arrays keep of a key."""
    return wp.vec2ui(key[0], key[1])


@wp.func
def _original_word(key: OriginalKey, index: int, count: int) -> wp.uint32:
    """Word `index` of `count`."""
    half = (count + 1) // 2
    first = index
    if index >= half:
        first = index - half
    second = first + half
    if second == count:
        second = 0  # the padding of an odd count
    block = _encrypt(key[0], key[1], wp.uint32(first), wp.uint32(second))
    return wp.where(index < half, block[0], block[1])


@wp.func
def child(key: PartitionableKey, index: int, count: int):
    """Key `index` of ``split(key, count)``."""
    return _encrypt(key[0], key[1], wp.uint32(0), wp.uint32(index))


@wp.func
def child(key: OriginalKey, index: int, count: int):
    word = _original_word(key, 2 * index, 2 * count)
    return OriginalKey(word, _original_word(key, 2 * index + 1, 2 * count), wp.uint32(0))


@wp.func
def bits_at(key: PartitionableKey, index: int, count: int) -> wp.uint32:
    """Element `index`, in row-major order, of an array of `count` random 32-bit words."""
    block = _encrypt(key[0], key[1], wp.uint32(0), wp.uint32(index))
    return block[0] ^ block[1]


@wp.func
def bits_at(key: OriginalKey, index: int, count: int) -> wp.uint32:
    return _original_word(key, index, count)


@wp.func
def left(key: Key):
    """The first key of ``split(key)``."""
    return child(key, 0, 2)


@wp.func
def right(key: Key):
    """The second key of ``split(key)``."""
    return child(key, 1, 2)


@wp.func
def uniform_at(key: Key, index: int, count: int) -> float:
    """Element `index` of ``uniform(key, shape)`` of `count` elements: a multiple of 2**-23 in [0, 1)."""
    return float(int(bits_at(key, index, count) >> wp.uint32(9))) * _TO_UNIT


@wp.func
def uniform(key: Key) -> float:
    """``uniform(key)``."""
    return uniform_at(key, 0, 1)


@wp.func
def randint_at(key: Key, index: int, count: int, span: int) -> int:
    """Element `index` of ``randint(key, shape, 0, span)`` of `count` elements."""
    size = wp.uint32(span)
    low = bits_at(right(key), index, count) % size
    carry = wp.uint32(65536) % size
    if carry == wp.uint32(0):
        return int(low)
    high = bits_at(left(key), index, count) % size
    return int((high * ((carry * carry) % size) + low) % size)


@wp.func
def randint(key: Key, span: int) -> int:
    """``randint(key, (), 0, span)``, which is also the index that ``choice(key, span)`` takes."""
    return randint_at(key, 0, 1, span)
