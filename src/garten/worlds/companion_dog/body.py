"""How the dog and the hand move. The person sits at the origin and faces +x."""

from __future__ import annotations

import math
from typing import NamedTuple

from garten.worlds.companion_dog import constants as c
from garten.worlds.companion_dog.individual import ACTIVITIES
from garten.worlds.companion_dog.temper import Mode

SPIRITS = {Mode.IDLE: 0.3, Mode.ENGAGED: 1.0, Mode.REFUSING: -1.0, Mode.RESTING: -0.4}
"""What the dog's posture shows in each mode: head and tail high at 1, low at -1."""

SPIRIT_SPEED = 3.0  # posture changes by so much in a second; seen, without effect on the rules
THERE = 0.02  # metres from its target at which the dog stands still
NOSE_AHEAD = 0.5  # metres from the dog's middle to its nose
SHOULDER = (-0.05, -0.22, 0.85)  # the person's right shoulder, metres
HAND_AT_REST = (0.40, -0.26, 0.62)
LONGEST = 1.0  # metres from shoulder to hand

Point = tuple[float, float, float]


class Stance(NamedTuple):
    """Where the dog is and how it holds itself."""

    x: float  # metres
    y: float
    heading: float  # radians
    lying: float  # 0 stands, 1 lies
    spirit: float  # -1 to 1, see `SPIRITS`
    walked: float  # metres since it last stood still; the legs swing with it

    @property
    def gap(self) -> float:
        """How far its middle is from the person, metres."""
        return math.hypot(self.x, self.y)


def stepped(now: Stance, mode: Mode, bed: tuple[float, float], seconds: float) -> Stance:
    """The stance one tick later."""
    target, facing = _aim(now, mode, bed)
    way = math.dist((now.x, now.y), target)
    walking = way > THERE
    if walking and mode is Mode.RESTING:
        facing = math.atan2(target[1] - now.y, target[0] - now.x)
    length = (
        min(way, float(c.WALK_SPEED if mode is Mode.RESTING else c.STEP_SPEED) * seconds) if walking else 0.0
    )
    lies = 1.0 if mode is Mode.RESTING and not walking else 0.0
    up = now.lying > 0.0 and lies == 0.0
    if up:  # it gets up first
        length = 0.0
    return Stance(
        x=now.x + (length / way * (target[0] - now.x) if length else 0.0),
        y=now.y + (length / way * (target[1] - now.y) if length else 0.0),
        heading=now.heading + _towards(math.remainder(facing - now.heading, math.tau), _turn(seconds)),
        lying=now.lying + _towards(lies - now.lying, c.LIE_SPEED * seconds),
        spirit=now.spirit + _towards(SPIRITS[mode] - now.spirit, SPIRIT_SPEED * seconds),
        walked=now.walked + length if length else 0.0,
    )


def _aim(now: Stance, mode: Mode, bed: tuple[float, float]) -> tuple[tuple[float, float], float]:
    """Where the dog goes, and where it faces once there (radians)."""
    to_person = math.atan2(-now.y, -now.x)
    if mode is Mode.ENGAGED:
        return (float(c.NEAR), 0.0), to_person
    if mode is Mode.IDLE:
        return (now.x, now.y), to_person
    side = 1.0 if bed[1] > 0.0 else -1.0
    averted = to_person - side * math.radians(c.AVERTED)
    if mode is Mode.RESTING:
        return bed, averted
    away = math.atan2(now.y, now.x)
    distance = max(now.gap, float(c.ASIDE))
    return (distance * math.cos(away), distance * math.sin(away)), averted


def _turn(seconds: float) -> float:
    return math.radians(c.TURN_SPEED) * seconds


def _towards(difference: float, most: float) -> float:
    return min(max(difference, -most), most)


def reach(phase: float) -> float:
    """How far the hand is out, 0 to 1, `phase` seconds after an activity began; it goes on in cycles."""
    within = phase % c.STROKE
    return min(1.0, within / c.REACHING, (c.STROKE - within) / c.REACHING)


def hand_at(activity: int | None, phase: float, dog: Stance) -> Point:
    """Where the hand is, metres."""
    if activity is None:
        return HAND_AT_REST
    goal = _within_arm(_goal(ACTIVITIES[activity], phase, dog))
    share = reach(phase)
    x, y, z = (rest + share * (there - rest) for rest, there in zip(HAND_AT_REST, goal, strict=True))
    return x, y, z


def _goal(activity: str, phase: float, dog: Stance) -> Point:
    """Where the hand would be at full reach."""
    swing = math.sin(math.tau * phase)
    if activity == "offer":
        return 0.60, -0.06, 0.42
    if activity == "play":
        return 0.62 + 0.05 * math.cos(math.tau * phase), -0.04 + 0.14 * swing, 0.50
    ahead, height = (0.30, 0.36 + 0.05 * swing) if activity == "pet_chest" else (0.34 + 0.04 * swing, 0.80)
    low = 0.22 * dog.lying
    return dog.x + ahead * math.cos(dog.heading), dog.y + ahead * math.sin(dog.heading), height - low


def _within_arm(goal: Point) -> Point:
    """The point, or how far the arm comes on the way to it."""
    length = math.dist(SHOULDER, goal)
    share = min(1.0, LONGEST / length)
    x, y, z = (start + share * (end - start) for start, end in zip(SHOULDER, goal, strict=True))
    return x, y, z
