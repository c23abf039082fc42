"""How fast the worlds run: ticks per CPU second, times real time with frames, microseconds a snapshot.

    python bench/worlds.py [NAME ...] [--json]

Actions are drawn at random. ``NAME_realtime_factor`` is seconds of world time per CPU second when every
action is followed by one frame of 320 x 180 for its role, in the raw look. Of hide-and-seek also
``hide_and_seek_agent_steps_per_cpu_s``: two against two, steps of a quarter of a second, after each of which
the agent gets its senses through PettingZoo.
"""

import statistics
import sys
import time
from typing import Any

import numpy as np
from shared.measure import per_cpu_second, report

from garten.episodes.faces.pettingzoo import WorldParallelEnv
from garten.records import Action
from garten.sight.looks import look
from garten.worlds.check_subject import random_action
from garten.worlds.find import load, names
from garten.worlds.world import World

SIZE = (320, 180)
SECONDS = 60.0  # of world time in each repeat
REPEATS = 3


def choices(world: World[Any], rng: np.random.Generator) -> dict[str, Action]:
    """A random action for each idle role."""
    return {role: random_action(world.spec.actions, rng) for role in world.idle}


def play(world: World[Any], seed: int, *, frames: bool) -> tuple[float, int, float]:
    """CPU seconds, ticks and seconds of world time of random play, as much as `SECONDS`."""
    raw, rng = look("raw"), np.random.default_rng(seed)
    world.reset(seed)
    start = time.process_time()
    while not world.over and world.time < SECONDS:
        completed = world.act(choices(world, rng)).completed
        if frames:
            moment = world.moment()
            for role in completed:
                raw.frame(moment, moment.cameras[role], role=role, width=SIZE[0], height=SIZE[1])
    return time.process_time() - start, world.ticks, world.time


def measure(name: str) -> dict[str, float]:
    """The figures of one world."""
    world, key = load(name)(), name.replace("-", "_")
    play(world, 0, frames=True)  # compiles and fills caches
    bare = [play(world, seed, frames=False) for seed in range(REPEATS)]
    drawn = [play(world, seed, frames=True) for seed in range(REPEATS)]
    return {
        f"{key}_ticks_per_cpu_s": statistics.median(ticks / cpu for cpu, ticks, _ in bare),
        f"{key}_realtime_factor": statistics.median(seconds / cpu for cpu, _, seconds in drawn),
        f"{key}_snapshot_us": 1e6 / per_cpu_second(world.snapshot),
    }


def agent_steps() -> float:
    """Steps of all agents together per CPU second, with their senses."""
    env = WorldParallelEnv("hide-and-seek:together=1,hiders=2,seekers=2", observe="senses", ticks=2)
    for agent in env.possible_agents:
        env.action_space(agent).seed(0)
    step = {"action": 0, "step.steps": 1}
    rates = []
    for seed in range(REPEATS):
        chosen = [
            {agent: {**env.action_space(agent).sample(), **step} for agent in env.possible_agents}
            for _ in range(480)
        ]
        env.reset(seed=seed)
        start, count = time.process_time(), 0
        for actions in chosen:
            if env.agents:
                env.step(actions)
                count += len(actions)
        rates.append(count / (time.process_time() - start))
    return statistics.median(rates)


if __name__ == "__main__":
    asked = [word for word in sys.argv[1:] if not word.startswith("-")] or names()
    metrics = {key: value for name in asked for key, value in measure(name).items()}
    if "hide-and-seek" in asked:
        metrics["hide_and_seek_agent_steps_per_cpu_s"] = agent_steps()
    report("worlds", metrics)
