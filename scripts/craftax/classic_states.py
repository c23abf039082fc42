"""States of Craftax-Classic built by hand, by chance: everything at once, close to the player.

They reach what play reaches rarely or never: edges and corners, full arrays of creatures and plants, arrows
in flight, lava, ripe plants, death by any cause, attacks on sleepers, the last step of an episode.
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from garten.craftax.classic.tables import (
    ARROWS,
    COWS,
    PLANTS,
    SIZE,
    SKELETONS,
    ZOMBIES,
    Achievement,
    Action,
    Block,
    Item,
)

MOVES = np.array([(0, -1), (0, 1), (-1, 0), (1, 0)], np.int32)

GROUND = {
    Block.GRASS: 30,
    Block.PATH: 20,
    Block.SAND: 6,
    Block.WATER: 6,
    Block.STONE: 6,
    Block.TREE: 5,
    Block.COAL: 3,
    Block.IRON: 3,
    Block.DIAMOND: 3,
    Block.TABLE: 5,
    Block.FURNACE: 5,
    Block.LAVA: 2,
    Block.PLANT: 2,
    Block.RIPE_PLANT: 4,
}
"""How common each block is around the player."""

State = dict[str, np.ndarray]


def wild_states(rng: Generator, count: int) -> State:
    """So many states, stacked."""
    states = [wild_state(rng) for _ in range(count)]
    return {name: np.stack([state[name] for state in states]) for name in states[0]}


def wild_state(rng: Generator) -> State:
    """One state."""
    player = _player_position(rng)
    weights = np.array(list(GROUND.values()), float)
    blocks = rng.choice([int(block) for block in GROUND], (SIZE, SIZE), p=weights / weights.sum())
    blocks[tuple(player)] = Block.GRASS
    state: State = {
        "blocks": blocks.astype(np.uint8),
        "occupied": np.zeros((SIZE, SIZE), bool),
        "player_position": player,
        "player_direction": np.int32(rng.integers(1, 5)),
        **body(rng),
        **_creatures(rng, player),
        **_plants(rng, player),
        "achievements": rng.random(len(Achievement)) < rng.choice([0.0, 0.3, 0.9]),
        "light": np.float32(rng.random()),
        "timestep": np.int32(rng.choice([rng.integers(0, 9000), rng.integers(9980, 9999)], p=[0.9, 0.1])),
    }
    for kind in ("zombie", "cow", "skeleton"):
        for place, alive in zip(state[f"{kind}_position"], state[f"{kind}_alive"], strict=True):
            state["occupied"][tuple(place)] |= alive
    for place, alive in zip(state["plant_position"], state["plant_alive"], strict=True):
        if alive:
            state["blocks"][tuple(place)] = rng.choice([Block.PLANT, Block.RIPE_PLANT])
    return state


def wild_actions(rng: Generator, count: int) -> np.ndarray:
    """Actions that do and place more than they move."""
    odds = np.ones(len(Action))
    odds[[Action.DO, Action.SLEEP]] = 5.0, 2.0
    return rng.choice(len(Action), count, p=odds / odds.sum()).astype(np.int32)


def wild_settings(rng: Generator, count: int) -> State:
    """Settings that differ from lane to lane, but for the time limit."""
    return {
        "day_length": rng.integers(20, 600, count).astype(np.int32),
        "mob_despawn_distance": rng.integers(6, 20, count).astype(np.int32),
        **{
            f"{kind}_health": rng.integers(1, 9, count).astype(np.int32)
            for kind in ("zombie", "cow", "skeleton")
        },
        "spawn_cow_chance": rng.random(count).astype(np.float32),
        "spawn_zombie_base_chance": rng.random(count).astype(np.float32) / 2,
        "spawn_zombie_night_chance": rng.random(count).astype(np.float32),
        "spawn_skeleton_chance": rng.random(count).astype(np.float32),
    }


def _player_position(rng: Generator) -> np.ndarray:
    """Anywhere, and often at an edge or in a corner."""
    anywhere = rng.integers(0, SIZE, 2)
    edge = np.where(rng.random(2) < 0.5, 0, SIZE - 1)
    return np.where(rng.random(2) < 0.2, edge, anywhere).astype(np.int32)


def body(rng: Generator) -> State:
    """A player's body and possessions."""
    inventory = rng.integers(0, 10, len(Item)) * (rng.random(len(Item)) < 0.7)
    low, high = (0, 4) if rng.random() < 0.3 else (1, 10)
    return {
        "health": np.int32(rng.integers(1, 10)),
        **{name: np.int32(rng.integers(low, high)) for name in ("food", "drink", "energy")},
        "sleeping": np.bool_(rng.random() < 0.2),
        "recover": np.float32(rng.integers(-30, 51) / 2),
        "hunger": np.float32(rng.integers(0, 51) / 2),
        "thirst": np.float32(rng.integers(0, 41) / 2),
        "fatigue": np.float32(rng.integers(-10, 31)),
        "inventory": inventory.astype(np.int32),
    }


def _near(rng: Generator, player: np.ndarray, count: int) -> np.ndarray:
    """Places close to the player, a few anywhere."""
    reach = int(rng.choice([1, 2, 5, 12]))
    places = player + rng.integers(-reach, reach + 1, (count, 2))
    anywhere = rng.integers(0, SIZE, (count, 2))
    far = rng.random((count, 1)) < 0.15
    return np.clip(np.where(far, anywhere, places), 0, SIZE - 1).astype(np.int32)


def _creatures(rng: Generator, player: np.ndarray) -> State:
    state: State = {}
    share = rng.choice([0.3, 0.7, 1.0])
    for kind, slots in (("zombie", ZOMBIES), ("cow", COWS), ("skeleton", SKELETONS)):
        places = _near(rng, player, slots)
        state[f"{kind}_position"] = places
        state[f"{kind}_health"] = rng.integers(1, 6, slots).astype(np.int32)
        state[f"{kind}_alive"] = (rng.random(slots) < share) & (places != player).any(1)
        if kind != "cow":
            state[f"{kind}_cooldown"] = rng.integers(-3, 5, slots).astype(np.int32)
    state["arrow_position"] = _near(rng, player, ARROWS)
    state["arrow_direction"] = MOVES[rng.integers(0, 4, ARROWS)]
    state["arrow_alive"] = rng.random(ARROWS) < share
    return state


def _plants(rng: Generator, player: np.ndarray) -> State:
    places = _near(rng, player, PLANTS)
    alive = (rng.random(PLANTS) < rng.choice([0.0, 0.5, 1.0])) & (places != player).any(1)
    ages = rng.choice([rng.integers(0, 598, PLANTS), rng.integers(595, 610, PLANTS)])
    return {
        "plant_position": places,
        "plant_age": (ages * alive).astype(np.int32),
        "plant_alive": alive,
    }
