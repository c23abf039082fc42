"""How near the look `neural` is to `photo`, which it imitates, in games of random play, in decibels.

    python bench/look.py [LOOK] [--json]

Worlds in their own colours with all that a player has: the long memory, frames between the clock's. Of each
third of the first 12 s, ``WORLD_1`` to ``WORLD_3``; ``WORLD_3_copy`` is the opening in place of each frame of
the last third; ``WORLD_sharpness`` how much neighbouring pixels differ, by the true frames'.
"""

import sys
from collections.abc import Iterator
from statistics import fmean
from typing import Any

import numpy as np
from shared.measure import report

from garten.devices import torch_threads
from garten.episodes.looks import look
from garten.episodes.views import eyes, view_of
from garten.records import Frame
from garten.renderer.quality.measures import psnr
from garten.worlds.check_subject import random_action
from garten.worlds.find import load

WORLDS = ("herding", "one-lane-bridge", "companion-dog", "racing")
"""The last one is never shown in training."""

SEEDS = (11, 12)
SECONDS = 12.0
SIZE = (160, 90)


def frames(name: str, seed: int, seen: str) -> Iterator[tuple[Any, ...]]:
    """At the opening, and after each action of random play: seconds, the true frame, that of the look."""
    world, rng = load(name)(), np.random.default_rng(seed)
    world.reset(seed)
    role = world.idle[0]
    views = [view_of(look(one), eyes(role), role=role, size=SIZE, seed=seed) for one in ("photo", seen)]
    for view in views:
        view.follow(world.moment())
    yield 0.0, *(view.frame(world.moment()) for view in views)
    while not world.over and world.time < SECONDS:
        actions = {idle: random_action(world.spec.actions, rng) for idle in world.idle}
        for moment in world.act(actions, watch=True).moments:
            for view in views:
                view.follow(moment)
        yield world.time, *(view.frame(world.moment()) for view in views)


def sharpness(frame: Frame) -> float:
    """Mean difference of neighbouring pixels."""
    values = frame.astype(np.float32)
    return float(np.abs(np.diff(values, axis=0)).mean() + np.abs(np.diff(values, axis=1)).mean())


def measure(name: str, seen: str) -> dict[str, float]:
    """The figures of one world, means over frames of all games."""
    thirds: list[list[float]] = [[], [], []]
    copied, sharp = list[float](), list[float]()
    for seed in SEEDS:
        games = list(frames(name, seed, seen))
        opening = games[0][1]
        for time, true, made in games[1:]:
            third = min(int(3 * time / SECONDS), 2)
            thirds[third].append(psnr(made, true))
            sharp.append(sharpness(made) / sharpness(true))
            if third == 2:
                copied.append(psnr(opening, true))
    key = name.replace("-", "_")
    found = {f"{key}_{number}": fmean(values) for number, values in enumerate(thirds, 1)}
    return {**found, f"{key}_3_copy": fmean(copied), f"{key}_sharpness": fmean(sharp)}


if __name__ == "__main__":
    given = [word for word in sys.argv[1:] if not word.startswith("-")]
    with torch_threads(1):
        report("look", {k: v for name in WORLDS for k, v in measure(name, *given[:1] or ["neural"]).items()})
