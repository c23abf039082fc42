"""Players with a purpose for Craftax: they fight, mine, craft, drink, learn and go down."""

from __future__ import annotations

import numpy as np
from full_states import MOVES, body
from numpy.random import Generator
from survivors import Scene, survive

from garten.craftax.full.tables import FLOORS, OPEN_GROUND, SIZE, Action, Block, Item, Thing

Fields = dict[str, np.ndarray]

_IDLE_GROUND = {*OPEN_GROUND, Block.SAND, Block.GRAVEL, Block.WALL, Block.DARKNESS, Block.INVALID}
"""Blocks that there is nothing to do with."""

KILLS_TO_GO_DOWN = 8

_CRAFTS = (
    *(Action.PLACE_TABLE, Action.PLACE_FURNACE, Action.PLACE_STONE, Action.PLACE_PLANT, Action.PLACE_TORCH),
    *(
        Action.MAKE_WOOD_PICKAXE,
        Action.MAKE_STONE_PICKAXE,
        Action.MAKE_IRON_PICKAXE,
        Action.MAKE_DIAMOND_PICKAXE,
    ),
    *(Action.MAKE_WOOD_SWORD, Action.MAKE_STONE_SWORD, Action.MAKE_IRON_SWORD, Action.MAKE_DIAMOND_SWORD),
    *(Action.MAKE_IRON_ARMOUR, Action.MAKE_DIAMOND_ARMOUR, Action.MAKE_ARROW, Action.MAKE_TORCH),
    *(Action.READ_BOOK, Action.ENCHANT_SWORD, Action.ENCHANT_ARMOUR, Action.ENCHANT_BOW, Action.REST),
)
_FIGHTS = (Action.DO, Action.DO, Action.DO, Action.SHOOT_ARROW, Action.CAST_FIREBALL, Action.CAST_ICEBALL)


def equipped(rng: Generator, fields: Fields, lane: int) -> Fields:
    """A player beside the way up of some floor of a lane's world, with things and attributes."""
    floor = int(rng.integers(0, FLOORS))
    return {
        **body(rng),
        "floor": np.int32(floor),
        "player_position": fields["up_ladder"][lane, floor] if floor else np.full(2, SIZE // 2, np.int32),
        "kills": rng.integers(6, 12, FLOORS).astype(np.int32),
        "boss_timer": np.int32(7),
        "sleeping": np.bool_(False),
        "resting": np.bool_(False),
        "timestep": np.int32(rng.integers(0, 600)),
    }


def scripted_action(rng: Generator, fields: Fields, lane: int) -> int:
    """What the player of a lane does next."""
    floor, place = int(fields["floor"][lane]), fields["player_position"][lane]
    ahead = place + MOVES[int(fields["player_direction"][lane]) - 1]
    thing = fields["things"][lane, floor][tuple(np.clip(place, 0, SIZE - 1))]
    luck = rng.random()
    if luck < 0.05:
        return int(rng.integers(0, len(Action)))
    if thing == Thing.LADDER_DOWN and luck < 0.4:
        return int(Action.DESCEND)
    if (ahead >= 0).all() and (ahead < SIZE).all():
        if fields["occupied"][lane, floor][tuple(ahead)]:
            return int(rng.choice(_FIGHTS))
        if int(fields["blocks"][lane, floor][tuple(ahead)]) not in _IDLE_GROUND and luck < 0.6:
            return int(Action.DO)
    return _upkeep(rng, fields, lane)


def _upkeep(rng: Generator, fields: Fields, lane: int) -> int:
    luck = rng.random()
    if fields["energy"][lane] < 3 and luck < 0.5:
        return int(Action.SLEEP)
    if luck < 0.03 and fields["potions"][lane].any():
        return int(Action.DRINK_POTION_RED + rng.choice(np.flatnonzero(fields["potions"][lane])))
    if luck < 0.05 and fields["experience"][lane] > 0:
        return int(Action.LEVEL_UP_DEXTERITY + rng.integers(0, 3))
    if luck < 0.2:
        return int(rng.choice(_CRAFTS))
    if luck < 0.25 and fields["inventory"][lane, Item.ARROWS] > 0:
        return int(Action.SHOOT_ARROW)
    if luck < 0.75:
        return int(fields["player_direction"][lane])
    return int(rng.integers(1, 5))


def outfitted(rng: Generator, fields: Fields, lane: int) -> Fields:
    """A player beside the way up of some floor of a lane's world, with all it takes to get far."""
    inventory = rng.integers(2, 20, len(Item))
    inventory[[Item.PICKAXE, Item.SWORD, Item.BOW]] = 4, 4, 1
    inventory[[Item.STONE, Item.TORCHES, Item.ARROWS]] = 99, 50, 50
    return {
        **equipped(rng, fields, lane),
        "health": np.float32(13.0),
        **{name: np.int32(17) for name in ("food", "drink", "energy")},
        **{name: np.int32(5) for name in ("dexterity", "strength", "intelligence")},
        "inventory": inventory.astype(np.int32),
        "armour": np.full(4, 2, np.int32),
        "spells": np.ones(2, bool),
    }


def surviving_action(rng: Generator, fields: Fields, lane: int) -> int:
    """What the player of a lane does next to live long and to get to the last floor, and to win."""
    floor = int(fields["floor"][lane])

    def living(kind: str) -> np.ndarray:
        return fields[f"{kind}_position"][lane, floor][fields[f"{kind}_alive"][lane, floor]]

    foes = np.concatenate([living("melee"), living("ranged")])
    goals = fields["down_ladder"][lane, floor][None]
    if fields["kills"][lane, floor] < KILLS_TO_GO_DOWN:
        goals = foes
    elif floor == FLOORS - 1:
        goals = np.argwhere(fields["blocks"][lane, floor] == Block.NECROMANCER)
    scene = Scene(
        blocks=fields["blocks"][lane, floor],
        occupied=fields["occupied"][lane, floor],
        place=tuple(fields["player_position"][lane].tolist()),
        facing=int(fields["player_direction"][lane]),
        food=int(fields["food"][lane]),
        drink=int(fields["drink"][lane]),
        energy=int(fields["energy"][lane]),
        foes=foes,
        prey=living("passive"),
        goals=goals,
    )
    return survive(rng, scene) or scripted_action(rng, fields, lane)
