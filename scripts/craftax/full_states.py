"""States of Craftax built by hand, by chance: everything at once, close to the player, on any floor."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from garten.craftax.full.tables import (
    FLOORS,
    MELEE,
    PASSIVE,
    PLANTS,
    RANGED,
    SHOTS,
    SIZE,
    Achievement,
    Action,
    Block,
    Item,
    Thing,
)

MOVES = np.array([(0, -1), (0, 1), (-1, 0), (1, 0)], np.int32)

COMMON = (Block.GRASS, Block.PATH, Block.FIRE_GRASS, Block.ICE_GRASS, Block.SAND)
"""Blocks that make up two thirds of the ground; the others share the rest."""

SCENE = (
    *(Block.FIRE_TABLE, Block.ICE_TABLE, Block.CHEST, Block.WATER, Block.LAVA, Block.DIAMOND, Block.SAPPHIRE),
    *(Block.RUBY, Block.IRON, Block.RIPE_PLANT, Block.FOUNTAIN, Block.STALAGMITE, Block.GRASS),
)
"""Blocks to do something with."""

State = dict[str, np.ndarray]


def wild_states(rng: Generator, count: int) -> State:
    """So many states, stacked."""
    states = [wild_state(rng) for _ in range(count)]
    return {name: np.stack([state[name] for state in states]) for name in states[0]}


def wild_actions(rng: Generator, count: int) -> np.ndarray:
    """Actions that do more than they move."""
    odds = np.ones(len(Action))
    odds[[Action.DO, Action.SLEEP, Action.REST]] = 10.0, 1.5, 1.5
    odds[[Action.ENCHANT_SWORD, Action.ENCHANT_ARMOUR, Action.MAKE_IRON_ARMOUR]] = 3.0
    return rng.choice(len(Action), count, p=odds / odds.sum()).astype(np.int32)


def wild_settings(rng: Generator, count: int) -> State:
    """Settings that differ from lane to lane, but for the time limit."""
    return {
        "day_length": rng.integers(20, 600, count).astype(np.int32),
        "mob_despawn_distance": rng.integers(6, 20, count).astype(np.int32),
        "max_attribute": rng.integers(1, 6, count).astype(np.int32),
        "god_mode": rng.random(count) < 0.4,
    }


def wild_state(rng: Generator) -> State:
    """One state."""
    floor = FLOORS - 1 if rng.random() < 0.2 else int(rng.integers(0, FLOORS))
    player = _player_position(rng)
    state: State = {
        **_map(rng, floor, player),
        "player_position": player,
        "floor": np.int32(floor),
        "player_direction": np.int32(rng.integers(1, 5)),
        **body(rng),
        **_creatures(rng, player),
        **_shots(rng, player),
        **_plants(rng, player),
        "chest_opened": rng.random(FLOORS) < 0.5,
        "kills": rng.integers(5, 12, FLOORS).astype(np.int32),
        "boss_progress": np.int32(rng.integers(0, FLOORS - 1)),
        "boss_timer": np.int32(rng.integers(-2, 8)),
        "achievements": rng.random(len(Achievement)) < rng.choice([0.0, 0.3, 0.9]),
        "light": np.float32(rng.random()),
        "timestep": np.int32(rng.choice([rng.integers(0, 90000), rng.integers(99980, 99999)], p=[0.9, 0.1])),
    }
    _set_scene(rng, state)
    for kind in ("melee", "passive", "ranged"):
        for level in range(FLOORS):
            places = state[f"{kind}_position"][level]
            for place, alive in zip(places, state[f"{kind}_alive"][level], strict=True):
                state["occupied"][level][tuple(place)] |= alive
    for place, alive in zip(state["plant_position"], state["plant_alive"], strict=True):
        if alive:
            state["blocks"][0][tuple(place)] = rng.choice([Block.PLANT, Block.RIPE_PLANT])
    return state


def _set_scene(rng: Generator, state: State) -> None:
    """Put something of interest before the player, and often table and furnace beside it."""
    floor, player = int(state["floor"]), state["player_position"]
    ahead = player + MOVES[int(state["player_direction"]) - 1]
    if floor == FLOORS - 1 and rng.random() < 0.5:
        for kind in ("melee", "ranged"):
            state[f"{kind}_alive"][floor] = False
        state["boss_timer"] = np.int32(rng.integers(-2, 1))
        state["boss_progress"] = np.int32(rng.integers(4, FLOORS - 1))
    if rng.random() < 0.6:
        _put(state, floor, ahead, Block.NECROMANCER if floor == FLOORS - 1 else rng.choice(SCENE))
    if rng.random() < 0.4:
        _put(state, floor, player + rng.choice([-1, 1], 2), Block.TABLE)
        _put(state, floor, player + rng.choice([-1, 1], 2), Block.FURNACE)


def _put(state: State, floor: int, place: np.ndarray, block: Block) -> None:
    if (place >= 0).all() and (place < SIZE).all():
        state["blocks"][floor][tuple(place)] = block


def _player_position(rng: Generator) -> np.ndarray:
    """Anywhere, and often at an edge or in a corner."""
    anywhere = rng.integers(0, SIZE, 2)
    edge = np.where(rng.random(2) < 0.5, 0, SIZE - 1)
    return np.where(rng.random(2) < 0.2, edge, anywhere).astype(np.int32)


def _map(rng: Generator, floor: int, player: np.ndarray) -> State:
    shape = (FLOORS, SIZE, SIZE)
    blocks = rng.integers(Block.GRASS, Block.GRAVE_3 + 1, shape)
    blocks = np.where(rng.random(shape) < 0.66, rng.choice([int(block) for block in COMMON], shape), blocks)
    blocks[floor][tuple(player)] = Block.PATH
    things = np.where(rng.random(shape) < 0.04, rng.integers(0, Thing.LADDER_UP + 1, shape), 0)
    if rng.random() < 0.4:
        things[floor][tuple(player)] = rng.choice([Thing.LADDER_DOWN, Thing.LADDER_UP])
    return {
        "blocks": blocks.astype(np.uint8),
        "things": things.astype(np.uint8),
        "occupied": np.zeros(shape, bool),
        "light_map": rng.choice([0.0, 0.03, 0.2, 1.0, 1.0], shape).astype(np.float32),
        "down_ladder": rng.integers(0, SIZE, (FLOORS, 2)).astype(np.int32),
        "up_ladder": rng.integers(0, SIZE, (FLOORS, 2)).astype(np.int32),
    }


def body(rng: Generator) -> State:
    """A player's body, attributes and possessions."""
    inventory = rng.integers(0, 8, len(Item)) * (rng.random(len(Item)) < 0.8)
    inventory[[Item.PICKAXE, Item.SWORD]] = rng.integers(0, 5, 2)
    inventory[Item.BOW] = rng.integers(0, 2)
    if rng.random() < 0.1:
        inventory[[Item.ARROWS, Item.TORCHES]] = 99
    low, high = (0, 4) if rng.random() < 0.3 else (1, 9)
    dexterity, strength, intelligence = rng.integers(1, 6, 3)
    return {
        "health": np.float32(rng.integers(1, 10 * (8 + strength) + 1) / 10),
        **{
            name: np.int32(rng.integers(low, high + 2 * dexterity - 2))
            for name in ("food", "drink", "energy")
        },
        "mana": np.int32(rng.choice([rng.integers(0, 7 + 3 * intelligence), 6 + 3 * intelligence])),
        "sleeping": np.bool_(rng.random() < 0.12),
        "resting": np.bool_(rng.random() < 0.08),
        "recover": np.float32(rng.integers(-30, 51) / 2),
        "hunger": np.float32(rng.integers(0, 51) / 2),
        "thirst": np.float32(rng.integers(0, 41) / 2),
        "fatigue": np.float32(rng.integers(-10, 31)),
        "recover_mana": np.float32(rng.integers(0, 31)),
        "experience": np.int32(rng.integers(0, 3)),
        "dexterity": np.int32(dexterity),
        "strength": np.int32(strength),
        "intelligence": np.int32(intelligence),
        "inventory": inventory.astype(np.int32),
        "potions": rng.integers(0, 3, 6).astype(np.int32),
        "armour": rng.integers(0, 3, 4).astype(np.int32),
        "potion_effects": rng.permutation(6).astype(np.int32),
        "spells": rng.random(2) < 0.6,
        "sword_enchantment": np.int32(rng.integers(0, 3)),
        "bow_enchantment": np.int32(rng.integers(0, 3)),
        "armour_enchantments": (rng.integers(0, 3, 4) * (rng.random(4) < 0.6)).astype(np.int32),
    }


def _near(rng: Generator, player: np.ndarray, count: int) -> np.ndarray:
    """Places on every floor, close to the player, a few anywhere."""
    reach = int(rng.choice([1, 2, 5, 12]))
    places = player + rng.integers(-reach, reach + 1, (FLOORS, count, 2))
    anywhere = rng.integers(0, SIZE, (FLOORS, count, 2))
    far = rng.random((FLOORS, count, 1)) < 0.15
    return np.clip(np.where(far, anywhere, places), 0, SIZE - 1).astype(np.int32)


def _creatures(rng: Generator, player: np.ndarray) -> State:
    state: State = {}
    share = rng.choice([0.0, 0.3, 0.7, 1.0])
    for kind, slots, types in (("melee", MELEE, 8), ("passive", PASSIVE, 3), ("ranged", RANGED, 8)):
        shape = (FLOORS, slots)
        places = _near(rng, player, slots)
        state[f"{kind}_position"] = places
        state[f"{kind}_health"] = (rng.integers(1, 60, shape) / 10).astype(np.float32)
        state[f"{kind}_alive"] = (rng.random(shape) < share) & (places != player).any(-1)
        state[f"{kind}_type"] = rng.integers(0, types, shape).astype(np.int32)
        if kind != "passive":
            state[f"{kind}_cooldown"] = rng.integers(-3, 5, shape).astype(np.int32)
    return state


def _shots(rng: Generator, player: np.ndarray) -> State:
    state: State = {}
    shape = (FLOORS, SHOTS)
    for kind in ("mob_shot", "player_shot"):
        state[f"{kind}_position"] = _near(rng, player, SHOTS)
        state[f"{kind}_direction"] = MOVES[rng.integers(0, 4, shape)]
        state[f"{kind}_alive"] = rng.random(shape) < rng.choice([0.2, 0.8])
        types = rng.integers(0, 8, shape) if kind == "mob_shot" else rng.choice([0, 2, 3, 4], shape)
        state[f"{kind}_type"] = types.astype(np.int32)
    return state


def _plants(rng: Generator, player: np.ndarray) -> State:
    places = _near(rng, player, PLANTS)[0]
    alive = (rng.random(PLANTS) < rng.choice([0.0, 0.5, 1.0])) & (places != player).any(1)
    ages = rng.choice([rng.integers(0, 598, PLANTS), rng.integers(595, 610, PLANTS)])
    return {
        "plant_position": places,
        "plant_age": (ages * alive).astype(np.int32),
        "plant_alive": alive,
    }
