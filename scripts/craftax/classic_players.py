"""Players with a purpose for Craftax-Classic: they fight, mine, craft, sow and sleep."""

from __future__ import annotations

import numpy as np
from classic_states import MOVES, body
from numpy.random import Generator
from survivors import Scene, survive

from garten.craftax.classic.tables import SIZE, Action, Block, Item

Fields = dict[str, np.ndarray]

_IDLE_GROUND = {Block.PATH, Block.SAND, Block.LAVA, Block.INVALID}
"""Blocks that there is nothing to do with."""

_ORES = (Block.COAL, Block.IRON, Block.DIAMOND)


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


def outfitted(rng: Generator, fields: Fields, lane: int) -> Fields:
    """A player in the middle of a lane's world, well and with every tool."""
    inventory = rng.integers(2, 9, len(Item))
    inventory[[Item.WOOD_PICKAXE, Item.STONE_PICKAXE, Item.IRON_PICKAXE]] = 1
    return {
        **equipped(rng, fields, lane),
        **{name: np.int32(9) for name in ("health", "food", "drink", "energy")},
        "inventory": inventory.astype(np.int32),
    }


def surviving_action(rng: Generator, fields: Fields, lane: int) -> int:
    """What the player of a lane does next to live long and to mine all there is."""

    def living(kind: str) -> np.ndarray:
        return fields[f"{kind}_position"][lane][fields[f"{kind}_alive"][lane]]

    scene = Scene(
        blocks=fields["blocks"][lane],
        occupied=fields["occupied"][lane],
        place=tuple(fields["player_position"][lane].tolist()),
        facing=int(fields["player_direction"][lane]),
        food=int(fields["food"][lane]),
        drink=int(fields["drink"][lane]),
        energy=int(fields["energy"][lane]),
        foes=np.concatenate([living("zombie"), living("skeleton")]),
        prey=living("cow"),
        goals=np.argwhere(np.isin(fields["blocks"][lane], _ORES)),
    )
    return survive(rng, scene) or scripted_action(rng, fields, lane)
