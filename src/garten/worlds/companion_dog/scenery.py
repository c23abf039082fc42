"""The living room: what stands still, the person's arm and the ball, and the dog."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from garten.scene import Color, Kind, Light, Scene, SceneBuilder, compose, turn_x, turn_y, turn_z
from garten.worlds.companion_dog import dog
from garten.worlds.companion_dog.body import SHOULDER, Point, Stance
from garten.worlds.figure import FigureBuilder

FLOOR: Color = (0.62, 0.45, 0.30)
SKIRTING: Color = (0.93, 0.92, 0.90)
WALLS: tuple[Color, ...] = ((0.80, 0.86, 0.84), (0.86, 0.80, 0.84), (0.80, 0.82, 0.90), (0.88, 0.86, 0.74))
RUGS: tuple[Color, ...] = ((0.36, 0.50, 0.58), (0.45, 0.55, 0.42), (0.56, 0.42, 0.52), (0.55, 0.53, 0.50))
SOFAS: tuple[Color, ...] = ((0.25, 0.42, 0.48), (0.55, 0.30, 0.34), (0.42, 0.44, 0.30))
WOOD: Color = (0.45, 0.29, 0.17)
BOOKS: tuple[Color, ...] = ((0.62, 0.20, 0.18), (0.18, 0.34, 0.52), (0.78, 0.66, 0.30), (0.24, 0.44, 0.30))
PANE: Color = (0.62, 0.82, 0.95)
LEAVES: Color = (0.16, 0.46, 0.20)
POT: Color = (0.72, 0.36, 0.22)
BED: Color = (0.20, 0.28, 0.62)
CUSHION: Color = (0.62, 0.72, 0.90)
SKIN: Color = (0.95, 0.72, 0.60)
SLEEVE: Color = (0.18, 0.50, 0.42)
BALL: Color = (1.00, 0.45, 0.02)

LIGHT = Light(sun=(-0.45, 0.30, 0.84), ambient=0.6)

HAND, FOREARM, BALL_JOINT, DOG = 0, 1, 2, 3  # joints
BALL_RADIUS = 0.06
BALL_AT_REST = (0.75, -0.62, BALL_RADIUS)
HELD = 0.10  # metres from the middle of the hand to the ball in it
BACK_WALL, SIDE_WALL, WALL_HEIGHT = 4.4, 3.4, 4.0  # metres

LYING = tuple(turn_y(0.5 * math.pi).tolist())


class Scenery:
    """Builds the room of an episode once and gives the scene for any moment of it."""

    def __init__(self, bed: tuple[float, float], coat: Color, rng: np.random.Generator) -> None:
        builder = SceneBuilder(LIGHT)
        figure = FigureBuilder(builder)
        dog.add_dog(figure, DOG, coat)
        _add_arm(figure)
        figure.add(BALL_JOINT, Kind.SPHERE, (BALL_RADIUS,), color=BALL)
        _add_room(builder, rng, side=-1.0 if bed[1] > 0.0 else 1.0)
        _add_bed(builder, bed)
        self._figure = figure.build()
        self._base = builder.build()

    def at(self, stance: Stance, hand: Point, *, palm_up: bool, holds_ball: bool, seconds: float) -> Scene:
        """The scene with the dog in this stance and the hand there (metres)."""
        along = np.subtract(hand, SHOULDER) / math.dist(hand, SHOULDER)
        yaw, rise = math.atan2(along[1], along[0]), math.asin(along[2])
        pointing = compose(turn_z(yaw), turn_y(-rise))
        turned = compose(pointing, turn_x(math.pi)) if palm_up else pointing
        ball = np.add(hand, HELD * along) if holds_ball else np.array(BALL_AT_REST)
        positions, rotations = dog.joints_of(stance, seconds)
        own: NDArray[np.float64] = np.array([hand, hand, ball])
        turns = np.array([turned, pointing, turn_z(0.0)])
        return self._figure.place(
            self._base, np.concatenate([own, positions]), np.concatenate([turns, rotations])
        )


def _add_arm(figure: FigureBuilder) -> None:
    """A right hand that points along +x with its palm down, and the forearm behind it; one thing."""
    arm = figure.add(HAND, Kind.BOX, (0.045, 0.042, 0.014), color=SKIN)
    for number, y in enumerate((-0.033, -0.011, 0.011, 0.033)):
        length = (0.024, 0.032, 0.036, 0.030)[number]
        at = (0.045 + length, y, 0.0)
        figure.add(HAND, Kind.CAPSULE, (0.0115, length), at=at, turned=LYING, color=SKIN, thing=arm)
    thumb = tuple(compose(turn_z(math.radians(45.0)), turn_y(0.5 * math.pi)).tolist())
    figure.add(HAND, Kind.CAPSULE, (0.013, 0.03), at=(0.02, 0.062, 0.0), turned=thumb, color=SKIN, thing=arm)
    figure.add(
        FOREARM, Kind.CAPSULE, (0.032, 0.06), at=(-0.10, 0.0, 0.0), turned=LYING, color=SKIN, thing=arm
    )
    figure.add(
        FOREARM, Kind.CYLINDER, (0.052, 0.15), at=(-0.29, 0.0, 0.0), turned=LYING, color=SLEEVE, thing=arm
    )


def _add_bed(builder: SceneBuilder, bed: tuple[float, float]) -> None:
    """A round bed with a rim and a cushion."""
    rim, cushion = builder.material(BED, "cloth"), builder.material(CUSHION, "cloth")
    first = builder.add(Kind.CYLINDER, (0.58, 0.07), position=(*bed, 0.07), material=rim)
    builder.add(Kind.CYLINDER, (0.46, 0.075), position=(*bed, 0.075), material=cushion, thing=first)


def _add_room(builder: SceneBuilder, rng: np.random.Generator, *, side: float) -> None:
    """Floor, rug, walls, a window, and furniture; `side` (1: left) is where the bed is not."""
    _box(builder, (6.0, 6.0, 0.5), (0.0, 0.0, -0.5), FLOOR)
    rug = RUGS[rng.integers(len(RUGS))]
    builder.add(
        Kind.CYLINDER, (1.55, 0.006), position=(1.5, 0.0, 0.006), material=builder.material(rug, "wool")
    )
    wall = WALLS[rng.integers(len(WALLS))]
    half = 0.5 * WALL_HEIGHT
    _box(builder, (0.1, SIDE_WALL, half), (BACK_WALL + 0.1, 0.0, half), wall)
    for aside in (-1.0, 1.0):
        _box(builder, (4.0, 0.1, half), (BACK_WALL - 4.0, aside * (SIDE_WALL + 0.1), half), wall)
        _box(builder, (4.0, 0.02, 0.07), (BACK_WALL - 4.0, aside * (SIDE_WALL - 0.01), 0.07), SKIRTING)
    _box(builder, (0.02, SIDE_WALL, 0.07), (BACK_WALL - 0.01, 0.0, 0.07), SKIRTING)
    _add_window(builder, y=-side * float(rng.uniform(0.2, 1.2)))
    _add_sofa(builder, SOFAS[rng.integers(len(SOFAS))], y=side * float(rng.uniform(1.3, 1.7)))
    _add_plant(builder, (BACK_WALL - 0.5, -side * float(rng.uniform(2.3, 2.7))))
    _add_shelf(builder, rng, x=float(rng.uniform(0.6, 1.4)), side=side)


def _box(
    builder: SceneBuilder,
    size: tuple[float, ...],
    position: tuple[float, ...],
    color: Color,
    thing: int | None = None,
) -> int:
    material = builder.material(color)
    return builder.add(Kind.BOX, size, position=position, material=material, thing=thing)


def _add_window(builder: SceneBuilder, *, y: float) -> None:
    frame = _box(builder, (0.03, 0.62, 0.48), (BACK_WALL, y, 1.62), SKIRTING)
    for aside in (-0.29, 0.29):
        _box(builder, (0.04, 0.26, 0.41), (BACK_WALL, y + aside, 1.62), PANE, frame)


def _add_sofa(builder: SceneBuilder, color: Color, *, y: float) -> None:
    """A sofa against the back wall, facing the person."""
    x = BACK_WALL - 0.5
    sofa = _box(builder, (0.42, 0.85, 0.22), (x, y, 0.24), color)
    _box(builder, (0.13, 0.85, 0.28), (x + 0.32, y, 0.68), color, sofa)
    for aside in (-0.94, 0.94):
        _box(builder, (0.42, 0.11, 0.31), (x, y + aside, 0.31), color, sofa)


def _add_plant(builder: SceneBuilder, at: tuple[float, float]) -> None:
    plant = builder.add(Kind.CYLINDER, (0.20, 0.20), position=(*at, 0.20), material=builder.material(POT))
    leaves = builder.material(LEAVES, "leaves")
    for number in range(5):
        angle = math.tau * number / 5
        turn = compose(turn_z(angle), turn_y(math.radians(32.0)))
        reach = 0.2 if number else 0.0
        position = (
            at[0] + reach * math.cos(angle),
            at[1] + reach * math.sin(angle),
            0.75 + 0.1 * (number % 2),
        )
        builder.add(
            Kind.CONE, (0.11, 0.42), position=position, rotation=turn.tolist(), material=leaves, thing=plant
        )


def _add_shelf(builder: SceneBuilder, rng: np.random.Generator, *, x: float, side: float) -> None:
    """A shelf of books on the wall at the side."""
    y = side * (SIDE_WALL - 0.14)
    for height in (0.75, 1.25, 1.75):
        shelf = _box(builder, (0.6, 0.14, 0.02), (x, y, height), WOOD)
        for number in range(8):
            tall = float(rng.uniform(0.13, 0.19))
            color = BOOKS[rng.integers(len(BOOKS))]
            place = (x - 0.5 + 0.14 * number, y, height + 0.02 + tall)
            _box(builder, (0.055, 0.10, tall), place, color, shelf)
