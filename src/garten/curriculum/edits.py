"""What ACCEL changes in worlds: the directions of their noise, or tiles of the first floor.

The edits are those of jaxued, but for two things: tiles where the player starts or a ladder lies stay as they
are, so that no edit buries either, and of two tiles swapped neither is lost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from garten.craftax.env import Env, make
from garten.craftax.full.tables import SIZE, Block, Thing
from garten.curriculum.worlds import WorldSeed, other_noise, put

Map = npt.NDArray[np.uint8]
Free = npt.NDArray[np.bool_]

ANY = (
    *(Block.GRASS, Block.WATER, Block.STONE, Block.TREE, Block.COAL, Block.IRON, Block.DIAMOND),
    *(Block.LAVA, Block.RIPE_PLANT),
)
"""Blocks that a swap may bring to the middle of the floor."""

_ROCKS = (Block.STONE, Block.COAL, Block.IRON, Block.DIAMOND)

ALIKE: Mapping[Block, tuple[Block, ...]] = {
    Block.GRASS: (Block.TREE,),
    Block.TREE: (Block.GRASS,),
    **{rock: tuple(other for other in _ROCKS if other != rock) for rock in _ROCKS},
}
"""For each block of a restricted swap, those that it may change places with."""

REACH = 8
"""How far the middle of the floor goes in each direction from its centre, in tiles."""


def turn_noise(levels: Sequence[WorldSeed], random: np.random.Generator) -> list[WorldSeed]:
    """Worlds whose noise is turned a little; see `other_noise`."""
    return [other_noise(level, random) for level in levels]


class Swaps:
    """Swaps tiles of worlds' first floors."""

    def __init__(self, *, count: int, restricted: bool) -> None:
        """Make so many swaps in each world, of any two tiles or of two alike."""
        self._count, self._restricted = count, restricted
        self._env: Env | None = None

    def __call__(self, levels: Sequence[WorldSeed], random: np.random.Generator) -> list[WorldSeed]:
        """Worlds with some tiles swapped."""
        if self._env is None or self._env.num_envs != len(levels):
            self._env = make("Craftax", num_envs=len(levels))
        put(self._env, levels)
        self._env.reset(seed=0)
        state = self._env.engine.state
        blocks, things = state.read("blocks")[:, 0], state.read("things")[:, 0]
        players = state.read("player_position")
        edited = []
        for lane, level in enumerate(levels):
            free = things[lane] == Thing.NONE
            free[tuple(players[lane])] = False
            before, after = blocks[lane], blocks[lane].copy()
            for _ in range(self._count):
                swap = swap_alike if self._restricted else swap_any
                swap(after, free, random)
            edited.append(with_tiles(level, before, after))
        return edited


def swap_any(blocks: Map, free: Free, random: np.random.Generator) -> None:
    """Bring a random block to a random tile of the middle; what was there goes where the block was.

    If there is no such block on the floor, it is new and what was there is gone.

    Args:
        blocks: [rows, columns], changed in place.
        free: bool [rows, columns], which tiles may change.
        random: of the luck.
    """
    block = ANY[random.integers(len(ANY))]
    here = _one_of(free & _middle(), random)
    there = _one_of(free & (blocks == block), random)
    if here is None:
        return
    if there is not None:
        blocks[there] = blocks[here]
    blocks[here] = block


def swap_alike(blocks: Map, free: Free, random: np.random.Generator) -> None:
    """Let two tiles change places, grass and tree or stone and ore; the arguments are those of `swap_any`.

    Nothing happens if the floor lacks one of the two blocks drawn.
    """
    block = list(ALIKE)[random.integers(len(ALIKE))]
    partner = ALIKE[block][random.integers(len(ALIKE[block]))]
    here, there = _one_of(free & (blocks == block), random), _one_of(free & (blocks == partner), random)
    if here is not None and there is not None:
        blocks[here], blocks[there] = partner, block


def with_tiles(level: WorldSeed, before: Map, after: Map) -> WorldSeed:
    """The level with the tiles that differ changed too.

    What it holds is by tile, each once, so that equal floors made from a key are equal levels.
    """
    tiles = {(at, across): block for at, across, block in level.tiles}
    rows, columns = np.nonzero(before != after)
    for at, across in zip(rows.tolist(), columns.tolist(), strict=True):
        tiles[at, across] = int(after[at, across])
    return replace(level, tiles=tuple((at, across, block) for (at, across), block in sorted(tiles.items())))


def _middle() -> Free:
    middle = np.zeros((SIZE, SIZE), bool)
    near = slice(SIZE // 2 - REACH, SIZE // 2 + REACH)
    middle[near, near] = True
    return middle


def _one_of(tiles: Free, random: np.random.Generator) -> tuple[int, int] | None:
    """One of the tiles marked, or None if none is."""
    places = np.argwhere(tiles)
    if not len(places):
        return None
    row, column = places[random.integers(len(places))]
    return int(row), int(column)
