"""Compare Craftax-Classic with the original, live: worlds, single steps from wild states, whole episodes.

    python scripts/craftax/classic_compare.py [--worlds 256] [--rounds 12] [--episodes 64]

Needs the packages of the `oracle` extra. Prints one JSON object: how much was compared, every miss, and how
often each thing that the rules can do was seen to happen.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator

import classic_oracle as oracle
import jax
import jax.numpy as jnp
import numpy as np
from classic_states import wild_actions, wild_states

from garten.craftax import host_keys
from garten.craftax.classic.engine import ClassicEngine
from garten.craftax.classic.tables import Achievement, Block

STATS = ("health", "food", "drink", "energy", "sleeping")

WILD_LANES, WILD_STEPS, EPISODE_STEPS = 256, 25, 2000

Fields = dict[str, np.ndarray]


def main() -> None:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, default=256, help="keys to make worlds of")
    parser.add_argument("--rounds", type=int, default=12, help="rounds of 6,400 steps from wild states")
    parser.add_argument("--episodes", type=int, default=64, help="episodes of up to 2,000 random steps")
    given = parser.parse_args()
    report = {
        "jax": jax.__version__,
        "worlds": compare_worlds(given.worlds),
        "steps": compare_steps(given.rounds),
        "episodes": compare_episodes(given.episodes),
    }
    sys.stdout.write(json.dumps(report, indent=1) + "\n")


def compare_worlds(count: int) -> dict:
    """Worlds of as many keys."""
    engine = ClassicEngine(count)
    keys = host_keys.split(host_keys.key_of(7), count)
    _make_worlds(engine, keys)
    misses = []
    for lane, key in enumerate(keys):
        theirs = oracle.fields_of(oracle.world(jnp.asarray(key)))
        wrong = _differing(theirs, engine.state.row(lane))
        misses += [{"key": key.tolist(), "fields": wrong}] if wrong else []
    return {"compared": count, "misses": misses}


def compare_steps(rounds: int) -> dict:
    """Single steps from equal states, 25 each from 256 wild states a round; a miss is put right at once."""
    engine = ClassicEngine(WILD_LANES)
    rng = np.random.default_rng(3)
    misses: list[dict] = []
    seen: Counter[str] = Counter()
    for number in range(rounds):
        fields = wild_states(rng, WILD_LANES)
        state = oracle.state_of(fields)
        _write(engine, fields)
        keys = host_keys.split(host_keys.key_of(number), WILD_STEPS * WILD_LANES)
        for step, step_keys in enumerate(keys.reshape(WILD_STEPS, WILD_LANES, 2)):
            actions = wild_actions(rng, WILD_LANES)
            before = oracle.fields_of(state)
            state, *result = oracle.step(jnp.asarray(step_keys), state, jnp.asarray(actions))
            after = oracle.fields_of(state)
            seen.update(_events(before, after))
            _step(engine, step_keys, actions)
            wrong = _wrong_lanes(engine, after, *result)
            misses += [{"round": number, "step": step, "lane": lane} for lane in wrong]
            if wrong:
                _write(engine, after)
    count = rounds * WILD_LANES * WILD_STEPS
    return {"compared": count, "misses": misses, "seen": dict(sorted(seen.items())), "never": _never(seen)}


def compare_episodes(count: int) -> dict:
    """Whole episodes of random actions, each to its end or 2,000 steps; nothing is put right."""
    engine = ClassicEngine(count)
    keys = host_keys.split(host_keys.key_of(9), count)
    _make_worlds(engine, keys)
    worlds = [oracle.fields_of(oracle.world(jnp.asarray(key))) for key in keys]
    state = oracle.state_of({name: np.stack([world[name] for world in worlds]) for name in worlds[0]})
    rng = np.random.default_rng(5)
    open_lanes = np.ones(count, bool)
    missed: dict[int, int] = {}
    lengths = np.zeros(count, int)
    for step in range(EPISODE_STEPS):
        step_keys = host_keys.split(np.array([5, step], np.uint32), count)
        actions = rng.integers(0, 17, count).astype(np.int32)
        state, *result = oracle.step(jnp.asarray(step_keys), state, jnp.asarray(actions))
        _step(engine, step_keys, actions)
        for lane in _wrong_lanes(engine, oracle.fields_of(state), *result):
            if open_lanes[lane]:
                missed.setdefault(lane, step)
        lengths += open_lanes
        open_lanes &= ~np.asarray(result[1])
        if not open_lanes.any():
            break
    return {
        "compared": count,
        "misses": [{"key": keys[lane].tolist(), "step": step} for lane, step in missed.items()],
        "steps": int(lengths.sum()),
    }


def _make_worlds(engine: ClassicEngine, keys: np.ndarray) -> None:
    engine.exchange.read("keys")[:] = keys
    engine.exchange.read("chosen")[:] = True
    engine.run("reset")


def _write(engine: ClassicEngine, fields: Fields) -> None:
    for name, value in fields.items():
        engine.state.read(name)[:] = value


def _step(engine: ClassicEngine, keys: np.ndarray, actions: np.ndarray) -> None:
    engine.exchange.read("keys")[:] = keys
    engine.exchange.read("actions")[:] = actions
    engine.run("step", "codes", "symbolic")


def _differing(theirs: Fields, ours: Fields) -> list[str]:
    """Names of the fields that differ; light may, by 1e-6."""
    close = np.abs(theirs["light"] - ours["light"]) <= 1e-6
    names = [name for name in theirs if name != "light" and not np.array_equal(theirs[name], ours[name])]
    return names if close else [*names, "light"]


def _wrong_lanes(
    engine: ClassicEngine, after: Fields, rewards: object, over: object, symbolic: object
) -> list[int]:
    """Lanes where a state, reward, ending or observation differs."""
    wrong = np.abs(np.asarray(rewards) - engine.exchange.read("rewards")) > 1e-6
    wrong |= np.asarray(over) != engine.exchange.read("over")
    wrong |= (np.abs(np.asarray(symbolic) - engine.symbolic.numpy()) > 1e-6).any(1)
    for name, value in after.items():
        ours = engine.state.read(name)
        differs = np.abs(value - ours) > 1e-6 if name == "light" else value != ours
        wrong |= differs.reshape(engine.lanes, -1).any(1)
    return [int(lane) for lane in np.flatnonzero(wrong)]


def _events(before: Fields, after: Fields) -> Iterator[str]:
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
    yield from ["time was up"] * int((after["timestep"] == oracle.PARAMS.max_timesteps).sum())


def _never(seen: Counter[str]) -> list[str]:
    """What the rules can do and did not."""
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
    return [event for event in possible if not seen[event]]


if __name__ == "__main__":
    main()
