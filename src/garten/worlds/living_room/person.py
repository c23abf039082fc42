"""The person: a body that is pushed over the floor, and a hand on an arm that swings, stretches and lifts.

The body's frame is on the floor, x ahead. Joints with limited force move all of it, so that walls, furniture
and what the hand holds push back. The arm itself touches nothing; what it holds does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from garten.scene import Color, Kind, turn_y
from garten.worlds.living_room import constants as c
from garten.worlds.living_room.layout import Pose
from garten.worlds.living_room.things import AHEAD
from garten.worlds.physics.build import Blueprint
from garten.worlds.physics.part import Motor, Part, Servo
from garten.worlds.physics.simulation import Physics

NAME, BODY, HAND = "person", "person/body", "person/hand"
LIFT, SWING = "person/lift", "person/swing"
GRASP, HANDLE = "grasp", "handle"
"""Grips of the hand: one for what it carries, one for what it opens and closes."""

SKIN: Color = (0.93, 0.73, 0.62)
SLEEVE: Color = (0.20, 0.52, 0.46)
TROUSERS: Color = (0.22, 0.26, 0.36)
HAIR: Color = (0.26, 0.16, 0.10)

Arm = NDArray[np.float64]
"""Where the hand is: metres out from the middle of the body, radians to the left, metres above the floor."""

CARRY: Arm = np.array([c.CARRY_OUT, math.radians(c.CARRY_SWING), c.CARRY_HEIGHT])
_SWING = math.radians(c.ARM_SWING)
LEAST: Arm = np.array([c.ARM_LEAST, -_SWING, c.HAND_LOWEST])
MOST: Arm = np.array([c.ARM_MOST, _SWING, c.HAND_HIGHEST])
_SPEEDS: Arm = np.array([c.HAND_SPEED, math.radians(c.HAND_SWING_SPEED), c.HAND_SPEED])
_NEAR: Arm = np.array([0.02, 0.03, 0.03])


def add_person(blueprint: Blueprint, pose: Pose) -> None:
    """Add the person, standing there, the hand where it carries things."""
    base = blueprint.fixed(NAME)
    stride = Motor(4000.0, float(c.BODY_PUSH))
    east = base.slide("east", at=(pose.x, pose.y, 0.0), axis=(1, 0, 0), drive=stride)
    east.weigh(1.0, at=(0.0, 0.0, 0.8))
    north = east.slide("north", at=(0.0, 0.0, 0.0), axis=(0, 1, 0), drive=stride)
    north.weigh(1.0, at=(0.0, 0.0, 0.8))
    body = north.hinge("body", at=(0, 0, 0), axis=(0, 0, 1), drive=Servo(800.0, 60.0, 80.0))
    radius = float(c.BODY_RADIUS)
    body.add(
        Kind.CAPSULE,
        (radius, 0.5),
        at=(0.0, 0.0, 0.9),
        color=None,
        mass=float(c.BODY_MASS),
        friction=0.0,
        overrules=True,
    )
    _dress(body)
    straight, turning = Servo(3000.0, 150.0, float(c.HAND_FORCE)), Servo(600.0, 40.0, float(c.HAND_TORQUE))
    shortest, furthest = LEAST - c.ARM_GIVES, MOST + c.ARM_GIVES
    limits = list(zip(shortest.tolist(), furthest.tolist(), strict=True))
    lift = body.slide("lift", at=(0, 0, 0), axis=(0, 0, 1), limits=limits[2], drive=straight)
    lift.weigh(0.5, at=(0.0, 0.0, 0.3))
    swing = lift.hinge("swing", at=(0, 0, 0), axis=(0, 0, 1), limits=limits[1], drive=turning)
    swing.weigh(0.5, radius=0.06)
    hand = swing.slide("hand", at=(0, 0, 0), axis=(1, 0, 0), limits=limits[0], drive=straight)
    hand.weigh(0.5)
    _show_hand(hand)


def add_grips(blueprint: Blueprint) -> None:
    """Add the hand's grips, once all that it could hold is there."""
    blueprint.grip(GRASP, HAND)
    blueprint.grip(HANDLE, HAND, kind="pin")


def _dress(body: Part) -> None:
    """What others see of the person; all of it is behind the eyes."""
    body.paint(Kind.CAPSULE, (0.16, 0.24), at=(-0.05, 0.0, 1.06), color=SLEEVE)
    body.paint(Kind.SPHERE, (0.115,), at=(-0.02, 0.0, 1.52), color=SKIN)
    body.paint(Kind.SPHERE, (0.12,), at=(-0.05, 0.0, 1.55), color=HAIR)
    for side in (-1.0, 1.0):
        body.paint(Kind.CAPSULE, (0.075, 0.34), at=(-0.05, side * 0.09, 0.45), color=TROUSERS)
        body.paint(Kind.BOX, (0.12, 0.05, 0.04), at=(0.0, side * 0.09, 0.04), color=HAIR)
    body.paint(Kind.CAPSULE, (0.05, 0.22), at=(-0.05, 0.22, 1.10), color=SLEEVE)


def _show_hand(hand: Part) -> None:
    """A hand that points ahead, palm down, and a forearm that comes from behind and below."""
    hand.paint(Kind.BOX, (0.042, 0.038, 0.013), at=(-0.09, 0.0, 0.0), color=SKIN)
    for y in (-0.028, -0.009, 0.010, 0.029):
        hand.paint(Kind.CAPSULE, (0.010, 0.028), at=(-0.025, y, 0.0), rotation=AHEAD, color=SKIN)
    hand.paint(Kind.CAPSULE, (0.011, 0.02), at=(-0.07, 0.05, 0.0), rotation=AHEAD, color=SKIN)
    rising = tuple(turn_y(0.5 * math.pi - 0.35).tolist())
    hand.paint(Kind.CAPSULE, (0.03, 0.09), at=(-0.22, 0.0, -0.035), rotation=rising, color=SLEEVE)


# --- moving --------------------------------------------------------------------------------------


def walk(physics: Physics, speed: float) -> None:
    """Walk ahead at `speed`, m/s; negative: back."""
    heading = physics.heading(BODY)
    physics.aim(f"{NAME}/east", speed * math.cos(heading))
    physics.aim(f"{NAME}/north", speed * math.sin(heading))


def speed_ahead(physics: Physics) -> float:
    """How fast the body moves ahead, m/s."""
    heading = physics.heading(BODY)
    east, north = (physics.joint_speed(f"{NAME}/{way}") for way in ("east", "north"))
    return east * math.cos(heading) + north * math.sin(heading)


def aim_arm(physics: Physics, arm: Arm) -> None:
    """Give the arm's joints their targets."""
    out, swing, lift = arm.tolist()
    physics.aim(HAND, out)
    physics.aim(SWING, swing)
    physics.aim(LIFT, lift)


def place_arm(physics: Physics, arm: Arm) -> None:
    """Put the hand somewhere at once, for the start of an episode."""
    out, swing, lift = arm.tolist()
    physics.place_joint(HAND, out)
    physics.place_joint(SWING, swing)
    physics.place_joint(LIFT, lift)
    aim_arm(physics, arm)


def on_the_way(arm: Arm, goal: Arm, travel: float, seconds: float) -> Arm:
    """Where the hand's target is `seconds` later on its way to `goal`.

    It stretches only at the height `travel`, so that it lifts what it takes out of where that lies and lowers
    what it puts down, and it swings only when it is drawn in.
    """
    left = goal - arm
    swings = abs(left[1]) > _NEAR[1]
    arrived = not swings and abs(left[0]) <= _NEAR[0]
    out = min(float(arm[0]), float(c.ARM_DRAWN)) - arm[0] if swings else left[0]
    swing = left[1] if not swings or abs(out) <= _NEAR[0] else 0.0
    step = np.array([out, swing, (goal[2] if arrived else travel) - arm[2]])
    if not arrived and abs(step[2]) > _NEAR[2]:
        step[:2] = 0.0
    moved: Arm = arm + np.clip(step, -_SPEEDS * seconds, _SPEEDS * seconds)
    return moved


def arm_at(physics: Physics, point: Sequence[float] | NDArray[np.float64], aside: float = 0.0) -> Arm:
    """How the arm reaches a point, which may be out of its bounds.

    `aside` is how far to the left of the arm's line the point is to be, metres.
    """
    x, y, z = (np.asarray(point) - physics.position(BODY)) @ physics.matrix(BODY)
    away = math.hypot(x, y)
    out = math.sqrt(max(0.0, away * away - aside * aside))
    return np.array([out, math.atan2(y, x) - math.atan2(aside, out), z])


def within(arm: Arm) -> bool:
    """Whether the arm reaches so far."""
    return bool((arm >= LEAST).all() and (arm <= MOST).all())


def eye(physics: Physics) -> NDArray[np.float64]:
    """Where the eyes are, [3] metres."""
    place: NDArray[np.float64] = physics.points(BODY, [(float(c.EYE_AHEAD), 0.0, float(c.EYE_HEIGHT))])[0]
    return place
