"""The penalty shootout's world: spec, tick and score. `flight` holds what a kick and a dive come to."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from garten.records import (
    ActionSpec,
    Appearance,
    Argument,
    Control,
    Key,
    Measure,
    RoleSpec,
    Score,
    WorldSpec,
)
from garten.scene import Camera, Scene
from garten.worlds.penalty_shootout import constants as c
from garten.worlds.penalty_shootout import flight
from garten.worlds.penalty_shootout.flight import Dive, Point, Shot, outcome
from garten.worlds.penalty_shootout.player import HIP_HEIGHT, Posture, running
from garten.worlds.penalty_shootout.scenery import NET_DEPTH, Scenery
from garten.worlds.world import World, read_task

TICK = float(c.TICK)
ROLES = ("red", "blue")
RUN_TICKS, PATIENCE_TICKS, AFTER_TICKS = (round(value / TICK) for value in (c.RUN_UP, c.PATIENCE, c.AFTER))
NOT_YET = -1  # ticks of what has not begun
KICKER_VIEW, KEEPER_VIEW = (math.radians(degrees) for degrees in (29.0, 22.0))  # vertical angles of view

SPEC = WorldSpec(
    name="penalty-shootout",
    version=1,
    title="Five penalty kicks each, and the goal to keep against the other's.",
    roles=(
        RoleSpec("red", "red", "The player in the red shirt."),
        RoleSpec("blue", "blue", "The player in the blue shirt."),
    ),
    actions=(
        ActionSpec("wait", 0.5, "Do nothing."),
        ActionSpec(
            "shoot",
            2.0,
            "Run up and kick.",
            ("shoot",),
            (
                Argument("aim", "float", -1.0, 1.0, None, "where to, -1: left, 1: right"),
                Argument("lift", "float", 0.0, 1.0, 0.2, "how high, 0: along the ground"),
                Argument("power", "float", 0.0, 1.0, 0.6, "how hard"),
            ),
        ),
        ActionSpec(
            "dive",
            1.0,
            "Throw yourself to a side of your goal.",
            ("dive",),
            (
                Argument("side", "float", -1.0, 1.0, None, "where to, -1: left, 1: right"),
                Argument("lift", "float", 0.0, 1.0, 0.2, "how high, 0: low"),
            ),
        ),
    ),
    tick=TICK,
    frame_rate=float(c.FRAME_RATE),
    time_limit=float(c.TIME_LIMIT),
    measure=Measure("score of red", "of 100", "higher"),
    appearance=Appearance(
        style="stadium",
        text="A football ground on a bright afternoon: a white goal with a net, green stripes, a crowd.",
    ),
    task=read_task(__file__),
    constants=c.ALL,
    keys=(
        Key(" ", "shoot"),
        Key("f", "dive"),
        Key("ArrowLeft", "aim", -0.7),
        Key("ArrowRight", "aim", 0.7),
        Key("a", "side", -1.0),
        Key("d", "side", 1.0),
        Key("ArrowUp", "lift", 0.6),
        Key("Shift", "power", 0.9),
    ),
)


@dataclass
class Game:
    """All that changes in an episode."""

    turn: NDArray[np.int64]  # [4] kicks taken; ticks since: the turn began, the run-up, the end of the kick
    shot: NDArray[np.float64]  # [3] aim, lift, power of the kick
    dive: NDArray[np.float64]  # [2] side and lift of the dive
    dived: NDArray[np.int64]  # [1] ticks since it began
    result: NDArray[np.int64]  # [1] row of `RESULTS` of the kick once it has ended
    goals: NDArray[np.int64]  # [2] by role
    spared: NDArray[np.int64]  # [2] by role: kicks of the other's that were no goal


RESULTS = (flight.GOAL, flight.SAVED, flight.POST, flight.WIDE, flight.OVER, flight.LATE)


class PenaltyShootout(World[Game]):
    """Two rivals, ten kicks."""

    spec = SPEC

    # --- the rules ---------------------------------------------------------------------------------

    def _begin(self, rng: np.random.Generator) -> Game:
        self.first = int(rng.integers(2))
        self.wind = float(rng.uniform(-c.WIND_MOST, c.WIND_MOST))
        self._scenery = Scenery(self.wind, rng)
        return Game(
            turn=np.array([0, 0, NOT_YET, NOT_YET]),
            shot=np.zeros(3),
            dive=np.zeros(2),
            dived=np.array([NOT_YET]),
            result=np.array([NOT_YET]),
            goals=np.zeros(2, np.int64),
            spared=np.zeros(2, np.int64),
        )

    def _tick(self, controls: Mapping[str, Control]) -> bool:
        _, waited, ran, ended = self.state.turn.tolist()
        if ended != NOT_YET:
            self.state.turn[3] += 1
            return ended + 1 >= AFTER_TICKS and self._next_turn()
        self._keep(controls[ROLES[1 - self.kicker]])
        if ran == NOT_YET:
            self.state.turn[1] += 1
            self._kick(controls[ROLES[self.kicker]])
            if self.state.turn[2] == NOT_YET and waited + 1 >= PATIENCE_TICKS:
                self._end_kick(flight.LATE)
        else:
            self.state.turn[2] += 1
            if self.flown >= self.shot.seconds:
                self._end_kick(outcome(self.shot, self.dive, self._diving_at_arrival()))
        return False

    def _kick(self, control: Control) -> None:
        """Begin the run-up if the kicker asks for it."""
        if "shoot" in control.buttons:
            axes = control.axes
            self.state.shot[:] = (
                _bounded(axes.get("aim", 0.0), -1.0),
                _bounded(axes.get("lift", 0.2), 0.0),
                _bounded(axes.get("power", 0.6), 0.0),
            )
            self.state.turn[2] = 0

    def _keep(self, control: Control) -> None:
        """Begin the keeper's dive, or go on with it."""
        if self.state.dived[0] != NOT_YET:
            self.state.dived[0] += 1
        elif "dive" in control.buttons:
            axes = control.axes
            self.state.dive[:] = _bounded(axes.get("side", 0.0), -1.0), _bounded(axes.get("lift", 0.2), 0.0)
            self.state.dived[0] = 0

    def _diving_at_arrival(self) -> float:
        """Seconds for which the dive had gone on when the ball was at the goal line."""
        return self.diving - (self.flown - self.shot.seconds)

    def _end_kick(self, told: str) -> None:
        """Put the end of a kick on record and tell both."""
        for role in ROLES:
            self._say(role, told)
        self.state.result[0] = RESULTS.index(told)
        self.state.turn[3] = 0
        if told == flight.GOAL:
            self.state.goals[self.kicker] += 1
        else:
            self.state.spared[1 - self.kicker] += 1

    def _next_turn(self) -> bool:
        """Go on to the next kick; True if there is none."""
        taken = int(self.state.turn[0]) + 1
        if taken >= 2 * c.KICKS:
            return True
        self.state.turn[:] = taken, 0, NOT_YET, NOT_YET
        self.state.dived[0] = self.state.result[0] = NOT_YET
        return False

    # --- reading the state -------------------------------------------------------------------------

    @property
    def kicker(self) -> int:
        """Whose turn it is to kick: a row of `ROLES`."""
        return (self.first + int(self.state.turn[0])) % 2

    @property
    def shot(self) -> Shot:
        """The kick under way, or the last one."""
        aim, lift, power = self.state.shot.tolist()
        return Shot(aim, lift, power, self.wind)

    @property
    def dive(self) -> Dive | None:
        """The dive of this turn, if there was one."""
        return None if self.state.dived[0] == NOT_YET else Dive(*self.state.dive.tolist())

    @property
    def flown(self) -> float:
        """Seconds since the ball was kicked; below 0 before that."""
        ran = int(self.state.turn[2])
        return -math.inf if ran == NOT_YET else (ran - RUN_TICKS) * TICK

    @property
    def diving(self) -> float:
        """Seconds since the keeper's dive began."""
        return int(self.state.dived[0]) * TICK

    def _score(self) -> Score:
        red, blue = (self._score_of(team) for team in (0, 1))
        return Score(red.value, red.measure, red.parts, red.progress, teams={"red": red, "blue": blue})

    def _score_of(self, team: int) -> Score:
        goals, spared = int(self.state.goals[team]), int(self.state.spared[team])
        parts = {"goals": c.GOAL_POINTS * goals, "kept out": c.SAVE_POINTS * spared}
        value = sum(parts.values())
        return Score(value, value, parts, progress=goals / c.KICKS)

    # --- what can be seen --------------------------------------------------------------------------

    def _scene(self) -> Scene:
        postures = [self._keeper(), self._keeper()]
        postures[self.kicker] = self._runner()
        return self._scenery.at(postures, self._ball(), 9.0 * max(0.0, self.flown), self.state.goals.tolist())

    def _runner(self) -> Posture:
        """The kicker: behind the ball, running up, and after the kick."""
        start, ran = float(c.SPOT + c.RUN_LENGTH), int(self.state.turn[2]) * TICK
        if ran < 0.0:
            return Posture((start, -0.4, HIP_HEIGHT), math.pi)
        share = min(1.0, ran / c.RUN_UP)
        x, y = start - share * (c.RUN_LENGTH - 0.35), -0.4 * (1.0 - share) - 0.2 * share
        tell = min(1.0, max(0.0, (ran - c.RUN_UP + c.TELL) / c.TELL))
        heading = math.pi - math.radians(40.0) * tell * self.shot.aim
        stride = running(ran) if ran < c.RUN_UP else -0.9
        return Posture((x, y, HIP_HEIGHT), heading, 0.0, stride, 0.15 + 0.5 * tell)

    def _keeper(self) -> Posture:
        """The keeper: waiting on the line, or stretched out."""
        dive = self.dive
        if dive is None:
            return Posture((0.0, 0.0, HIP_HEIGHT), 0.0, 0.0, 0.0, 0.7)
        (y, z), (hand_y, hand_z) = dive.hips(self.diving), dive.hands(self.diving)
        roll = math.atan2(y - hand_y, hand_z - z) if abs(hand_y) > 0.05 else 0.0
        share = min(1.0, self.diving / c.STRETCH)
        return Posture((0.0, y, z), 0.0, roll, 0.5 * share * dive.side, 0.7 + 2.2 * share)

    def _ball(self) -> Point:
        """Where the ball is, metres."""
        if self.flown < 0.0:
            return float(c.SPOT), 0.0, float(c.BALL_RADIUS)
        ended, dive = int(self.state.turn[3]), self.dive
        if ended == NOT_YET:
            return self.shot.ball(self.flown)
        beyond = self.shot.seconds + ended * TICK
        x, y, z = self.shot.ball(beyond)
        told = RESULTS[int(self.state.result[0])]
        radius = float(c.BALL_RADIUS)
        if told == flight.SAVED:
            held = (0.0, 1.1) if dive is None else dive.hands(self._diving_at_arrival())
            return 0.35, held[0], max(radius, held[1])
        if told == flight.GOAL:
            arrival = self.shot.arrival
            return (
                max(x, radius - 0.6 * NET_DEPTH),
                arrival[0],
                max(radius, arrival[1] - 4.0 * (ended * TICK) ** 2),
            )
        if told == flight.POST:
            return min(-x, 6.0), y, max(radius, z)
        return max(x, -8.0), y, z

    def _camera(self, role: str) -> Camera:
        if ROLES.index(role) == self.kicker:
            return Camera.at((20.5, 0.0, 3.0), math.pi, pitch=math.radians(-7.0), fov_y=KICKER_VIEW)
        return Camera.at((0.4, 0.0, 1.6), 0.0, pitch=math.radians(-3.0), fov_y=KEEPER_VIEW)


def _bounded(value: float, low: float) -> float:
    return min(max(value, low), 1.0)
