"""The arena as bodies: ground, walls, fence, movable things with their locks, and people."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from garten.scene import Color, Ints, Kind, Light, Scene, turn_y, turn_z
from garten.worlds.hide_and_seek import constants as c
from garten.worlds.hide_and_seek.layout import Layout, Pose
from garten.worlds.hide_and_seek.people import HIDER, SEEKER, WHITE, add_person
from garten.worlds.hide_and_seek.plan import HALF
from garten.worlds.physics import kit
from garten.worlds.physics.build import Blueprint
from garten.worlds.physics.part import Hold, Part
from garten.worlds.physics.simulation import Physics

FLOOR: Color = (0.80, 0.76, 0.68)
TILE: Color = (0.74, 0.69, 0.60)
WALL: Color = (0.88, 0.87, 0.84)
COPING: Color = (0.45, 0.47, 0.52)
POST: Color = (0.30, 0.32, 0.36)
WOOD: Color = (0.78, 0.52, 0.24)
SLAT: Color = (0.58, 0.36, 0.15)
GREEN: Color = (0.16, 0.60, 0.36)
LEAF: Color = (0.10, 0.44, 0.26)
YELLOW: Color = (0.98, 0.82, 0.10)
BLACK: Color = (0.10, 0.10, 0.11)
SIDES: dict[str, Color] = {
    "north": (0.56, 0.32, 0.72),
    "east": (0.95, 0.55, 0.15),
    "south": (0.20, 0.62, 0.62),
    "west": (0.85, 0.45, 0.62),
}
"""The colour of the outer wall on each side, to know one's place by."""

SURFACES = {FLOOR: "stone", TILE: "stone", WALL: "plaster", WOOD: "wood", SLAT: "wood", LEAF: "leaves"}
"""What colours are made of, for looks that draw surfaces; the others are paint."""

LIGHT = Light(sun=(0.35, -0.40, 0.85), ambient=0.55, sky=(0.50, 0.72, 0.95), horizon=(0.86, 0.91, 0.96))

_DRAG = Hold(float(c.DRAG), float(c.DRAG_TURN))
_TEAMS = (HIDER, SEEKER)
_BELT = 0.06
"""Metres, half the height of the belt that shows a lock."""

_BURIED = 0.5
"""Metres below the ground of a belt that is not shown."""


def build(layout: Layout, hiders: tuple[str, ...], seekers: tuple[str, ...]) -> Physics:
    """The simulation. Each person has a grip ``ROLE-hand``, each movable thing one ``THING-lock``."""
    blueprint = Blueprint(step=float(c.STEP), light=LIGHT, surfaces=SURFACES)
    _ground(blueprint)
    _outside(blueprint)
    _inside(blueprint, layout)
    for kind, add, poses in (
        ("box", _box, layout.boxes),
        ("panel", _panel, layout.panels),
        ("ramp", _ramp, layout.ramps),
    ):
        for number, pose in enumerate(poses, start=1):
            add(blueprint, f"{kind}-{number}", pose)
    for names, poses, seeks in ((hiders, layout.hiders, False), (seekers, layout.seekers, True)):
        for name, (x, y, heading) in zip(names, poses, strict=True):
            add_person(blueprint, name, x, y, heading=heading, seeks=seeks)
            blueprint.grip(f"{name}-hand", name)
    for thing in things(layout):
        blueprint.grip(f"{thing}-lock")
    return blueprint.build()


def things(layout: Layout) -> tuple[str, ...]:
    """The names of the movable things of a layout."""
    groups = (("box", layout.boxes), ("panel", layout.panels), ("ramp", layout.ramps))
    return tuple(f"{kind}-{number}" for kind, poses in groups for number in range(1, len(poses) + 1))


def belts(physics: Physics, things: Sequence[str]) -> Ints:
    """Where among the scene's shapes the belts are that show locks, [things, teams]."""
    objects, ids = physics.scene().objects, list(physics.contents.things)
    return np.array([np.flatnonzero(objects == ids.index(thing))[-len(_TEAMS) :] for thing in things])


def with_locks(scene: Scene, belts: Ints, owners: NDArray[np.int64]) -> Scene:
    """The scene with the belt of each thing's owner where it belongs, and all others below the ground.

    `owners`, [things], counts teams from 1; 0 is nobody.
    """
    positions = scene.positions.copy()
    hidden = owners[:, None] != np.arange(1, len(_TEAMS) + 1)
    positions[belts[hidden], 2] = -_BURIED
    return scene.moved(positions, scene.rotations)


# --- what stands still ---------------------------------------------------------------------------


def _ground(blueprint: Blueprint) -> None:
    """A floor of large tiles in two shades."""
    floor = kit.ground(blueprint, FLOOR)
    tile, count = 2.0, round(c.ARENA / 2.0)
    for row in range(count):
        for column in range(row % 2, count, 2):
            place = ((column + 0.5) * tile - HALF, (row + 0.5) * tile - HALF, 0.0)
            floor.paint(Kind.BOX, (0.5 * tile, 0.5 * tile, 0.002), at=place, color=TILE)


def _outside(blueprint: Blueprint) -> None:
    """The outer wall with a band of colour on each side, and above it a fence that nobody can climb."""
    out = HALF + 0.5 * c.WALL_THICKNESS
    height, half = float(c.WALL_HEIGHT), 0.5 * c.WALL_THICKNESS
    corners = [(-out, -out), (out, -out), (out, out), (-out, out), (-out, -out)]
    kit.wall(blueprint, "outer", corners, height=height, thickness=2.0 * half, color=WALL)
    fence = blueprint.fixed("fence")
    rise = 0.5 * (c.FENCE_HEIGHT - height)
    for turns, side in enumerate(("east", "north", "west", "south")):
        angle = 0.5 * math.pi * turns
        way, turn = (math.cos(angle), math.sin(angle)), tuple(turn_z(angle).tolist())
        x, y = way[0] * out, way[1] * out
        fence.add(
            Kind.BOX,
            (half, out + half, rise),
            at=(x, y, height + rise),
            rotation=turn,
            color=None,
            friction=0.0,
        )
        band = (0.02, out, 0.16)
        near = out - half
        place = (way[0] * near, way[1] * near, height - 0.30)
        fence.paint(Kind.BOX, band, at=place, rotation=turn, color=SIDES[side])
        fence.paint(Kind.BOX, (half + 0.03, out + half, 0.04), at=(x, y, height), rotation=turn, color=COPING)
        fence.paint(Kind.BOX, (0.03, out, 0.03), at=(x, y, height + 0.7), rotation=turn, color=POST)
        for post in range(6):
            along = (post / 6.0 - 0.5) * 2.0 * out
            place = (x - way[1] * along, y + way[0] * along, height + 0.35)
            fence.paint(Kind.CYLINDER, (0.04, 0.38), at=place, color=POST)


def _inside(blueprint: Blueprint, layout: Layout) -> None:
    """Inner walls with a coping, and white posts beside their doors."""
    height, thickness = float(c.WALL_HEIGHT), float(c.WALL_THICKNESS)
    for number, line in enumerate(layout.plan.walls):
        wall = kit.wall(blueprint, f"wall-{number}", line, height=height, thickness=thickness, color=WALL)
        (ax, ay), (bx, by) = line
        turn = tuple(turn_z(math.atan2(by - ay, bx - ax)).tolist())
        size = (0.5 * (math.dist(*line) + thickness), 0.5 * thickness + 0.02, 0.04)
        wall.paint(
            Kind.BOX, size, at=(0.5 * (ax + bx), 0.5 * (ay + by), height - 0.02), rotation=turn, color=COPING
        )
    posts = blueprint.fixed("posts")
    for door in layout.plan.doors:
        for side in (-1.0, 1.0):
            reach = side * (0.5 * c.DOOR + 0.05)
            place = (door.x + reach * math.cos(door.heading), door.y + reach * math.sin(door.heading), 0.0)
            turn = tuple(turn_z(door.heading).tolist())
            posts.paint(
                Kind.BOX,
                (0.06, 0.5 * thickness + 0.03, 0.5 * height + 0.03),
                at=(place[0], place[1], 0.5 * height),
                rotation=turn,
                color=WHITE,
            )


# --- what can be moved ---------------------------------------------------------------------------


def _movable(blueprint: Blueprint, name: str, pose: Pose, half_height: float) -> Part:
    x, y, heading = pose
    return blueprint.upright(name, (x, y, c.AFLOAT + half_height), heading, hold=_DRAG)


def _belts(part: Part, half_x: float, half_y: float, *, height: float = 0.0) -> None:
    """A belt in the colour of each team, the last shapes of a thing; see `with_locks`."""
    for color in _TEAMS:
        part.paint(Kind.BOX, (half_x + 0.025, half_y + 0.025, _BELT), at=(0.0, 0.0, height), color=color)


def _box(blueprint: Blueprint, name: str, pose: Pose) -> None:
    """A crate of boards with a cross on its sides."""
    half = 0.5 * float(c.BOX)
    part = _movable(blueprint, name, pose, half)
    part.add(Kind.BOX, (half, half, half), color=WOOD, mass=float(c.BOX_MASS), friction=0.0)
    for x in (-1.0, 1.0):
        for y in (-1.0, 1.0):
            post = (x * (half - 0.04), y * (half - 0.04), 0.0)
            part.paint(Kind.BOX, (0.055, 0.055, half + 0.004), at=post, color=SLAT)
    for z in (-1.0, 1.0):
        rail = (0.0, 0.0, z * (half - 0.05))
        part.paint(Kind.BOX, (half + 0.012, half + 0.012, 0.05), at=rail, color=SLAT)
    _belts(part, half, half)


def _panel(blueprint: Blueprint, name: str, pose: Pose) -> None:
    """A long green screen in a frame, with stripes."""
    half = (0.5 * c.PANEL_LENGTH, 0.5 * c.PANEL_THICKNESS, 0.5 * c.PANEL_HEIGHT)
    part = _movable(blueprint, name, pose, half[2])
    part.add(Kind.BOX, half, color=GREEN, mass=float(c.PANEL_MASS), friction=0.0)
    for x in (-1.0, -0.33, 0.33, 1.0):
        bar = (x * (half[0] - 0.05), 0.0, 0.0)
        part.paint(Kind.BOX, (0.05, half[1] + 0.012, half[2] + 0.004), at=bar, color=LEAF)
    for z in (-1.0, 1.0):
        part.paint(
            Kind.BOX, (half[0], half[1] + 0.012, 0.05), at=(0.0, 0.0, z * (half[2] - 0.05)), color=LEAF
        )
    _belts(part, half[0], half[1])


def _ramp(blueprint: Blueprint, name: str, pose: Pose) -> None:
    """A yellow ramp that rises along its heading, with black treads."""
    half = (0.5 * c.RAMP_LENGTH, 0.5 * c.RAMP_WIDTH, 0.5 * c.RAMP_HEIGHT)
    part = _movable(blueprint, name, pose, half[2])
    part.add(Kind.WEDGE, half, color=YELLOW, mass=float(c.RAMP_MASS), friction=0.0)
    slope = math.atan2(half[2], half[0])
    for tread in range(6):
        share = 2.0 * (tread + 0.5) / 6.0 - 1.0
        part.paint(
            Kind.BOX,
            (0.035, half[1] * 0.94, 0.012),
            at=(share * half[0], 0.0, share * half[2]),
            rotation=tuple(turn_y(-slope).tolist()),
            color=BLACK,
        )
    _belts(part, half[0], half[1], height=2.0 * _BELT - half[2])
