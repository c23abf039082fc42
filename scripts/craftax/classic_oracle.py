"""The original game as an oracle: its states as ours and back, its worlds, its steps.

Needs the packages of the `oracle` extra; import it behind ``pytest.importorskip("craftax")``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import craftax.craftax_classic.envs.craftax_symbolic_env as original
import jax
import jax.numpy as jnp
import numpy as np
from craftax.craftax_classic.envs.craftax_state import EnvParams, EnvState, Inventory, Mobs, StaticEnvParams
from craftax.craftax_classic.game_logic import craftax_step, is_game_over
from craftax.craftax_classic.world_gen import generate_world

from garten.craftax.classic.engine import ClassicEngine
from garten.craftax.classic.state import STATE
from garten.craftax.classic.tables import Achievement, Block, Item

Fields = dict[str, np.ndarray]

__all__ = ["STATE"]

WHOLE = ()
"""Launches after which a new world is whole."""

ENGINE = ClassicEngine
ACTIONS = 17
OBSERVATION_TOLERANCE = 1e-6

STATS = ("health", "food", "drink", "energy", "sleeping")

PARAMS = EnvParams()
STATIC = StaticEnvParams()
ENV = original.CraftaxClassicSymbolicEnvNoAutoReset()

SCALARS = {
    "player_position": "player_position",
    "player_direction": "player_direction",
    "health": "player_health",
    "food": "player_food",
    "drink": "player_drink",
    "energy": "player_energy",
    "sleeping": "is_sleeping",
    "recover": "player_recover",
    "hunger": "player_hunger",
    "thirst": "player_thirst",
    "fatigue": "player_fatigue",
    "blocks": "map",
    "occupied": "mob_map",
    "arrow_direction": "arrow_directions",
    "plant_position": "growing_plants_positions",
    "plant_age": "growing_plants_age",
    "plant_alive": "growing_plants_mask",
    "light": "light_level",
    "achievements": "achievements",
    "timestep": "timestep",
}
"""Our name of each field that the original keeps under another."""

MOBS = {
    "zombie": ("zombies", ("position", "health", "alive", "cooldown")),
    "cow": ("cows", ("position", "health", "alive")),
    "skeleton": ("skeletons", ("position", "health", "alive", "cooldown")),
    "arrow": ("arrows", ("position", "alive")),
}
"""Of each kind of creature, the original's name and the parts that we keep."""

PARTS = {"position": "position", "health": "health", "alive": "mask", "cooldown": "attack_cooldown"}

ITEMS = [item.name.lower() for item in Item]


def fields_of(state: Any) -> dict[str, np.ndarray]:
    """Our fields of an original state, or of a batch of them."""
    fields = {name: np.asarray(getattr(state, theirs)) for name, theirs in SCALARS.items()}
    for kind, (theirs, parts) in MOBS.items():
        for part in parts:
            fields[f"{kind}_{part}"] = np.asarray(getattr(getattr(state, theirs), PARTS[part]))
    counts = [np.asarray(getattr(state.inventory, item)) for item in ITEMS]
    fields["inventory"] = np.stack(counts, axis=-1)
    return fields


def state_of(fields: dict[str, np.ndarray]) -> Any:
    """The original state of our fields, or a batch of states."""
    whole = {theirs: _leaf(fields[name]) for name, theirs in SCALARS.items()}
    for kind, (theirs, parts) in MOBS.items():
        alive = fields[f"{kind}_alive"]
        mobs = {PARTS[part]: _leaf(fields[f"{kind}_{part}"]) for part in parts}
        for part in PARTS.values():
            mobs.setdefault(part, jnp.zeros(alive.shape, jnp.int32))
        whole[theirs] = Mobs(**mobs)
    counts = {item: _leaf(fields["inventory"][..., index]) for index, item in enumerate(ITEMS)}
    keys = jnp.zeros((*np.shape(fields["timestep"]), 2), jnp.uint32)
    return EnvState(inventory=Inventory(**counts), state_rng=keys, **whole)


def _leaf(value: Any) -> Any:
    array = np.asarray(value)
    return jnp.asarray(array.astype(np.int32) if array.dtype == np.uint8 else array)


@jax.jit
def world(key: Any) -> Any:
    """The original's world of a key; one at a time, since batches are wrong under some versions of jaxlib."""
    return generate_world(key, PARAMS, STATIC)


def _step(key: Any, state: Any, action: Any) -> tuple[Any, Any, Any, Any]:
    after, reward = craftax_step(key, state, action, PARAMS, STATIC)
    return after, reward, is_game_over(after, PARAMS), ENV.get_obs(after)


step = jax.jit(jax.vmap(_step))
"""Step a batch: keys, states and actions give states, rewards, endings and symbolic observations."""

observe = jax.jit(jax.vmap(ENV.get_obs))


def events(before: Fields, after: Fields) -> Iterator[str]:
    """What happened in a step of a batch, once for each time."""
    for achievement in Achievement:
        new = after["achievements"][:, achievement] & ~before["achievements"][:, achievement]
        yield from [f"unlocked {achievement.name}"] * int(new.sum())
    changed = before["blocks"] != after["blocks"]
    for old, new in zip(before["blocks"][changed], after["blocks"][changed], strict=True):
        yield f"block {Block(old).name} to {Block(new).name}"
    for kind in ("zombie", "cow", "skeleton", "arrow"):
        came = after[f"{kind}_alive"] & ~before[f"{kind}_alive"]
        went = before[f"{kind}_alive"] & ~after[f"{kind}_alive"]
        yield from [f"{kind} came"] * int(came.sum())
        yield from [f"{kind} went"] * int(went.sum())
    yield from ["zombie bit"] * int((after["zombie_cooldown"] > before["zombie_cooldown"]).sum())
    yield from ["skeleton shot"] * int((after["skeleton_cooldown"] > before["skeleton_cooldown"]).sum())
    for name in STATS:
        yield from [f"{name} rose"] * int((after[name].astype(int) > before[name]).sum())
        yield from [f"{name} fell"] * int((after[name].astype(int) < before[name]).sum())
    yield from ["died"] * int(((after["health"] == 0) & (before["health"] > 0)).sum())
    off = (after["player_position"] < 0).any(1) & (before["player_position"] >= 0).all(1)
    yield from ["stepped off the map"] * int(off.sum())
    yield from ["time was up"] * int((after["timestep"] == PARAMS.max_timesteps).sum())


def _possible() -> list[str]:
    """What the rules can do."""
    changes = [("TREE", "GRASS"), ("RIPE_PLANT", "PLANT"), ("GRASS", "PLANT"), ("PLANT", "RIPE_PLANT")]
    changes += [(old, "PATH") for old in ("STONE", "COAL", "IRON", "DIAMOND", "TABLE", "FURNACE")]
    changes += [(old, "STONE") for old in ("GRASS", "PATH", "SAND", "WATER", "LAVA")]
    changes += [(old, new) for old in ("GRASS", "PATH", "SAND", "LAVA") for new in ("TABLE", "FURNACE")]
    possible = [f"block {old} to {new}" for old, new in changes]
    possible += [
        f"{kind} {way}" for kind in ("zombie", "cow", "skeleton", "arrow") for way in ("came", "went")
    ]
    possible += [f"{name} {way}" for name in STATS for way in ("rose", "fell")]
    possible += [f"unlocked {achievement.name}" for achievement in Achievement]
    possible += ["zombie bit", "skeleton shot", "died", "time was up", "stepped off the map"]
    return possible


POSSIBLE = _possible()
