"""The bowling world: spec, tick and score. `alley` is what there is, `rolls` the score sheet."""

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
from garten.scene import UPRIGHT, Camera
from garten.worlds.bowling import alley, rolls
from garten.worlds.bowling import constants as c
from garten.worlds.bowling.rolls import MOST_ROLLS, PINS
from garten.worlds.physics.world import PhysicsWorld
from garten.worlds.world import read_task

TICK = float(c.TICK)
ROLE = "bowler"
BOWL_TICKS = round(c.BOWL / TICK)
NOT_BOWLED = -1

STRIKE = "Strike: all ten pins."
SPARE = "Spare: the rest of the pins."
SOME = "Some pins fell."
GUTTER = "The ball went into the gutter."
NONE = "No pin fell."

SPEC = WorldSpec(
    name="bowling",
    version=1,
    title="Three frames of bowling.",
    roles=(RoleSpec(ROLE, "bowler", "The one who bowls."),),
    actions=(
        ActionSpec("wait", 1.0, "Stand behind the ball."),
        ActionSpec("look", 1.0, "Look at the pins from near.", ("look",)),
        ActionSpec(
            "bowl",
            float(c.BOWL),
            "Bowl, and watch the pins.",
            ("bowl",),
            (
                Argument(
                    "position", "float", -1.0, 1.0, None, "where to let go, -1: left edge, 1: right edge"
                ),
                Argument("angle", "float", -1.0, 1.0, None, "where to, -1: left, 1: right"),
                Argument("speed", "float", 0.0, 1.0, 0.6, "how fast"),
                Argument("spin", "float", -1.0, 1.0, 0.0, "which way it curves, -1: left, 1: right"),
            ),
        ),
    ),
    tick=TICK,
    frame_rate=float(c.FRAME_RATE),
    time_limit=float(c.TIME_LIMIT),
    measure=Measure("points", "of 90", "higher"),
    appearance=Appearance(
        style="bowling-alley",
        text="A bowling alley in the evening: polished boards, dark gutters, white pins with red stripes.",
    ),
    task=read_task(__file__),
    constants=c.ALL,
    keys=(
        Key(" ", "bowl"),
        Key("l", "look"),
        Key("a", "position", -0.5),
        Key("d", "position", 0.5),
        Key("ArrowLeft", "angle", -0.4),
        Key("ArrowRight", "angle", 0.4),
        Key("Shift", "speed", 1.0),
        Key("q", "spin", -0.7),
        Key("e", "spin", 0.7),
    ),
)


@dataclass
class Sheet:
    """What changes beside the bodies."""

    rolls: NDArray[np.int64]  # [7] pins of each ball, or `NOT_BOWLED`
    standing: NDArray[np.int64]  # [10] 1 for a pin that stood when the ball was bowled
    rolling: NDArray[np.int64]  # [1] ticks since a ball was bowled; 0 before the next one
    gutter: NDArray[np.int64]  # [1] 1 once the ball has left the lane before the pins
    near: NDArray[np.int64]  # [1] 1 while the bowler looks at the pins from near


class Bowling(PhysicsWorld[Sheet]):
    """One bowler, ten pins."""

    spec = SPEC

    # --- the rules ---------------------------------------------------------------------------------

    def _begin(self, rng: np.random.Generator) -> Sheet:
        self.pull = float(rng.choice((-1, 1))) * math.radians(rng.uniform(c.PULL_LEAST, c.PULL_MOST))
        self.physics = alley.build(
            oil=float(rng.uniform(c.OIL_LEAST, c.OIL_MOST)),
            grip=float(rng.uniform(c.WOOD_FRICTION_LEAST, c.WOOD_FRICTION_MOST)),
        )
        return Sheet(
            rolls=np.full(MOST_ROLLS, NOT_BOWLED),
            standing=np.ones(PINS, np.int64),
            rolling=np.zeros(1, np.int64),
            gutter=np.zeros(1, np.int64),
            near=np.zeros(1, np.int64),
        )

    def _tick(self, controls: Mapping[str, Control]) -> bool:
        control = controls[ROLE]
        ticks = int(self.state.rolling[0])
        if ticks >= BOWL_TICKS:
            self._clear()
            ticks = 0
        if ticks == 0:
            self.state.near[0] = "look" in control.buttons
            if "bowl" not in control.buttons:
                return False
            self._bowl(control.axes)
        self.physics.advance(TICK)
        self.state.rolling[0] = ticks + 1
        x, y, _ = self.physics.position("ball").tolist()
        self.state.gutter[0] |= x < alley.LENGTH and abs(y) > c.LANE_HALF_WIDTH
        if ticks + 1 < BOWL_TICKS:
            return False
        self._write_down()
        return rolls.over(self.rolls)

    def _bowl(self, axes: Mapping[str, float]) -> None:
        """Send the ball off."""
        position, angle, spin = (
            _bounded(axes.get(name, 0.0), -1.0) for name in ("position", "angle", "spin")
        )
        speed = c.SLOWEST + (c.FASTEST - c.SLOWEST) * _bounded(axes.get("speed", 0.6), 0.0)
        heading = self.pull - math.radians(c.ANGLE_MOST) * angle
        self.physics.place("ball", (0.0, -c.RELEASE_MOST * position, alley.RADIUS + 0.0005), UPRIGHT)
        ahead = np.array([math.cos(heading), math.sin(heading), 0.0])
        left = np.array([-ahead[1], ahead[0], 0.0])
        turning = c.ROLLING * speed / alley.RADIUS * left + c.SPIN_MOST * spin * ahead
        self.physics.throw("ball", speed * ahead, turning)

    def _write_down(self) -> None:
        """Count the pins that this ball has felled, and say so."""
        up = self._upright()
        felled = int(self.state.standing.sum() - up.sum())
        first = rolls.fresh_pins(self.rolls)
        self.state.rolls[len(self.rolls)] = felled
        if not up.any():
            self._say(ROLE, STRIKE if first else SPARE)
        elif felled:
            self._say(ROLE, SOME)
        else:
            self._say(ROLE, GUTTER if self.state.gutter[0] else NONE)
        self.state.standing[:] = up

    def _upright(self) -> NDArray[np.int64]:
        """Which of the pins that stood before still stand on the lane, [10]."""
        up = self.state.standing.copy()
        for number in np.flatnonzero(up).tolist():
            name = alley.pin_name(number)
            x, y, z = self.physics.position(name)
            upright = self.physics.matrix(name)[2, 2] >= c.UPRIGHT_LEAST
            up[number] = upright and z > -0.02 and x < alley.DECK_END and abs(y) < c.LANE_HALF_WIDTH
        return up

    def _clear(self) -> None:
        """Make the lane ready for the next ball."""
        if rolls.fresh_pins(self.rolls):
            self.state.standing[:] = 1
            for number, (x, y) in enumerate(alley.pin_spots()):
                self.physics.place(alley.pin_name(number), (x, y, 0.0005), UPRIGHT)
        else:
            for number in np.flatnonzero(self.state.standing == 0).tolist():
                self.physics.place(alley.pin_name(number), alley.rack_spot(number), UPRIGHT)
        self.physics.place("ball", (0.0, 0.0, alley.RADIUS + 0.0005), UPRIGHT)
        self.state.rolling[0] = self.state.gutter[0] = 0

    # --- reading the state -------------------------------------------------------------------------

    @property
    def rolls(self) -> list[int]:
        """The pins of each ball so far."""
        return [roll for roll in self.state.rolls.tolist() if roll != NOT_BOWLED]

    def _score(self) -> Score:
        points, bowled = rolls.points(self.rolls), self.rolls
        return Score(
            value=100.0 * points / c.POINTS,
            measure=float(points),
            parts={"points": float(points), "balls": float(len(bowled))},
            progress=sum(bowled) / (PINS * MOST_ROLLS),
        )

    # --- what can be seen --------------------------------------------------------------------------

    def _camera(self, role: str) -> Camera:
        near = Camera.at(
            (alley.LENGTH - 2.0, 0.0, 1.35), 0.0, pitch=math.radians(-25.0), fov_y=math.radians(32.0)
        )
        far = Camera.at((-3.6, 0.0, 1.5), 0.0, pitch=math.radians(-9.0), fov_y=math.radians(28.0))
        if not self.state.rolling[0]:
            return near if self.state.near[0] else far
        ball = float(self.physics.position("ball")[0])
        return near if ball > 0.55 * alley.LENGTH or self.state.rolling[0] >= BOWL_TICKS else far


def _bounded(value: float, low: float) -> float:
    return min(max(value, low), 1.0)
