"""Make the golden traces of Craftax-Classic that the tests play: worlds, steps and episodes of the original.

    python scripts/craftax/classic_golden.py tests/craftax/golden/classic.npz

Needs the packages of the `oracle` extra. The file holds keys, actions and, of what the original made of them,
check sums of all integers; rewards, endings and observations; and whole states to start from and to end in.
"""

from __future__ import annotations

import sys
from pathlib import Path

import classic_oracle as oracle
import jax
import jax.numpy as jnp
import numpy as np
from classic_states import wild_actions, wild_states

from garten.craftax import host_keys
from garten.craftax.classic.state import STATE
from garten.craftax.columns import digest

WORLDS, WILD, WILD_STEPS, EPISODES, EPISODE_STEPS = 32, 96, 12, 8, 500


def main(path: Path) -> None:
    """Write the file."""
    rng = np.random.default_rng(11)
    worlds = host_keys.split(host_keys.key_of(1), WORLDS)
    states = [oracle.fields_of(oracle.world(jnp.asarray(key))) for key in worlds]
    wild = wild_states(rng, WILD)
    wild_play = _play("wild", wild, _keys(2, WILD_STEPS, WILD), rng, keep=3)
    starts = {name: np.stack([state[name] for state in states[:EPISODES]]) for name in states[0]}
    episodes = _play("episode", starts, _keys(3, EPISODE_STEPS, EPISODES), rng, keep=1)
    np.savez_compressed(
        path,
        world_keys=worlds,
        world_digests=_digests(
            starts | {name: np.stack([state[name] for state in states]) for name in starts}
        ),
        **{f"wild_state_{name}": value for name, value in wild.items()},
        **wild_play,
        **episodes,
    )
    sys.stderr.write(f"{path}: {path.stat().st_size / 1e6:.2f} MB, jax {jax.__version__}\n")


def _keys(seed: int, steps: int, lanes: int) -> np.ndarray:
    return host_keys.split(host_keys.key_of(seed), steps * lanes).reshape(steps, lanes, 2)


def _play(name: str, fields: dict, keys: np.ndarray, rng: np.random.Generator, *, keep: int) -> dict:
    """Step a batch; keep the observations of the first `keep` steps, and the states at the end."""
    state = oracle.state_of(fields)
    kept: dict[str, list] = {"actions": [], "digests": [], "rewards": [], "over": [], "symbolic": []}
    for step, step_keys in enumerate(keys):
        actions = wild_actions(rng, len(step_keys))
        state, rewards, over, symbolic = oracle.step(jnp.asarray(step_keys), state, jnp.asarray(actions))
        kept["actions"].append(actions)
        kept["digests"].append(_digests(oracle.fields_of(state)))
        kept["rewards"].append(np.asarray(rewards))
        kept["over"].append(np.asarray(over))
        if step < keep:
            kept["symbolic"].append(np.asarray(symbolic))
    whole = {f"{name}_{part}": np.stack(values) for part, values in kept.items()}
    ends = {f"{name}_end_{part}": value for part, value in oracle.fields_of(state).items()}
    return {f"{name}_keys": keys, **whole, **ends}


def _digests(fields: dict) -> np.ndarray:
    count = len(fields["timestep"])
    rows = ({name: value[index] for name, value in fields.items()} for index in range(count))
    return np.array([digest(STATE, row) for row in rows], np.uint32)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
