"""Checks that the same seed and actions give the same states, bit for bit, wherever and however often."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import numpy as np

from garten.errors import WorldError
from garten.worlds.check_seen import same_view
from garten.worlds.check_subject import Fault, Subject, play_randomly, require, tick_at_random
from garten.worlds.find import load, origin
from garten.worlds.world import World


def fresh_process(subject: Subject) -> str:
    """The same seed and actions give the same states in another process."""
    place = origin(subject.world)
    try:
        found = load(place) is subject.world
    except WorldError:
        found = False
    require(found, "another process cannot load it; define WORLD in a file or announce an entry point")
    seed = subject.seeds[0]
    code = (
        "import json, sys; from garten.worlds import check_exact, find\n"
        "print(json.dumps(check_exact.journey_hashes(find.load(sys.argv[1]), int(sys.argv[2]))))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code, place, str(seed)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": "20011"},  # another order of sets than here
    )
    require(ended.returncode == 0, f"it failed there: {ended.stderr.strip().splitlines()[-1:]}")
    hashes = json.loads(ended.stdout.splitlines()[-1])
    _compare([stop.hash for stop in subject.journeys[seed]], hashes, "in another process")
    return f"{len(hashes)} states"


def journey_hashes(world: type[World[Any]], seed: int) -> list[str]:
    """The state hashes along a journey; the same in every process."""
    subject = Subject(world, [seed])
    return [stop.hash for stop in subject.journeys[seed]]


def rerun(subject: Subject) -> str:
    """The same seed and actions give the same states again, in the same instance and in a new one."""
    for seed, journey in subject.journeys.items():
        hashes = [stop.hash for stop in journey]
        used = subject.fresh(seed + 1)
        tick_at_random(used, np.random.default_rng([seed, 2]), ticks=50)
        used.reset(seed)
        for world, where in (
            (used, "in an instance that was used before"),
            (subject.fresh(seed), "in a new instance"),
        ):
            _compare(hashes, [stop.hash for stop in play_randomly(world, seed)], where)
    return ""


def looking(subject: Subject) -> str:
    """Reading scene, cameras, score, feedback and snapshot changes nothing."""
    seed = subject.seeds[0]
    journey = subject.journeys[seed]
    blind = subject.fresh(seed)
    for stop in journey[1:]:
        blind.act(stop.actions)
    _compare([journey[-1].hash], [blind.state_hash()], "when nothing is read on the way")
    return ""


def _compare(expected: list[str], found: list[str], where: str) -> None:
    if expected != found:
        pairs = zip(expected, found, strict=False)
        first = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(expected), len(found)))
        raise Fault(f"states differ {where}, from decision {first} on")


def snapshot(subject: Subject) -> str:
    """A snapshot in the middle of an action goes on bit for bit in another instance."""
    for seed in subject.seeds:
        world, other = subject.fresh(seed), subject.fresh(seed + 1)
        tick_at_random(other, np.random.default_rng([seed, 3]), ticks=15)
        for leg in range(6):
            tick_at_random(world, np.random.default_rng([seed, leg]), ticks=7)
            if world.over:
                break
            other.restore(world.snapshot())
            for one in (world, other):
                tick_at_random(one, np.random.default_rng([seed, leg, 1]), ticks=13)
            require(
                other.snapshot() == world.snapshot(), f"states differ by tick {world.ticks} after a restore"
            )
            require(other.score() == world.score(), "scores differ after a restore")
            require(same_view(other.moment(), world.moment()), "what is seen differs after a restore")
    return ""


def fork(subject: Subject) -> str:
    """What happens in a fork does not reach the world it was forked from."""
    seed = subject.seeds[0]
    world, forked = subject.fresh(seed), subject.world()
    rng = np.random.default_rng([seed, 4])
    tick_at_random(world, rng, ticks=5)
    before, seen = world.snapshot(), world.moment()
    forked.restore(before)
    for _ in range(20):
        tick_at_random(forked, rng, ticks=5)
    kept = world.snapshot() == before and same_view(world.moment(), seen)
    require(kept, "playing in a fork changes its origin; keep nothing that changes in the class or module")
    return ""
