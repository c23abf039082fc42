"""How people move: what they hold down becomes the speeds their legs ask for."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from garten.worlds.hide_and_seek import constants as c
from garten.worlds.physics.joints import Joints
from garten.worlds.physics.simulation import Physics

_TICK, _SPEED = float(c.TICK), float(c.SPEED)
_TURN = math.radians(c.TURN_RATE)
BEAT_TICKS = round(c.BEAT / c.TICK)
"""Ticks of a beat, of which every action takes a whole number."""

_ROUNDING = 1e-9


class Legs:
    """The legs of everybody in a simulation; A people."""

    def __init__(self, physics: Physics, people: Sequence[str]) -> None:
        self._x, self._y, self._turn = (
            Joints(physics, [f"{role}/{axis}" for role in people]) for axis in ("x", "y", "turn")
        )

    def drive(self, axes: Sequence[Mapping[str, float]], courses: NDArray[np.float64]) -> None:
        """Ask for the speeds of one tick.

        Args:
            axes: What each holds: the axes of a step or those of a goto.
            courses: Changed; what is left of each one's goto, [A, 4]: where to face (radians), ticks of
                turning, metres, ticks in all.
        """
        headings = self._turn.values()
        asked = [
            _ask(*each) for each in zip(axes, headings.tolist(), courses, strict=True)
        ]  # ahead, to the right, turning to the right
        ahead, right, turn = np.array(asked).T
        cos, sin = np.cos(headings), np.sin(headings)
        self._x.aim(ahead * cos + right * sin)
        self._y.aim(ahead * sin - right * cos)
        self._turn.aim(-turn)

    def stuck(self) -> NDArray[np.bool_]:
        """Who asked to move in the tick that is over and hardly did, [A]."""
        asked_x, asked_y = self._x.targets(), self._y.targets()
        squares = asked_x**2 + asked_y**2
        made = asked_x * self._x.speeds() + asked_y * self._y.speeds()
        slow: NDArray[np.bool_] = (made < c.STUCK_SHARE * squares) & (squares > (0.25 * _SPEED) ** 2)
        return slow


def _ask(
    axes: Mapping[str, float], heading: float, course: NDArray[np.float64]
) -> tuple[float, float, float]:
    """The speeds that one asks for: ahead, to the right (m/s), turning to the right (rad/s)."""
    if "metres" in axes or "heading_deg" in axes:
        if course[3] == 0.0:
            _set_out(axes, heading, course)
        return _follow(heading, course)
    course[:] = 0.0
    ahead, right, turn = (_within(axes.get(name, 0.0), 1.0) for name in ("forward", "strafe", "turn"))
    share = _SPEED / max(1.0, math.hypot(ahead, right))
    return share * ahead, share * right, _TURN * turn


def _set_out(axes: Mapping[str, float], heading: float, course: NDArray[np.float64]) -> None:
    """Begin a goto."""
    degrees = _within(axes.get("heading_deg", 0.0), 180.0)
    metres = min(max(axes.get("metres", 0.0), 0.0), float(c.GOTO_MOST))
    beats = abs(degrees) / (c.TURN_RATE * c.BEAT) + metres / (c.SPEED * c.BEAT)
    turning = math.ceil(abs(degrees) / (c.TURN_RATE * c.TICK) - _ROUNDING)
    whole = max(1, math.ceil(beats - _ROUNDING)) * BEAT_TICKS
    course[:] = heading - math.radians(degrees), turning, metres, whole


def _follow(heading: float, course: NDArray[np.float64]) -> tuple[float, float, float]:
    """The speeds of the next tick of a goto, as `_ask` gives them."""
    course[3] -= 1.0
    turn = _within((heading - float(course[0])) / _TICK, _TURN)
    if course[1] > 0.0:
        course[1] -= 1.0
        return 0.0, 0.0, turn
    gone = min(float(course[2]), _SPEED * _TICK)
    course[2] -= gone
    return gone / _TICK, 0.0, turn


def _within(value: float, most: float) -> float:
    return min(max(value, -most), most)
