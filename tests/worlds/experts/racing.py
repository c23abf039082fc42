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


def actions(world: Racing) -> dict[str, Action]:
    """The next action of each idle driver."""
    return {role: action(world, role) for role in world.idle}


def action(world: Racing, role: str) -> Action:
    """The next action of one driver."""
    index, physics, track = ROLES.index(role), world.physics, world.track
    along = float(world.state.along[index])
    speed = physics.contents.vehicles[role].speed(physics)
    x, y, _ = physics.position(role)
    ahead = 3.0 + 0.55 * speed
    goal_x, goal_y, _ = track.place(along + ahead, _aside(world, index, ahead))
    off = math.remainder(math.atan2(goal_y - y, goal_x - x) - physics.heading(role), math.tau)
    if abs(off) > 1.2 or (world.feedback(role) and speed < 0.5):
        return Action("drive", {"throttle": -1.0, "steer": -math.copysign(1.0, off)})  # back off, swing round
    curve = 2.0 * math.sin(off) / max(1.0, math.dist((x, y), (goal_x, goal_y)))
    return Action(
        "drive",
        {
            "throttle": min(1.0, _safe_speed(world, along) / c.TOP_SPEED),
            "steer": min(max(curve * c.TIGHTEST, -1.0), 1.0),
        },
    )


def _safe_speed(world: Racing, along: float) -> float:
    """The greatest speed from which every bend in sight can be taken."""
    track, curves = world.track, np.abs(bends(world.track))
    safe = math.inf
    for way in np.arange(0.0, SIGHT, track.spacing):
        curve = curves[round((along + way) / track.spacing) % len(curves)]
        safe = min(safe, math.sqrt(HOLD / max(curve, 1e-3) + 2.0 * BRAKING * way))
    return safe


def _aside(world: Racing, index: int, ahead: float) -> float:
    """How far left of the middle line to go: past a car that is just ahead, else on it."""
    gap = float(world.state.driven[1 - index] - world.state.driven[index])
    if not 0.0 < gap < 8.0:
        return 0.0
    track = world.track
    x, y, _ = world.physics.position(ROLES[1 - index])
    mid_x, mid_y, heading = track.place(float(world.state.along[1 - index]))
    left = (y - mid_y) * math.cos(heading) - (x - mid_x) * math.sin(heading)
    return -1.8 if left > 0.0 else 1.8
