"""A small world of bodies for tests: a wheeled shunter, a crate, a wall."""

from dataclasses import dataclass

import numpy as np

from garten.records import ActionSpec, Appearance, Measure, RoleSpec, Score, WorldSpec
from garten.scene import Camera, Kind
from garten.worlds.physics import kit
from garten.worlds.physics.build import Blueprint
from garten.worlds.physics.vehicle import Running, vehicle
from garten.worlds.physics.world import PhysicsWorld

TICK = 0.1


@dataclass
class State:
    pushed: np.ndarray  # [] metres the crate has moved so far


class Shunter(PhysicsWorld):
    spec = WorldSpec(
        name="shunter",
        version=1,
        title="Push a crate",
        roles=(RoleSpec("driver", "drivers", "the driver"),),
        actions=(
            ActionSpec("drive", 0.5, "drive on", buttons=("forward",)),
            ActionSpec("hook", 0.2, "grab the crate", buttons=("hook",)),
            ActionSpec("wait", 0.3, "stand"),
        ),
        tick=TICK,
        frame_rate=5.0,
        time_limit=3.0,
        measure=Measure("way", "m", "higher"),
        appearance=Appearance("plain", "a shunter"),
        task="For 3 s you may:\n- `drive`: 0.5 s\n- `hook`: 0.2 s\n- `wait`: 0.3 s",
    )

    def _begin(self, rng):
        self.first = float(rng.uniform(2.0, 3.0))
        blueprint = Blueprint()
        kit.ground(blueprint, (0.5, 0.6, 0.4))
        kit.wall(blueprint, "wall", [(6, -2), (6, 2)], height=1.0, thickness=0.2, color=(0.4, 0.4, 0.4))
        half = (0.4, 0.4, 0.4)
        kit.box(blueprint, "crate", half, at=(self.first, 0.0, 0.4), mass=30.0, color=(0.6, 0.4, 0.2))
        chassis = vehicle(blueprint, "car", Running(1.2, 1.0, 0.3, 0.2, 20.0, 3000.0), at=(0, 0))
        chassis.add(Kind.BOX, (0.9, 0.4, 0.2), at=(0, 0, 0.5), color=(0.8, 0.2, 0.2), mass=300.0)
        blueprint.grip("hook", "car")
        self.physics = blueprint.build()
        return State(np.array(0.0))

    def _tick(self, controls):
        held = controls["driver"].buttons
        if "hook" in held and not self.physics.held("hook"):
            self.physics.grab("hook", "crate")
        car = self.physics.contents.vehicles["car"]
        car.drive(self.physics, 2.0 if "forward" in held else 0.0)
        self.physics.advance(TICK)
        self.state.pushed = np.array(self.physics.position("crate")[0] - self.first)
        return False

    def _score(self):
        return Score(float(np.clip(10.0 * self.state.pushed, 0.0, 100.0)), float(self.state.pushed))

    def _camera(self, role):
        return Camera.at((*self.physics.position("car")[:2], 1.5), self.physics.heading("car"))


WORLD = Shunter
