"""Many worlds of the sled side by side: MuJoCo moves each, the rest is arithmetic on all of them at once.

What decides how a lane goes on lies in plain arrays: its place and speed, its world, its level's numbers, and
the seed and count from which its next world is drawn. So saving is copying, and a level is a row of numbers.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, NamedTuple

import mujoco
import numpy as np
import numpy.typing as npt
from mujoco.rollout import rollout

from garten import seeds
from sled import terrain
from sled.game import ACHIEVEMENTS, DIALS, HOME, LANDMARKS, LIMIT, NAMES
from sled.level import Level

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Arrays = dict[str, npt.NDArray[Any]]

ACTIONS = 5
"""Push nowhere, or along x, along y, against x, against y."""

NUMBERS = 25
"""That a lane observes; see `SledEnv.numbers`."""

RADIUS = 0.25
"""Of the sled, metres: a ball that does not turn."""

REACH, LEFT, STILL = 0.9, 1.5, 0.4
"""Metres from a flag that is reached and from a home that is left, metres a second of a sled at rest."""

_STEP, _STEPS = 0.02, 10  # seconds of MuJoCo's steps, and how many a step of ours has
_DRAG = 0.3  # newtons for a metre a second
_TOO_FAST = 50.0  # metres a second of a sled whose simulation came apart

_PHYSICS = mujoco.mjtState.mjSTATE_FULLPHYSICS
_PUSH = mujoco.mjtState.mjSTATE_QFRC_APPLIED
_PLACE, _SPEED = slice(1, 4), slice(4, 7)  # in MuJoCo's vectors

_turns = np.arange(8) * np.pi / 4.0
_AROUND = np.stack([np.cos(_turns), np.sin(_turns)], -1)
_PUSHES = np.concatenate([np.zeros((1, 2)), _AROUND[::2]])
_PROBES = np.concatenate([_AROUND, 0.3 * np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])])

_SUMMIT, _HOME = NAMES.index("CLIMB_SUMMIT"), NAMES.index("RETURN_HOME")
_PLACES = np.array([(HOME, *LANDMARKS).index(each.at) if each.at else -1 for each in ACHIEVEMENTS.values()])

_REWARDS = np.array([each.reward for each in ACHIEVEMENTS.values()])
_DEFAULTS = np.array([dial.default for dial in DIALS.values()])


class Step(NamedTuple):
    """What a step did, leading axis [lanes]: float32 rewards, and why episodes ended."""

    reward: npt.NDArray[np.float32]
    terminated: Bools
    truncated: Bools


class SledEnv:
    """Lanes; one whose episode ends begins the next, in a new world, in the same step.

    Attributes:
        num_envs: how many lanes.
        lanes: the arrays that say how each goes on, by name, leading axis [lanes].
        final: of each lane's last finished episode its return, length, achievements, success, and the
            numbers that were observed at its end.
    """

    def __init__(self, num_envs: int, *, limit: int = LIMIT) -> None:
        """Make lanes of the plain game; `reset` begins their episodes.

        Args:
            num_envs: how many.
            limit: steps of an episode.
        """
        self.num_envs = num_envs
        model = _model()
        self._models = [copy.copy(model) for _ in range(num_envs)]
        self._data = mujoco.MjData(model)
        state = np.empty(mujoco.mj_stateSize(model, _PHYSICS))
        mujoco.mj_getState(model, self._data, state, _PHYSICS)
        self._states, self._nothing = (
            np.zeros((num_envs, _STEPS, len(state))),
            np.zeros((num_envs, _STEPS, 0)),
        )
        count, some, flags = num_envs, len(NAMES), len(LANDMARKS)
        self.lanes: Arrays = {
            "physics": np.tile(state, (count, 1)),
            "places": np.zeros((count, 1 + flags, 2)),
            "heights": np.zeros((count, terrain.NODES, terrain.NODES)),
            "met": np.zeros((count, some), bool),
            "returns": np.zeros(count),
            "time": np.zeros(count, np.int64),
            "seed": np.zeros(count, np.int64),
            "worlds": np.zeros(count, np.int64),
            "dials": np.tile(_DEFAULTS, (count, 1)),
            "near": np.full((count, flags), np.inf),
            "share": np.ones((count, flags)),
            "goal": np.zeros((count, some), bool),
            "initial": np.zeros((count, some), bool),
            "bonus": np.zeros(count),
            "limit": np.full(count, limit),
        }
        self.final: Arrays = {
            "return": np.zeros(count, np.float32),
            "length": np.zeros(count, np.int64),
            "achievements": np.zeros((count, some), bool),
            "success": np.zeros(count, bool),
            "numbers": np.zeros((count, NUMBERS), np.float32),
        }
        self._give_dials()

    def put(
        self,
        levels: Sequence[Level],
        lanes: npt.NDArray[np.int64],
        *,
        bonus: float,
        limits: npt.NDArray[np.int32] | None = None,
    ) -> None:
        """Give each lane a level, which its next world is the first of.

        Args:
            levels: which there are.
            lanes: the index of each lane's level, -1 for the plain game without a goal.
            bonus: reward of meeting a level's goal.
            limits: steps of an episode at most, [lanes]; as before by default.
        """
        rows = [_row(level) for level in (*levels, None)]  # -1 is the last one, the plain game
        for name in rows[-1]:
            self.lanes[name][:] = np.stack([row[name] for row in rows])[lanes]
        self.lanes["bonus"][:] = np.where(lanes < 0, 0.0, bonus)
        if limits is not None:
            self.lanes["limit"][:] = limits
        self._give_dials()

    def reset(self, lanes: Bools, *, seed: int) -> None:
        """Begin episodes in some lanes; their worlds, and all that follow, are drawn from the seed."""
        for lane in np.flatnonzero(lanes):
            self.lanes["seed"][lane], self.lanes["worlds"][lane] = seeds.derive(seed, "lane", int(lane)), 0
        self._begin(lanes)

    def step(self, actions: npt.NDArray[np.int64]) -> Step:
        """Take an action in every lane, int [lanes]."""
        mine = self.lanes
        control = np.zeros((self.num_envs, _STEPS, 3))
        control[:, :, :2] = (_PUSHES[actions] * mine["dials"][:, 2:])[:, None]
        states, _ = rollout(
            self._models,
            self._data,
            mine["physics"],
            control,
            control_spec=_PUSH,
            state=self._states,
            sensordata=self._nothing,
            nstep=_STEPS,
            skip_checks=True,
        )
        mine["physics"][:] = states[:, -1]
        mine["time"] += 1

        new = self._achieved() & ~mine["met"]
        mine["met"] |= new
        asked, met = mine["goal"], mine["met"]
        success: Bools = np.logical_and(asked.any(1), (met | ~asked).all(1))
        reward = new @ _REWARDS + np.where(success, mine["bonus"], 0.0)
        mine["returns"] += reward
        physics = mine["physics"]
        sound = np.isfinite(physics).all(1) & (np.abs(physics[:, _SPEED]).max(1) < _TOO_FAST)
        terminated = success | ~sound
        truncated = ~terminated & (mine["time"] >= mine["limit"])
        over = terminated | truncated
        if over.any():
            self._end(over, success)
        return Step(reward.astype(np.float32), terminated, truncated)

    def numbers(self) -> npt.NDArray[np.float32]:
        """What lanes observe, float32 [lanes, NUMBERS], all of moderate size.

        Where the next place to go to lies (2), the sled's speed (3), how high the ground is a metre away in
        eight directions (8), its slope (2), what was met (7), and how far dials are off (3).
        """
        mine = self.lanes
        physics = np.nan_to_num(mine["physics"])  # of one that came apart
        here, speed = physics[:, _PLACE], physics[:, _SPEED]
        ground = terrain.height_at(mine["heights"], here[:, None, :2] + _PROBES)
        slope = np.stack([ground[:, 8] - ground[:, 9], ground[:, 10] - ground[:, 11]], -1) / 0.6
        parts = (
            self._way(here[:, :2]) / 4.0,
            speed / 4.0,
            ground[:, :8] - (here[:, 2:] - RADIUS),
            slope,
            mine["met"],
            mine["dials"] / _DEFAULTS - 1.0,
        )
        seen: npt.NDArray[np.float32] = np.concatenate(parts, 1).astype(np.float32)
        return seen.clip(-5.0, 5.0)

    def _way(self, here: Floats) -> Floats:
        """From the sled to the place of the easiest achievement that is asked for and not met; 0 if none is.

        Without a goal everything is asked for, and whoever is to return home must have been on the summit.
        """
        mine = self.lanes
        asked = mine["goal"] | ~mine["goal"].any(1, keepdims=True)
        asked[:, _SUMMIT] |= asked[:, _HOME]
        open_ = asked & ~mine["met"] & (_PLACES >= 0)
        place = _PLACES[open_.argmax(1)]
        way: Floats = mine["places"][np.arange(self.num_envs), place] - here
        return np.where(open_.any(1, keepdims=True), way, 0.0)

    def save(self) -> Arrays:
        """Copies of all arrays that are needed to go on exactly from here."""
        final = {f"final.{name}": part.copy() for name, part in self.final.items()}
        return {name: part.copy() for name, part in self.lanes.items()} | final

    def load(self, state: Arrays) -> None:
        """Go on from what `save` returned."""
        for name, part in self.lanes.items():
            part[:] = state[name]
        for name, part in self.final.items():
            part[:] = state[f"final.{name}"]
        self._give_dials()
        for lane in range(self.num_envs):
            self._give_ground(lane)

    def _achieved(self) -> Bools:
        """What is so now, [lanes, achievements], whether it was met before or not."""
        mine = self.lanes
        away = np.linalg.norm(mine["places"] - mine["physics"][:, None, 1:3], axis=-1)
        home, meadow, hollow, hill, summit = (away < REACH).T
        still = np.linalg.norm(mine["physics"][:, _SPEED], axis=-1) < STILL
        climbed = mine["met"][:, _SUMMIT]
        return np.stack(
            [away[:, 0] > LEFT, meadow, hollow, hill, hill & still, summit, home & climbed], axis=-1
        )

    def _end(self, over: Bools, success: Bools) -> None:
        """Note how episodes went, and begin the next ones."""
        mine, final = self.lanes, self.final
        final["return"][over], final["length"][over] = mine["returns"][over], mine["time"][over]
        final["achievements"][over], final["success"][over] = mine["met"][over], success[over]
        final["numbers"][over] = self.numbers()[over]
        self._begin(over)

    def _begin(self, lanes: Bools) -> None:
        """Draw new worlds for some lanes, and lay the sled at their start."""
        mine = self.lanes
        for lane in np.flatnonzero(lanes):
            seed = seeds.derive(int(mine["seed"][lane]), "world", int(mine["worlds"][lane]))
            made = terrain.draw(
                np.random.default_rng(seed), near=mine["near"][lane], share=mine["share"][lane]
            )
            mine["places"][lane], mine["heights"][lane] = made.places, made.heights
            self._give_ground(int(lane))
        mine["worlds"][lanes] += 1
        start = mine["places"][:, :1]
        ground = terrain.height_at(mine["heights"], start)[:, 0]
        at_rest = np.zeros_like(mine["physics"])
        at_rest[:, 1:3], at_rest[:, 3] = start[:, 0], ground + 1.1 * RADIUS
        mine["physics"][lanes] = at_rest[lanes]
        mine["met"][lanes] = mine["initial"][lanes]
        mine["returns"][lanes], mine["time"][lanes] = 0.0, 0

    def _give_ground(self, lane: int) -> None:
        """Tell MuJoCo of a lane's ground."""
        heights = (self.lanes["heights"][lane] - terrain.LOW) / (terrain.HIGH - terrain.LOW)
        self._models[lane].hfield_data[:] = heights.ravel()

    def _give_dials(self) -> None:
        """Tell MuJoCo of the dials that are its own."""
        for model, (friction, gravity, _) in zip(self._models, self.lanes["dials"], strict=True):
            model.geom_friction[:, 0], model.opt.gravity[2] = friction, -gravity


def _row(level: Level | None) -> Arrays:
    """A level as rows of the lanes' arrays; the plain game's without one."""
    dials = {name: dial.default for name, dial in DIALS.items()} if level is None else level.dials
    near = {} if level is None else level.near
    share = {} if level is None else level.share
    goal, initial = ((), ()) if level is None else (level.goal, level.completed)
    return {
        "dials": np.array([dials[name] for name in DIALS]),
        "near": np.array([near.get(name, np.inf) for name in LANDMARKS]),
        "share": np.array([share.get(name, 1.0) for name in LANDMARKS]),
        "goal": np.array([name in goal for name in NAMES]),
        "initial": np.array([name in initial for name in NAMES]),
    }


def _model() -> Any:
    """A sled on flat ground between four walls."""
    mujoco.set_mju_user_warning(lambda message: None)  # MuJoCo would write a file; `step` sees what is wrong
    spec = mujoco.MjSpec()
    spec.option.timestep = _STEP
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    spec.option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
    nodes, size = terrain.NODES, [terrain.HALF, terrain.HALF, terrain.HIGH - terrain.LOW, 1.0]
    flat = np.zeros(nodes * nodes)
    spec.add_hfield(name="ground", nrow=nodes, ncol=nodes, size=size, userdata=flat)
    world = spec.worldbody
    world.add_geom(type=mujoco.mjtGeom.mjGEOM_HFIELD, hfieldname="ground", pos=[0.0, 0.0, terrain.LOW])
    for along, across in ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)):
        wall = world.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[1.0, 1.0, 1.0])
        wall.pos = [-along * terrain.HALF, -across * terrain.HALF, 0.0]
        wall.quat = [1.0, -across, along, 0.0]  # turns its normal from z to the inside
    sled = world.add_body(name="sled")
    for axis in np.eye(3):
        sled.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=axis, damping=_DRAG)
    sled.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[RADIUS, 0.0, 0.0], mass=1.0)
    return spec.compile()
