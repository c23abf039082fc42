"""The original full game as an oracle: its states as ours and back, its worlds, its steps.

Needs the packages of the `oracle` extra.
"""

from __future__ import annotations

from collections.abc import Iterator
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
from garten.craftax.full.tables import Achievement, Block, Item, Thing

Fields = dict[str, np.ndarray]

STATE = GAME

WHOLE = ("all_floors",)
"""Launches after which a new world is whole."""

ENGINE = FullEngine
ACTIONS = 43
OBSERVATION_TOLERANCE = 1e-5

STATS = ("health", "food", "drink", "energy", "mana", "sleeping", "resting")

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


def _step(key: Any, state: Any, action: Any) -> tuple[Any, Any, Any, Any]:
    after, reward = craftax_step(key, state, action, PARAMS, STATIC)
    return after, reward, is_game_over(after, PARAMS, STATIC), ENV.get_obs(after)


step = jax.jit(jax.vmap(_step))
"""Step a batch: keys, states and actions give states, rewards, endings and symbolic observations."""


def events(before: Fields, after: Fields) -> Iterator[str]:
    """What happened in a step of a batch, once for each time."""
    for achievement in Achievement:
        new = after["achievements"][:, achievement] & ~before["achievements"][:, achievement]
        yield from [f"unlocked {achievement.name}"] * int(new.sum())
    for name, kinds in (("blocks", Block), ("things", Thing)):
        changed = before[name] != after[name]
        for old, new in zip(before[name][changed], after[name][changed], strict=True):
            yield f"{kinds(old).name} to {kinds(new).name}"
    for kind in MOBS:
        came = after[f"{kind}_alive"] & ~before[f"{kind}_alive"]
        went = before[f"{kind}_alive"] & ~after[f"{kind}_alive"]
        for event, where in (("came", came), ("went", went)):
            for type_id in after[f"{kind}_type"][where]:
                yield f"{kind} {type_id} {event}"
    for kind, event in (("melee", "struck"), ("ranged", "shot")):
        for type_id in before[f"{kind}_type"][after[f"{kind}_cooldown"] > before[f"{kind}_cooldown"]]:
            yield f"{kind} {type_id} {event}"
    watched = (*STATS, "floor", "experience", "dexterity", "strength", "intelligence", "boss_progress")
    for name in (*watched, "sword_enchantment", "bow_enchantment"):
        yield from [f"{name} rose"] * int((after[name].astype(float) > before[name]).sum())
        yield from [f"{name} fell"] * int((after[name].astype(float) < before[name]).sum())
    for index in range(4):
        changed = after["armour_enchantments"][:, index] != before["armour_enchantments"][:, index]
        yield from [f"armour {index} enchanted"] * int(changed.sum())
    yield from ["died"] * int(((after["health"] <= 0) & (before["health"] > 0)).sum())
    yield from ["won"] * int(((after["boss_progress"] >= 8) & (before["boss_progress"] < 8)).sum())
    yield from ["time was up"] * int((after["timestep"] == PARAMS.max_timesteps).sum())


def _possible() -> list[str]:
    """What the rules can do."""
    changes = [("TREE", "GRASS"), ("FIRE_TREE", "FIRE_GRASS"), ("ICE_SHRUB", "ICE_GRASS")]
    changes += [("RIPE_PLANT", "PLANT"), ("GRASS", "PLANT"), ("PLANT", "RIPE_PLANT"), ("NONE", "TORCH")]
    mined = (
        "STONE",
        "COAL",
        "IRON",
        "DIAMOND",
        "SAPPHIRE",
        "RUBY",
        "STALAGMITE",
        "TABLE",
        "FURNACE",
        "CHEST",
    )
    changes += [(old, "PATH") for old in mined]
    changes += [(old, new) for old in ("PATH", "WATER", "LAVA") for new in ("STONE", "TABLE", "FURNACE")]
    possible = [f"{old} to {new}" for old, new in changes]
    possible += [f"unlocked {achievement.name}" for achievement in Achievement]
    possible += [f"{kind} {type_id} went" for kind in ("melee", "ranged", "mob_shot") for type_id in range(8)]
    possible += [f"melee {type_id} struck" for type_id in range(8)]
    possible += [f"ranged {type_id} shot" for type_id in range(8)]
    possible += [f"{kind} {type_id} came" for kind in ("melee", "ranged") for type_id in range(8)]
    possible += [f"passive {type_id} {way}" for type_id in range(3) for way in ("came", "went")]
    possible += [f"player_shot {type_id} came" for type_id in (2, 3, 4)]
    possible += [f"{name} {way}" for name in (*STATS, "floor") for way in ("rose", "fell")]
    possible += [f"{name} rose" for name in ("dexterity", "strength", "intelligence", "boss_progress")]
    possible += [f"armour {index} enchanted" for index in range(4)]
    return [*possible, "experience fell", "experience rose", "died", "won", "time was up"]


POSSIBLE = _possible()
