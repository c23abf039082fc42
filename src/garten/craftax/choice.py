# mypy: ignore-errors

"""``jax.random.choice`` with equal weights on some tiles of a map, to the last bit.

JAX draws by looking a random share of the total up among the running sums of the weights. Which tile it
finds depends on how the sums round, and the compiler does not add up in order: it sums blocks of 16
elements, then the blocks' totals in groups of 16, then the groups. `add` follows that order. Tiles of
weight 0 change nothing, so a caller visits only the others, by ascending index.

    running = start(count)               # how many tiles have a weight
    running = add(running, index)        # for each of them; running.total is the sum so far
    threshold = level(finish(running, tiles), key)
    ...                                  # go over them once more: the first with total >= threshold

No tile at all makes JAX divide 0 by 0, and it then takes tile 0.
"""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.keys import Key, uniform

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_BLOCK = wp.constant(16)


@wp.struct
class Running:
    """A running sum of equal weights."""

    weight: float  # of one tile
    total: float  # the running sum at the last tile added
    block: int  # of 16 elements, that the last tile lies in
    in_block: float  # sum of this block
    in_group: float  # sum of the blocks before it in its group
    groups: float  # sum of the groups before its group


@wp.func
def start(count: int) -> Running:
    """The sum before the first of `count` tiles, each of weight 1 / count."""
    running = Running()
    running.weight = 1.0 / float(count)
    return running


@wp.func
def _enter(running: Running, block: int) -> Running:
    """Move on to a later block."""
    running.in_group = running.in_group + running.in_block
    running.in_block = 0.0
    if block // 16 != running.block // 16:
        running.groups = running.groups + running.in_group
        running.in_group = 0.0
    running.block = block
    return running


@wp.func
def add(running: Running, index: int) -> Running:
    """Add the weight of the tile with this flat index, which is above all before it."""
    block = index // _BLOCK
    if block != running.block:
        running = _enter(running, block)
    running.in_block = running.in_block + running.weight
    running.total = running.in_block + (running.in_group + running.groups)
    return running


@wp.func
def finish(running: Running, tiles: int) -> float:
    """The sum at the end of a map of so many tiles."""
    block = (tiles - 1) // _BLOCK
    if block != running.block:
        running = _enter(running, block)
    return running.in_block + (running.in_group + running.groups)


@wp.func
def level(total: float, key: Key) -> float:
    """What the running sum must reach."""
    return total * (1.0 - uniform(key))
