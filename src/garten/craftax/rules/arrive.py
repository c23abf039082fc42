# mypy: ignore-errors
# ruff: noqa: RUF046, UP018 - Warp takes int(0), not 0, for a variable that a loop changes
"""Where new creatures appear: on a random tile around the player that suits them."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax import choice
from garten.craftax.keys import Key

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)


@wp.struct
class Wanted:
    """Which tiles suit a new creature."""

    blocks: wp.uint64  # bit mask of what it stands on
    crow: bool  # whether distances from the player are squared, as the crow flies, or walked
    above: int  # least distance, exclusive
    below: int  # greatest distance, exclusive


@wp.func
def choose_tile(
    blocks: wp.array2d(dtype=wp.uint8),
    occupied: wp.array2d(dtype=bool),
    center: wp.vec2i,
    wanted: Wanted,
    key: Key,
) -> int:
    """The flat index of a random tile of a map around a place, or -1 if none suits.

    Args:
        blocks: the map, square.
        occupied: where creatures stand; they suit nobody.
        center: the place.
        wanted: which tiles suit.
        key: of the draw.
    """
    size = blocks.shape[0]
    top = wp.max(0, center[0] - _reach(0, wanted))
    bottom = wp.min(size - 1, center[0] + _reach(0, wanted))
    count = int(0)
    for row in range(top, bottom + 1):
        reach = _reach(row - center[0], wanted)
        for column in range(wp.max(0, center[1] - reach), wp.min(size - 1, center[1] + reach) + 1):
            if _suits(blocks, occupied, row, column, center, wanted):
                count = count + 1
    if count == 0:
        return -1
    running = choice.start(count)
    for row in range(top, bottom + 1):
        reach = _reach(row - center[0], wanted)
        for column in range(wp.max(0, center[1] - reach), wp.min(size - 1, center[1] + reach) + 1):
            if _suits(blocks, occupied, row, column, center, wanted):
                running = choice.add(running, row * size + column)
    threshold = choice.level(choice.finish(running, size * size), key)
    running = choice.start(count)
    for row in range(top, bottom + 1):
        reach = _reach(row - center[0], wanted)
        for column in range(wp.max(0, center[1] - reach), wp.min(size - 1, center[1] + reach) + 1):
            if _suits(blocks, occupied, row, column, center, wanted):
                running = choice.add(running, row * size + column)
                if running.total >= threshold:
                    return row * size + column
    return size * size - 1


@wp.func
def _reach(down: int, wanted: Wanted) -> int:
    """How many tiles to either side are near enough, so many rows away; negative if none is."""
    if not wanted.crow:
        return wanted.below - 1 - wp.abs(down)
    rest = wanted.below - 1 - down * down
    if rest < 0:
        return -1
    return int(wp.sqrt(float(rest)))


@wp.func
def _suits(
    blocks: wp.array2d(dtype=wp.uint8),
    occupied: wp.array2d(dtype=bool),
    row: int,
    column: int,
    center: wp.vec2i,
    wanted: Wanted,
) -> bool:
    """Whether a tile that is near enough suits."""
    if ((wanted.blocks >> wp.uint64(blocks[row, column])) & wp.uint64(1)) == wp.uint64(0):
        return False
    if occupied[row, column]:
        return False
    down = wp.abs(row - center[0])
    across = wp.abs(column - center[1])
    if wanted.crow:
        return down * down + across * across > wanted.above
    return down + across > wanted.above
