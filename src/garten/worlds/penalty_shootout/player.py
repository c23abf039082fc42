"""A footballer's shapes: a trunk with a head, two arms and two legs that swing."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from garten.scene import Color, Kind, compose, rotation_matrices, turn_x, turn_y, turn_z
from garten.worlds.figure import FigureBuilder

JOINTS = 5  # trunk, right arm, left arm, right leg, left leg
SHOULDERS = ((0.0, -0.24, 0.52), (0.0, 0.24, 0.52))  # in the trunk's frame, which begins at the hips
HIPS = ((0.0, -0.11, 0.0), (0.0, 0.11, 0.0))
HIP_HEIGHT = 0.92  # metres above the ground

SKIN: Color = (0.80, 0.58, 0.44)
HAIR: Color = (0.16, 0.11, 0.08)
SHORTS: Color = (0.94, 0.94, 0.94)
BOOTS: Color = (0.08, 0.08, 0.09)


class Posture(NamedTuple):
    """How a footballer stands, runs or flies."""

    place: tuple[float, float, float]  # of the hips, metres
    heading: float = 0.0  # radians
    roll: float = 0.0  # radians about the heading: to the own right if positive
    stride: float = 0.0  # radians by which legs and arms swing
    arms: float = 0.15  # radians by which arms are raised sideways; pi is straight up


def add_player(figure: FigureBuilder, first: int, shirt: Color) -> None:
    """Add a footballer, one thing; the joints are numbered from `first`."""
    trunk = figure.add(first, Kind.CAPSULE, (0.17, 0.17), at=(0.0, 0.0, 0.34), color=shirt)
    parts: list[tuple[int, Kind, tuple[float, ...], tuple[float, float, float], Color]] = [
        (0, Kind.BOX, (0.13, 0.19, 0.10), (0.0, 0.0, 0.02), SHORTS),
        (0, Kind.SPHERE, (0.125,), (0.02, 0.0, 0.76), SKIN),
        (0, Kind.SPHERE, (0.122,), (-0.025, 0.0, 0.79), HAIR),
    ]
    for side in (1, 2):
        parts += [
            (side, Kind.CAPSULE, (0.062, 0.13), (0.0, 0.0, -0.15), shirt),
            (side, Kind.CAPSULE, (0.050, 0.11), (0.0, 0.0, -0.42), SKIN),
            (side, Kind.SPHERE, (0.085,), (0.0, 0.0, -0.60), SKIN),
            (side + 2, Kind.CAPSULE, (0.085, 0.15), (0.0, 0.0, -0.22), SHORTS),
            (side + 2, Kind.CAPSULE, (0.065, 0.19), (0.0, 0.0, -0.58), shirt),
            (side + 2, Kind.BOX, (0.13, 0.055, 0.05), (0.06, 0.0, -0.87), BOOTS),
        ]
    for joint, kind, size, at, color in parts:
        figure.add(first + joint, kind, size, at=at, color=color, thing=trunk)


def joints_of(posture: Posture) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Positions [5, 3] and rotations [5, 4] of the joints."""
    trunk = compose(turn_z(posture.heading), turn_x(posture.roll))
    matrix, hips = rotation_matrices(trunk[None])[0], np.array(posture.place)
    positions, rotations = [hips], [trunk]
    for side, shoulder in zip((-1.0, 1.0), SHOULDERS, strict=True):
        positions.append(hips + matrix @ np.array(shoulder))
        raised = compose(turn_x(side * posture.arms), turn_y(0.8 * side * posture.stride))
        rotations.append(compose(trunk, raised))
    for side, hip in zip((-1.0, 1.0), HIPS, strict=True):
        positions.append(hips + matrix @ np.array(hip))
        rotations.append(compose(trunk, turn_y(-side * posture.stride)))
    return np.array(positions), np.array(rotations)


def running(seconds: float) -> float:
    """The swing of the legs of a runner, radians."""
    return 0.7 * math.sin(math.tau * 1.6 * seconds)
