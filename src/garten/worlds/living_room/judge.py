"""Which parts of an errand are done, and how near the others are."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from garten.worlds.living_room import constants as c
from garten.worlds.living_room.errand import Errand, Goal
from garten.worlds.living_room.furniture import DRAWER, DRAWER_HALF
from garten.worlds.living_room.person import BODY, GRASP
from garten.worlds.living_room.things import THINGS
from garten.worlds.physics.query import supports
from garten.worlds.physics.simulation import Physics

UNDONE = 0.9
"""Most that counts towards progress of a part that is not done."""


def met(physics: Physics, goal: Goal, taken: NDArray[np.bool_]) -> bool:
    """Whether a part of an errand is done now; `taken` [8] says which of `THINGS` were ever taken."""
    if goal.kind == "taken":
        return bool(taken[THINGS.index(goal.thing)])
    if physics.held(GRASP) == goal.thing:
        return False
    if goal.kind == "on":
        return goal.place in supports(physics, goal.thing)
    shut = goal.kind == "in drawer" or physics.joint(DRAWER) < c.SHUT_WAY
    return shut and in_drawer(physics, goal.thing)


def in_drawer(physics: Physics, thing: str) -> bool:
    """Whether a thing lies in the drawer."""
    place = (physics.position(thing) - physics.position(DRAWER)) @ physics.matrix(DRAWER)
    return bool((np.abs(place) < DRAWER_HALF).all())


def done(physics: Physics, errand: Errand, taken: NDArray[np.bool_]) -> bool:
    """Whether all of an errand is done and the hand is empty."""
    if not taken.any() or physics.held(GRASP):
        return False
    return all(met(physics, goal, taken) for goal in errand.goals)


def ways(physics: Physics, errand: Errand) -> list[float]:
    """How far each part of an errand is from being done, metres."""
    return [_way(physics, goal) for goal in errand.goals]


def _way(physics: Physics, goal: Goal) -> float:
    """Metres, as the crow flies, from the thing to the person who must take it, or to where it must go."""
    target = {"taken": BODY, "on": goal.place}.get(goal.kind, DRAWER)
    return math.dist(physics.position(goal.thing)[:2], physics.position(target)[:2])


def progress(physics: Physics, errand: Errand, taken: NDArray[np.bool_], at_start: list[float]) -> float:
    """The parts done, and of each other one the share of its way that is behind, 0 to 1."""
    shares = [
        1.0 if met(physics, goal, taken) else UNDONE * max(0.0, 1.0 - _way(physics, goal) / first)
        for goal, first in zip(errand.goals, at_start, strict=True)
    ]
    return sum(shares) / len(shares)
