"""Drop: a world made of a plain MJCF file. MuJoCo moves it, and draws its own depth and normals."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import mujoco
import numpy as np
from numpy.typing import NDArray

from garten.records import (
    ActionSpec,
    Appearance,
    Argument,
    Constant,
    Control,
    Drawing,
    Measure,
    RoleSpec,
    Score,
    WorldSpec,
)
from garten.scene import NO_ID, Camera, Condition, Scene, SceneBuilder
from garten.worlds.world import World, read_task

TICK = 0.05  # seconds
ALL = int(mujoco.mjtState.mjSTATE_INTEGRATION)  # everything that decides how the simulation goes on
TRAVEL = Constant(0.4, "m/s", "from the middle to the end of the rails in three actions")
REACH = Constant(0.8, "m", "the basket stands at most this far from the middle, along each rail")
STILL = Constant(0.05, "m/s", "a ball slower than this has come to rest")
BASKET = Constant(0.2, "m", "half the width of the basket, inside its walls")

MODEL = mujoco.MjModel.from_xml_path(str(Path(__file__).with_name("scene.xml")))


@dataclass
class State:
    """What changes after reset."""

    physics: NDArray[np.float64]  # MuJoCo's own state vector; replaced, never written to
    dropped: NDArray[np.bool_]  # [] whether the ball was let go


class Drop(World[State]):
    """A carriage, a ball and a basket."""

    spec = WorldSpec(
        name="mjcf-drop",
        version=1,
        title="Drop a ball into a basket from a carriage",
        roles=(RoleSpec("hand", team="hand", help="the carriage above the floor"),),
        actions=(
            ActionSpec("wait", 1.0, "let everything come to rest"),
            ActionSpec(
                "move",
                1.0,
                "travel along both rails",
                arguments=(
                    Argument("right", "float", -1.0, 1.0, None, "share of full speed, to the right"),
                    Argument("ahead", "float", -1.0, 1.0, None, "share of full speed, ahead"),
                ),
            ),
            ActionSpec("drop", 2.0, "let go of the ball", buttons=("release",)),
        ),
        tick=TICK,
        frame_rate=20.0,
        time_limit=30.0,
        measure=Measure("distance from the basket", "m", "lower"),
        appearance=Appearance("workshop", "a grey workshop floor with an open basket and a hanging ball"),
        task=read_task(__file__),
        constants={"travel": TRAVEL, "reach": REACH, "still": STILL, "basket": BASKET},
    )

    def _begin(self, rng: np.random.Generator) -> State:
        self.model = copy(MODEL)
        self.basket = rng.uniform(-REACH, REACH, 2)
        self.model.body("basket").pos[:2] = self.basket
        self.data = mujoco.MjData(self.model)
        mujoco.mj_resetData(self.model, self.data)
        return State(_read(self.model, self.data), np.array(False))

    def _tick(self, controls: Mapping[str, Control]) -> bool:
        held, axes = controls["hand"].buttons, controls["hand"].axes
        mujoco.mj_setState(self.model, self.data, self.state.physics, ALL)
        self.data.ctrl[:] = [TRAVEL * np.clip(axes.get(axis, 0.0), -1, 1) for axis in ("right", "ahead")]
        if "release" in held:
            if not self.state.dropped:
                self._say("hand", "The ball falls.")
            self.state.dropped = np.array(True)
            self.data.eq_active[0] = False
        mujoco.mj_step(self.model, self.data, round(TICK / self.model.opt.timestep))
        self.state.physics = _read(self.model, self.data)
        return bool(self.state.dropped) and self._resting()

    def _resting(self) -> bool:
        """The ball has touched something and stopped; a ball just let go is slow too, but high up."""
        mujoco.mj_setState(self.model, self.data, self.state.physics, ALL)
        ball = self.data.joint(2)
        return bool(np.linalg.norm(ball.qvel[:3]) < STILL and ball.qpos[2] < 0.5)

    def _score(self) -> Score:
        mujoco.mj_setState(self.model, self.data, self.state.physics, ALL)
        ball = self.data.joint(2).qpos
        away = float(np.linalg.norm(ball[:2] - self.basket))
        inside = np.abs(ball[:2] - self.basket).max() < BASKET and ball[2] < BASKET
        value = 80.0 + 20.0 * self.time_left / self.spec.time_limit if inside else 0.0
        return Score(value, away, {"inside": float(inside)}, progress=max(0.0, 1.0 - away / 3.0))

    def _scene(self) -> Scene:
        return SceneBuilder().build()  # nothing for the ray caster: `_drawing` shows the world

    def _camera(self, role: str) -> Camera:
        data = _posed(self.model, self.state.physics)
        rotation = np.zeros(4)
        mujoco.mju_mat2Quat(rotation, data.cam_xmat[0])
        (x, y, z), (w, a, b, c) = data.cam_xpos[0].tolist(), rotation.tolist()
        return Camera((x, y, z), (w, a, b, c), float(np.radians(self.model.cam_fovy[0])))

    def _drawing(self) -> Drawing:
        return partial(draw, self.model, self.state.physics, self._camera("hand"))


def draw(
    model: mujoco.MjModel, physics: NDArray[np.float64], camera: Camera, role: str, width: int, height: int
) -> Condition:
    """What the camera sees of that state, by MuJoCo's own ray queries."""
    data = _posed(model, physics)
    fx, fy, cx, cy = camera.intrinsics(width, height)
    columns, rows = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    rays = np.stack([(columns - cx) / fx, (cy - rows) / fy, -np.ones_like(rows)], axis=-1).reshape(-1, 3)
    lengths = np.linalg.norm(rays, axis=1)
    to_world = data.cam_xmat[0].reshape(3, 3)
    directions = (rays / lengths[:, None]) @ to_world.T
    count = width * height
    ids, distances, normals = np.zeros(count, np.int32), np.zeros(count), np.zeros(3 * count)
    mujoco.mj_multiRay(
        model, data, data.cam_xpos[0], directions.ravel(), None, True, -1, ids, distances, normals, count, 1e3
    )
    seen = ids >= 0
    facing = normals.reshape(-1, 3) @ to_world  # into the camera frame
    facing *= np.where((facing * rays).sum(axis=1) > 0, -1.0, 1.0)[:, None]
    return Condition(
        depth=np.where(seen, distances / lengths, np.inf).astype(np.float32).reshape(height, width),
        normals=np.where(seen[:, None], facing, 0.0).astype(np.float32).reshape(height, width, 3),
        ids=np.where(seen, ids, NO_ID).astype(np.int32).reshape(height, width),
        intrinsics=(fx, fy, cx, cy),
    )


def _read(model: mujoco.MjModel, data: mujoco.MjData) -> NDArray[np.float64]:
    state = np.zeros(mujoco.mj_stateSize(model, ALL))
    mujoco.mj_getState(model, data, state, ALL)
    return state


def _posed(model: mujoco.MjModel, physics: NDArray[np.float64]) -> mujoco.MjData:
    """Fresh data in which every body and camera stands where that state has it."""
    data = mujoco.MjData(model)
    mujoco.mj_setState(model, data, physics, ALL)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_camlight(model, data)
    return data


WORLD = Drop
