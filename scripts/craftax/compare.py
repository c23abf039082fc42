"""Compare a game with the original, live: worlds, single steps from wild states, whole episodes.

    python scripts/craftax/compare.py full [--worlds 256] [--rounds 70] [--episodes 64]

The game is ``classic`` or ``full``. Needs the packages of the `oracle` extra. Prints one JSON object: how
much was compared, every miss, and how often each thing that the rules can do was seen to happen. Integers
must be equal, floats within 1e-5, Classic's observations within 1e-6.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections import Counter
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from garten.craftax import host_keys

LANES, STEPS, EPISODE_STEPS = 128, 25, 2000

Fields = dict[str, np.ndarray]


def main() -> None:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=["classic", "full"])
    parser.add_argument("--worlds", type=int, default=256, help="keys to make worlds of")
    parser.add_argument("--rounds", type=int, default=40, help="rounds of 3,200 steps from wild states")
    parser.add_argument("--episodes", type=int, default=64, help="episodes of up to 2,000 random steps")
    given = parser.parse_args()
    oracle = importlib.import_module(f"{given.game}_oracle")
    states = importlib.import_module(f"{given.game}_states")
    report = {
        "game": given.game,
        "jax": jax.__version__,
        "worlds": compare_worlds(oracle, given.worlds),
        "steps": compare_steps(oracle, states, given.rounds),
        "episodes": compare_episodes(oracle, given.episodes),
    }
    sys.stdout.write(json.dumps(report, indent=1) + "\n")


def compare_worlds(oracle: Any, count: int) -> dict:
    """Worlds of as many keys."""
    engine = oracle.ENGINE(count)
    keys = host_keys.split(host_keys.key_of(7), count)
    _make_worlds(oracle, engine, keys)
    misses = []
    for lane, key in enumerate(keys):
        theirs = oracle.fields_of(oracle.world(jnp.asarray(key)))
        ours = engine.state.row(lane)
        wrong = [name for name in theirs if _differs(theirs[name][None], ours[name][None])[0]]
        misses += [{"key": key.tolist(), "fields": wrong}] if wrong else []
    return {"compared": count, "misses": misses}


def compare_steps(oracle: Any, states: Any, rounds: int) -> dict:
    """Single steps from equal states, 25 each from 128 wild states a round; a miss is put right at once."""
    engine = oracle.ENGINE(LANES)
    rng = np.random.default_rng(3)
    misses: list[dict] = []
    seen: Counter[str] = Counter()
    for number in range(rounds):
        fields = states.wild_states(rng, LANES)
        state = oracle.state_of(fields)
        _write(engine, fields)
        keys = host_keys.split(host_keys.key_of(number), STEPS * LANES)
        for step, step_keys in enumerate(keys.reshape(STEPS, LANES, 2)):
            actions = states.wild_actions(rng, LANES)
            before = oracle.fields_of(state)
            state, *result = oracle.step(jnp.asarray(step_keys), state, jnp.asarray(actions))
            after = oracle.fields_of(state)
            seen.update(oracle.events(before, after))
            _step(engine, step_keys, actions)
            wrong = _wrong_lanes(oracle, engine, after, *result)
            misses += [{"round": number, "step": step, "lane": lane} for lane in wrong]
            if wrong:
                _write(engine, after)
    never = [event for event in oracle.POSSIBLE if not seen[event]]
    return {
        "compared": rounds * LANES * STEPS,
        "misses": misses,
        "seen": dict(sorted(seen.items())),
        "never": never,
    }


def compare_episodes(oracle: Any, count: int) -> dict:
    """Whole episodes of random actions, each to its end or 2,000 steps; nothing is put right."""
    engine = oracle.ENGINE(count)
    keys = host_keys.split(host_keys.key_of(9), count)
    _make_worlds(oracle, engine, keys)
    worlds = [oracle.fields_of(oracle.world(jnp.asarray(key))) for key in keys]
    state = oracle.state_of({name: np.stack([world[name] for world in worlds]) for name in worlds[0]})
    rng = np.random.default_rng(5)
    going = np.ones(count, bool)
    missed: dict[int, int] = {}
    steps = 0
    for step in range(EPISODE_STEPS):
        step_keys = host_keys.split(np.array([5, step], np.uint32), count)
        actions = rng.integers(0, oracle.ACTIONS, count).astype(np.int32)
        state, *result = oracle.step(jnp.asarray(step_keys), state, jnp.asarray(actions))
        _step(engine, step_keys, actions)
        for lane in _wrong_lanes(oracle, engine, oracle.fields_of(state), *result):
            if going[lane]:
                missed.setdefault(lane, step)
        steps += int(going.sum())
        going &= ~np.asarray(result[1])
        if not going.any():
            break
    misses = [{"key": keys[lane].tolist(), "step": step} for lane, step in missed.items()]
    return {"compared": count, "misses": misses, "steps": steps}


def _make_worlds(oracle: Any, engine: Any, keys: np.ndarray) -> None:
    engine.exchange.read("keys")[:] = keys
    engine.exchange.read("chosen")[:] = True
    engine.run("reset", *oracle.WHOLE)


def _write(engine: Any, fields: Fields) -> None:
    for name, value in fields.items():
        engine.state.read(name)[:] = value


def _step(engine: Any, keys: np.ndarray, actions: np.ndarray) -> None:
    engine.exchange.read("keys")[:] = keys
    engine.exchange.read("actions")[:] = actions
    engine.run("step", "codes", "symbolic")


def _differs(theirs: np.ndarray, ours: np.ndarray, tolerance: float = 1e-5) -> np.ndarray:
    """In which lanes a value differs."""
    apart = np.abs(theirs - ours) > tolerance if theirs.dtype.kind == "f" else theirs != ours
    return np.asarray(apart.reshape(len(theirs), -1).any(1))


def _wrong_lanes(
    oracle: Any, engine: Any, after: Fields, rewards: Any, over: Any, symbolic: Any
) -> list[int]:
    """Lanes where a state, reward, ending or observation differs."""
    wrong = _differs(np.asarray(rewards), engine.exchange.read("rewards"))
    wrong |= _differs(np.asarray(over), engine.exchange.read("over"))
    wrong |= _differs(np.asarray(symbolic), engine.symbolic.numpy(), oracle.OBSERVATION_TOLERANCE)
    for name, value in after.items():
        wrong |= _differs(value, engine.state.read(name))
    return [int(lane) for lane in np.flatnonzero(wrong)]


if __name__ == "__main__":
    main()
