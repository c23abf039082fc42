"""The quarry loader: its spec, its tick, its jobs, its score."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from garten.records import ActionSpec, Appearance, Control, Key, Measure, RoleSpec, Score, WorldSpec
from garten.scene import Camera, rotation_matrices
from garten.worlds.physics.world import PhysicsWorld
from garten.worlds.quarry_loader import constants as c
from garten.worlds.quarry_loader import loader, yard
from garten.worlds.quarry_loader.layout import BAY, PADS, Area, Layout, draw
from garten.worlds.quarry_loader.yard import ROCKS
from garten.worlds.world import read_task

TICK = float(c.TICK)
ROLE = "driver"

STUCK = "Something holds the loader: it does not get ahead."
STAGED = "Both rocks are on the pads: the first job is done."
BUNKERED = "A rock is inside the bunker."

SPEC = WorldSpec(
    name="quarry-loader",
    version=1,
    title="A wheel loader stages two rocks, brings one into a bunker, and parks.",
    roles=(RoleSpec(ROLE, "quarry", "The driver of the yellow wheel loader."),),
    actions=(
        ActionSpec("forward", 1.0, "Drive straight ahead.", ("forward",)),
        ActionSpec("backward", 1.0, "Drive straight back.", ("backward",)),
        ActionSpec("turn_left", 1.0, "Drive ahead in a slow bend to the left.", ("forward", "left")),
        ActionSpec("turn_right", 1.0, "Drive ahead in a slow bend to the right.", ("forward", "right")),
        ActionSpec("reverse_left", 1.0, "Drive back in a slow bend to the left.", ("backward", "left")),
        ActionSpec("reverse_right", 1.0, "Drive back in a slow bend to the right.", ("backward", "right")),
        ActionSpec("raise_arm", 1.0, "Raise the arm; the loader holds its place.", ("raise",)),
        ActionSpec("lower_arm", 1.0, "Lower the arm; the loader holds its place.", ("lower",)),
        ActionSpec("curl", 1.0, "Turn the scoop up and back, to keep what is in it.", ("curl",)),
        ActionSpec("tip", 1.0, "Turn the scoop down and forward, to drop what is in it.", ("tip",)),
        ActionSpec("wait", 1.0, "Brake and stand still."),
    ),
    tick=TICK,
    frame_rate=10.0,
    time_limit=float(c.TIME_LIMIT),
    measure=Measure("score", "of 100", "higher"),
    appearance=Appearance(
        style="quarry",
        text="A sandy quarry yard under a clear sky, seen from above and behind: a yellow wheel loader, dark "
        "rocks, a tall concrete wall, green pads and a blue parking bay behind a striped arch.",
    ),
    task=read_task(__file__),
    published=(30.0, 0.0, 30.0, 90.9),
    constants=c.ALL,
    keys=(
        *(Key("w", "forward"), Key("s", "backward"), Key("a", "left"), Key("d", "right")),
        *(Key("ArrowUp", "raise"), Key("ArrowDown", "lower")),
        *(Key("ArrowLeft", "curl"), Key("ArrowRight", "tip")),
    ),
)


@dataclass
class State:
    """What changes besides the bodies."""

    arm: NDArray[np.float64]  # [] the arm's target angle, radians
    pitch: NDArray[np.float64]  # [] the scoop's target pitch against the chassis, radians, up positive
    staged: NDArray[np.bool_]  # [] the first job is done
    filled: NDArray[np.bool_]  # [] the second job was done at the last tick
    stuck: NDArray[np.int64]  # [] ticks for which the loader has pushed in vain
    still: NDArray[np.int64]  # [] ticks for which the loader has stood in the bay, a rock being in the bunker


class QuarryLoader(PhysicsWorld[State]):
    """One loader, two rocks, three jobs; see `task.md`."""

    spec = SPEC

    layout: Layout

    # --- the rules ---------------------------------------------------------------------------------

    def _begin(self, rng: np.random.Generator) -> State:
        self.layout = draw(rng)
        self.physics = yard.build(self.layout, rng)
        self._corners = {
            name: rock.mesh.vertices @ rotation_matrices(np.array([rock.rotation]))[0].T
            for name, rock in zip(ROCKS, self.layout.rocks, strict=True)
        }
        arm = math.radians(c.ARM_LOW)
        self.physics.place_joint(loader.ARM, arm)
        self.physics.place_joint(loader.SCOOP, -arm)
        loader.hold(self.physics, arm, 0.0)
        self.physics.advance(float(c.SETTLING))
        self._way_at_start = self._way_to_pads()
        return State(
            arm=np.array(arm),
            pitch=np.zeros(()),
            staged=np.zeros((), np.bool_),
            filled=np.zeros((), np.bool_),
            stuck=np.zeros((), np.int64),
            still=np.zeros((), np.int64),
        )

    def _tick(self, controls: Mapping[str, Control]) -> bool:
        buttons = controls[ROLE].buttons
        self._move_scoop(buttons)
        asked = loader.drive(self.physics, buttons)
        self.physics.advance(TICK)
        self._tell_stuck(asked)
        self._keep_jobs()
        return self.parked

    def _move_scoop(self, buttons: frozenset[str]) -> None:
        lift = ("raise" in buttons) - ("lower" in buttons)
        curl = ("curl" in buttons) - ("tip" in buttons)
        self.state.arm = _moved(self.state.arm, lift * c.ARM_RATE, c.ARM_LOW, c.ARM_HIGH)
        self.state.pitch = _moved(self.state.pitch, curl * c.CURL_RATE, -c.TIP_MOST, c.CURL_MOST)
        loader.hold(self.physics, float(self.state.arm), float(self.state.pitch))

    def _tell_stuck(self, asked: float) -> None:
        stuck = abs(asked) > 0.0 and self._speed() < c.STUCK_SHARE * abs(asked)
        self.state.stuck = self.state.stuck + 1 if stuck else np.zeros((), np.int64)
        if self.state.stuck >= round(c.STUCK_TIME / TICK):
            self._say(ROLE, STUCK)

    def _keep_jobs(self) -> None:
        """Note the first job when it is done, and count how long the loader has been parked."""
        if not self.state.staged and self._both_on_pads():
            self.state.staged = np.ones((), np.bool_)
            self._say(ROLE, STAGED)
        filled = self.bunkered
        if filled and not self.state.filled:
            self._say(ROLE, BUNKERED)
        self.state.filled = np.array(filled)
        stands = filled and BAY.holds(loader.corners(self.physics)) and self._speed() < c.STILL
        self.state.still = self.state.still + 1 if stands else np.zeros((), np.int64)

    # --- the jobs ----------------------------------------------------------------------------------

    @property
    def bunkered(self) -> bool:
        """The first job is done and a rock lies in the bunker now."""
        return bool(self.state.staged) and any(self.lies_in(rock, self.layout.bunker) for rock in ROCKS)

    @property
    def parked(self) -> bool:
        """All jobs are done."""
        return bool(self.state.still >= round(c.STILL_TIME / TICK))

    def lies_in(self, rock: str, area: Area) -> bool:
        """Whether a whole rock is in an area and lies on the ground."""
        corners = self.rock_corners(rock)
        return bool(corners[:, 2].min() < c.LYING) and area.holds(corners)

    def rock_corners(self, rock: str) -> NDArray[np.float64]:
        """The corners of a rock, [12, 3] metres."""
        return self.physics.points(rock, self._corners[rock])

    def _both_on_pads(self) -> bool:
        west, east = PADS
        one, other = ROCKS
        return (self.lies_in(one, west) and self.lies_in(other, east)) or (
            self.lies_in(one, east) and self.lies_in(other, west)
        )

    def _speed(self) -> float:
        return self.physics.contents.vehicles[loader.NAME].speed(self.physics)

    # --- the score ---------------------------------------------------------------------------------

    def _score(self) -> Score:
        parts = {
            "rocks staged": float(c.STAGED_POINTS) if self.state.staged else 0.0,
            "rock in the bunker": float(c.BUNKER_POINTS) if self.bunkered else 0.0,
            "parked": float(c.PARKED_POINTS) if self.parked else 0.0,
            "time left": c.TIME_POINTS * self.time_left / c.TIME_LIMIT if self.parked else 0.0,
        }
        value = sum(parts.values())
        return Score(value=value, measure=value, parts=parts, progress=self._progress())

    def _progress(self) -> float:
        """A third for each job that is done, and of the next one the share of the way that is behind."""
        if self.parked:
            return 1.0
        way, bunker = self.layout.way, self.layout.bunker.middle
        if self.bunkered:
            done, left, whole = (
                2,
                way(self.physics.position(loader.NAME), BAY.middle),
                way(bunker, BAY.middle),
            )
        elif self.state.staged:
            left = min(way(self.physics.position(rock), bunker) for rock in ROCKS)
            done, whole = 1, min(way(pad.middle, bunker) for pad in PADS)
        else:
            done, left, whole = 0, self._way_to_pads(), self._way_at_start
        return (done + min(max(0.0, 1.0 - left / whole), 1.0)) / 3.0

    def _way_to_pads(self) -> float:
        """How far the rocks are from the pads, together, metres; the better way to share them counts."""
        one, other = (self.physics.position(rock)[:2] for rock in ROCKS)
        west, east = (pad.middle for pad in PADS)
        return min(
            math.dist(one, west) + math.dist(other, east), math.dist(one, east) + math.dist(other, west)
        )

    # --- what can be seen --------------------------------------------------------------------------

    def _camera(self, role: str) -> Camera:
        x, y, _ = self.physics.position(loader.NAME)
        return Camera.at(
            (x, y - c.CAMERA_BACK, float(c.CAMERA_HEIGHT)),
            0.5 * math.pi,
            pitch=math.radians(c.CAMERA_PITCH),
            fov_y=math.radians(c.CAMERA_FOV),
        )


def _moved(target: NDArray[np.float64], rate: float, least: float, most: float) -> NDArray[np.float64]:
    """A target angle (radians) after a tick at `rate` (degrees a second), within its limits (degrees)."""
    return np.clip(target + math.radians(rate) * TICK, math.radians(least), math.radians(most))
