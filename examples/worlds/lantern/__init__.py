"""Lantern: walk through a field of stones to a lantern. A complete world with one role, in one file."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from garten.records import (
    ActionSpec,
    Appearance,
    Argument,
    Constant,
    Control,
    Measure,
    RoleSpec,
    Score,
    WorldSpec,
)
from garten.scene import Camera, Kind, Scene, SceneBuilder
from garten.worlds.world import World, read_task

TICK = 0.05  # seconds
STONES = 8
FIELD = Constant(12.0, "m", "side of the meadow, so that crossing it takes about ten actions")
PACE = Constant(1.0, "m/s", "a calm walk")
TURN = Constant(90.0, "deg/s", "a quarter turn in one action")
REACH = Constant(0.9, "m", "the lantern is reached at arm's length")
STONE = Constant(0.5, "m", "radius of a stone, wide enough to hide the lantern now and then")
BODY = Constant(0.2, "m", "radius of the walker, kept clear of stones and of the edge")
EYE = Constant(1.5, "m", "height of the eyes")

PACE_SHARE = Argument("pace", "float", 0.1, 1.0, 1.0, "share of full pace")
LEFTWARD = Argument("left", "float", -1.0, 1.0, None, "1: a quarter turn to the left, -1: to the right")


@dataclass
class State:
    """What changes after reset."""

    place: NDArray[np.float64]  # [2] metres
    heading: NDArray[np.float64]  # [] radians


class Lantern(World[State]):
    """A walker, stones in its way and a lantern to reach."""

    spec = WorldSpec(
        name="lantern",
        version=1,
        title="Walk to a lantern on a meadow with stones",
        roles=(RoleSpec("walker", team="walker", help="a person on foot"),),
        actions=(
            ActionSpec("wait", 1.0, "stand still"),
            ActionSpec("walk", 1.0, "walk straight ahead", arguments=(PACE_SHARE,)),
            ActionSpec("turn", 1.0, "turn on the spot", arguments=(LEFTWARD,)),
        ),
        tick=TICK,
        frame_rate=10.0,
        time_limit=60.0,
        measure=Measure("time to the lantern", "s", "lower"),
        appearance=Appearance("meadow", "a meadow with grey stones and one glowing yellow lantern"),
        task=read_task(__file__),
        constants={
            **{"field": FIELD, "pace": PACE, "turn": TURN, "reach": REACH},
            **{"stone": STONE, "body": BODY, "eye": EYE},
        },
    )

    def _begin(self, rng: np.random.Generator) -> State:
        edge = 0.5 * FIELD - 1.0
        start = np.array([-edge, 0.0])
        self.lantern = np.array([rng.uniform(0.0, edge), rng.uniform(-edge, edge)])
        stones: list[NDArray[np.float64]] = []
        while len(stones) < STONES:
            spot = rng.uniform(-edge, edge, 2)
            if all(np.linalg.norm(spot - other) > 3 * STONE for other in (start, self.lantern, *stones)):
                stones.append(spot)
        self.stones = np.array(stones)
        self._distance = float(np.linalg.norm(self.lantern - start))
        self._shapes = self._build()
        return State(start, np.array(rng.uniform(-math.pi, math.pi)))

    def _build(self) -> Scene:
        builder = SceneBuilder()
        half = 0.5 * FIELD
        builder.add(Kind.CAPSULE, (BODY, 0.4), material=builder.material((0.25, 0.35, 0.75)))
        builder.add(Kind.PLANE, (half, half), material=builder.material((0.35, 0.55, 0.25)))
        for x, y in self.stones:
            builder.add(
                Kind.CYLINDER, (STONE, 0.7), position=(x, y, 0.7), material=builder.material((0.5,) * 3)
            )
        x, y = self.lantern
        builder.add(Kind.SPHERE, (0.3,), position=(x, y, 1.2), material=builder.material((1.0, 0.8, 0.1)))
        return builder.build()

    def _tick(self, controls: Mapping[str, Control]) -> bool:
        axes, state = controls["walker"].axes, self.state
        pace = PACE * min(max(axes.get("pace", 0.0), 0.0), 1.0)
        left = min(max(axes.get("left", 0.0), -1.0), 1.0)
        state.heading = state.heading + math.radians(TURN) * left * TICK
        wanted = state.place + pace * TICK * np.array([np.cos(state.heading), np.sin(state.heading)])
        if np.linalg.norm(self.stones - wanted, axis=1).min() < STONE + BODY:
            self._say("walker", "A stone is in your way.")
        elif np.abs(wanted).max() > 0.5 * FIELD - BODY:
            self._say("walker", "The meadow ends here.")
        else:
            state.place = wanted
        return self._left() < REACH

    def _left(self) -> float:
        return float(np.linalg.norm(self.lantern - self.state.place))

    def _score(self) -> Score:
        reached = self._left() < REACH
        parts = {"reached": 80.0 * reached, "time": 20.0 * self.time_left / self.spec.time_limit * reached}
        return Score(sum(parts.values()), self.time, parts, max(0.0, 1.0 - self._left() / self._distance))

    def _scene(self) -> Scene:
        positions, rotations = self._shapes.positions.copy(), self._shapes.rotations
        positions[0] = (*self.state.place, 0.4 + BODY)
        return self._shapes.moved(positions, rotations)

    def _camera(self, role: str) -> Camera:
        return Camera.at((*self.state.place, EYE), float(self.state.heading))


WORLD = Lantern
