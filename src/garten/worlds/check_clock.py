"""Checks of the clock: durations, the time limit, the end, and what may be asked of a role."""

from __future__ import annotations

import math
import time

import numpy as np

from garten.errors import WorldError
from garten.records import Action
from garten.worlds.check_seen import check_scene, check_score
from garten.worlds.check_subject import Fault, Subject, random_value, require

CONTROLS = 200
"""Random controls tried by the check of control inputs."""


WILD_AXES = (0.0, 1.0, -1.0, 0.37, -1e3, 1e6)
"""Values tried on every axis."""


def durations(subject: Subject) -> str:
    """Every action of every role takes exactly the time the spec gives it."""
    rng = np.random.default_rng(4)
    for role in subject.roles:
        for spec in subject.spec.actions:
            world = subject.fresh(subject.seeds[0])
            arguments = {one.name: random_value(one, rng) for one in spec.arguments}
            while role not in world.idle and not world.over:  # others have the first turn
                world.act(dict.fromkeys(world.idle))
            took = world.act({**dict.fromkeys(world.idle), role: Action(spec.name, arguments)}).ticks
            due = round(spec.lasts(arguments) / subject.spec.tick)
            require(
                took == due or (world.over and took < due),
                f"{spec.name} of {role} took {took} ticks, not {due}",
            )
    return ""


def time_limit(subject: Subject) -> str:
    """Episodes end at the time limit at the latest, and never later."""
    limit = round(subject.spec.time_limit / subject.spec.tick)
    idle = subject.fresh(subject.seeds[0])
    while not idle.over:
        idle.act(dict.fromkeys(idle.idle))
    lasts = [idle.ticks, *(journey[-1].ticks for journey in subject.journeys.values())]
    require(max(lasts) <= limit, f"an episode lasted {max(lasts)} of {limit} ticks")
    cut = [journey[-1] for journey in subject.journeys.values() if journey[-1].flags[1]]
    require(all(stop.ticks == limit for stop in cut), "an episode was truncated before the limit")
    return ""


def flags(subject: Subject) -> str:
    """An episode is terminated or truncated, never both, and then over for good."""
    for stop in subject.stops():
        terminated, truncated, over = stop.flags
        require(not (terminated and truncated), "an episode is terminated and truncated at once")
        require(over == (terminated or truncated), "an episode is over without being terminated or truncated")
    world = subject.fresh(subject.seeds[0])
    for stop in subject.journeys[subject.seeds[0]][1:]:
        world.act(stop.actions)
    try:
        world.tick()
    except WorldError:
        return ""
    raise Fault("the world still ticks after the end")


def arguments(subject: Subject) -> str:
    """Unknown actions and arguments, and values out of range, are refused and change nothing."""
    refused = [Action("no_such_action"), Action(subject.spec.actions[0].name, {"no_such_argument": 0.0})]
    for spec in subject.spec.actions:
        fitting = {one.name: one.low for one in spec.arguments}
        for one in spec.arguments:
            reach = 1.0 + abs(one.high - one.low)
            wrong = [one.low - reach, one.high + reach, math.nan, math.inf]
            refused += [Action(spec.name, {**fitting, one.name: value}) for value in wrong]
    world = subject.fresh(subject.seeds[0])
    before = world.snapshot()
    for action in refused:
        try:
            world.act(dict.fromkeys(world.idle, action))
        except WorldError:
            require(world.snapshot() == before, f"refusing {action} changed the state")
            continue
        raise Fault(f"{action} was accepted")
    return f"{len(refused)} refused"


def controls(subject: Subject) -> str:
    """Any buttons and axes are safe: nothing is raised, what is seen and scored stays finite."""
    spec = subject.spec
    buttons = sorted({button for action in spec.actions for button in action.buttons} | {"no_such_button"})
    axes = sorted({one.name for action in spec.actions for one in action.arguments} | {"no_such_axis"})
    rng = np.random.default_rng(5)
    world = subject.fresh(subject.seeds[0])
    for number in range(CONTROLS):
        if world.over:
            world.reset(subject.seeds[0] + number)
        for role in world.idle:
            held = [button for button in buttons if rng.random() < 0.5]
            pushed = {axis: float(rng.choice(WILD_AXES)) for axis in axes}
            world.control(role, held, pushed, ticks=int(rng.integers(1, 4)))
        world.advance()
        check_score(world.score())
        check_scene(world.scene())
    return f"{CONTROLS} controls"


def speed(subject: Subject) -> str:
    """How fast the world runs; measured, never failed."""
    world = subject.fresh(subject.seeds[0])
    began = time.process_time()
    for stop in subject.journeys[subject.seeds[0]][1:]:
        world.act(stop.actions)
    spent = max(time.process_time() - began, 1e-9)
    return f"{world.time / spent:.0f} s of world time per CPU second"
