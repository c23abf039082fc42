"""A small two-role world for tests: two carts on a line, actions of three lengths."""

from dataclasses import dataclass

import numpy as np

from garten.records import ActionSpec, Appearance, Argument, Measure, RoleSpec, Score, WorldSpec
from garten.scene import Camera, Kind, SceneBuilder
from garten.worlds.world import World

TICK = 0.1
GOAL = 3.0  # metres; the left cart ends the episode there


@dataclass
class State:
    place: np.ndarray  # [2] metres
    clock: np.ndarray  # [] ticks; a field whose name the snapshot must not confuse with its own
    order: np.ndarray  # [2] roles in the order in which the last tick got them, as indices


class Toy(World):
    spec = WorldSpec(
        name="toy",
        version=3,
        title="Two carts",
        roles=(RoleSpec("zed", "z", "a cart"), RoleSpec("amy", "a", "a cart")),
        actions=(
            ActionSpec("push", 0.3, "roll on", buttons=("go",)),
            ActionSpec("shove", 0.5, "roll on for longer", buttons=("go",)),
            ActionSpec(
                "drive",
                0.4,
                "roll at a speed",
                arguments=(
                    Argument("speed", "float", -1.0, 1.0, None, "metres per second"),
                    Argument("gear", "int", 1, 3, 1, "multiplies the speed"),
                ),
            ),
        ),
        tick=TICK,
        frame_rate=5.0,
        time_limit=2.0,
        measure=Measure("way", "m", "higher"),
        appearance=Appearance("plain", "carts"),
        task="For 2 s you may:\n- `push`: 0.3 s\n- `shove`: 0.5 s\n- `drive(speed, gear=1)`: 0.4 s",
    )

    def _begin(self, rng):
        self.width = rng.uniform(0.5, 1.0)  # depends on the seed alone
        return State(rng.uniform(0.0, 0.5, 2), np.array(0), np.array([0, 1]))

    def _tick(self, controls):
        roles = [role.name for role in self.spec.roles]
        self.state.order = np.array([roles.index(role) for role in controls])
        for role, control in controls.items():
            speed = 1.0 * ("go" in control.buttons)
            speed += control.axes.get("speed", 0.0) * control.axes.get("gear", 1.0)
            self.state.place[roles.index(role)] += speed * TICK * self.width
            if speed < 0:
                self._say(role, "You roll back.")
        self.state.clock = self.state.clock + 1
        return self.state.place[0] >= GOAL

    def _score(self):
        return Score(float(np.clip(self.state.place[0] / GOAL, 0, 1) * 100), float(self.state.place[0]))

    def _scene(self):
        builder = SceneBuilder()
        paint = builder.material((0.8, 0.2, 0.2))
        for y, x in enumerate(self.state.place):
            builder.add(Kind.BOX, (0.2, 0.2, self.width), position=(x, y, 0.0), material=paint)
        return builder.build()

    def _camera(self, role):
        return Camera.at((*self.state.place, 1.0), 0.0)


WORLD = Toy
