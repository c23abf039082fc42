"""The ground: pitch, goal and net, stands, flags in the wind, the board, the ball and the two players."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from garten.scene import UPRIGHT, Color, Kind, Light, Scene, SceneBuilder, compose, turn_x, turn_y, turn_z
from garten.worlds.figure import FigureBuilder
from garten.worlds.penalty_shootout import constants as c
from garten.worlds.penalty_shootout.flight import Point
from garten.worlds.penalty_shootout.player import JOINTS, Posture, add_player, joints_of

SHIRTS: tuple[Color, Color] = ((0.88, 0.08, 0.10), (0.10, 0.25, 0.92))
GRASS: Color = (0.27, 0.56, 0.22)
GRASS_LIGHT: Color = (0.33, 0.63, 0.26)
CHALK: Color = (0.96, 0.96, 0.95)
NET: Color = (0.80, 0.83, 0.86)
STAND: Color = (0.48, 0.49, 0.53)
BOARD: Color = (0.10, 0.11, 0.13)
FLAG: Color = (1.00, 0.55, 0.05)
SPOTS: Color = (0.10, 0.10, 0.10)
CROWD: tuple[Color, ...] = (
    (0.85, 0.30, 0.28), (0.30, 0.42, 0.80), (0.92, 0.86, 0.60), (0.92, 0.92, 0.92), (0.35, 0.60, 0.45),
)  # fmt: skip

LIGHT = Light(sun=(0.40, 0.45, 0.80), ambient=0.55)

RED, BLUE, BALL, LAMPS = 0, JOINTS, 2 * JOINTS, 2 * JOINTS + 1  # joints; lamps: red's, then blue's
NET_DEPTH = 1.6  # metres
POST = 0.07  # radius of posts and bar, metres; stouter than real ones, to be seen
BOARD_AT = (-9.5, 0.0, 6.2)
ROWS, SEATS = 3, 22  # of one stand


class Scenery:
    """Builds the ground of a game once and gives the scene for any moment of it."""

    def __init__(self, wind: float, rng: np.random.Generator) -> None:
        builder = SceneBuilder(LIGHT)
        figure = FigureBuilder(builder)
        for number, shirt in enumerate(SHIRTS):
            add_player(figure, number * JOINTS, shirt)
        _add_ball(figure)
        kicks = int(c.KICKS)
        for lamp in range(2 * kicks):
            figure.add(LAMPS + lamp, Kind.SPHERE, (0.32,), color=SHIRTS[lamp // kicks])
        _add_pitch(builder)
        _add_goal(builder)
        for x, facing in ((-11.0, 1.0), (36.0, -1.0)):
            _add_stand(builder, rng, x=x, facing=facing)
        _add_board(builder)
        for x, y in ((-1.0, -5.6), (-1.0, 5.6), (20.0, -6.5), (20.0, 6.5)):
            _add_flag(builder, (x, y), wind)
        self._figure = figure.build()
        self._base = builder.build()

    def at(self, players: Sequence[Posture], ball: Point, spin: float, goals: Sequence[int]) -> Scene:
        """The scene with red and blue so, the ball there (metres), turned by `spin` radians, these goals."""
        posed = [joints_of(posture) for posture in players]
        lamps = [
            _lamp_at(team, number, lit=number < goals[team])
            for team in (0, 1)
            for number in range(int(c.KICKS))
        ]
        positions = np.concatenate([*(part[0] for part in posed), [ball], lamps])
        rotations = np.concatenate(
            [*(part[1] for part in posed), [turn_y(-spin)], np.tile(UPRIGHT, (len(lamps), 1))]
        )
        return self._figure.place(self._base, positions, rotations)


def _lamp_at(team: int, number: int, *, lit: bool) -> NDArray[np.float64]:
    """Where a lamp of the board is: before it if lit, hidden inside it if not."""
    x, y, z = BOARD_AT
    aside = (1.2 + 0.85 * number) * (-1.0 if team == 0 else 1.0)
    return np.array([x + (0.25 if lit else -0.4), y + aside, z])


def _add_ball(figure: FigureBuilder) -> None:
    """A white ball with black spots."""
    radius = float(c.BALL_RADIUS)
    ball = figure.add(BALL, Kind.SPHERE, (radius,), color=CHALK)
    for x, y, z in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)):
        at = (0.72 * radius * x, 0.72 * radius * y, 0.72 * radius * z)
        figure.add(BALL, Kind.SPHERE, (0.42 * radius,), at=at, color=SPOTS, thing=ball)


def _box(
    builder: SceneBuilder, size: Sequence[float], at: Sequence[float], color: Color, thing: int | None = None
) -> int:
    return builder.add(Kind.BOX, size, position=at, material=builder.material(color), thing=thing)


def _add_pitch(builder: SceneBuilder) -> None:
    """Mown stripes and chalk lines: goal line, both boxes, the spot."""
    builder.add(Kind.PLANE, position=(0.0, 0.0, -0.02), material=builder.material(GRASS, "grass"))
    for stripe in range(6):
        _box(builder, (2.5, 40.0, 0.01), (-5.0 + 10.0 * stripe, 0.0, -0.01), GRASS_LIGHT)
    line = _box(builder, (0.06, 30.0, 0.006), (0.0, 0.0, 0.006), CHALK)
    for depth, half in ((5.5, 9.16), (16.5, 20.16)):
        _box(builder, (0.06, half, 0.006), (depth, 0.0, 0.006), CHALK, line)
        for side in (-half, half):
            _box(builder, (0.5 * depth, 0.06, 0.006), (0.5 * depth, side, 0.006), CHALK, line)
    spot = builder.material(CHALK)
    builder.add(Kind.CYLINDER, (0.14, 0.008), position=(float(c.SPOT), 0.0, 0.008), material=spot, thing=line)


def _add_goal(builder: SceneBuilder) -> None:
    """Posts and bar, and a net of strings behind them."""
    half, high = float(c.GOAL_HALF_WIDTH), float(c.GOAL_HEIGHT)
    chalk = builder.material(CHALK)
    along_y = turn_x(0.5 * math.pi).tolist()
    goal = builder.add(
        Kind.CYLINDER, (POST, half + POST), position=(0.0, 0.0, high), rotation=along_y, material=chalk
    )
    for side in (-half, half):
        builder.add(
            Kind.CYLINDER, (POST, 0.5 * high), position=(0.0, side, 0.5 * high), material=chalk, thing=goal
        )
    slope = math.atan2(NET_DEPTH, high)
    length = 0.5 * math.hypot(NET_DEPTH, high)
    string = 0.018
    net: int | None = None
    for number in range(13):
        y = half * (number / 6.0 - 1.0)
        net = _string(
            builder, (string, string, length), (-0.5 * NET_DEPTH, y, 0.5 * high), turn_y(slope), net
        )
    for number in range(6):
        share = number / 5.0
        net = _string(
            builder, (string, half, string), (-NET_DEPTH * share, 0.0, high * (1.0 - share)), turn_y(0.0), net
        )


def _string(
    builder: SceneBuilder,
    size: Sequence[float],
    at: Sequence[float],
    turn: NDArray[np.float64],
    net: int | None,
) -> int:
    material = builder.material(NET)
    added = builder.add(Kind.BOX, size, position=at, rotation=turn.tolist(), material=material, thing=net)
    return added if net is None else net


def _add_stand(builder: SceneBuilder, rng: np.random.Generator, *, x: float, facing: float) -> None:
    """Steps with a crowd on them."""
    stand: int | None = None
    for row in range(ROWS):
        at = (x - facing * 1.6 * row, 0.0, 0.5 + 0.5 * row)
        added = _box(builder, (0.8, 17.0, 0.5 + 0.5 * row), at, STAND, stand)
        stand = added if stand is None else stand
    crowd: int | None = None
    for row in range(ROWS):
        for seat in range(SEATS):
            color = builder.material(CROWD[rng.integers(len(CROWD))])
            y = -15.75 + 1.5 * seat + float(rng.uniform(-0.3, 0.3))
            at = (x - facing * 1.6 * row, y, 1.0 + row + 0.55)
            added = builder.add(Kind.CAPSULE, (0.34, 0.30), position=at, material=color, thing=crowd)
            crowd = added if crowd is None else crowd


def _add_board(builder: SceneBuilder) -> None:
    """The dark board behind the goal with a frame."""
    x, y, z = BOARD_AT
    board = _box(builder, (0.12, 5.4, 0.62), BOARD_AT, BOARD)
    _box(builder, (0.10, 5.6, 0.80), (x - 0.08, y, z), CHALK, board)
    for side in (-4.0, 4.0):
        _box(builder, (0.1, 0.12, 0.5 * z), (x - 0.1, side, 0.5 * z), STAND, board)


def _add_flag(builder: SceneBuilder, at: tuple[float, float], wind: float) -> None:
    """A flag that hangs down in a calm and stands out sideways in the strongest wind."""
    pole = builder.add(Kind.CYLINDER, (0.045, 1.5), position=(*at, 1.5), material=builder.material(CHALK))
    share = wind / c.WIND_MOST
    hang = math.radians(80.0) * (1.0 - abs(share)) * math.copysign(1.0, share)  # below the horizontal
    toward = turn_z(math.copysign(0.5 * math.pi, share))
    turn = compose(turn_x(-hang), toward)
    out = np.array([0.0, math.copysign(math.cos(hang), share), -math.sin(abs(hang))])
    middle = np.array([*at, 2.7]) + 0.55 * out
    cloth = builder.material(FLAG, "cloth")
    builder.add(
        Kind.BOX,
        (0.5, 0.02, 0.30),
        position=middle.tolist(),
        rotation=turn.tolist(),
        material=cloth,
        thing=pole,
    )
