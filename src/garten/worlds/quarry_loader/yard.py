"""The quarry itself: ground, rim, cross-wall, pads, bunker, bay and arch, and the rocks."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from garten.scene import Color, Kind, Light, turn_z
from garten.worlds.physics import kit
from garten.worlds.physics.build import Blueprint
from garten.worlds.physics.part import Part
from garten.worlds.physics.simulation import Physics
from garten.worlds.quarry_loader import constants as c
from garten.worlds.quarry_loader.layout import BAY, PADS, SIDES, Area, Layout
from garten.worlds.quarry_loader.loader import STEEL, add_loader

ROCKS = ("rock-west", "rock-east")
"""The rocks, named after where they start."""

SAND: Color = (0.80, 0.69, 0.50)
FACE: Color = (0.55, 0.42, 0.31)
LEDGE: Color = (0.63, 0.49, 0.36)
CONCRETE: Color = (0.62, 0.63, 0.64)
COPING: Color = (0.80, 0.12, 0.10)
GREEN: Color = (0.16, 0.58, 0.27)
PURPLE: Color = (0.46, 0.26, 0.62)
BLUE: Color = (0.16, 0.42, 0.78)
WHITE: Color = (0.95, 0.95, 0.92)
BLACK: Color = (0.08, 0.08, 0.08)
YELLOW: Color = (0.97, 0.84, 0.10)
STONES: tuple[Color, Color] = ((0.34, 0.33, 0.35), (0.46, 0.27, 0.22))

SURFACES = {SAND: "sand", CONCRETE: "plaster", STEEL: "metal"} | dict.fromkeys(
    (FACE, LEDGE, *STONES), "earth"
)
"""What colours are made of, for looks that draw surfaces; the others are paint."""

LIGHT = Light(sun=(-0.45, -0.40, 0.80), ambient=0.50, sky=(0.45, 0.66, 0.90), horizon=(0.86, 0.84, 0.76))
BORDER = 0.12  # metres, half the width of a painted line
BLOCKS = 9  # of the rim, on each side


def build(layout: Layout, rng: np.random.Generator) -> Physics:
    """The simulation of a quarry; `rng` decides only how its rim looks."""
    blueprint = Blueprint(step=float(c.STEP), light=LIGHT, surfaces=SURFACES)
    kit.ground(blueprint, SAND)
    for name, stone, rock in zip(ROCKS, STONES, layout.rocks, strict=True):
        part = blueprint.free(name, (rock.x, rock.y, 1.2 * c.ROCK_RADIUS))
        part.add(
            Kind.MESH,
            (1.0, 1.0, 1.0),
            rotation=rock.rotation,
            mesh=rock.mesh,
            color=stone,
            mass=float(c.ROCK_MASS),
            friction=float(c.ROCK_FRICTION),
        )
    x, y, heading = layout.start
    add_loader(blueprint, x=x, y=y, heading=heading)
    _rim(blueprint, rng)
    _cross_wall(blueprint, layout)
    _bunker(blueprint, layout)
    for name, pad in zip(("pad-west", "pad-east"), PADS, strict=True):
        _floor(blueprint, name, pad, GREEN)
    _bay(blueprint)
    return blueprint.build()


def _floor(blueprint: Blueprint, name: str, area: Area, color: Color) -> Part:
    """A painted floor with a white line around it."""
    floor = blueprint.fixed(name, (area.x, area.y, 0.0))
    floor.paint(Kind.BOX, (area.half_x, area.half_y, 0.006), color=color)
    for side in SIDES:
        size = (BORDER, area.half_y, 0.010)
        floor.paint(Kind.BOX, size, at=(side * (area.half_x - BORDER), 0.0, 0.0), color=WHITE)
        size = (area.half_x, BORDER, 0.010)
        floor.paint(Kind.BOX, size, at=(0.0, side * (area.half_y - BORDER), 0.0), color=WHITE)
    return floor


def _rim(blueprint: Blueprint, rng: np.random.Generator) -> None:
    """The rock face around the yard, and uneven ledges above it for the eye."""
    x, south, north = float(c.HALF_WIDTH), float(c.SOUTH), float(c.NORTH)
    corners = [(-x, south), (x, south), (x, north), (-x, north), (-x, south)]
    rim = kit.wall(blueprint, "rim", corners, height=float(c.RIM_HEIGHT), thickness=0.6, color=FACE)
    for (ax, ay), (bx, by) in pairwise(corners):
        length = math.hypot(bx - ax, by - ay)
        out_x, out_y = (by - ay) / length, (ax - bx) / length
        if out_y < 0.0:  # nothing stands between the camera and the yard
            continue
        for block in range(BLOCKS):
            share = (block + 0.5) / BLOCKS
            height, depth = float(rng.uniform(1.0, 2.6)), float(rng.uniform(0.8, 1.6))
            place = (ax + share * (bx - ax) + out_x * depth, ay + share * (by - ay) + out_y * depth, height)
            size = (0.55 * length / BLOCKS, depth, height)
            turn = tuple(turn_z(math.atan2(by - ay, bx - ax)).tolist())
            rim.paint(Kind.BOX, size, at=place, rotation=turn, color=LEDGE if block % 2 else FACE)


def _cross_wall(blueprint: Blueprint, layout: Layout) -> None:
    """The wall across the yard, with a red and white post at its open end."""
    end, y = layout.wall_end
    height, half = float(c.WALL_HEIGHT), 0.5 * c.WALL_THICKNESS
    corners = [(-layout.open_side * c.HALF_WIDTH, y), (end, y)]
    thickness = float(c.WALL_THICKNESS)
    wall = kit.wall(blueprint, "cross-wall", corners, height=height, thickness=thickness, color=CONCRETE)
    middle, long = 0.5 * (end + corners[0][0]), 0.5 * abs(end - corners[0][0])
    wall.paint(Kind.BOX, (long, half + 0.06, 0.06), at=(middle, y, height), color=BLACK)
    for band in range(4):
        place = (end, y, (0.125 + 0.25 * band) * height)
        color = COPING if band % 2 else WHITE
        wall.paint(Kind.CYLINDER, (half + 0.14, 0.125 * height), at=place, color=color)


def _bunker(blueprint: Blueprint, layout: Layout) -> None:
    """Three concrete walls with red copings around a purple floor."""
    floor = layout.bunker
    _floor(blueprint, "bunker-floor", floor, PURPLE)
    thickness, height = float(c.BUNKER_THICKNESS), float(c.BUNKER_HEIGHT)
    reach = floor.half_x + 0.5 * thickness
    mouth, back = floor.x + layout.open_side * floor.half_x, floor.x - layout.open_side * reach
    south, north = floor.y - reach, floor.y + reach
    corners = [(mouth, south), (back, south), (back, north), (mouth, north)]
    walls = kit.wall(blueprint, "bunker", corners, height=height, thickness=thickness, color=CONCRETE)
    for (ax, ay), (bx, by) in pairwise(corners):
        size = (0.5 * abs(bx - ax) + 0.6 * thickness, 0.5 * abs(by - ay) + 0.6 * thickness, 0.06)
        walls.paint(Kind.BOX, size, at=(0.5 * (ax + bx), 0.5 * (ay + by), height), color=COPING)


def _bay(blueprint: Blueprint) -> None:
    """The parking bay: a blue floor between low walls, entered through a striped arch."""
    _floor(blueprint, "bay-floor", BAY, BLUE)
    out, mouth, rim = BAY.half_x + 0.15, float(c.BAY_MOUTH), float(c.SOUTH)
    for side, name in zip(SIDES, ("bay-west", "bay-east"), strict=True):
        corners = [(side * out, mouth), (side * out, rim)]
        kit.wall(blueprint, name, corners, height=float(c.BAY_WALL), thickness=0.3, color=CONCRETE)
    arch = blueprint.fixed("arch", (0.0, mouth, 0.0))
    height, stripes = float(c.ARCH_HEIGHT), 6
    for side in SIDES:
        half = 0.5 * height
        arch.add(Kind.BOX, (0.16, 0.16, half), at=(side * out, 0.0, half), color=YELLOW)
        for stripe in range(0, stripes, 2):
            place = (side * out, 0.0, (stripe + 0.5) / stripes * height)
            arch.paint(Kind.BOX, (0.17, 0.17, half / stripes), at=place, color=BLACK)
    arch.add(Kind.BOX, (out + 0.16, 0.18, 0.18), at=(0.0, 0.0, height), color=YELLOW)
    for stripe in range(0, stripes, 2):
        place = ((2.0 * (stripe + 0.5) / stripes - 1.0) * out, 0.0, height)
        arch.paint(Kind.BOX, (out / stripes, 0.19, 0.19), at=place, color=BLACK)
