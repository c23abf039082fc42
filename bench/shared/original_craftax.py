"""How fast the original Craftax is: prints steps per CPU second, stepped only and with its own auto-reset.

    PYTHON bench/shared/original_craftax.py full

It runs in any interpreter that has `craftax` 1.6.1, and needs nothing of ours.
"""

import importlib
import json
import os
import statistics
import sys
import time

sys.path.pop(0)  # this folder, whose files must not hide packages

MODULES = {
    "classic": ("craftax.craftax_classic.envs.craftax_symbolic_env", "CraftaxClassicSymbolicEnv"),
    "full": ("craftax.craftax.envs.craftax_symbolic_env", "CraftaxSymbolicEnv"),
}

STEPPED, RESETTING = 256, 64
"""Worlds of either batch; the one that resets itself makes a world for each in every step."""


def rate(env, worlds: int, steps: int) -> float:
    """Steps per CPU second of a batch: the median of five repeats."""
    jax = importlib.import_module("jax")
    reset, step = jax.jit(env.reset), jax.jit(jax.vmap(env.step))
    states = [reset(key)[1] for key in jax.random.split(jax.random.PRNGKey(0), worlds)]
    state = jax.tree.map(lambda *leaves: jax.numpy.stack(leaves), *states)
    keys = jax.random.split(jax.random.PRNGKey(1), (steps, worlds))
    actions = jax.random.randint(jax.random.PRNGKey(2), (steps, worlds), 0, env.num_actions)
    rates = []
    for _ in range(6):
        start = time.process_time()
        for number in range(steps):
            _, state, reward, _, _ = step(keys[number], state, actions[number])
        reward.block_until_ready()
        rates.append(steps * worlds / (time.process_time() - start))
    return statistics.median(rates[1:])  # the first compiles


def main(game: str) -> None:
    """Measure and print."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    module, name = MODULES[game]
    envs = importlib.import_module(module)
    step_only = rate(getattr(envs, f"{name}NoAutoReset")(), STEPPED, 20)
    auto_reset = rate(getattr(envs, name)(), RESETTING, 4)
    print(json.dumps({"step_only": step_only, "auto_reset": auto_reset}))


if __name__ == "__main__":
    main(sys.argv[1])
