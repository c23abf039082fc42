"""What a car looks like from outside, and the view from its driver's seat.

The frame round a driver's view is the cabin itself: dashboard, windshield pillars and the beam above them
stand still in the picture because they move with the camera, and others see them as parts of a car.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from garten.scene import UPRIGHT, Camera, Color, Floats, Kind, SceneBuilder, turn_x, turn_y
from garten.worlds.one_lane_bridge import constants as c
from garten.worlds.one_lane_bridge.road import Pose

PAINT: dict[str, Color] = {"blue": (0.10, 0.18, 0.90), "red": (0.85, 0.08, 0.10)}
TRIM: Color = (0.05, 0.05, 0.06)
DIALS: Color = (0.20, 0.24, 0.26)
TYRE: Color = (0.11, 0.11, 0.12)
LAMP: Color = (0.98, 0.95, 0.75)
AXLE = tuple(turn_x(0.5 * math.pi))  # lays a cylinder across the car
LEANING = tuple(turn_y(-math.atan2(0.16, 0.36)))  # as the upper face of the dashboard


class Part(NamedTuple):
    """One shape of a car in the car's frame: x ahead, y to the left, z up from the ground."""

    kind: Kind
    size: tuple[float, ...]
    position: tuple[float, float, float]
    color: Color | None  # None: the car's paint
    rotation: tuple[float, ...] = UPRIGHT


def _box(x: float, y: float, z: float, size: tuple[float, float, float], color: Color | None = None) -> Part:
    return Part(Kind.BOX, size, (x, y, z), color)


def _wheel(x: float, y: float) -> Part:
    return Part(Kind.CYLINDER, (0.30, 0.10), (x, y, 0.30), TYRE, AXLE)


PARTS = (
    _box(0.0, 0.0, 0.48, (1.80, 0.80, 0.23)),  # body, bonnet to boot
    _box(0.64, 0.0, 0.78, (0.18, 0.76, 0.08), TRIM),  # dashboard: a block and a slope that faces the driver
    Part(Kind.WEDGE, (0.18, 0.76, 0.08), (0.64, 0.0, 0.94), TRIM),
    Part(Kind.BOX, (0.05, 0.16, 0.005), (0.735, 0.0, 0.982), DIALS, LEANING),
    _box(0.82, 0.71, 1.25, (0.06, 0.09, 0.35), TRIM),  # windshield pillars
    _box(0.82, -0.71, 1.25, (0.06, 0.09, 0.35), TRIM),
    _box(0.80, 0.0, 1.62, (0.10, 0.80, 0.08), TRIM),  # beam above the windshield
    _box(-0.35, 0.0, 1.66, (1.10, 0.80, 0.05)),  # roof
    _box(-1.25, 0.0, 0.94, (0.20, 0.78, 0.25)),  # rear wall up to the window
    _box(-1.35, 0.72, 1.39, (0.10, 0.08, 0.25)),  # rear pillars
    _box(-1.35, -0.72, 1.39, (0.10, 0.08, 0.25)),
    _box(1.80, 0.0, 0.56, (0.02, 0.60, 0.07), LAMP),  # head lamps
    _wheel(1.10, 0.72),
    _wheel(1.10, -0.72),
    _wheel(-1.10, 0.72),
    _wheel(-1.10, -0.72),
)

OFFSETS: NDArray[np.float64] = np.array([part.position for part in PARTS])
TURNS: NDArray[np.float64] = np.array([part.rotation for part in PARTS])


def add_car(builder: SceneBuilder, role: str) -> slice:
    """Add the shapes of one car, one thing, and return their rows; `place` gives their poses."""
    rows: list[int] = []
    for part in PARTS:
        material = builder.material(part.color or PAINT[role], "metal")
        rows.append(builder.add(part.kind, part.size, material=material, thing=rows[0] if rows else None))
    return slice(rows[0], rows[-1] + 1)


def place(poses: NDArray[np.float64]) -> tuple[Floats, Floats]:
    """Positions [C * P, 3] and rotations [C * P, 4] of the P parts of C cars at poses [C, 3], car by car."""
    cos, sin = np.cos(poses[:, 2, None]), np.sin(poses[:, 2, None])
    x, y, z = OFFSETS.T
    positions = np.empty((len(poses), len(PARTS), 3), np.float32)
    positions[..., 0] = poses[:, 0, None] + cos * x - sin * y
    positions[..., 1] = poses[:, 1, None] + sin * x + cos * y
    positions[..., 2] = z
    # The product of a turn about z by the heading, (yaw_w, 0, 0, yaw_z), and the part's own turn.
    yaw_w, yaw_z = np.cos(0.5 * poses[:, 2, None]), np.sin(0.5 * poses[:, 2, None])
    part_w, part_x, part_y, part_z = TURNS.T
    rotations = np.empty((len(poses), len(PARTS), 4), np.float32)
    rotations[..., 0] = yaw_w * part_w - yaw_z * part_z
    rotations[..., 1] = yaw_w * part_x - yaw_z * part_y
    rotations[..., 2] = yaw_w * part_y + yaw_z * part_x
    rotations[..., 3] = yaw_w * part_z + yaw_z * part_w
    return positions.reshape(-1, 3), rotations.reshape(-1, 4)


def windshield(pose: Pose) -> Camera:
    """The driver's view."""
    x = pose.x + c.EYE_AHEAD * math.cos(pose.heading)
    y = pose.y + c.EYE_AHEAD * math.sin(pose.heading)
    return Camera.at((x, y, c.EYE_HEIGHT), pose.heading)
