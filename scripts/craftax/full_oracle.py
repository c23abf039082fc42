"""The original full game as an oracle: its states as ours and back, its worlds, its steps.

Needs the packages of the `oracle` extra.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import craftax.craftax.envs.craftax_symbolic_env as original
import jax
import jax.numpy as jnp
import numpy as np
from craftax.craftax.craftax_state import EnvParams, EnvState, Inventory, Mobs, StaticEnvParams
from craftax.craftax.game_logic import craftax_step, is_game_over
from craftax.craftax.world_gen.world_gen import generate_world

from garten.craftax.full.engine import FullEngine
from garten.craftax.full.state import GAME
from garten.craftax.full.tables import Item

Fields = dict[str, np.ndarray]

STATE = GAME

WHOLE = ("all_floors",)
"""Launches after which a new world is whole."""

ENGINE = FullEngine
ACTIONS = 43
LIGHT = 8260
"""Index of the daylight in a symbolic observation."""

PARAMS = EnvParams()
STATIC = StaticEnvParams()
ENV = original.CraftaxSymbolicEnvNoAutoReset()

SCALARS = {
    "blocks": "map",
    "things": "item_map",
    "occupied": "mob_map",
    "light_map": "light_map",
    "down_ladder": "down_ladders",
    "up_ladder": "up_ladders",
    "chest_opened": "chests_opened",
    "kills": "monsters_killed",
    "player_position": "player_position",
    "floor": "player_level",
    "player_direction": "player_direction",
    "health": "player_health",
    "food": "player_food",
    "drink": "player_drink",
    "energy": "player_energy",
    "mana": "player_mana",
    "sleeping": "is_sleeping",
    "resting": "is_resting",
    "recover": "player_recover",
    "hunger": "player_hunger",
    "thirst": "player_thirst",
    "fatigue": "player_fatigue",
    "recover_mana": "player_recover_mana",
    "experience": "player_xp",
    "dexterity": "player_dexterity",
    "strength": "player_strength",
    "intelligence": "player_intelligence",
    "potion_effects": "potion_mapping",
    "spells": "learned_spells",
    "sword_enchantment": "sword_enchantment",
    "bow_enchantment": "bow_enchantment",
    "armour_enchantments": "armour_enchantments",
    "mob_shot_direction": "mob_projectile_directions",
    "player_shot_direction": "player_projectile_directions",
    "plant_position": "growing_plants_positions",
    "plant_age": "growing_plants_age",
    "plant_alive": "growing_plants_mask",
    "boss_progress": "boss_progress",
    "boss_timer": "boss_timesteps_to_spawn_this_round",
    "light": "light_level",
    "achievements": "achievements",
    "timestep": "timestep",
}
"""Our name of each field that the original keeps under another."""

MOBS = {
    "melee": ("melee_mobs", ("position", "health", "alive", "cooldown", "type")),
    "passive": ("passive_mobs", ("position", "health", "alive", "type")),
    "ranged": ("ranged_mobs", ("position", "health", "alive", "cooldown", "type")),
    "mob_shot": ("mob_projectiles", ("position", "alive", "type")),
    "player_shot": ("player_projectiles", ("position", "alive", "type")),
}
"""Of each kind of creature, the original's name and the parts that we keep."""

PARTS = {
    "position": "position",
    "health": "health",
    "alive": "mask",
    "cooldown": "attack_cooldown",
    "type": "type_id",
}

ITEMS = [item.name.lower() for item in Item]


def fields_of(state: Any) -> dict[str, np.ndarray]:
    """Our fields of an original state, or of a batch of them."""
    fields = {name: np.asarray(getattr(state, theirs)) for name, theirs in SCALARS.items()}
    for kind, (theirs, parts) in MOBS.items():
        for part in parts:
            fields[f"{kind}_{part}"] = np.asarray(getattr(getattr(state, theirs), PARTS[part]))
    counts = [np.asarray(getattr(state.inventory, item)) for item in ITEMS]
    fields["inventory"] = np.stack(counts, axis=-1)
    fields["potions"] = np.asarray(state.inventory.potions)
    fields["armour"] = np.asarray(state.inventory.armour)
    return fields


def state_of(fields: dict[str, np.ndarray]) -> Any:
    """The original state of our fields, or a batch of states."""
    whole = {theirs: _leaf(fields[name]) for name, theirs in SCALARS.items()}
    for kind, (theirs, parts) in MOBS.items():
        shape = fields[f"{kind}_alive"].shape
        mobs = {PARTS[part]: _leaf(fields[f"{kind}_{part}"]) for part in parts}
        mobs.setdefault("health", jnp.ones(shape, jnp.float32))
        mobs.setdefault("attack_cooldown", jnp.zeros(shape, jnp.int32))
        whole[theirs] = Mobs(**mobs)
    counts = {item: _leaf(fields["inventory"][..., index]) for index, item in enumerate(ITEMS)}
    inventory = Inventory(**counts, potions=_leaf(fields["potions"]), armour=_leaf(fields["armour"]))
    keys = jnp.zeros((*np.shape(fields["timestep"]), 2), jnp.uint32)
    return EnvState(inventory=inventory, state_rng=keys, **whole)


def _leaf(value: Any) -> Any:
    array = np.asarray(value)
    return jnp.asarray(array.astype(np.int32) if array.dtype == np.uint8 else array)


@jax.jit
def world(key: Any) -> Any:
    """The original's world of a key."""
    return generate_world(key, PARAMS, STATIC)


@jax.jit
def reset(key: Any) -> tuple[Any, Any]:
    """The observation and state of the original's environment after a reset with a key."""
    observation, state = ENV.reset_env(key, PARAMS)
    return observation, state


def world_key(key: np.ndarray) -> np.ndarray:
    """The key that `reset` makes its world of."""
    return np.asarray(jax.random.split(key)[1])


def _step(key: Any, state: Any, action: Any, params: Any = PARAMS) -> tuple[Any, Any, Any, Any]:
    after, reward = craftax_step(key, state, action, params, STATIC)
    return after, reward, is_game_over(after, params, STATIC), ENV.get_obs(after)


step = jax.jit(jax.vmap(_step))
"""Step a batch: keys, states, actions and perhaps parameters (see `params_of`) of each lane give states,
rewards, endings and symbolic observations."""


def params_of(settings: Fields) -> Any:
    """The original's batch of parameters of these settings, the others at their defaults."""
    count = len(next(iter(settings.values())))
    defaults = {field.name: getattr(PARAMS, field.name) for field in dataclasses.fields(EnvParams)}
    del defaults["fractal_noise_angles"]  # it is only for world generation
    batch = {name: np.repeat(np.asarray(value), count) for name, value in defaults.items()}
    return EnvParams(**{name: jnp.asarray(value) for name, value in (batch | settings).items()})
