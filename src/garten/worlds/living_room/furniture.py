"""The furniture, each from shapes in a frame on the floor whose x axis points to its front."""

from __future__ import annotations

import math
from collections.abc import Callable

from garten.scene import Color, Kind, turn_y
from garten.worlds.living_room.layout import DRAWER_FLOOR, SHELVES, TOPS, Pose
from garten.worlds.living_room.things import AHEAD, ASIDE, BLUE, RED
from garten.worlds.physics import kit
from garten.worlds.physics.build import Blueprint
from garten.worlds.physics.part import Part

FRIDGE_DOOR, DRAWER = "fridge/door", "chest/drawer"
DRAWER_HALF = (0.19, 0.39, 0.07)  # metres, half its extents

OAK: Color = (0.72, 0.53, 0.32)
WALNUT: Color = (0.44, 0.28, 0.17)
PINE: Color = (0.84, 0.69, 0.46)
WHITE: Color = (0.93, 0.93, 0.92)
ENAMEL: Color = (0.86, 0.89, 0.91)
INSIDE: Color = (0.74, 0.84, 0.90)
STEEL: Color = (0.55, 0.57, 0.60)
DARK: Color = (0.13, 0.13, 0.15)
STONE: Color = (0.34, 0.35, 0.37)
FRONTS: Color = (0.62, 0.74, 0.66)
SHEET: Color = (0.94, 0.94, 0.97)
QUILT: Color = (0.42, 0.52, 0.76)
PILLOW: Color = (0.99, 0.99, 0.99)
SHADE: Color = (0.98, 0.90, 0.62)
POT: Color = (0.72, 0.36, 0.22)
LEAVES: Color = (0.16, 0.48, 0.20)
SOFAS: tuple[Color, ...] = ((0.25, 0.45, 0.50), (0.60, 0.34, 0.38), (0.44, 0.47, 0.32), (0.50, 0.44, 0.60))

SURFACES = (
    dict.fromkeys((OAK, WALNUT, PINE), "wood")
    | dict.fromkeys((STEEL, ENAMEL, DARK), "metal")
    | dict.fromkeys((QUILT, SHEET, PILLOW, SHADE, *SOFAS), "cloth")
    | {STONE: "stone", LEAVES: "leaves"}
)
"""What colours are made of, for looks that draw surfaces; the others are paint."""


def sofa(part: Part, cloth: Color) -> None:
    """A seat with three cushions, a back and two arms."""
    darker: Color = (0.85 * cloth[0], 0.85 * cloth[1], 0.85 * cloth[2])
    part.add(Kind.BOX, (0.45, 1.0, 0.17), at=(0.0, 0.0, 0.22), color=darker)
    part.add(Kind.BOX, (0.14, 1.0, 0.40), at=(-0.31, 0.0, 0.50), color=darker)
    for side in (-1.0, 1.0):
        part.add(Kind.BOX, (0.45, 0.09, 0.28), at=(0.0, side * 0.91, 0.34), color=darker)
        part.paint(Kind.CYLINDER, (0.10, 0.45), at=(0.0, side * 0.91, 0.62), rotation=AHEAD, color=darker)
        for end in (-0.38, 0.38):
            part.paint(Kind.CYLINDER, (0.03, 0.03), at=(end, side * 0.9, 0.03), color=WALNUT)
    part.add(Kind.BOX, (0.30, 0.81, 0.03), at=(0.13, 0.0, TOPS["sofa"] - 0.03), color=None)
    leaning = tuple(turn_y(-0.16).tolist())
    for y in (-0.54, 0.0, 0.54):
        part.paint(Kind.BOX, (0.30, 0.255, 0.05), at=(0.14, y, TOPS["sofa"] - 0.05), color=cloth)
        part.paint(Kind.BOX, (0.06, 0.25, 0.20), at=(-0.15, y, 0.68), rotation=leaning, color=cloth)


def table(part: Part) -> None:
    """A long dining table on four legs."""
    top = TOPS["table"]
    part.add(Kind.BOX, (0.65, 0.40, 0.02), at=(0.0, 0.0, top - 0.02), color=OAK)
    part.paint(Kind.BOX, (0.58, 0.33, 0.04), at=(0.0, 0.0, top - 0.08), color=WALNUT)
    for x in (-0.58, 0.58):
        for y in (-0.33, 0.33):
            part.add(Kind.BOX, (0.035, 0.035, 0.355), at=(x, y, 0.355), color=WALNUT)


def chair(part: Part) -> None:
    """A chair, its seat towards x."""
    part.add(Kind.BOX, (0.19, 0.19, 0.02), at=(0.0, 0.0, 0.44), color=OAK)
    for x in (-0.17, 0.17):
        for y in (-0.17, 0.17):
            part.paint(Kind.BOX, (0.02, 0.02, 0.22), at=(x, y, 0.22), color=WALNUT)
    for y in (-0.17, 0.17):
        part.add(Kind.BOX, (0.02, 0.02, 0.25), at=(-0.18, y, 0.70), color=WALNUT)
    for height in (0.66, 0.80, 0.92):
        part.add(Kind.BOX, (0.012, 0.16, 0.03), at=(-0.18, 0.0, height), color=OAK)


def sideboard(part: Part) -> None:
    """A low cupboard with four doors."""
    half = 0.5 * TOPS["sideboard"]
    part.add(Kind.BOX, (0.22, 0.80, half), at=(0.0, 0.0, half), color=WALNUT)
    for y in (-0.6, -0.2, 0.2, 0.6):
        part.paint(Kind.BOX, (0.01, 0.18, half - 0.07), at=(0.22, y, half), color=OAK)
        part.paint(Kind.SPHERE, (0.018,), at=(0.24, y + 0.12, half + 0.08), color=STEEL)


def tray(part: Part, color: Color) -> None:
    """A tray with a rim, on the sideboard."""
    at = TOPS["sideboard"]
    part.add(Kind.BOX, (0.20, 0.34, 0.008), at=(0.0, 0.0, at + 0.008), color=color)
    for side in (-1.0, 1.0):
        part.paint(Kind.BOX, (0.20, 0.012, 0.018), at=(0.0, side * 0.335, at + 0.018), color=color)
        part.paint(Kind.BOX, (0.012, 0.34, 0.018), at=(side * 0.195, 0.0, at + 0.018), color=color)


def bed(part: Part) -> None:
    """A bed: frame, mattress, quilt, two pillows, a headboard at its back."""
    part.add(Kind.BOX, (1.0, 0.70, 0.5 * TOPS["bed"]), at=(0.0, 0.0, 0.5 * TOPS["bed"]), color=SHEET)
    part.paint(Kind.BOX, (1.01, 0.71, 0.12), at=(0.0, 0.0, 0.17), color=PINE)
    part.paint(Kind.BOX, (0.72, 0.715, 0.10), at=(0.30, 0.0, TOPS["bed"] - 0.099), color=QUILT)
    part.add(Kind.BOX, (0.03, 0.72, 0.50), at=(-0.99, 0.0, 0.50), color=PINE)
    for y in (-0.34, 0.34):
        part.add(Kind.BOX, (0.17, 0.27, 0.05), at=(-0.74, y, TOPS["bed"] + 0.05), color=PILLOW)


def chest(part: Part) -> None:
    """A chest of drawers; the uppermost one opens."""
    half_y, top = 0.45, TOPS["chest"]
    part.add(Kind.BOX, (0.22, half_y, 0.02), at=(0.0, 0.0, top - 0.02), color=PINE)
    part.add(Kind.BOX, (0.20, half_y, 0.285), at=(0.0, 0.0, 0.305), color=PINE)
    part.add(Kind.BOX, (0.01, half_y, 0.12), at=(-0.21, 0.0, 0.70), color=PINE)
    for side in (-1.0, 1.0):
        part.add(Kind.BOX, (0.20, 0.02, 0.12), at=(0.0, side * 0.43, 0.70), color=PINE)
        part.paint(Kind.BOX, (0.19, 0.03, 0.02), at=(0.0, side * 0.40, 0.02), color=WALNUT)
    for height in (0.18, 0.44):
        part.paint(Kind.BOX, (0.01, 0.40, 0.115), at=(0.205, 0.0, height), color=WHITE)
        _knobs(part, 0.225, height)
    middle = DRAWER_FLOOR - 0.02 + DRAWER_HALF[2]
    drawer = kit.drawer(part, "drawer", DRAWER_HALF, at=(0.0, 0.0, middle), opens=0.32, color=OAK)
    drawer.add(Kind.BOX, (0.012, 0.40, 0.095), at=(0.205, 0.0, 0.005), color=WHITE)
    _knobs(drawer, 0.228, 0.0)


def _knobs(part: Part, x: float, height: float) -> None:
    for y in (-0.2, 0.2):
        part.paint(Kind.SPHERE, (0.022,), at=(x, y, height), color=WALNUT)


def counter(part: Part) -> None:
    """A kitchen counter with doors, a sink with a tap, and a stove of four plates."""
    top, half_y = TOPS["counter"], 1.4
    part.add(Kind.BOX, (0.30, half_y, 0.5 * top), at=(0.0, 0.0, 0.5 * top), color=FRONTS)
    part.paint(Kind.BOX, (0.31, half_y + 0.01, 0.02), at=(0.0, 0.0, top - 0.0195), color=STONE)
    part.paint(Kind.BOX, (0.27, half_y, 0.05), at=(0.04, 0.0, 0.05), color=DARK)
    for y in (-1.05, -0.35, 0.35, 1.05):
        part.paint(Kind.BOX, (0.008, 0.33, 0.36), at=(0.305, y, 0.49), color=FRONTS)
        part.paint(Kind.BOX, (0.012, 0.10, 0.012), at=(0.32, y, 0.78), color=STEEL)
    part.paint(Kind.BOX, (0.20, 0.27, 0.002), at=(0.02, -0.25, top), color=STEEL)  # sink
    part.paint(Kind.BOX, (0.17, 0.24, 0.003), at=(0.02, -0.25, top), color=DARK)
    part.paint(Kind.CYLINDER, (0.018, 0.13), at=(-0.22, -0.25, top + 0.13), color=STEEL)
    part.paint(Kind.CYLINDER, (0.015, 0.09), at=(-0.14, -0.25, top + 0.25), rotation=AHEAD, color=STEEL)
    part.paint(Kind.BOX, (0.25, 0.28, 0.004), at=(0.0, 0.45, top), color=DARK)  # stove
    for x in (-0.11, 0.11):
        for y in (0.33, 0.57):
            part.paint(Kind.CYLINDER, (0.08, 0.003), at=(x, y, top + 0.005), color=STEEL)
    part.paint(Kind.BOX, (0.01, 0.27, 0.24), at=(0.31, 0.45, 0.50), color=DARK)  # oven
    part.paint(Kind.CYLINDER, (0.014, 0.22), at=(0.34, 0.45, 0.70), rotation=ASIDE, color=STEEL)


def fridge(part: Part) -> None:
    """A tall fridge with two shelves behind a door."""
    height, half_y = 1.75, 0.34
    for size, at in (
        ((0.02, half_y, 0.5 * height), (-0.30, 0.0, 0.5 * height)),
        ((0.32, 0.02, 0.5 * height), (0.0, half_y - 0.02, 0.5 * height)),
        ((0.32, 0.02, 0.5 * height), (0.0, 0.02 - half_y, 0.5 * height)),
        ((0.32, half_y, 0.06), (0.0, 0.0, 0.06)),
        ((0.32, half_y, 0.02), (0.0, 0.0, height - 0.02)),
    ):
        part.add(Kind.BOX, size, at=at, color=ENAMEL)
    part.paint(Kind.BOX, (0.003, half_y - 0.04, 0.80), at=(-0.276, 0.0, 0.91), color=INSIDE)
    for side in (-1.0, 1.0):
        at_side = (0.0, side * (half_y - 0.043), 0.91)
        part.paint(Kind.BOX, (0.28, 0.003, 0.80), at=at_side, color=INSIDE)
    for shelf in SHELVES:
        part.add(Kind.BOX, (0.26, half_y - 0.04, 0.01), at=(-0.02, 0.0, shelf - 0.01), color=INSIDE)
    door = part.hinge(
        "door",
        at=(0.33, half_y, 0.0),
        axis=(0.0, 0.0, 1.0),
        limits=(0.0, math.radians(100.0)),
        damping=1.0,
        friction=0.8,
    )
    half = 0.5 * (height - 0.10)
    door.add(Kind.BOX, (0.03, half_y, half), at=(0.03, -half_y, 0.10 + half), color=ENAMEL, mass=12.0)
    door.paint(Kind.BOX, (0.031, half_y, 0.006), at=(0.031, -half_y, 1.22), color=STEEL)
    door.paint(Kind.BOX, (0.004, half_y - 0.04, half - 0.05), at=(-0.002, -half_y, 0.10 + half), color=INSIDE)
    for middle, length in ((1.45, 0.13), (0.95, 0.20)):
        place = (0.095, 0.06 - 2.0 * half_y, middle)
        door.paint(Kind.CYLINDER, (0.015, length), at=place, color=STEEL)


def lamp(part: Part) -> None:
    """A lamp on a stand."""
    part.add(Kind.CYLINDER, (0.15, 0.015), at=(0.0, 0.0, 0.015), color=DARK)
    part.add(Kind.CYLINDER, (0.02, 0.72), at=(0.0, 0.0, 0.74), color=DARK)
    part.add(Kind.CYLINDER, (0.17, 0.14), at=(0.0, 0.0, 1.52), color=SHADE)
    part.paint(Kind.CONE, (0.17, 0.12), at=(0.0, 0.0, 1.78), color=SHADE)


def plant(part: Part) -> None:
    """A plant in a pot."""
    part.add(Kind.CYLINDER, (0.16, 0.16), at=(0.0, 0.0, 0.16), color=POT)
    part.paint(Kind.CYLINDER, (0.19, 0.03), at=(0.0, 0.0, 0.30), color=POT)
    part.add(Kind.CYLINDER, (0.03, 0.25), at=(0.0, 0.0, 0.55), color=WALNUT)
    for x, y, height, radius in (
        (0.0, 0.0, 1.05, 0.26),
        (0.14, 0.10, 0.86, 0.17),
        (-0.15, 0.06, 0.90, 0.18),
        (0.02, -0.16, 0.82, 0.17),
    ):
        part.paint(Kind.SPHERE, (radius,), at=(x, y, height), color=LEAVES)


def bin_(part: Part) -> None:
    """A pedal bin."""
    part.add(Kind.CYLINDER, (0.15, 0.27), at=(0.0, 0.0, 0.27), color=STEEL)
    part.paint(Kind.CYLINDER, (0.155, 0.025), at=(0.0, 0.0, 0.555), color=DARK)


_MAKERS: dict[str, Callable[[Part], None]] = {
    "table": table,
    "chair-left": chair,
    "chair-right": chair,
    "sideboard": sideboard,
    "tray-red": lambda part: tray(part, RED),
    "tray-blue": lambda part: tray(part, BLUE),
    "lamp": lamp,
    "bed": bed,
    "chest": chest,
    "plant": plant,
    "counter": counter,
    "fridge": fridge,
    "bin": bin_,
}


def add_furniture(blueprint: Blueprint, poses: dict[str, Pose], look: int) -> None:
    """Add all of it; `look` says which cloth the sofa has."""
    for name, pose in poses.items():
        part = blueprint.fixed(name, (pose.x, pose.y, 0.0), pose.heading)
        if name == "sofa":
            sofa(part, SOFAS[look])
        else:
            _MAKERS[name](part)
