"""The herding world: its spec, its tick, its score."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from garten.records import ActionSpec, Appearance, Control, Key, Measure, RoleSpec, Score, WorldSpec
from garten.scene import Camera, Scene
from garten.worlds.herding import constants, flock, layout, scenery
from garten.worlds.herding.ground import Disc, Pen, move
from garten.worlds.world import World, read_task

TICK, SHEEP = float(constants.TICK), int(constants.SHEEP)
HOLD_TICKS = round(constants.HOLD / constants.TICK)
FOV_Y = 2.0 * math.atan(9.0 / 16.0 * math.tan(0.5 * math.radians(constants.EYE_WIDTH)))

STOPPED = {
    "hedge": "The hedge stopped you.",
    "fence": "The fence stopped you.",
    "dog": "The other dog was in your way.",
    "sheep": "A sheep was in your way.",
}

SPEC = WorldSpec(
    name="herding",
    version=1,
    title="Two dogs bring four sheep into a pen.",
    roles=(
        RoleSpec("blue", "dogs", "The sheepdog in the blue vest."),
        RoleSpec("yellow", "dogs", "The sheepdog in the yellow vest."),
    ),
    actions=(
        ActionSpec("wait", 1.0, "Stand still."),
        ActionSpec("forward", 1.0, "Walk straight ahead.", ("forward",)),
        ActionSpec("backward", 1.0, "Walk straight back, facing the same way.", ("backward",)),
        ActionSpec("turn_left", 1.0, "Turn left on the spot.", ("left",)),
        ActionSpec("turn_right", 1.0, "Turn right on the spot.", ("right",)),
    ),
    tick=TICK,
    frame_rate=10.0,
    time_limit=float(constants.TIME_LIMIT),
    measure=Measure("score", "of 100", "higher"),
    appearance=Appearance(
        style="farm",
        text="A green meadow with a hedge around it on a clear spring morning, low to the ground.",
    ),
    task=read_task(__file__),
    published=(60.0, 90.1, 87.6, 88.3),
    constants=constants.ALL,
    keys=(Key("w", "forward"), Key("s", "backward"), Key("a", "left"), Key("d", "right")),
)


@dataclass
class Herd:
    """All that changes in an episode."""

    dogs: NDArray[np.float64]  # [2, 3] x, y in metres, heading in radians; in the order of the roles
    sheep: NDArray[np.float64]  # [4, 3] the same
    held: NDArray[np.int64]  # [1] ticks for which all sheep have been inside without a break
    way_at_start: NDArray[np.float64]  # [1] mean way of the sheep to the gate, metres
    way_so_far: NDArray[np.float64]  # [1] the same, summed over the ticks that have passed


class Herding(World[Herd]):
    """Two dogs, four sheep, one pen."""

    spec = SPEC

    # --- the rules ---------------------------------------------------------------------------------

    def _begin(self, rng: np.random.Generator) -> Herd:
        start = layout.draw(rng)
        self.pen = start.pen
        self._scenery = scenery.build(start.pen)
        sheep = np.array(start.sheep)
        way = np.array([self._mean_way(sheep.tolist())])
        return Herd(np.array(start.dogs), sheep, np.zeros(1, np.int64), way, np.zeros(1))

    def _tick(self, controls: Mapping[str, Control]) -> bool:
        dogs: list[list[float]] = self.state.dogs.tolist()
        sheep: list[list[float]] = self.state.sheep.tolist()
        for index, role in enumerate(controls):
            self._walk_dog(role, controls[role], dogs[index], dogs[1 - index], sheep)
        _walk_sheep(self.pen, sheep, dogs)
        self.state.dogs[:] = dogs
        self.state.sheep[:] = sheep
        self._keep_count(sheep)
        return int(self.state.held[0]) >= HOLD_TICKS

    def _walk_dog(
        self, role: str, control: Control, dog: list[float], other: list[float], sheep: list[list[float]]
    ) -> None:
        """Turn and walk one dog, in place; tell it what stopped it."""
        buttons = control.buttons
        turn = ("left" in buttons) - ("right" in buttons)
        walk = ("forward" in buttons) - ("backward" in buttons)
        if turn:
            dog[2] = _wrapped(dog[2] + turn * math.radians(constants.DOG_TURN) * TICK)
        if not walk:
            return
        length = float(constants.DOG_SPEED) * TICK
        step = walk * length * math.cos(dog[2]), walk * length * math.sin(dog[2])
        radius = float(constants.DOG_RADIUS)
        discs = [Disc(other[0], other[1], 2.0 * radius, "dog")]
        discs += [Disc(one[0], one[1], radius + constants.SHEEP_RADIUS, "sheep") for one in sheep]
        x, y, met = move(self.pen, (dog[0], dog[1]), step, radius=radius, discs=discs)
        if met and math.hypot(x - dog[0], y - dog[1]) < 0.5 * length:
            self._say(role, STOPPED[met])
        dog[0], dog[1] = x, y

    def _keep_count(self, sheep: list[list[float]]) -> None:
        """Run or reset the hold timer, and sum up how far from the gate the flock is."""
        inside = all(self.pen.contains(x, y) for x, y, _ in sheep)
        self.state.held[0] = self.state.held[0] + 1 if inside else 0
        self.state.way_so_far[0] += self._mean_way(sheep)

    # --- the score ---------------------------------------------------------------------------------

    @property
    def penned(self) -> int:
        """How many sheep are inside now."""
        return sum(self.pen.contains(x, y) for x, y, _ in self.state.sheep.tolist())

    def _score(self) -> Score:
        pen_points = constants.PENNED_POINTS * self.penned / SHEEP
        held = int(self.state.held[0]) >= HOLD_TICKS
        time_points = constants.TIME_POINTS * self.time_left / constants.TIME_LIMIT if held else 0.0
        return Score(
            value=pen_points + time_points,
            measure=pen_points + time_points,
            parts={"sheep_penned": float(self.penned), "pen_points": pen_points, "time_points": time_points},
            progress=self._progress(),
        )

    def _progress(self) -> float:
        """The share of its way to the gate that the flock had covered, on average over the whole time limit.

        What is left of the time counts as if the flock stood where it is now. An average tells steady pushing
        from running into the sheep, which also brings them near the gate now and then.
        """
        ticks_left = self.limit_ticks - self.ticks
        way = float(self.state.way_so_far[0]) + ticks_left * self._mean_way(self.state.sheep.tolist())
        return max(0.0, 1.0 - way / (self.limit_ticks * float(self.state.way_at_start[0])))

    def _mean_way(self, sheep: list[list[float]]) -> float:
        """Mean way of the sheep to the gate, metres; 0 for those inside."""
        return sum(self.pen.way_in(x, y) for x, y, _ in sheep) / len(sheep)

    # --- what can be seen --------------------------------------------------------------------------

    def _scene(self) -> Scene:
        return self._scenery.at(np.concatenate([self.state.dogs, self.state.sheep]))

    def _camera(self, role: str) -> Camera:
        index = next(i for i, item in enumerate(self.spec.roles) if item.name == role)
        x, y, heading = self.state.dogs[index].tolist()
        ahead = float(constants.EYE_AHEAD)
        eye = x + ahead * math.cos(heading), y + ahead * math.sin(heading), float(constants.EYE_HEIGHT)
        return Camera.at(eye, heading, fov_y=FOV_Y)


def _walk_sheep(pen: Pen, sheep: list[list[float]], dogs: list[list[float]]) -> None:
    """Move each sheep in turn, in place; what they want follows from where all were before the tick."""
    radius = float(constants.SHEEP_RADIUS)
    dog_points = [(x, y) for x, y, _ in dogs]
    before = [(x, y) for x, y, _ in sheep]
    for index, here in enumerate(before):
        vx, vy = flock.velocity(here, dog_points, before[:index] + before[index + 1 :])
        if vx == 0.0 and vy == 0.0:
            continue
        discs = [Disc(x, y, radius + constants.DOG_RADIUS, "dog") for x, y in dog_points]
        discs += [Disc(o[0], o[1], 2.0 * radius, "sheep") for i, o in enumerate(sheep) if i != index]
        x, y, _ = move(pen, here, (vx * TICK, vy * TICK), radius=radius, discs=discs)
        turn = _wrapped(math.atan2(vy, vx) - sheep[index][2])
        most = math.radians(constants.SHEEP_TURN) * TICK
        sheep[index][:] = x, y, _wrapped(sheep[index][2] + min(max(turn, -most), most))


def _wrapped(angle: float) -> float:
    """The angle brought to -pi to pi."""
    return math.remainder(angle, math.tau)
