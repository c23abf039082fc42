"""Vehicles on four wheels: what carries, drives and steers them is the grip of their tyres on the ground.

The front wheels steer by Ackermann's rule: in a bend the axes of all wheels meet in the middle of the bend,
and each wheel turns as fast as its own way round it asks for, so that none has to slip.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from garten.errors import WorldError
from garten.scene import Color, Kind, turn_x
from garten.worlds.physics.build import Blueprint
from garten.worlds.physics.part import Motor, Part, Servo
from garten.worlds.physics.simulation import Physics

AXLES_LEVEL = tuple(turn_x(0.5 * math.pi).tolist())
"""Turns a cylinder's axis from z to y, as a wheel's is."""

TYRE: Color = (0.07, 0.07, 0.08)
HUB: Color = (0.75, 0.75, 0.72)

_SIDES = {"left": 1.0, "right": -1.0}


@dataclass(frozen=True)
class Running:
    """The running gear of a vehicle; its frame is on the ground, in the middle of the wheels, x ahead."""

    wheelbase: float  # metres between the axles
    track: float  # metres between the middles of a left and a right wheel
    wheel_radius: float  # metres
    wheel_width: float  # metres
    wheel_mass: float  # kg, each
    force: float  # N, the most that all wheels together push
    grip: float = 1.0  # friction of the tyres
    steering_force: float = 4000.0  # N m, the most that turns a front wheel
    tightest: float = math.radians(40.0)  # the most a front wheel turns
    hub: Color = HUB


@dataclass(frozen=True)
class Vehicle:
    """A vehicle of a simulation."""

    name: str
    running: Running

    def drive(self, physics: Physics, speed: float, curvature: float = 0.0) -> None:
        """Drive at `speed` (m/s, negative: back) along a bend of `curvature` (1/m, positive: to the left).

        A speed of 0 brakes.
        """
        gear = self.running
        sharpest = math.tan(gear.tightest) / (gear.wheelbase + 0.5 * gear.track * math.tan(gear.tightest))
        curvature = min(max(curvature, -sharpest), sharpest)
        for side, left in _SIDES.items():
            inward = 1.0 - curvature * 0.5 * gear.track * left  # this side's share of the bend's radius
            angle = math.atan2(curvature * gear.wheelbase, inward)
            physics.aim(f"{self.name}/steer-{side}", angle)
            for place, way in (("front", math.hypot(curvature * gear.wheelbase, inward)), ("rear", inward)):
                physics.aim(f"{self.name}/{place}-{side}", speed * way / gear.wheel_radius)

    def speed(self, physics: Physics) -> float:
        """How fast it moves over the ground, m/s, without sign."""
        velocity = physics.velocity(self.name)
        return math.hypot(velocity[0], velocity[1])


def vehicle(
    blueprint: Blueprint, name: str, running: Running, *, at: Sequence[float], heading: float = 0.0
) -> Part:
    """A vehicle that stands at `at` (x, y) and faces `heading`; add its body, which must have a mass, to it.

    The bend that it drives is that of the middle of its rear axle. `blueprint.vehicles` holds the `Vehicle`,
    and later `Physics.contents.vehicles`.

    Raises:
        WorldError: wheels overlap, or a number makes no sense.
    """
    if running.wheelbase <= 2.0 * running.wheel_radius or running.track <= running.wheel_width:
        raise WorldError(f"The wheels of '{name}' overlap; make wheelbase and track larger.")
    chassis = blueprint.free(name, (*at[:2], 0.0), heading)
    front, out = 0.5 * running.wheelbase, 0.5 * running.track
    limit = 1.1 * running.tightest
    servo = Servo(running.steering_force * 8.0, running.steering_force * 0.8, running.steering_force)
    for side, left in _SIDES.items():
        place = (front, left * out, running.wheel_radius)
        knuckle = chassis.hinge(
            f"steer-{side}", at=place, axis=(0, 0, 1), limits=(-limit, limit), drive=servo
        )
        knuckle.add(Kind.SPHERE, (0.3 * running.wheel_radius,), color=None, mass=0.5 * running.wheel_mass)
        _wheel(knuckle, f"front-{side}", running, at=(0.0, 0.0, 0.0))
        _wheel(chassis, f"rear-{side}", running, at=(-front, left * out, running.wheel_radius))
    blueprint.vehicles[name] = Vehicle(name, running)
    return chassis


def _wheel(holder: Part, name: str, running: Running, *, at: Sequence[float]) -> None:
    radius, half = running.wheel_radius, 0.5 * running.wheel_width
    torque = 0.25 * running.force * radius
    motor = Motor(torque * radius * 5.0, torque)
    wheel = holder.hinge(name, at=at, axis=(0, 1, 0), drive=motor)
    wheel.add_wheel(radius, half, mass=running.wheel_mass, friction=running.grip)
    wheel.paint(Kind.CYLINDER, (radius, half), rotation=AXLES_LEVEL, color=TYRE)
    wheel.paint(Kind.CYLINDER, (0.55 * radius, 1.04 * half), rotation=AXLES_LEVEL, color=running.hub)
