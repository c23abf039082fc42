"""Make the golden traces of a game that the tests play: worlds, steps and long play of the original.

    python scripts/craftax/golden.py classic tests/craftax/golden/classic.npz
    python scripts/craftax/golden.py full tests/craftax/golden/full.npz
    python scripts/craftax/golden.py full tests/craftax/golden/full_original.npz --stream original

Needs the packages of the `oracle` extra. The original draws from JAX's random stream of today or, with
``--stream original``, from the one before JAX 0.5. The file holds keys and actions and, of what the original
made of them, check sums of all integers, rewards and endings of every step, some observations, and whole
states. ``wild`` are short runs from states built by hand, by chance; ``play`` goes on for 2,000 steps, a new
world after each death, of players at random and of others that live long and get far.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from garten.craftax.columns import digest

Fields = dict[str, np.ndarray]

LANES = 8
"""The original is compiled for so many; larger batches are stepped in parts."""


class Plan(NamedTuple):
    """How much to play.

    Attributes:
        lanes: how many.
        steps: of each.
        looks: the observation is kept after every so many steps.
        saves: and the state.
        renews: whether an episode's end is followed by a new world, as in the original's own environment,
            which takes the first half of a key for the step and the second for the reset.
    """

    lanes: int
    steps: int
    looks: int
    saves: int
    renews: bool


SIZES = {
    ("classic", "partitionable"): (32, Plan(64, 12, 4, 12, False), Plan(LANES, 2000, 100, 500, True)),
    ("full", "partitionable"): (24, Plan(24, 25, 5, 25, False), Plan(LANES, 2000, 100, 500, True)),
    ("classic", "original"): (16, Plan(16, 12, 4, 12, False), Plan(LANES, 500, 100, 500, True)),
    ("full", "original"): (16, Plan(8, 25, 5, 25, False), Plan(LANES, 500, 100, 500, True)),
}
"""Of each game and stream: worlds, what to play from wild states, what to play from worlds."""


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=["classic", "full"])
    parser.add_argument("path", type=Path)
    parser.add_argument("--stream", choices=["partitionable", "original"], default="partitionable")
    given = parser.parse_args()
    jax.config.update("jax_threefry_partitionable", given.stream == "partitionable")
    write(given.game, given.path, *SIZES[given.game, given.stream])


def write(game: str, path: Path, worlds: int, wild: Plan, play: Plan) -> None:
    """Make the traces and write them."""
    oracle: Any = importlib.import_module(f"{game}_oracle")
    made: Any = importlib.import_module(f"{game}_states")
    players: Any = importlib.import_module(f"{game}_players")
    rng = np.random.default_rng(11)
    keys = _keys(1, worlds)
    states = [oracle.fields_of(oracle.reset(key)[1]) for key in keys]
    starts = {name: np.stack([state[name] for state in states[: play.lanes]]) for name in states[0]}
    survivors = range(play.lanes // 2, play.lanes)
    for lane in survivors:
        for name, value in players.outfitted(rng, starts, lane).items():
            starts[name][lane] = value

    def act(fields: Fields) -> np.ndarray:
        """The first half plays at random."""
        actions = rng.integers(0, oracle.ACTIONS, play.lanes)
        for lane in survivors:
            actions[lane] = players.surviving_action(rng, fields, lane)
        return actions

    short = _play(
        oracle,
        wild,
        made.wild_states(rng, wild.lanes),
        _keys(2, wild.steps, wild.lanes),
        lambda _: made.wild_actions(rng, wild.lanes),
    )
    long = _play(oracle, play, starts, _keys(3, play.steps, play.lanes), act)
    np.savez_compressed(
        path,
        world_keys=np.stack([oracle.world_key(key) for key in keys]),
        world_digests=np.array([digest(oracle.STATE, state) for state in states], np.uint32),
        **{f"wild_{part}": values for part, values in short.items()},
        **{f"play_{part}": values for part, values in long.items()},
    )
    size, ended = path.stat().st_size / 1e6, int(long["over"].sum())
    sys.stderr.write(f"{path}: {size:.2f} MB, {ended} new worlds, jax {jax.__version__}\n")


def _keys(seed: int, *shape: int) -> np.ndarray:
    return np.asarray(jax.random.split(jax.random.PRNGKey(seed), shape))


def _play(
    oracle: Any, plan: Plan, fields: Fields, keys: np.ndarray, act: Callable[[Fields], np.ndarray]
) -> Fields:
    """Play lanes from these states; what was done, and what came of it, [steps, lanes, ...].

    ``symbolic`` and ``state_...`` have the observations and states after the steps ``looks`` and ``saves``,
    0 being the start.
    """
    kept: dict[str, list] = {"actions": [], "digests": [], "rewards": [], "over": [], "symbolic": []}
    looks, saves, saved = [], [0], [fields]
    for step, step_keys in enumerate(keys, start=1):
        actions = act(fields)
        fields, rewards, over, symbolic = _step(oracle, plan, fields, step_keys, actions)
        rows = ({name: value[lane] for name, value in fields.items()} for lane in range(plan.lanes))
        kept["actions"].append(actions.astype(np.uint8))
        kept["digests"].append(np.array([digest(oracle.STATE, row) for row in rows], np.uint32))
        kept["rewards"].append(rewards)
        kept["over"].append(over)
        if step % plan.looks == 0:
            looks.append(step)
            kept["symbolic"].append(symbolic)
        if step % plan.saves == 0:
            saves.append(step)
            saved.append(fields)
    states = {
        f"state_{field.name}": np.stack([each[field.name] for each in saved]).astype(field.dtype)
        for field in oracle.STATE
    }
    steps = {"looks": np.array(looks), "saves": np.array(saves), "renews": np.array(plan.renews)}
    return {"keys": keys, **steps, **{part: np.stack(values) for part, values in kept.items()}, **states}


def _step(
    oracle: Any, plan: Plan, fields: Fields, keys: np.ndarray, actions: np.ndarray
) -> tuple[Fields, np.ndarray, np.ndarray, np.ndarray]:
    """The states after a step, rewards, endings and observations, those of a new world where one began."""
    halves = np.asarray(jax.vmap(jax.random.split)(keys))
    parts = []
    for first in range(0, plan.lanes, LANES):
        lanes = slice(first, first + LANES)
        state = oracle.state_of({name: value[lanes] for name, value in fields.items()})
        now = halves[lanes, 0] if plan.renews else keys[lanes]
        state, *results = oracle.step(jnp.asarray(now), state, jnp.asarray(actions[lanes], jnp.int32))
        parts.append((oracle.fields_of(state), *map(np.asarray, results)))
    states, *results = zip(*parts, strict=True)
    after = {name: np.concatenate([state[name] for state in states]) for name in fields}
    rewards, over, symbolic = (np.concatenate(values) for values in results)
    if plan.renews:
        for lane in np.flatnonzero(over):  # one at a time: batches are wrong under some versions of jaxlib
            symbolic[lane], state = oracle.reset(jnp.asarray(halves[lane, 1]))
            for name, value in oracle.fields_of(state).items():
                after[name][lane] = value
    return after, rewards, over, symbolic


if __name__ == "__main__":
    main()
