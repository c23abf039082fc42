# mypy: ignore-errors

"""JAX's random keys in kernels: the same key gives the same draw, bit for bit.

A key is two 32-bit words of the Threefry-2x32 cipher (20 rounds). All draws encrypt a counter: splitting a
key encrypts 0 and 1 and takes both words, a draw takes the exclusive or of the two words at its flat index.
This is the "partitionable" stream, JAX's default since 0.5. A draw nobody looks at need not be made: only
splits count.

`left` and `right` are the halves of ``jax.random.split(key)``; code that follows a chain of keys continues
with one of them and draws from the other.
"""

from __future__ import annotations

import warp as wp

from garten import devices

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

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
def threefry(key: wp.vec2ui, counter: wp.uint32) -> wp.vec2ui:
    """Encrypt the 64-bit counter whose low word is `counter` and whose high word is 0."""
    k0 = key[0]
    k1 = key[1]
    k2 = k0 ^ k1 ^ _PARITY
    x, y = _even_rounds(k0, counter + k1)
    x, y = _odd_rounds(x + k1, y + k2 + wp.uint32(1))
    x, y = _even_rounds(x + k2, y + k0 + wp.uint32(2))
    x, y = _odd_rounds(x + k0, y + k1 + wp.uint32(3))
    x, y = _even_rounds(x + k1, y + k2 + wp.uint32(4))
    return wp.vec2ui(x + k2, y + k0 + wp.uint32(5))


@wp.func
def left(key: wp.vec2ui) -> wp.vec2ui:
    """The first key of ``split(key)``."""
    return threefry(key, wp.uint32(0))


@wp.func
def right(key: wp.vec2ui) -> wp.vec2ui:
    """The second key of ``split(key)``."""
    return threefry(key, wp.uint32(1))


@wp.func
def child(key: wp.vec2ui, index: int) -> wp.vec2ui:
    """Key `index` of ``split(key, n)``, for any n."""
    return threefry(key, wp.uint32(index))


@wp.func
def bits_at(key: wp.vec2ui, index: int) -> wp.uint32:
    """Element `index`, in row-major order, of an array of random 32-bit words."""
    block = threefry(key, wp.uint32(index))
    return block[0] ^ block[1]


@wp.func
def uniform_at(key: wp.vec2ui, index: int) -> float:
    """Element `index` of ``uniform(key, shape)``: a multiple of 2**-23 in [0, 1)."""
    return float(int(bits_at(key, index) >> wp.uint32(9))) * _TO_UNIT


@wp.func
def uniform(key: wp.vec2ui) -> float:
    """``uniform(key)``."""
    return uniform_at(key, 0)


@wp.func
def randint_at(key: wp.vec2ui, index: int, span: int) -> int:
    """Element `index` of ``randint(key, shape, 0, span)``."""
    size = wp.uint32(span)
    low = bits_at(right(key), index) % size
    carry = wp.uint32(65536) % size
    if carry == wp.uint32(0):
        return int(low)
    high = bits_at(left(key), index) % size
    return int((high * ((carry * carry) % size) + low) % size)


@wp.func
def randint(key: wp.vec2ui, span: int) -> int:
    """``randint(key, (), 0, span)``, which is also the index that ``choice(key, span)`` takes."""
    return randint_at(key, 0, span)
