"""What a hider and a seeker look like: little figures told apart by colour and by what they wear."""

from __future__ import annotations

from garten.scene import Color, Kind
from garten.worlds.hide_and_seek import constants as c
from garten.worlds.physics.build import Blueprint
from garten.worlds.physics.kit import LYING
from garten.worlds.physics.part import Hold, Motor, Part

HIDER: Color = (0.10, 0.42, 0.92)
SEEKER: Color = (0.90, 0.14, 0.12)
SKIN: Color = (0.96, 0.78, 0.62)
WHITE: Color = (0.97, 0.97, 0.95)
BLACK: Color = (0.06, 0.06, 0.07)
SHOE: Color = (0.24, 0.17, 0.13)
BRASS: Color = (0.95, 0.80, 0.25)

_LEGS = Hold(
    Motor(float(c.PUSH_GAIN), float(c.PUSH)),
    Motor(float(c.TWIST_GAIN), float(c.TWIST), float(c.TWIST_INERTIA)),
)


def add_person(blueprint: Blueprint, name: str, x: float, y: float, *, heading: float, seeks: bool) -> Part:
    """A person of either team, who can walk, turn, climb and fall, and hold something by its hands."""
    part = blueprint.upright(name, (x, y, 0.0), heading, rises=True, hold=_LEGS)
    radius, half = float(c.BODY_RADIUS), 0.5 * c.BODY_HEIGHT
    part.add(
        Kind.CAPSULE,
        (radius, half - radius),
        at=(0.0, 0.0, half),
        color=None,
        mass=float(c.BODY_MASS),
        friction=0.0,
        overrules=True,
    )
    _trunk(part, SEEKER if seeks else HIDER)
    (_cap if seeks else _hat)(part)
    return part


def _trunk(part: Part, shirt: Color) -> None:
    """Shoes, a round body, arms that reach ahead, and a head with large eyes."""
    part.paint(Kind.CAPSULE, (0.21, 0.20), at=(0.0, 0.0, 0.46), color=shirt)
    part.paint(Kind.SPHERE, (0.23,), at=(0.0, 0.0, 0.93), color=SKIN)
    for side in (-1.0, 1.0):
        part.paint(Kind.BOX, (0.12, 0.07, 0.06), at=(0.03, side * 0.11, 0.06), color=SHOE)
        arm = (0.10, side * 0.25, 0.58)
        part.paint(Kind.CAPSULE, (0.06, 0.09), at=arm, rotation=LYING, color=shirt)
        part.paint(Kind.SPHERE, (0.07,), at=(0.26, side * 0.25, 0.58), color=SKIN)
        part.paint(Kind.SPHERE, (0.070,), at=(0.175, side * 0.09, 0.97), color=WHITE)
        part.paint(Kind.SPHERE, (0.038,), at=(0.222, side * 0.09, 0.97), color=BLACK)


def _hat(part: Part) -> None:
    """A hider's pointed hat with a bobble."""
    part.paint(Kind.CONE, (0.21, 0.14), at=(-0.03, 0.0, 1.19), color=HIDER)
    part.paint(Kind.SPHERE, (0.065,), at=(-0.03, 0.0, 1.34), color=WHITE)


def _cap(part: Part) -> None:
    """A seeker's flat cap with a peak, and the star on its chest."""
    part.paint(Kind.CYLINDER, (0.24, 0.05), at=(-0.02, 0.0, 1.13), color=SEEKER)
    part.paint(Kind.BOX, (0.10, 0.15, 0.018), at=(0.27, 0.0, 1.10), color=BLACK)
    part.paint(Kind.CYLINDER, (0.09, 0.012), at=(0.21, 0.0, 0.60), rotation=LYING, color=BRASS)
