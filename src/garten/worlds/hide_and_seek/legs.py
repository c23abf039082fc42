"""How people move: what they hold down becomes the speed their legs ask for."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from garten.worlds.hide_and_seek import constants as c
from garten.worlds.physics.simulation import Physics

IN_THE_WAY = "Something is in your way."

_TICK = float(c.TICK)
_TURN = math.radians(c.TURN_RATE)
_BEAT_TICKS = round(c.BEAT / c.TICK)
_ROUNDING = 1e-9


class Legs:
    """The legs of everybody in a simulation."""

    def __init__(self, physics: Physics) -> None:
        self._physics = physics

    def drive(self, role: str, axes: Mapping[str, float], course: NDArray[np.float64]) -> None:
        """Ask for the speeds of one tick.

        Args:
            role: Whose legs.
            axes: What the role holds: those of a step or those of a goto.
            course: Changed; what is left of a goto, [4]: where to face (radians), ticks of turning, metres,
                ticks in all.
        """
        heading = self._physics.joint(f"{role}/turn")
        if "metres" in axes or "heading_deg" in axes:
            if course[3] == 0.0:
                _set_out(axes, heading, course)
            ahead, right, turn = _follow(heading, course)
        else:
            course[:] = 0.0
            ahead, right, turn = (_within(axes.get(name, 0.0), 1.0) for name in ("forward", "strafe", "turn"))
            fast = max(1.0, math.hypot(ahead, right))
            ahead, right, turn = c.SPEED * ahead / fast, c.SPEED * right / fast, _TURN * turn
        cos, sin = math.cos(heading), math.sin(heading)
        self._physics.aim(f"{role}/x", ahead * cos + right * sin)
        self._physics.aim(f"{role}/y", ahead * sin - right * cos)
        self._physics.aim(f"{role}/turn", -turn)

    def complaint(self, role: str) -> str:
        """What a role is told about the tick that is over."""
        asked = [self._physics.target(f"{role}/{axis}") for axis in ("x", "y")]
        speed = math.hypot(*asked)
        if speed < 0.25 * c.SPEED:
            return ""
        made = sum(
            way * self._physics.joint_speed(f"{role}/{axis}") for way, axis in zip(asked, "xy", strict=True)
        )
        return IN_THE_WAY if made < c.STUCK_SHARE * speed**2 else ""


def _set_out(axes: Mapping[str, float], heading: float, course: NDArray[np.float64]) -> None:
    """Begin a goto."""
    degrees = _within(axes.get("heading_deg", 0.0), 180.0)
    metres = min(max(axes.get("metres", 0.0), 0.0), float(c.GOTO_MOST))
    beats = abs(degrees) / (c.TURN_RATE * c.BEAT) + metres / (c.SPEED * c.BEAT)
    turning = math.ceil(abs(degrees) / (c.TURN_RATE * c.TICK) - _ROUNDING)
    whole = max(1, math.ceil(beats - _ROUNDING)) * _BEAT_TICKS
    course[:] = heading - math.radians(degrees), turning, metres, whole


def _follow(heading: float, course: NDArray[np.float64]) -> tuple[float, float, float]:
    """The speeds of the next tick of a goto: ahead, to the right (m/s), turning to the right (rad/s)."""
    course[3] -= 1.0
    turn = _within((heading - float(course[0])) / _TICK, _TURN)
    if course[1] > 0.0:
        course[1] -= 1.0
        return 0.0, 0.0, turn
    gone = min(float(course[2]), c.SPEED * _TICK)
    course[2] -= gone
    return gone / _TICK, 0.0, turn


def _within(value: float, most: float) -> float:
    return min(max(value, -most), most)
