"""World seeds as levels: each is one world, which every episode on it begins in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from garten.craftax.env import Env, make
from garten.craftax.full.engine import FullEngine
from garten.craftax.full.ops import Op, Rows, row

CHANGE = 0.2
"""How far a mutation turns a direction of noise at most, as a share of the full turn (jaxued)."""

Map = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class WorldSeed:
    """A world, made from a key and then maybe changed.

    Attributes:
        key: two 32-bit words, as `garten.craftax.host_keys` has them.
        noise: seeds of the directions that the ground's noise takes: the first one's are drawn evenly, each
            further one turns all of them a little. None for the directions that the key gives.
        tiles: blocks put on the first floor, each (row, column, block), in order.
    """

    key: tuple[int, int]
    noise: tuple[int, ...] = ()
    tiles: tuple[tuple[int, int, int], ...] = ()


class Worlds:
    """World seeds for curricula; see `garten.curriculum.periods.Levels`."""

    kind = WorldSeed

    def __init__(self, *, noise: bool = False) -> None:
        """Draw worlds, whose noise is to be open to mutation or not."""
        self._noise = noise

    def draw(self, random: np.random.Generator) -> WorldSeed:
        """A new world."""
        return new_world(random, noise=self._noise)

    def put(self, env: Env, levels: Sequence[WorldSeed]) -> None:
        """See `put`."""
        put(env, levels)


def new_world(random: np.random.Generator, *, noise: bool = False) -> WorldSeed:
    """A new world; `noise` says whether its noise is to be open to mutation."""
    return WorldSeed(_key(random), (_seed(random),) if noise else ())


def other_noise(level: WorldSeed, random: np.random.Generator) -> WorldSeed:
    """A mutation: the directions turned a little, the rest of the world drawn anew (jaxued)."""
    return WorldSeed(_key(random), (*level.noise, _seed(random)))


def angles_of(level: WorldSeed, nodes: int) -> npt.NDArray[np.float32]:
    """The directions of a world's noise as shares of the full turn, float32 [nodes]."""
    first, *changes = level.noise
    angles = np.random.default_rng(first).uniform(0.0, 1.0, nodes)
    for seed in changes:
        turn = np.random.default_rng(seed).uniform(-CHANGE, CHANGE, nodes)
        angles = np.clip(angles + turn, 0.0, 1.0)
    return angles.astype(np.float32)


def put(env: Env, levels: Sequence[WorldSeed]) -> None:
    """Have each lane begin its next episodes in its level's world.

    Args:
        env: the lanes.
        levels: one for each lane.

    Raises:
        ValueError: a world has changed tiles, and the game is not Craftax.
    """
    engine = env.engine
    env.set(angles=-1)
    noisy = np.array([bool(level.noise) for level in levels])
    if noisy.any():
        nodes = sum(engine.nodes)
        engine.give_angles(np.stack([angles_of(level, nodes) for level in levels if level.noise]))
        env.set(angles=np.where(noisy, np.cumsum(noisy) - 1, -1).astype(np.int32))
    if isinstance(engine, FullEngine):
        _put_tiles(env, engine, levels)
    elif any(level.tiles for level in levels):
        raise ValueError("Tiles can be changed in Craftax only; take the mutation noise, or that game.")
    keys = np.array([level.key for level in levels], np.uint32)
    env.set(pinned=True, pinned_key=keys)


def first_floors(game: str, levels: Sequence[WorldSeed]) -> list[Map]:
    """The blocks of each world's first floor, as its episodes begin."""
    env = make(game, num_envs=len(levels))
    put(env, levels)
    env.reset(seed=0)
    blocks = env.engine.state.read("blocks")
    return [np.array(each[0] if each.ndim == 3 else each) for each in blocks]


def _put_tiles(env: Env, engine: FullEngine, levels: Sequence[WorldSeed]) -> None:
    changed = np.array([bool(level.tiles) for level in levels])
    env.set(program=-1)
    if changed.any():
        engine.give_programs([[_rows(level)] for level in levels if level.tiles])
        env.set(program=np.where(changed, np.cumsum(changed) - 1, -1).astype(np.int32))


def _rows(level: WorldSeed) -> Rows:
    """The program that changes a world's tiles."""
    rows = [row(Op.PLACE, floor=0, block=block, row=at, column=across) for at, across, block in level.tiles]
    return np.stack(rows)


def _key(random: np.random.Generator) -> tuple[int, int]:
    high, low = random.integers(0, 2**32, 2)
    return int(high), int(low)


def _seed(random: np.random.Generator) -> int:
    return int(random.integers(0, 2**32))
