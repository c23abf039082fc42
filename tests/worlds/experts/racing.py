"""A racing expert that reads the state: it aims at the middle line ahead and slows down for bends."""

from __future__ import annotations

import math

import numpy as np

from garten.records import Action
from garten.worlds.racing import Racing
from garten.worlds.racing import constants as c
from garten.worlds.racing.circuit import ROLES
from garten.worlds.racing.track import bends

HOLD = 5.0  # metres a second squared towards the middle of a bend that it trusts the tyres with
BRAKING = 3.5  # metres a second squared that it trusts the brakes with
SIGHT = 14.0  # metres ahead it looks for bends


class Expert:
    """Drives every role that it is asked for; it remembers who is stuck."""

    def __init__(self, world: Racing) -> None:
        self.world = world
        self._slow = dict.fromkeys(ROLES, 0)  # actions for which a car has hardly moved
        self._back = dict.fromkeys(ROLES, 0)  # actions for which it still has to go back

    def actions(self) -> dict[str, Action]:
        """The next action of each idle driver."""
        return {role: self.action(role) for role in self.world.idle}

    def action(self, role: str) -> Action:
        """The next action of one driver."""
        world, index = self.world, ROLES.index(role)
        speed = world.physics.contents.vehicles[role].speed(world.physics)
        off, away = self._aim(index, 3.0 + 0.55 * speed)
        self._slow[role] = self._slow[role] + 1 if speed < 0.4 and world.time > 1.0 else 0
        if self._slow[role] >= 2:
            self._slow[role], self._back[role] = 0, 4
        if self._back[role] > 0 or abs(off) > 1.2:  # back off, swinging round
            self._back[role] -= self._back[role] > 0
            return Action("drive", {"throttle": -1.0, "steer": -math.copysign(1.0, off)})
        curve = 2.0 * math.sin(off) / max(1.0, away)
        safe = _safe_speed(world, float(world.state.along[index]))
        steer = min(max(curve * c.TIGHTEST, -1.0), 1.0)
        return Action("drive", {"throttle": min(1.0, safe / c.TOP_SPEED), "steer": steer})

    def _aim(self, index: int, ahead: float) -> tuple[float, float]:
        """The turn to the place to aim at (radians) and how far it is (metres)."""
        world, role = self.world, ROLES[index]
        x, y, _ = world.physics.position(role)
        goal = world.track.place(float(world.state.along[index]) + ahead, _aside(world, index))
        turn = math.atan2(goal[1] - y, goal[0] - x) - world.physics.heading(role)
        return math.remainder(turn, math.tau), math.dist((x, y), goal[:2])


def _safe_speed(world: Racing, along: float) -> float:
    """The greatest speed from which every bend in sight can be taken."""
    track, curves = world.track, np.abs(bends(world.track))
    safe = math.inf
    for way in np.arange(0.0, SIGHT, track.spacing):
        curve = curves[round((along + way) / track.spacing) % len(curves)]
        safe = min(safe, math.sqrt(HOLD / max(curve, 1e-3) + 2.0 * BRAKING * way))
    return safe


def _aside(world: Racing, index: int) -> float:
    """How far left of the middle line to go: past a car that is just ahead, else on it."""
    track, other = world.track, 1 - index
    gap = math.remainder(float(world.state.along[other] - world.state.along[index]), track.length)
    if not -1.0 < gap < 9.0:
        return 0.0
    x, y, _ = world.physics.position(ROLES[other])
    mid_x, mid_y, heading = track.place(float(world.state.along[other]))
    left = (y - mid_y) * math.cos(heading) - (x - mid_x) * math.sin(heading)
    return -2.4 if left > 0.0 else 2.4
