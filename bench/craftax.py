"""Speed of the Craftax engine: steps, observations, new worlds, compile and start; beside the original.

    python bench/craftax.py [--json]

1,024 lanes play random actions and get a new world when they die, as in training. The ratio needs the
`oracle` extra: it steps the original's own batch of 256 worlds, without new worlds, in the same run.
"""

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

START = """
import numpy as np
from garten import craftax
env = craftax.make("Craftax-Classic", num_envs=1)
env.reset(seed=0)
env.step(np.zeros(1, int))
"""


def random_actions() -> Callable[[], np.ndarray]:
    """A function that gives the next actions."""
    rounds = cycle(np.random.default_rng(0).integers(0, 17, (64, LANES)).astype(np.int32))
    return lambda: next(rounds)


def playing(**options: object) -> tuple[Env, Callable[[], object]]:
    """An environment some steps into its episodes, and a function that takes one more."""
    env, actions = make("Craftax-Classic", num_envs=LANES, **options), random_actions()
    env.reset(seed=0)
    for _ in range(300):
        env.step(actions())
    return env, lambda: env.step(actions())


def steps(**options: object) -> float:
    """Steps per CPU second, new worlds included."""
    return LANES * per_cpu_second(playing(**options)[1])


def steps_per_second(threads: int) -> float:
    """Steps per second by the clock on the wall, the best of ten rounds."""
    _, step = playing(threads=threads)
    rates = []
    for _ in range(10):
        start = time.perf_counter()
        for _ in range(50):
            step()
        rates.append(50 * LANES / (time.perf_counter() - start))
    return max(rates)


def reset_us() -> float:
    """CPU time of a new world, microseconds."""
    env, _ = playing()
    env.buffer("chosen")[:] = True
    return 1e6 / (LANES * per_cpu_second(lambda: env.engine.run("reset"), repeats=5))


def worlds_per_step() -> float:
    """Episodes that end in a step of random play, as a share of the lanes."""
    env, step = playing()
    over = 0
    for _ in range(200):
        step()
        over += int(env.buffer("over").sum())
    return over / (200 * LANES)


def start(cache: str | None = None) -> tuple[float, float]:
    """CPU and wall seconds of a fresh process that makes an environment and steps it once."""
    environment = os.environ | ({"GARTEN_CACHE": cache} if cache else {})
    before, clock = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, "-c", START], check=True, env=environment)
    wall, after = time.perf_counter() - clock, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def original_steps(worlds: int = 256) -> float:
    """Steps per CPU second of the original's symbolic environment, no new worlds."""
    sys.path.pop(0)  # the folder of this script, whose name hides the package
    import jax
    from craftax.craftax_classic.envs.craftax_symbolic_env import CraftaxClassicSymbolicEnvNoAutoReset

    env = CraftaxClassicSymbolicEnvNoAutoReset()
    reset, step = jax.jit(env.reset), jax.jit(jax.vmap(env.step))
    states = [reset(key)[1] for key in jax.random.split(jax.random.PRNGKey(0), worlds)]
    held = [jax.tree.map(lambda *leaves: jax.numpy.stack(leaves), *states)]
    keys = jax.random.split(jax.random.PRNGKey(1), worlds)
    actions = jax.random.randint(jax.random.PRNGKey(2), (worlds,), 0, 17)

    def once() -> None:
        _, held[0], reward, _, _ = step(keys, held[0], actions)
        reward.block_until_ready()

    return worlds * per_cpu_second(once, repeats=5)


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as cache:
        cold, _ = start(cache)
    warm, cached = start()
    metrics = {
        "classic_steps_per_cpu_s": steps(),
        "classic_symbolic_steps_per_cpu_s": steps(obs="symbolic"),
        "classic_steps_per_s_1thread": steps_per_second(1),
        "classic_steps_per_s_2threads": steps_per_second(2),
        "classic_reset_us": reset_us(),
        "classic_bytes_per_lane": make("Craftax-Classic").engine.state.bytes_per_row,
        "classic_cold_compile_cpu_s": cold - warm,
        "classic_cached_start_s": cached,
    }
    step_us = 1e6 / metrics["classic_steps_per_cpu_s"]
    metrics["classic_reset_share"] = metrics["classic_reset_us"] * worlds_per_step() / step_us
    if importlib.util.find_spec("jax") is not None:
        metrics["classic_ratio_to_craftax_step_only"] = metrics["classic_steps_per_cpu_s"] / original_steps()
    report("craftax", metrics)


if __name__ == "__main__":
    main()
