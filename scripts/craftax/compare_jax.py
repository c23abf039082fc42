"""Compare the functions for JAX with the original, live: the same calls with the same keys.

    python scripts/craftax/compare_jax.py full [--steps 300]

The game is ``classic`` or ``full``. Needs the packages of the `oracle` extra. Both play random actions in 16
lanes that reset themselves; stops at the first observation, reward or ending that differs, and else prints
one JSON object of what was compared.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys

import jax
import jax.numpy as jnp
import numpy as np

from garten.craftax.jax import FunctionalEnv

LANES = 16

GAMES = {
    "classic": ("Craftax-Classic", "craftax.craftax_classic.envs", "CraftaxClassicSymbolicEnv"),
    "full": ("Craftax", "craftax.craftax.envs", "CraftaxSymbolicEnv"),
}


def main() -> None:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument("--steps", type=int, default=300)
    given = parser.parse_args()
    name, package, original = GAMES[given.game]
    ours = FunctionalEnv(name, num_envs=LANES)
    theirs = getattr(importlib.import_module(f"{package}.craftax_symbolic_env"), original)()
    params = theirs.default_params
    keys = jax.random.split(jax.random.PRNGKey(0), LANES)
    obs, state = jax.jit(ours.reset)(keys)
    # One at a time: under some versions of jaxlib the original's batched resets are wrong.
    starts = [theirs.reset(key, params) for key in keys]
    expected, other = jax.tree.map(lambda *leaves: jnp.stack(leaves), *starts)
    step = jax.jit(ours.step, donate_argnums=1)
    # One after the other, for the same reason: a step may reset.
    step_theirs = jax.jit(lambda *lanes: jax.lax.map(lambda lane: theirs.step(*lane, params), lanes))
    rng, endings = np.random.default_rng(0), 0
    np.testing.assert_allclose(obs, expected, atol=1e-5, rtol=0)
    for number in range(given.steps):
        keys = jax.random.split(jax.random.PRNGKey(number), LANES)
        actions = jnp.asarray(rng.integers(0, ours.num_actions, LANES))
        obs, state, reward, done, info = step(keys, state, actions)
        expected, other, reward_theirs, done_theirs, info_theirs = step_theirs(keys, other, actions)
        np.testing.assert_array_equal(done, done_theirs)
        np.testing.assert_allclose(reward, reward_theirs, atol=1e-5, rtol=0)
        np.testing.assert_allclose(info["discount"], info_theirs["discount"])
        np.testing.assert_allclose(obs, expected, atol=1e-5, rtol=0, err_msg=f"step {number}")
        endings += int(done.sum())
    report = {"game": given.game, "lanes": LANES, "steps": given.steps, "endings": endings, "misses": 0}
    sys.stdout.write(json.dumps(report) + "\n")


if __name__ == "__main__":
    main()
