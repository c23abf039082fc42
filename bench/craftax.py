"""Speed of the Craftax engine: steps, observations, new worlds, compile and start; beside the original.

    python bench/craftax.py [--json] [--oracle PYTHON] [--device DEVICE]

1,024 lanes play random actions and get a new world when they die, as in training. Names without a game mean
the full one. The ratios are to the original (`craftax` 1.6.1) in the same run: of the first 120 steps of new
worlds to those of a batch of 256 that are only stepped, and of all steps to those of 64 that reset
themselves. It runs in the interpreter that ``--oracle`` names, else in this one if the extra `oracle` is
installed; without either they are left out.

On a GPU (``--device cuda``) the rates are steps per second by the clock, and `unequal_to_cpu` says how many
lanes differ from the CPU's in some integer after the same steps from the same states.
"""

import argparse
import importlib.util
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import numpy as np
from shared.measure import per_cpu_second, per_second, report

from garten import devices
from garten.craftax.agreement import unequal_lanes
from garten.craftax.env import Env, make

LANES = 1024
GPU_LANES = 16384

GAMES = {"full": "Craftax", "classic": "Craftax-Classic"}
PREFIX = {"full": "", "classic": "classic_"}
"""Of the names of metrics."""

ORIGINAL = Path(__file__).parent / "shared" / "original_craftax.py"

START = """
import numpy as np
from garten import craftax
env = craftax.make({name!r}, num_envs=1)
env.reset(seed=0)
env.step(np.zeros(1, int))
"""


def playing(game: str, *, lanes: int = LANES, **options: object) -> tuple[Env, Callable[[], object]]:
    """An environment some steps into its episodes, and a function that takes one more."""
    env = make(GAMES[game], num_envs=lanes, **options)
    rng = np.random.default_rng(0)
    actions = cycle(rng.integers(0, env.num_actions, (64, lanes)).astype(np.int32))
    env.reset(seed=0)
    for _ in range(300):
        env.step(next(actions))
    return env, lambda: env.step(next(actions))


def steps(game: str, **options: object) -> float:
    """Steps per CPU second, new worlds included."""
    return LANES * per_cpu_second(playing(game, **options)[1])


def early_steps(game: str) -> float:
    """Steps per CPU second in the first 120 steps of new worlds, in which few lanes die."""
    env = make(GAMES[game], num_envs=LANES)
    actions = np.random.default_rng(0).integers(0, env.num_actions, (120, LANES)).astype(np.int32)
    env.reset(seed=0)
    rates = []
    for part in np.split(actions, 6):
        began = time.process_time()
        for chosen in part:
            env.step(chosen)
        rates.append(part.size / (time.process_time() - began))
    return statistics.median(rates[1:])


def words(game: str) -> float:
    """Steps per CPU second of lanes whose observations are all put into words."""
    env, step = playing(game, lanes=64)

    def once() -> None:
        step()
        for lane in range(64):
            env.text(lane)

    return 64 * per_cpu_second(once, repeats=5)


def steps_by_threads(game: str) -> tuple[float, float]:
    """Steps per second by the clock on one thread and on two: the best of ten rounds of each, in turns."""
    plays = [playing(game, threads=threads)[1] for threads in (1, 2)]
    rates = [[per_second(step, count=50) for step in plays] for _ in range(10)]
    one, two = (LANES * max(column) for column in zip(*rates, strict=True))
    return one, two


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


def start(game: str, cache: str) -> tuple[float, float]:
    """CPU and wall seconds of a fresh process that makes an environment and steps it once."""
    environment = os.environ | {"GARTEN_CACHE": cache}
    before, clock = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    code = START.format(name=GAMES[game])
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)
    wall, after = time.perf_counter() - clock, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def measure(game: str) -> dict[str, float]:
    """The figures of a game on the CPU."""
    with tempfile.TemporaryDirectory() as cache:
        cold, _ = start(game, cache)
        warm, cached = start(game, cache)
    rate, reset = steps(game), reset_us(game)
    one, two = steps_by_threads(game)
    name = PREFIX[game]
    return {
        f"{name or 'full_'}steps_per_cpu_s": rate,
        f"{name or 'full_'}steps_per_s_1thread": one,
        f"{name or 'full_'}steps_per_s_2threads": two,
        f"{name}symbolic_steps_per_cpu_s": steps(game, obs="symbolic"),
        f"{name}pixels_steps_per_cpu_s": steps(game, obs="pixels"),
        f"{name}text_steps_per_cpu_s": words(game),
        f"{name}reset_us": reset,
        f"{name}reset_share": reset * worlds_per_step(game) * rate / 1e6,
        f"{name}bytes_per_lane": make(GAMES[game]).engine.state.bytes_per_row,
        f"{name}cold_compile_cpu_s": cold - warm,
        f"{name}cached_start_s": cached,
    }


def ratios(game: str, oracle: str, rate: float) -> dict[str, float]:
    """How many times as fast as the original: like with like, stepped only, and with new worlds."""
    done = subprocess.run([oracle, str(ORIGINAL), game], check=True, capture_output=True, text=True)
    theirs = json.loads(done.stdout)
    return {
        f"{PREFIX[game]}ratio_to_craftax_step_only": early_steps(game) / theirs["step_only"],
        f"{PREFIX[game]}ratio_to_craftax_auto_reset": rate / theirs["auto_reset"],
    }


def measure_device(game: str, device: str) -> dict[str, float]:
    """The figures of a game on a GPU, and whether it plays the same game."""
    metrics: dict[str, float] = {f"{PREFIX[game]}unequal_to_cpu": unequal_lanes(GAMES[game], device)}
    for obs in ("codes", "symbolic", "pixels"):
        env, step = playing(game, lanes=GPU_LANES, obs=obs, device=device)

        def finished(env: Env = env, step: Callable[[], object] = step) -> None:
            step()
            env.engine.exchange.array("over").numpy()  # waits for the GPU

        metrics[f"{PREFIX[game]}{device}_{obs}_steps_per_s"] = GPU_LANES * per_second(finished, count=100)
    return metrics


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--oracle", help="a Python interpreter that has craftax 1.6.1")
    parser.add_argument("--device", default="cpu", help="cpu (the default) or cuda")
    given = parser.parse_args()
    if given.device != "cpu":
        if devices.cuda() is None:
            sys.exit("This machine has no CUDA device; run without --device to measure the CPU.")
        report("craftax", measure_device("full", given.device) | measure_device("classic", given.device))
        return
    oracle = given.oracle or (sys.executable if importlib.util.find_spec("jax") else None)
    metrics: dict[str, float] = {}
    for game in GAMES:
        metrics |= measure(game)
        if oracle:
            metrics |= ratios(game, oracle, metrics[f"{PREFIX[game] or 'full_'}steps_per_cpu_s"])
    report("craftax", metrics)


if __name__ == "__main__":
    main()
