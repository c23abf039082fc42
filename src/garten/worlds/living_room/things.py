"""The eight things that can be taken, from shapes that show what they are."""

from __future__ import annotations

import math
from collections.abc import Callable

from garten.scene import Color, Kind, turn_x, turn_y
from garten.worlds.physics.build import Blueprint
from garten.worlds.physics.part import Part

RED: Color = (0.86, 0.10, 0.10)
BLUE: Color = (0.12, 0.30, 0.88)
INSIDE: Color = (0.32, 0.20, 0.14)  # of a mug: coffee
PAGES: Color = (0.95, 0.93, 0.86)
CHINA: Color = (0.96, 0.96, 0.97)
GLAZE: Color = (0.62, 0.78, 0.90)
GLASS: Color = (0.10, 0.50, 0.22)
LABEL: Color = (0.95, 0.90, 0.70)
CORK: Color = (0.85, 0.68, 0.20)
PEEL: Color = (1.00, 0.55, 0.05)
LEAF: Color = (0.20, 0.55, 0.18)
FUR: Color = (0.58, 0.36, 0.18)
SNOUT: Color = (0.86, 0.70, 0.50)
BLACK: Color = (0.06, 0.05, 0.05)

AHEAD = tuple(turn_y(0.5 * math.pi).tolist())
"""Turns a cylinder's or capsule's axis from z to x."""

ASIDE = tuple(turn_x(0.5 * math.pi).tolist())
"""Turns it from z to y."""


def _mug(part: Part, color: Color) -> None:
    part.add(Kind.CYLINDER, (0.05, 0.06), at=(0.0, 0.0, 0.06), color=color, mass=0.3)
    part.paint(Kind.CYLINDER, (0.042, 0.002), at=(0.0, 0.0, 0.12), color=INSIDE)
    for height in (0.03, 0.09):
        part.paint(Kind.CAPSULE, (0.009, 0.018), at=(0.0, 0.062, height), rotation=ASIDE, color=color)
    part.paint(Kind.CAPSULE, (0.009, 0.03), at=(0.0, 0.082, 0.06), color=color)


def _book(part: Part, color: Color) -> None:
    half = (0.12, 0.085, 0.024)
    part.add(Kind.BOX, half, at=(0.0, 0.0, 0.024), color=None, mass=0.4)
    for height in (0.005, 0.043):
        part.paint(Kind.BOX, (0.12, 0.085, 0.005), at=(0.0, 0.0, height), color=color)
    part.paint(Kind.BOX, (0.12, 0.006, 0.024), at=(0.0, 0.080, 0.024), color=color)
    part.paint(Kind.BOX, (0.114, 0.079, 0.02), at=(0.0, 0.0, 0.024), color=PAGES)
    part.paint(Kind.BOX, (0.05, 0.035, 0.0005), at=(0.03, 0.0, 0.0485), color=PAGES)  # its title


def _plate(part: Part, color: Color) -> None:
    part.add(Kind.CYLINDER, (0.13, 0.012), at=(0.0, 0.0, 0.012), color=color, mass=0.4)
    part.paint(Kind.CYLINDER, (0.115, 0.001), at=(0.0, 0.0, 0.0245), color=GLAZE)
    part.paint(Kind.CYLINDER, (0.085, 0.001), at=(0.0, 0.0, 0.0255), color=color)


def _bottle(part: Part, color: Color) -> None:
    part.add(Kind.CYLINDER, (0.045, 0.095), at=(0.0, 0.0, 0.095), color=color, mass=0.5)
    part.add(Kind.CYLINDER, (0.018, 0.045), at=(0.0, 0.0, 0.245), color=color, mass=0.05)
    part.paint(Kind.CONE, (0.045, 0.025), at=(0.0, 0.0, 0.215), color=color)
    part.paint(Kind.CYLINDER, (0.046, 0.04), at=(0.0, 0.0, 0.10), color=LABEL)
    part.paint(Kind.CYLINDER, (0.021, 0.014), at=(0.0, 0.0, 0.285), color=CORK)


def _orange(part: Part, color: Color) -> None:
    part.add(Kind.SPHERE, (0.05,), at=(0.0, 0.0, 0.05), color=color, mass=0.2, rolling=0.004)
    part.paint(Kind.CYLINDER, (0.006, 0.008), at=(0.0, 0.0, 0.105), color=FUR)
    part.paint(Kind.BOX, (0.022, 0.010, 0.002), at=(0.02, 0.0, 0.106), color=LEAF)


def _bear(part: Part, color: Color) -> None:
    """A teddy bear that sits, looking along x."""
    part.add(Kind.BOX, (0.06, 0.06, 0.07), at=(-0.01, 0.0, 0.07), color=None, mass=0.3)
    part.paint(Kind.CAPSULE, (0.07, 0.02), at=(-0.01, 0.0, 0.09), color=color)
    part.paint(Kind.SPHERE, (0.045,), at=(0.035, 0.0, 0.085), color=SNOUT)
    part.add(Kind.SPHERE, (0.062,), at=(0.0, 0.0, 0.205), color=color, mass=0.05)
    part.paint(Kind.SPHERE, (0.03,), at=(0.048, 0.0, 0.192), color=SNOUT)
    part.paint(Kind.SPHERE, (0.011,), at=(0.077, 0.0, 0.200), color=BLACK)
    for side in (-1.0, 1.0):
        part.add(
            Kind.CAPSULE,
            (0.03, 0.04),
            at=(0.07, side * 0.055, 0.03),
            rotation=AHEAD,
            color=color,
            mass=0.05,
        )
        part.paint(Kind.SPHERE, (0.028,), at=(0.116, side * 0.055, 0.034), color=SNOUT)
        part.paint(Kind.CAPSULE, (0.024, 0.03), at=(0.03, side * 0.085, 0.11), color=color)
        part.paint(Kind.SPHERE, (0.024,), at=(-0.01, side * 0.05, 0.26), color=color)
        part.paint(Kind.SPHERE, (0.009,), at=(0.056, side * 0.024, 0.222), color=BLACK)


_MAKERS: dict[str, tuple[Callable[[Part, Color], None], Color]] = {
    "red-mug": (_mug, RED),
    "blue-mug": (_mug, BLUE),
    "red-book": (_book, RED),
    "blue-book": (_book, BLUE),
    "plate": (_plate, CHINA),
    "bottle": (_bottle, GLASS),
    "orange": (_orange, PEEL),
    "bear": (_bear, FUR),
}

THINGS = tuple(_MAKERS)
"""The names of the things, as the simulation knows them."""

SURFACES = {PAGES: "plaster", LABEL: "plaster", FUR: "fur", SNOUT: "fur", CORK: "metal", LEAF: "leaves"}
"""What colours are made of, for looks that draw surfaces; the others are paint."""


def called(thing: str) -> str:
    """What people call a thing."""
    return thing.replace("-", " ")


def add_thing(blueprint: Blueprint, name: str, at: tuple[float, float, float], heading: float) -> None:
    """Add one of `THINGS`, its underside at `at`."""
    make, color = _MAKERS[name]
    make(blueprint.free(name, at, heading), color)
