"""Players of both games that live long: they drink, eat, sleep, strike back and take the shortest way."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from garten.craftax.full.tables import Action, Block

MOVES = ((0, -1), (0, 1), (-1, 0), (1, 0))
"""Rows and columns of the actions 1 to 4."""

PASSABLE = (
    *(Block.GRASS, Block.FIRE_GRASS, Block.ICE_GRASS, Block.PATH, Block.SAND, Block.GRAVEL, Block.ICE_SHRUB),
    *(Block.STONE, Block.STALAGMITE, Block.COAL, Block.IRON, Block.DIAMOND, Block.SAPPHIRE, Block.RUBY),
    *(Block.CHEST, Block.WATER),
)
"""Blocks that one walks on, digs through or fills with a stone."""

DUG = (Block.STONE, Block.STALAGMITE, Block.COAL, Block.IRON, Block.DIAMOND, Block.SAPPHIRE, Block.RUBY)
DRINKS = (Block.WATER, Block.FOUNTAIN)

ENOUGH = 5
"""Food and drink below which one looks for more."""

TIRED = 3


@dataclass(frozen=True)
class Scene:
    """What a survivor looks at.

    Attributes:
        blocks: uint8 [rows, columns] of the floor.
        occupied: bool, the same shape: where creatures stand.
        place: row and column of the player.
        facing: the move, 1 to 4, that the player faces.
        food: of the player.
        drink: the same.
        energy: the same.
        foes: int [foes, 2], where living monsters are.
        prey: int [animals, 2], where living animals are.
        goals: int [goals, 2], where to go when nothing is amiss.
    """

    blocks: np.ndarray
    occupied: np.ndarray
    place: tuple[int, int]
    facing: int
    food: int
    drink: int
    energy: int
    foes: np.ndarray
    prey: np.ndarray
    goals: np.ndarray


def survive(rng: Generator, scene: Scene) -> int | None:
    """What to do next, or None if nothing presses; both games number these actions alike."""
    if rng.random() < 0.1:
        return None
    near = scene.foes[np.abs(scene.foes - scene.place).sum(1) == 1]
    if len(near):
        return _use(scene, MOVES.index(tuple((near[0] - scene.place).tolist())) + 1)
    if scene.drink < ENOUGH and (move := _way(scene, np.isin(scene.blocks, DRINKS))):
        return _go(scene, move, drinks=True)
    if scene.food < ENOUGH and (move := _way(scene, _marked(scene, scene.prey))):
        return _go(scene, move)
    if scene.energy < TIRED:
        return int(Action.SLEEP)
    if move := _way(scene, _marked(scene, scene.goals)):
        return _go(scene, move)
    return None


def _marked(scene: Scene, places: np.ndarray) -> np.ndarray:
    """Where the places are, bool [rows, columns]."""
    marked = np.zeros(scene.blocks.shape, bool)
    marked[tuple(places.T)] = True
    return marked


def _way(scene: Scene, targets: np.ndarray) -> int:
    """The first move of the shortest way to a target, 0 if there is none or the player is there."""
    if targets[scene.place] or not targets.any():
        return 0
    passable = np.isin(scene.blocks, PASSABLE) & ~scene.occupied
    seen = {scene.place}
    ways = deque([(scene.place, 0)])
    while ways:
        (row, column), first = ways.popleft()
        for move, (down, across) in enumerate(MOVES, start=1):
            there = (row + down, column + across)
            if there in seen or min(there) < 0 or max(there) >= len(passable):
                continue
            if targets[there]:
                return first or move
            if passable[there]:
                seen.add(there)
                ways.append((there, first or move))
    return 0


def _go(scene: Scene, move: int, *, drinks: bool = False) -> int:
    """Move, or make way: dig, open, strike, drink, or put a stone on water."""
    down, across = MOVES[move - 1]
    there = scene.place[0] + down, scene.place[1] + across
    block = scene.blocks[there]
    if block == Block.WATER and not drinks:
        return _use(scene, move, Action.PLACE_STONE)
    if scene.occupied[there] or block not in PASSABLE or block in (*DUG, *DRINKS, Block.CHEST):
        return _use(scene, move)
    return move


def _use(scene: Scene, move: int, action: Action = Action.DO) -> int:
    """Turn there, and then act."""
    return int(action) if scene.facing == move else move
