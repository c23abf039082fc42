"""The circuit around the track and the two cars on it: what is solid, and what is there for the eye."""

from __future__ import annotations

import math

import numpy as np

from garten.scene import Color, Kind, Light, turn_y, turn_z
from garten.worlds.physics import kit
from garten.worlds.physics.build import Blueprint
from garten.worlds.physics.part import Part
from garten.worlds.physics.simulation import Physics
from garten.worlds.physics.vehicle import Running, vehicle
from garten.worlds.racing import constants as c
from garten.worlds.racing.track import FINE, Track

ROLES = ("blue", "red")

GRASS: Color = (0.33, 0.56, 0.24)
ASPHALT: Color = (0.36, 0.36, 0.38)
WHITE: Color = (0.94, 0.94, 0.92)
BLACK: Color = (0.07, 0.07, 0.08)
RED: Color = (0.85, 0.13, 0.10)
BODIES: dict[str, Color] = {"blue": (0.10, 0.28, 0.85), "red": (0.88, 0.12, 0.10)}
TRUNK: Color = (0.36, 0.25, 0.16)
LEAVES: tuple[Color, ...] = ((0.12, 0.36, 0.16), (0.20, 0.45, 0.15), (0.45, 0.48, 0.12))
BOARDS: tuple[Color, ...] = ((0.98, 0.80, 0.10), (0.10, 0.62, 0.62), (0.85, 0.35, 0.75), (0.95, 0.50, 0.10))

SURFACES = {GRASS: "grass", ASPHALT: "asphalt", TRUNK: "bark"} | dict.fromkeys(LEAVES, "leaves")
"""What colours are made of, for looks that draw surfaces; the others are paint."""

LIGHT = Light(sun=(0.35, -0.45, 0.82), ambient=0.52, sky=(0.36, 0.60, 0.92), horizon=(0.80, 0.88, 0.95))
RUNNING = Running(
    wheelbase=float(c.WHEELBASE),
    track=float(c.TRACK),
    wheel_radius=float(c.WHEEL_RADIUS),
    wheel_width=float(c.WHEEL_WIDTH),
    wheel_mass=float(c.WHEEL_MASS),
    force=float(c.PUSH),
    grip=float(c.GRIP),
    steering_force=600.0,
    tightest=math.radians(32.0),
)


def build(track: Track, sides: tuple[float, float], rng: np.random.Generator) -> Physics:
    """The simulation; `sides` says on which side of the line each role starts, 1 for left."""
    blueprint = Blueprint(step=float(c.STEP), light=LIGHT, surfaces=SURFACES)
    kit.ground(blueprint, GRASS)
    for role, side in zip(ROLES, sides, strict=True):
        x, y, heading = track.place(-float(c.GRID_BACK), side * c.GRID_GAP)
        _car(vehicle(blueprint, role, RUNNING, at=(x, y), heading=heading), BODIES[role])
    _road(blueprint, track)
    _start(blueprint, track)
    _surroundings(blueprint, track, rng)
    return blueprint.build()


def _car(chassis: Part, color: Color) -> None:
    """A single-seater: nose, tub, engine cover, wings, a driver's helmet behind the eye."""
    mass, friction = float(c.CAR_MASS), float(c.BODY_FRICTION)
    solid = [  # tub, side pods as wide as the wheels so that cars cannot hook into each other, wings
        ((1.30, 0.38, 0.16), (0.05, 0.0, 0.36), color, mass),
        ((0.50, 0.78, 0.12), (0.00, 0.0, 0.36), color, 1.0),
        ((0.10, 0.78, 0.10), (1.40, 0.0, 0.26), color, 1.0),
        ((0.12, 0.78, 0.12), (-1.30, 0.0, 0.40), BLACK, 1.0),
    ]
    for size, place, paint, weight in solid:
        chassis.add(Kind.BOX, size, at=place, color=paint, mass=weight, friction=friction, overrules=True)
    nose = tuple(turn_z(math.pi).tolist())
    chassis.paint(Kind.WEDGE, (0.50, 0.26, 0.09), at=(0.85, 0.0, 0.60), rotation=nose, color=color)
    chassis.paint(Kind.BOX, (0.50, 0.07, 0.012), at=(0.85, 0.0, 0.62), color=WHITE)
    chassis.paint(Kind.BOX, (0.50, 0.30, 0.20), at=(-0.80, 0.0, 0.66), color=color)
    chassis.paint(Kind.SPHERE, (0.17,), at=(-0.42, 0.0, 0.92), color=WHITE)
    chassis.paint(Kind.BOX, (0.18, 0.70, 0.03), at=(-1.30, 0.0, 1.00), color=color)
    for side in (-1.0, 1.0):
        chassis.paint(Kind.BOX, (0.20, 0.02, 0.26), at=(-1.30, side * 0.70, 0.78), color=BLACK)
    leaning = tuple(turn_y(math.radians(-20.0)).tolist())
    chassis.paint(Kind.BOX, (0.02, 0.15, 0.06), at=(0.18, 0.0, 0.74), rotation=leaning, color=BLACK)


def _road(blueprint: Blueprint, track: Track) -> None:
    """Asphalt with a broken white middle line, between walls of red and white pieces."""
    road = blueprint.fixed("road")
    wall = blueprint.fixed("wall")
    half = float(c.HALF_WIDTH)
    for piece in range(int(c.PIECES)):
        start, end = piece * FINE * track.spacing, (piece + 1) * FINE * track.spacing
        x, y, heading = track.place(0.5 * (start + end))
        turn, long = tuple(turn_z(heading).tolist()), 0.5 * (end - start)
        road.paint(Kind.BOX, (1.35 * long, half + 0.2, 0.01), at=(x, y, 0.0), rotation=turn, color=ASPHALT)
        if piece % 2:
            road.paint(Kind.BOX, (0.8 * long, 0.09, 0.012), at=(x, y, 0.002), rotation=turn, color=WHITE)
        for side in (-1.0, 1.0):
            (ax, ay, _), (bx, by, _) = (track.place(place, side * half) for place in (start, end))
            size = (0.5 * math.hypot(bx - ax, by - ay) + 0.06, 0.15, 0.5 * c.WALL_HEIGHT)
            wall.add(
                Kind.BOX,
                size,
                at=(0.5 * (ax + bx), 0.5 * (ay + by), 0.5 * c.WALL_HEIGHT),
                rotation=tuple(turn_z(math.atan2(by - ay, bx - ax)).tolist()),
                color=RED if piece % 2 else WHITE,
                friction=float(c.WALL_FRICTION),
                overrules=True,
            )


def _start(blueprint: Blueprint, track: Track) -> None:
    """A chequered line, and a gantry over it."""
    x, y, heading = track.place(0.0)
    line = blueprint.fixed("line", (x, y, 0.0), heading)
    half, squares = float(c.HALF_WIDTH), 10
    for row in range(2):
        for column in range(squares):
            place = ((row - 0.5) * 0.6, (2.0 * (column + 0.5) / squares - 1.0) * half, 0.008)
            color = WHITE if (row + column) % 2 else BLACK
            line.paint(Kind.BOX, (0.3, half / squares, 0.012), at=place, color=color)
    for side in (-1.0, 1.0):
        line.paint(Kind.CYLINDER, (0.14, 2.1), at=(0.0, side * (half + 0.5), 2.1), color=BLACK)
    line.paint(Kind.BOX, (0.12, half + 0.6, 0.45), at=(0.0, 0.0, 4.2), color=WHITE)
    for column in range(0, squares, 2):
        place = (0.0, (2.0 * (column + 0.5) / squares - 1.0) * half, 4.2)
        line.paint(Kind.BOX, (0.13, half / squares, 0.45), at=place, color=BLACK)


def _surroundings(blueprint: Blueprint, track: Track, rng: np.random.Generator) -> None:
    """Trees outside the walls, and boards of different colours to know one's place by."""
    scenery = blueprint.fixed("scenery")
    for number, color in enumerate(BOARDS):
        along = (number + 0.5) / len(BOARDS) * track.length
        x, y, heading = track.place(along, -(c.HALF_WIDTH + 1.2))
        turn = tuple(turn_z(heading).tolist())
        scenery.paint(Kind.BOX, (2.4, 0.08, 0.7), at=(x, y, 2.0), rotation=turn, color=color)
        scenery.paint(Kind.CYLINDER, (0.10, 0.7), at=(x, y, 0.7), color=BLACK)
    for _ in range(24):
        aside = -(c.HALF_WIDTH + rng.uniform(4.0, 12.0))
        x, y, _ = track.place(rng.uniform(0.0, track.length), aside)
        height, leaves = float(rng.uniform(1.6, 2.6)), LEAVES[int(rng.integers(len(LEAVES)))]
        scenery.paint(Kind.CYLINDER, (0.22, 0.7), at=(x, y, 0.7), color=TRUNK)
        scenery.paint(Kind.CONE, (1.5, height), at=(x, y, 1.2 + height), color=leaves)
