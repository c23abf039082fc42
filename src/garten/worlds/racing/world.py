"""The race: its spec, its tick, who is where, the score."""

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
from garten.scene import Camera
from garten.worlds.physics.query import touching
from garten.worlds.physics.world import PhysicsWorld
from garten.worlds.racing import circuit, track
from garten.worlds.racing import constants as c
from garten.worlds.racing.circuit import ROLES
from garten.worlds.world import read_task

TICK = float(c.TICK)

WALL = "Your car leans on the wall."
CONTACT = "Your car touches the other one."

SPEC = WorldSpec(
    name="racing",
    version=1,
    title="Two cars race three laps between walls, each seen from its own cockpit.",
    roles=(
        RoleSpec("blue", "blue", "The driver of the blue car."),
        RoleSpec("red", "red", "The driver of the red car."),
    ),
    actions=(
        ActionSpec(
            "drive",
            0.5,
            "Drive at a speed and steer.",
            arguments=(
                Argument("throttle", "float", -1.0, 1.0, None, "share of full speed; 0 brakes"),
                Argument("steer", "float", -1.0, 1.0, 0.0, "1 is all the way to the left"),
            ),
        ),
    ),
    tick=TICK,
    frame_rate=20.0,
    time_limit=float(c.TIME_LIMIT),
    measure=Measure("laps driven by blue", "laps", "higher"),
    appearance=Appearance(
        style="circuit",
        text="A racing circuit on a bright day, seen from the open cockpit of a small racing car: grey "
        "asphalt between red and white tyre walls, green grass, trees and coloured boards.",
    ),
    task=read_task(__file__),
    constants=c.ALL,
    keys=(
        *(Key("w", "throttle", 1.0), Key("s", "throttle", -1.0)),
        *(Key("a", "steer", 1.0), Key("d", "steer", -1.0)),
    ),
)


@dataclass
class State:
    """What changes besides the bodies; rows in the order of the roles."""

    driven: NDArray[np.float64]  # [2] metres along the track since the start line
    along: NDArray[np.float64]  # [2] metres along the track where each car is, 0 to its length


class Racing(PhysicsWorld[State]):
    """Two cars, one track; see `task.md`."""

    spec = SPEC

    track: track.Track

    # --- the rules ---------------------------------------------------------------------------------

    def _begin(self, rng: np.random.Generator) -> State:
        self.track = track.draw(rng)
        side = 1.0 if rng.random() < 0.5 else -1.0
        self.physics = circuit.build(self.track, (side, -side), rng)
        along = self._along()
        driven = np.array([math.remainder(place, self.track.length) for place in along])
        return State(driven, along)

    def _tick(self, controls: Mapping[str, Control]) -> bool:
        for role in ROLES:
            axes = controls[role].axes
            throttle, steer = (min(max(axes.get(name, 0.0), -1.0), 1.0) for name in ("throttle", "steer"))
            speed = throttle * (c.TOP_SPEED if throttle > 0.0 else c.REVERSE_SPEED)
            self.physics.contents.vehicles[role].drive(self.physics, speed, steer / c.TIGHTEST)
        self.physics.advance(TICK)
        self._keep_count()
        self._tell_contacts()
        return bool((self.state.driven >= self.race_length).any())

    def _keep_count(self) -> None:
        along = self._along()
        moved = [math.remainder(step, self.track.length) for step in along - self.state.along]
        self.state.driven = self.state.driven + np.array(moved)
        self.state.along = along

    def _tell_contacts(self) -> None:
        cars = touching(self.physics, *ROLES)
        for role in ROLES:
            if cars:
                self._say(role, CONTACT)
            elif touching(self.physics, role, "wall"):
                self._say(role, WALL)

    def _along(self) -> NDArray[np.float64]:
        """Where along the track each car is, [2] metres."""
        places = [self.physics.position(role) for role in ROLES]
        return np.array([self.track.nearest(float(x), float(y)) for x, y, _ in places])

    # --- the score ---------------------------------------------------------------------------------

    @property
    def race_length(self) -> float:
        """All laps together, metres."""
        return float(c.LAPS) * self.track.length

    def _score(self) -> Score:
        scores = {role: self._score_of(index) for index, role in enumerate(ROLES)}
        blue = scores["blue"]
        return Score(blue.value, blue.measure, blue.parts, blue.progress, teams=scores)

    def _score_of(self, index: int) -> Score:
        driven = float(self.state.driven[index])
        share = min(max(driven / self.race_length, 0.0), 1.0)
        first = driven >= self.race_length and driven >= float(self.state.driven.max())
        parts = {
            "driven": c.PROGRESS_POINTS * share,
            "finished first": float(c.FIRST_POINTS) if first else 0.0,
        }
        return Score(sum(parts.values()), max(0.0, driven / self.track.length), parts, share)

    # --- what can be seen --------------------------------------------------------------------------

    def _camera(self, role: str) -> Camera:
        x, y, z = self.physics.points(role, [(-c.EYE_BACK, 0.0, float(c.EYE_HEIGHT))])[0]
        return Camera.at(
            (x, y, z),
            self.physics.heading(role),
            pitch=math.radians(c.EYE_PITCH),
            fov_y=math.radians(c.EYE_HEIGHT_OF_VIEW),
        )
