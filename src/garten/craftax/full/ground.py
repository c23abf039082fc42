# mypy: ignore-errors
# ruff: noqa: RUF046, UP018 - Warp takes int(0), not 0, for a variable that a loop changes
"""The map of a floor: choosing tiles, and the light around torches."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax import choice
from garten.craftax.full.state import State
from garten.craftax.full.tables import SIZE, TILES
from garten.craftax.keys import Key, uniform

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_SIZE = wp.constant(SIZE)
_TILES = wp.constant(TILES)


@wp.func
def count_blocks(s: State, lane: int, floor: int, block: int) -> int:
    """How many tiles of a floor are of this block."""
    count = int(0)
    for row in range(_SIZE):
        for column in range(_SIZE):
            if int(s.blocks[lane, floor, row, column]) == block:
                count = count + 1
    return count


@wp.func
def choose_evenly(s: State, lane: int, floor: int, block: int, key: Key) -> int:
    """The flat index of a random tile of this block, drawn with weights of 1 / count; 0 if there is none."""
    count = count_blocks(s, lane, floor, block)
    if count == 0:
        return 0
    running = choice.start(count)
    for tile in range(_TILES):
        if int(s.blocks[lane, floor, tile // _SIZE, tile % _SIZE]) == block:
            running = choice.add(running, tile)
    threshold = choice.level(choice.finish(running, _TILES), key)
    running = choice.start(count)
    for tile in range(_TILES):
        if int(s.blocks[lane, floor, tile // _SIZE, tile % _SIZE]) == block:
            running = choice.add(running, tile)
            if running.total >= threshold:
                return tile
    return _TILES - 1


@wp.func
def choose_by_count(s: State, lane: int, floor: int, block: int, key: Key) -> int:
    """The same drawn with weights of 1, which add up without rounding."""
    threshold = float(count_blocks(s, lane, floor, block)) * (1.0 - uniform(key))
    seen = float(0.0)
    if threshold > 0.0:
        for tile in range(_TILES):
            if int(s.blocks[lane, floor, tile // _SIZE, tile % _SIZE]) == block:
                seen = seen + 1.0
                if seen >= threshold:
                    return tile
    return 0


@wp.func
def torch_light(down: int, across: int) -> float:
    """The light of a torch so many tiles away, 0 from 5 on."""
    reach = wp.sqrt(float(down * down + across * across))
    return wp.clamp(1.0 - reach / 5.0, 0.0, 1.0)
