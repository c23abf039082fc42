"""Make the golden traces of a game that the tests play: worlds, steps and episodes of the original.

    python scripts/craftax/golden.py classic tests/craftax/golden/classic.npz
    python scripts/craftax/golden.py full tests/craftax/golden/full.npz
    python scripts/craftax/golden.py full tests/craftax/golden/full_original.npz --stream original

Needs the packages of the `oracle` extra. The original draws from JAX's random stream of today or, with
``--stream original``, from the one before JAX 0.5. The file holds keys, actions and, of what the original
made of them, check sums of all integers; rewards, endings and observations; and whole states to start from
and to end in.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from garten.craftax import host_keys
from garten.craftax.columns import digest

SIZES = {
    ("classic", "partitionable"): (32, 96, 12, 8, 500),
    ("full", "partitionable"): (24, 32, 25, 4, 300),
    ("classic", "original"): (16, 32, 12, 2, 300),
    ("full", "original"): (16, 8, 25, 1, 200),
}
"""Of each game and stream: worlds, wild states, steps from each, episodes, steps of each."""


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=["classic", "full"])
    parser.add_argument("path", type=Path)
    parser.add_argument("--stream", choices=["partitionable", "original"], default="partitionable")
    given = parser.parse_args()
    jax.config.update("jax_threefry_partitionable", given.stream == "partitionable")
    write(given.game, given.path, SIZES[given.game, given.stream])


def write(game: str, path: Path, sizes: tuple[int, int, int, int, int]) -> None:
    """Make the traces and write them."""
    oracle: Any = importlib.import_module(f"{game}_oracle")
    made: Any = importlib.import_module(f"{game}_states")
    worlds, wilds, wild_steps, episodes, episode_steps = sizes
    rng = np.random.default_rng(11)
    keys = host_keys.split(host_keys.key_of(1), worlds)
    states = [oracle.fields_of(oracle.world(jnp.asarray(key))) for key in keys]
    wild = made.wild_states(rng, wilds)
    wild_play = _play(oracle, made, "wild", wild, _keys(2, wild_steps, wilds), rng, keep=3)
    starts = {name: np.stack([state[name] for state in states[:episodes]]) for name in states[0]}
    play = _play(oracle, made, "episode", starts, _keys(3, episode_steps, episodes), rng, keep=1)
    np.savez_compressed(
        path,
        world_keys=keys,
        world_digests=np.array([digest(oracle.STATE, state) for state in states], np.uint32),
        **{f"wild_state_{name}": _compact(oracle, name, value) for name, value in wild.items()},
        **wild_play,
        **play,
    )
    sys.stderr.write(f"{path}: {path.stat().st_size / 1e6:.2f} MB, jax {jax.__version__}\n")


def _compact(oracle: Any, name: str, value: np.ndarray) -> np.ndarray:
    """A value in the type of our field."""
    field = next(field for field in oracle.STATE if field.name == name)
    return value.astype(field.dtype)


def _keys(seed: int, steps: int, lanes: int) -> np.ndarray:
    return host_keys.split(host_keys.key_of(seed), steps * lanes).reshape(steps, lanes, 2)


def _play(
    oracle: Any, made: Any, name: str, fields: dict, keys: np.ndarray, rng: np.random.Generator, *, keep: int
) -> dict:
    """Step a batch; keep the observations of the first `keep` steps, and the states at the end."""
    state = oracle.state_of(fields)
    kept: dict[str, list] = {"actions": [], "digests": [], "rewards": [], "over": [], "symbolic": []}
    for step, step_keys in enumerate(keys):
        actions = made.wild_actions(rng, len(step_keys))
        state, rewards, over, symbolic = oracle.step(jnp.asarray(step_keys), state, jnp.asarray(actions))
        kept["actions"].append(actions)
        kept["digests"].append(_digests(oracle, oracle.fields_of(state)))
        kept["rewards"].append(np.asarray(rewards))
        kept["over"].append(np.asarray(over))
        if step < keep:
            kept["symbolic"].append(np.asarray(symbolic))
    whole = {f"{name}_{part}": np.stack(values) for part, values in kept.items()}
    end = oracle.fields_of(state)
    ends = {f"{name}_end_{part}": _compact(oracle, part, value) for part, value in end.items()}
    return {f"{name}_keys": keys, **whole, **ends}


def _digests(oracle: Any, fields: dict) -> np.ndarray:
    count = len(fields["timestep"])
    rows = ({name: value[index] for name, value in fields.items()} for index in range(count))
    return np.array([digest(oracle.STATE, row) for row in rows], np.uint32)


if __name__ == "__main__":
    main()
