"""The wheel loader: a chassis on four wheels, an arm, a scoop; how it is built and how it is driven.

Its frame is on the ground in the middle of the wheels, x ahead. The arm carries the scoop like the parallel
linkage of a real loader: raising the arm leaves the scoop's pitch as it is.
"""

from __future__ import annotations

import math
from collections.abc import Set

import numpy as np
from numpy.typing import NDArray

from garten.scene import Color, Kind, turn_x
from garten.worlds.physics.build import Blueprint
from garten.worlds.physics.part import Part, Servo
from garten.worlds.physics.simulation import Physics
from garten.worlds.physics.vehicle import Running, vehicle
from garten.worlds.quarry_loader import constants as c

NAME, ARM, SCOOP = "loader", "loader/arm", "loader/scoop"

YELLOW: Color = (0.98, 0.72, 0.05)
DARK: Color = (0.16, 0.16, 0.18)
GLASS: Color = (0.35, 0.55, 0.65)
STEEL: Color = (0.42, 0.43, 0.46)
RED: Color = (0.80, 0.10, 0.08)

AXIS = (0.0, -1.0, 0.0)  # a positive angle points up
HINGE_X = 0.55  # metres ahead of the chassis's middle, where the arm hangs
PLATE = 0.03  # half the thickness of the scoop's steel, metres
FLOOR = -0.335  # height of the scoop's floor below its hinge, metres
EDGE = 0.012  # half the thickness of its floor, metres: thin, to get under a rock
LIP = -FLOOR + 0.30  # height of the scoop's back, metres

RUNNING = Running(
    wheelbase=float(c.WHEELBASE),
    track=float(c.TRACK),
    wheel_radius=float(c.WHEEL_RADIUS),
    wheel_width=float(c.WHEEL_WIDTH),
    wheel_mass=float(c.WHEEL_MASS),
    force=float(c.PUSH),
    tightest=math.radians(46.0),
    hub=YELLOW,
)

_HALF_LENGTH, _HALF_WIDTH = 0.5 * c.CHASSIS_LENGTH, 0.5 * c.CHASSIS_WIDTH
FOOTPRINT = np.array(
    [(x, y, 0.0) for x in (-_HALF_LENGTH, _HALF_LENGTH) for y in (-_HALF_WIDTH, _HALF_WIDTH)]
)
"""The corners of the chassis with its wheels, [4, 3] in its frame; arm and scoop reach beyond."""


def add_loader(blueprint: Blueprint, *, x: float, y: float, heading: float) -> None:
    """Add the loader, its arm low and its scoop level."""
    chassis = vehicle(blueprint, NAME, RUNNING, at=(x, y), heading=heading)
    _body(chassis)
    place = (HINGE_X, 0.0, float(c.ARM_HEIGHT))
    # Joint angles count from the pose in which they are built: arm and scoop level.
    low, high = math.radians(c.ARM_LOW), math.radians(c.ARM_HIGH)
    strong = Servo(4e5, 5e4, float(c.ARM_FORCE))
    arm = chassis.hinge("arm", at=place, axis=AXIS, limits=(low - 0.05, high + 0.05), drive=strong)
    _beams(arm)
    most, least = math.radians(c.CURL_MOST) - low + 0.1, -math.radians(c.TIP_MOST) - high - 0.1
    wrist = Servo(1e5, 8e3, float(c.SCOOP_FORCE))
    scoop = arm.hinge(
        "scoop", at=(float(c.ARM_LENGTH), 0.0, 0.0), axis=AXIS, limits=(least, most), drive=wrist
    )
    _scoop(scoop)


def _body(chassis: Part) -> None:
    mass = float(c.CHASSIS_MASS)
    chassis.add(Kind.BOX, (1.2, 0.5, 0.22), at=(0.0, 0.0, 0.62), color=DARK, mass=0.6 * mass)
    chassis.add(Kind.BOX, (0.55, 0.62, 0.32), at=(-0.85, 0.0, 1.02), color=YELLOW, mass=0.4 * mass)
    chassis.paint(Kind.BOX, (0.08, 0.66, 0.30), at=(-1.37, 0.0, 0.80), color=DARK)
    chassis.paint(Kind.BOX, (0.42, 0.50, 0.16), at=(0.05, 0.0, 0.92), color=YELLOW)
    chassis.paint(Kind.BOX, (0.40, 0.46, 0.34), at=(0.05, 0.0, 1.42), color=GLASS)
    chassis.paint(Kind.BOX, (0.46, 0.52, 0.05), at=(0.05, 0.0, 1.80), color=YELLOW)
    chassis.paint(Kind.CYLINDER, (0.06, 0.22), at=(-0.95, 0.36, 1.52), color=STEEL)
    chassis.paint(Kind.SPHERE, (0.09,), at=(0.05, 0.0, 1.92), color=RED)
    for side in (-1.0, 1.0):
        for end in (-1.0, 1.0):  # mudguards
            place = (end * 0.95, side * 0.75, 0.98)
            chassis.paint(Kind.BOX, (0.40, 0.20, 0.03), at=place, color=YELLOW)


def _beams(arm: Part) -> None:
    half = 0.5 * c.ARM_LENGTH
    for side in (-1.0, 1.0):
        arm.add(Kind.BOX, (half, 0.06, 0.10), at=(half, side * 0.40, 0.0), color=YELLOW, mass=40.0)
    lying = tuple(turn_x(0.5 * math.pi).tolist())
    arm.paint(Kind.CYLINDER, (0.07, 0.42), at=(2.0 * half - 0.1, 0.0, 0.0), rotation=lying, color=STEEL)


def _scoop(scoop: Part) -> None:
    depth, half = 0.5 * c.SCOOP_DEPTH, 0.5 * c.SCOOP_WIDTH
    plates = [
        ((depth, half, EDGE), (depth, 0.0, FLOOR + EDGE)),
        ((PLATE, half, 0.5 * LIP), (PLATE, 0.0, FLOOR + 0.5 * LIP)),
        ((0.85 * depth, PLATE, 0.20), (0.85 * depth, half - PLATE, FLOOR + 0.20)),
        ((0.85 * depth, PLATE, 0.20), (0.85 * depth, PLATE - half, FLOOR + 0.20)),
    ]
    for size, place in plates:
        scoop.add(
            Kind.BOX,
            size,
            at=place,
            color=STEEL,
            mass=35.0,
            friction=float(c.SCOOP_FRICTION),
            overrules=True,
        )
    for y in np.linspace(-0.8, 0.8, 5) * half:  # teeth
        place = (2.0 * depth, float(y), FLOOR + EDGE)
        scoop.paint(Kind.BOX, (0.07, 0.05, 0.02), at=place, color=YELLOW)


def drive(physics: Physics, buttons: Set[str]) -> float:
    """Drive as the buttons say; returns the speed asked for, m/s.

    While the arm or the scoop moves the loader holds its place.
    """
    loader = physics.contents.vehicles[NAME]
    lifting = buttons & {"raise", "lower", "curl", "tip"}
    way = 0 if lifting else ("forward" in buttons) - ("backward" in buttons)
    bend = ("left" in buttons) - ("right" in buttons)
    if bend:
        speed = way * float(c.ARC_SPEED)
    else:
        speed = float(c.FORWARD_SPEED) if way > 0 else way * float(c.BACKWARD_SPEED)
    loader.drive(physics, speed, bend / c.ARC_RADIUS if way else 0.0)
    return speed


def hold(physics: Physics, arm: float, pitch: float) -> None:
    """Bring the arm to an angle and the scoop to a pitch, both against the chassis, radians, up positive."""
    physics.aim(ARM, arm)
    physics.aim(SCOOP, pitch - arm)


def corners(physics: Physics) -> NDArray[np.float64]:
    """The corners of the chassis, [4, 3] metres."""
    return physics.points(NAME, FOOTPRINT)
