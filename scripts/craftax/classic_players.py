"""Players with a purpose for Craftax-Classic: they fight, mine, craft, sow and sleep."""

from __future__ import annotations

import numpy as np
from classic_states import MOVES, body
from numpy.random import Generator

from garten.craftax.classic.tables import SIZE, Action, Block

Fields = dict[str, np.ndarray]

_IDLE_GROUND = {Block.PATH, Block.SAND, Block.LAVA, Block.INVALID}
"""Blocks that there is nothing to do with."""


def equipped(rng: Generator, fields: Fields, lane: int) -> Fields:
    """A player in the middle of a lane's world, with things."""
    return {
        **body(rng),
        "player_position": np.full(2, SIZE // 2, np.int32),
        "sleeping": np.bool_(False),
        "timestep": np.int32(rng.integers(0, 600)),
    }


def scripted_action(rng: Generator, fields: Fields, lane: int) -> int:
    """What the player of a lane does next."""
    place, direction = fields["player_position"][lane], int(fields["player_direction"][lane])
    ahead = place + MOVES[direction - 1]
    luck = rng.random()
    if luck < 0.05:
        return int(rng.integers(0, len(Action)))
    if (ahead >= 0).all() and (ahead < SIZE).all():
        block = int(fields["blocks"][lane][tuple(ahead)])
        if fields["occupied"][lane][tuple(ahead)]:
            return int(Action.DO)
        if block == Block.LAVA:
            return int(rng.integers(1, 5))
        if block not in _IDLE_GROUND and luck < (0.15 if block == Block.GRASS else 0.7):
            return int(Action.DO)
    if fields["energy"][lane] < 3 and luck < 0.5:
        return int(Action.SLEEP)
    if luck > 0.8:
        return int(rng.integers(Action.PLACE_STONE, len(Action)))
    return direction if luck < 0.65 else int(rng.integers(1, 5))
