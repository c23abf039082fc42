"""The rules of the one-lane bridge.

Each tick, every car would move as its controls say. A car whose footprint would leave the road stays where it
is. If the cars would then overlap, neither moves. The episode ends when both stand on their goals.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from garten.records import ActionSpec, Appearance, Control, Key, Measure, RoleSpec, Score, WorldSpec
from garten.scene import Camera, Scene
from garten.worlds.one_lane_bridge import constants as c
from garten.worlds.one_lane_bridge.car import windshield
from garten.worlds.one_lane_bridge.layout import GOALS, ROLES, Layout, draw_layout
from garten.worlds.one_lane_bridge.road import Pose, footprint, on_road, overlap
from garten.worlds.one_lane_bridge.scenery import Scenery
from garten.worlds.world import World

ROAD_EDGE = "Road edge: the car stopped before leaving the road."
CAR_CONTACT = "Car contact: the cars are in each other's way and neither moved."

SPEC = WorldSpec(
    name="one-lane-bridge",
    version=1,
    title="Two cars swap ends of a bridge that only one of them fits on at a time.",
    roles=(
        RoleSpec("blue", "cars", "The blue car, bound for the cyan disk."),
        RoleSpec("red", "cars", "The red car, bound for the orange disk."),
    ),
    actions=(
        ActionSpec("wait", 1.0, "Stand still."),
        ActionSpec("forward", 2.0, "Drive ahead at a low, fixed speed.", ("forward",)),
        ActionSpec("backward", 2.0, "Drive back at the same speed.", ("backward",)),
        ActionSpec("turn_left", 1.0, "Turn to the left on the spot.", ("left",)),
        ActionSpec("turn_right", 1.0, "Turn to the right on the spot.", ("right",)),
    ),
    tick=float(c.TICK),
    frame_rate=float(c.FRAME_RATE),
    time_limit=float(c.TIME_LIMIT),
    measure=Measure("seconds until both cars arrive", "s", "lower"),
    appearance=Appearance(
        style="riverside",
        text="A quiet riverside road on a clear day, seen through the windshield of a small car: a narrow "
        "wooden bridge over blue water, grey asphalt with white-outlined pullouts, green meadows and trees.",
    ),
    task=Path(__file__).with_name("task.md").read_text(encoding="utf-8"),
    published=(71.0, 68.0, 45.0, 41.0),
    constants=c.ALL,
    keys=(Key("w", "forward"), Key("s", "backward"), Key("a", "left"), Key("d", "right")),
)


@dataclass
class State:
    """What changes during an episode."""

    poses: NDArray[np.float64]  # [2, 3] x and y in metres, heading in radians; rows in the order of ROLES


class OneLaneBridge(World[State]):
    """Two cars, one bridge; see the module's docstring for the rules and `task.md` for the task."""

    spec = SPEC

    layout: Layout

    def _begin(self, rng: np.random.Generator) -> State:
        self.layout = draw_layout(rng)
        self._scenery = Scenery(self.layout, rng)
        starts = [(GOALS["red"], 0.0, 0.0), (GOALS["blue"], 0.0, math.pi)]
        return State(poses=np.array(starts, np.float64))

    def _tick(self, controls: Mapping[str, Control]) -> bool:
        now = self._poses()
        then = tuple(
            self._kept_on_road(role, pose, moved(pose, controls[role]))
            for role, pose in zip(ROLES, now, strict=True)
        )
        if then != now:
            if overlap(footprint(then[0]), footprint(then[1])):
                for role in ROLES:
                    self._say(role, CAR_CONTACT)
            else:
                self.state.poses[:] = then
        return all(self._arrived())

    def _kept_on_road(self, role: str, pose: Pose, target: Pose) -> Pose:
        """The target if the whole car stands on the road there, else the pose it has."""
        if target == pose or on_road(footprint(target), self.layout.banks, self.layout.water):
            return target
        self._say(role, ROAD_EDGE)
        return pose

    def _scene(self) -> Scene:
        return self._scenery.scene(self.state.poses)

    def _camera(self, role: str) -> Camera:
        return windshield(self._poses()[ROLES.index(role)])

    def _score(self) -> Score:
        arrived = self._arrived()
        bonus = c.POINTS_FOR_TIME * self.time_left / self.spec.time_limit if all(arrived) else 0.0
        points = c.POINTS_PER_CAR * sum(arrived)
        return Score(
            value=points + bonus,
            measure=self.time if all(arrived) else float(self.spec.time_limit),
            parts={"arrived cars": points, "time left": bonus},
            progress=self._progress(),
        )

    def _progress(self) -> float:
        """The share of their ways behind the cars; it counts half until they have passed each other."""
        blue, red = self._poses()
        way = c.GOAL_DISTANCE - c.GOAL_RADIUS
        made = sum(1.0 - min(1.0, left / way) for left in self._metres_left())
        passed = blue.x > red.x
        return 0.5 * made * (1.0 if passed else float(c.PROGRESS_BEFORE_PASSING))

    def _metres_left(self) -> tuple[float, ...]:
        """How far each car is from the border of its goal disk; 0 on the disk."""
        return tuple(
            max(0.0, math.hypot(pose.x - GOALS[role], pose.y) - c.GOAL_RADIUS)
            for role, pose in zip(ROLES, self._poses(), strict=True)
        )

    def _arrived(self) -> tuple[bool, ...]:
        """Whether the middle of each car is on its goal disk."""
        return tuple(left == 0.0 for left in self._metres_left())

    def _poses(self) -> tuple[Pose, Pose]:
        blue, red = self.state.poses.tolist()
        return Pose(*blue), Pose(*red)


def moved(pose: Pose, control: Control) -> Pose:
    """Where the buttons held during one tick would bring a car on open ground."""
    held = control.buttons
    turn = ("left" in held) - ("right" in held)
    drive = ("forward" in held) - ("backward" in held)
    heading = pose.heading + turn * math.radians(c.TURN_SPEED) * c.TICK
    metres = drive * c.CAR_SPEED * c.TICK
    return Pose(pose.x + metres * math.cos(heading), pose.y + metres * math.sin(heading), heading)
