"""What a curriculum prefers: first floors from above, and how far resources lie from the start."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from garten.craftax.full.observe.pixels import atlas
from garten.craftax.full.tables import Block
from garten.curriculum.periods import L, Periodic
from garten.curriculum.plr import LevelReplay
from garten.curriculum.sfl import LearnableLevels

Map = npt.NDArray[np.uint8]

RESOURCES = (Block.TREE, Block.WATER, Block.STONE, Block.COAL, Block.IRON, Block.DIAMOND)
"""Blocks whose distance is told."""


def favourites(source: Periodic[L], count: int) -> list[L]:
    """The levels likeliest to be played, at most `count`; of a method that keeps none, some of the latest."""
    if isinstance(source, LevelReplay):
        buffer = source.buffer
        weights = buffer.weights() if buffer.levels else np.zeros(0)
        return [buffer.levels[place] for place in np.argsort(-weights, kind="stable")[:count]]
    if isinstance(source, LearnableLevels):
        return list(source.found[:count])
    return list(source.playing[:count])


def distance(floor: Map, block: Block) -> int | None:
    """Tiles from the middle of a floor, where the player starts, to the nearest such block; None without one.

    Counted in steps left, right, up and down, whatever is in the way.
    """
    places = np.argwhere(floor == block)
    if not len(places):
        return None
    middle = np.array(floor.shape) // 2
    return int(np.abs(places - middle).sum(1).min())


def mean_distances(floors: Sequence[Map]) -> dict[str, tuple[float, float]]:
    """The mean distance of each resource over the floors that have it, and its standard error, by name."""
    told = {}
    for block in RESOURCES:
        found = [distance(floor, block) for floor in floors]
        known = np.array([steps for steps in found if steps is not None], float)
        if len(known) > 1:
            told[block.name.lower()] = (
                float(known.mean()),
                float(known.std(ddof=1) / np.sqrt(len(known))),
            )
    return told


def picture(floors: Sequence[Map], *, tile: int = 4, across: int = 8) -> npt.NDArray[np.uint8]:
    """Floors from above, side by side in rows: uint8 [height, width, 3].

    Args:
        floors: of one size, at least one.
        tile: pixels along the side of a tile, at least 4.
        across: floors in a row.
    """
    margin, blocks = 4, atlas(tile)[: len(Block), ..., :3]
    drawn = [_drawn(blocks[floor], margin) for floor in floors]
    drawn += [np.full_like(drawn[0], 255)] * (-len(drawn) % across)
    rows = [np.concatenate(drawn[at : at + across], axis=1) for at in range(0, len(drawn), across)]
    whole: npt.NDArray[np.uint8] = np.concatenate(rows)
    return whole


def _drawn(tiles: npt.NDArray[Any], margin: int) -> npt.NDArray[np.uint8]:
    """One floor, from pictures of its tiles [rows, columns, tile, tile, 3], with a white margin."""
    rows, columns, tile = tiles.shape[:3]
    flat = tiles.transpose(0, 2, 1, 3, 4).reshape(rows * tile, columns * tile, 3)
    start = slice(rows // 2 * tile, (rows // 2 + 1) * tile)
    flat[start, start] = (255, 0, 0)  # where the player starts
    return np.pad(flat, ((0, margin), (0, margin), (0, 0)), constant_values=255)
