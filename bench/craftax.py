"""Speed of the Craftax engine: steps, observations, new worlds, compile and start; beside the original.

    python bench/craftax.py [--json]

1,024 lanes play random actions and get a new world when they die, as in training. The ratios need the
`oracle` extra: the original steps its own batch of 256 worlds, without new worlds, in the same run.
"""

import importlib
import importlib.util
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import cycle

import numpy as np
from shared.measure import per_cpu_second, report

from garten.craftax.env import Env, make

LANES = 1024

GAMES = {"classic": "Craftax-Classic", "full": "Craftax"}

ORIGINALS = {
    "classic": (
        "craftax.craftax_classic.envs.craftax_symbolic_env",
        "CraftaxClassicSymbolicEnvNoAutoReset",
    ),
    "full": ("craftax.craftax.envs.craftax_symbolic_env", "CraftaxSymbolicEnvNoAutoReset"),
}

START = """
import numpy as np
from garten import craftax
env = craftax.make({name!r}, num_envs=1)
env.reset(seed=0)
env.step(np.zeros(1, int))
"""


def playing(game: str, **options: object) -> tuple[Env, Callable[[], object]]:
    """An environment some steps into its episodes, and a function that takes one more."""
    env = make(GAMES[game], num_envs=LANES, **options)
    rng = np.random.default_rng(0)
    actions = cycle(rng.integers(0, env.num_actions, (64, LANES)).astype(np.int32))
    env.reset(seed=0)
    for _ in range(300):
        env.step(next(actions))
    return env, lambda: env.step(next(actions))


def steps(game: str, **options: object) -> float:
    """Steps per CPU second, new worlds included."""
    return LANES * per_cpu_second(playing(game, **options)[1])


def steps_per_second(game: str, threads: int) -> float:
    """Steps per second by the clock on the wall, the best of ten rounds."""
    _, step = playing(game, threads=threads)
    rates = []
    for _ in range(10):
        start = time.perf_counter()
        for _ in range(50):
            step()
        rates.append(50 * LANES / (time.perf_counter() - start))
    return max(rates)


def reset_us(game: str) -> float:
    """CPU time of a new world, microseconds."""
    env, _ = playing(game)
    env.buffer("chosen")[:] = True
    return 1e6 / (LANES * per_cpu_second(lambda: env.engine.run("reset"), repeats=5))


def worlds_per_step(game: str) -> float:
    """Episodes that end in a step of random play, as a share of the lanes."""
    env, step = playing(game)
    over = 0
    for _ in range(200):
        step()
        over += int(env.buffer("over").sum())
    return over / (200 * LANES)


def start(game: str, cache: str | None = None) -> tuple[float, float]:
    """CPU and wall seconds of a fresh process that makes an environment and steps it once."""
    environment = os.environ | ({"GARTEN_CACHE": cache} if cache else {})
    before, clock = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    code = START.format(name=GAMES[game])
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)
    wall, after = time.perf_counter() - clock, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def original_steps(game: str, worlds: int = 256) -> float:
    """Steps per CPU second of the original's symbolic environment, no new worlds."""
    jax = importlib.import_module("jax")
    module, name = ORIGINALS[game]
    env = getattr(importlib.import_module(module), name)()
    reset, step = jax.jit(env.reset), jax.jit(jax.vmap(env.step))
    states = [reset(key)[1] for key in jax.random.split(jax.random.PRNGKey(0), worlds)]
    held = [jax.tree.map(lambda *leaves: jax.numpy.stack(leaves), *states)]
    keys = jax.random.split(jax.random.PRNGKey(1), worlds)
    actions = jax.random.randint(jax.random.PRNGKey(2), (worlds,), 0, env.num_actions)

    def once() -> None:
        _, held[0], reward, _, _ = step(keys, held[0], actions)
        reward.block_until_ready()

    return worlds * per_cpu_second(once, repeats=5)


def measure(game: str) -> dict[str, float]:
    """The figures of a game."""
    with tempfile.TemporaryDirectory() as cache:
        cold, _ = start(game, cache)
    warm, cached = start(game)
    rate, reset = steps(game), reset_us(game)
    return {
        f"{game}_steps_per_cpu_s": rate,
        f"{game}_symbolic_steps_per_cpu_s": steps(game, obs="symbolic"),
        f"{game}_steps_per_s_1thread": steps_per_second(game, 1),
        f"{game}_steps_per_s_2threads": steps_per_second(game, 2),
        f"{game}_reset_us": reset,
        f"{game}_reset_share": reset * worlds_per_step(game) * rate / 1e6,
        f"{game}_bytes_per_lane": make(GAMES[game]).engine.state.bytes_per_row,
        f"{game}_cold_compile_cpu_s": cold - warm,
        f"{game}_cached_start_s": cached,
    }


def main() -> None:
    """Measure and print."""
    metrics = measure("classic") | measure("full")
    metrics["classic_pixels_steps_per_cpu_s"] = steps("classic", obs="pixels")
    if importlib.util.find_spec("jax") is not None:
        sys.path.pop(0)  # the folder of this script, whose name hides the original's package
        for game in GAMES:
            ratio = metrics[f"{game}_steps_per_cpu_s"] / original_steps(game)
            metrics[f"{game}_ratio_to_craftax_step_only"] = ratio
    report("craftax", metrics)


if __name__ == "__main__":
    main()
