"""Bodies that touch: a running simulation, its exact state, what its parts do, and what is wrong with it.

A world describes its bodies with `physics.build.Blueprint` and the kit of `physics.kit`, and gets a
`Physics` from it. MuJoCo moves it. A part is one rigid body and has a name, such as "loader" or "loader/arm";
a thing is all parts whose names begin with the same word. The state is one vector: MuJoCo's integration
state, which decides every bit of what follows, and what each grip holds.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np
from numpy.typing import ArrayLike, NDArray

from garten.errors import WorldError
from garten.scene import Scene
from garten.worlds.physics.shapes import HungShapes

if TYPE_CHECKING:
    from garten.worlds.physics.vehicle import Vehicle

Vector = NDArray[np.float64]

WORLD = "world"
"""Name of what stands still for ever; a grip held by it locks a thing in place."""

SPEED_LIMIT = 200.0
"""Metres or radians a second; a simulation in which something is faster has come apart."""

_EVERYTHING = int(mujoco.mjtState.mjSTATE_INTEGRATION)
_GRIP_ROW = 1 + int(mujoco.mjNEQDATA)
_WARNINGS = {
    mujoco.mjtWarning.mjWARN_INERTIA: "a mass matrix could not be inverted",
    mujoco.mjtWarning.mjWARN_CONTACTFULL: "there were too many contacts",
    mujoco.mjtWarning.mjWARN_CNSTRFULL: "there were too many constraints",
    mujoco.mjtWarning.mjWARN_BADQPOS: "a position was no number",
    mujoco.mjtWarning.mjWARN_BADQVEL: "a speed was no number",
    mujoco.mjtWarning.mjWARN_BADQACC: "an acceleration was no number",
    mujoco.mjtWarning.mjWARN_BADCTRL: "a target was no number",
}

_log = logging.getLogger(__name__)


class UnstableError(WorldError):
    """The simulation came apart; it stands at its last sound state."""


@dataclass(frozen=True)
class Joint:
    """Where a hinge's or slide's numbers are in MuJoCo's vectors."""

    position: int
    speed: int
    motor: int | None  # its row of targets, if it has a servo or a motor


@dataclass(frozen=True)
class Contents:
    """What is in a simulation, by name; made by `Blueprint.build`."""

    parts: Mapping[str, int]  # by name: the body of MuJoCo's; `WORLD` is body 0
    things: Mapping[str, tuple[int, ...]]  # by name: the bodies of its parts
    joints: Mapping[str, Joint]  # by the name of the part that the joint moves
    free: Mapping[str, tuple[int, int]]  # by name: where position and speed of a free part are
    grips: Mapping[str, int]  # by name: the equality constraint of MuJoCo's
    vehicles: Mapping[str, Vehicle]  # by name
    shapes: HungShapes


class Physics:
    """A simulation. Reading never changes its state, and everything that does is in the state."""

    def __init__(self, model: Any, contents: Contents) -> None:
        mujoco.set_mju_user_warning(_log.debug)  # MuJoCo would write a file into the current folder
        self.model = model
        self.data = mujoco.MjData(model)
        self.contents = contents
        self._size = mujoco.mj_stateSize(model, _EVERYTHING)
        self._length = self._size + model.neq * _GRIP_ROW
        self._names = {body: name for name, body in contents.parts.items()}
        self._posed = self._collided = False

    # --- time and state ------------------------------------------------------------------------------

    @property
    def step(self) -> float:
        """Seconds of the smallest advance."""
        return float(self.model.opt.timestep)

    def advance(self, seconds: float) -> None:
        """Let time pass, a whole number of steps.

        Raises:
            ValueError: it is no whole number of steps.
            UnstableError: the simulation came apart on the way; it is back where it was before.
        """
        steps = round(seconds / self.step)
        if steps < 1 or not math.isclose(steps * self.step, seconds, rel_tol=1e-6):
            raise ValueError(f"advance a whole number of steps of {self.step} s, got {seconds} s")
        before = self.state()
        mujoco.mj_step(self.model, self.data, steps)
        self._posed = self._collided = False
        fault = self._fault()
        if fault:
            when = float(before[0])
            self.load(before)
            raise UnstableError(
                f"The simulation came apart {when:.2f} s after its start because {fault}; its state just "
                f"before is kept, look there for bodies that overlap or are pushed too hard."
            )

    def _fault(self) -> str:
        """What is wrong with the simulation, or ""."""
        counts = self.data.warning.number
        if counts.any():
            for warning, text in _WARNINGS.items():
                if counts[warning]:
                    return text
        fastest = float(np.abs(self.data.qvel).max(initial=0.0))
        return "" if fastest < SPEED_LIMIT else f"something moved at {fastest:.3g} m/s or rad/s"

    def state(self) -> Vector:
        """All that decides how it goes on, as one vector."""
        vector = np.empty(self._length)
        mujoco.mj_getState(self.model, self.data, vector[: self._size], _EVERYTHING)
        grips = self._grips(vector)
        grips[:, 0], grips[:, 1:] = self.model.eq_obj2id, self.model.eq_data
        return vector

    def load(self, state: Vector) -> None:
        """Return to a state of this simulation, or of another one built the same way.

        Raises:
            ValueError: it is a state of another simulation.
        """
        if not self.fits(state):
            raise ValueError("this is the state of another simulation")
        mujoco.mj_setState(self.model, self.data, np.ascontiguousarray(state[: self._size]), _EVERYTHING)
        grips = self._grips(state)
        self.model.eq_obj2id[:], self.model.eq_data[:] = grips[:, 0], grips[:, 1:]
        self.data.warning.number[:] = 0
        self._posed = self._collided = False

    def _grips(self, state: NDArray[Any]) -> NDArray[Any]:
        """The part of a state that MuJoCo's does not hold, [grips, 1 + numbers]: what each holds, and how."""
        return state[self._size :].reshape(-1, _GRIP_ROW)

    def fits(self, state: NDArray[Any]) -> bool:
        """Whether `load` takes it."""
        if state.shape != (self._length,):
            return False
        held = self._grips(state)[:, 0]
        return bool(np.isfinite(state).all() and ((held >= 0) & (held < self.model.nbody)).all())

    def fork(self) -> Physics:
        """A copy that goes its own way from here."""
        forked = Physics(copy(self.model), self.contents)
        forked.load(self.state())
        return forked

    def pose(self) -> None:
        """Bring the poses of all bodies up to date with the state; whoever reads them calls it first."""
        if not self._posed:
            mujoco.mj_kinematics(self.model, self.data)
            self._posed = True

    def collide(self) -> None:
        """Bring contacts up to date with the state; whoever reads them calls it first."""
        self.pose()
        if not self._collided:
            mujoco.mj_comPos(self.model, self.data)
            mujoco.mj_collision(self.model, self.data)
            self._collided = True

    # --- parts ---------------------------------------------------------------------------------------

    def body(self, part: str) -> int:
        """The body of that name.

        Raises:
            WorldError: there is none.
        """
        return int(_known(self.contents.parts, part, "part"))

    def bodies(self, name: str) -> tuple[int, ...]:
        """The bodies of a thing, or the one body of a part with a / in its name.

        Raises:
            WorldError: there is none of that name.
        """
        if "/" in name:
            return (self.body(name),)
        found: tuple[int, ...] = _known(self.contents.things, name, "thing")
        return found

    def name_of(self, body: int) -> str:
        """The name of a body's part."""
        return self._names[body]

    def position(self, part: str) -> Vector:
        """Where a part is, [3] metres."""
        self.pose()
        return np.array(self.data.xpos[self.body(part)])

    def rotation(self, part: str) -> Vector:
        """How a part is turned: the quaternion [4] from its frame to the world's."""
        self.pose()
        return np.array(self.data.xquat[self.body(part)])

    def matrix(self, part: str) -> Vector:
        """How a part is turned: the matrix [3, 3] from its frame to the world's."""
        self.pose()
        return np.array(self.data.xmat[self.body(part)]).reshape(3, 3)

    def heading(self, part: str) -> float:
        """Where the part's own x axis points, seen from above, radians."""
        forward = self.matrix(part)[:, 0]
        return math.atan2(forward[1], forward[0])

    def points(self, part: str, local: ArrayLike) -> Vector:
        """Points of a part's frame, [N, 3], in the world's."""
        return self.position(part) + np.asarray(local, np.float64) @ self.matrix(part).T

    def velocity(self, part: str) -> Vector:
        """How a free part moves: [6] metres a second in the world's frame, radians a second in its own."""
        speed = _known(self.contents.free, part, "free part")[1]
        return np.array(self.data.qvel[speed : speed + 6])

    def place(self, part: str, position: Sequence[float], rotation: Sequence[float]) -> None:
        """Put a free part somewhere, at rest: for layouts and tests, not for the rules of a world."""
        where, speed = _known(self.contents.free, part, "free part")
        self.data.qpos[where : where + 7] = [*position, *rotation]
        self.data.qvel[speed : speed + 6] = 0.0
        self._posed = self._collided = False

    def throw(self, part: str, velocity: ArrayLike, turning: ArrayLike) -> None:
        """Give a free part a velocity, [3] m/s, and a turning, [3] rad/s, both in the world's frame."""
        speed = _known(self.contents.free, part, "free part")[1]
        self.data.qvel[speed : speed + 3] = velocity
        self.data.qvel[speed + 3 : speed + 6] = np.asarray(turning, np.float64) @ self.matrix(part)
        self._posed = False

    # --- joints --------------------------------------------------------------------------------------

    def joint(self, part: str) -> float:
        """How far a part has turned about its hinge (radians) or moved on its slide (metres).

        Of an upright thing: its place in the world or its heading; see `Blueprint.upright`.
        """
        return float(self.data.qpos[_known(self.contents.joints, part, "joint").position])

    def joint_speed(self, part: str) -> float:
        """How fast a part turns about its hinge (rad/s) or moves on its slide (m/s)."""
        return float(self.data.qvel[_known(self.contents.joints, part, "joint").speed])

    def limits(self, part: str) -> tuple[float, float]:
        """The least and greatest value of a part's joint (radians, metres); both 0 where it has no limits."""
        _known(self.contents.joints, part, "joint")
        low, high = self.model.joint(part).range
        return float(low), float(high)

    def turns(self, part: str) -> bool:
        """Whether a part's joint is a hinge, not a slide."""
        _known(self.contents.joints, part, "joint")
        return bool(self.model.joint(part).type[0] == mujoco.mjtJoint.mjJNT_HINGE)

    def place_joint(self, part: str, value: float) -> None:
        """Bring a hinge (radians) or slide (metres) somewhere, at rest: for layouts and tests."""
        joint = _known(self.contents.joints, part, "joint")
        self.data.qpos[joint.position], self.data.qvel[joint.speed] = value, 0.0
        self._posed = self._collided = False

    def aim(self, part: str, target: float) -> None:
        """Give the servo of a part its target (radians, metres), or its motor (the same a second).

        Raises:
            ValueError: the target is not finite.
            WorldError: there is no such part, or nothing drives it.
        """
        if not math.isfinite(target):
            raise ValueError(f"a target is a finite number, got {target}")
        joint = _known(self.contents.joints, part, "joint")
        if joint.motor is None:
            raise WorldError(f"'{part}' moves by itself only; give its joint a servo or a motor.")
        self.data.ctrl[joint.motor] = target

    # --- grips ---------------------------------------------------------------------------------------

    def grab(self, grip: str, part: str, at: Sequence[float] | None = None) -> None:
        """Let a grip hold a part where it is, by the point `at` (world frame; by default its middle).

        Nothing jumps: the constraint holds what is there. A grip that held something lets it go.

        Raises:
            WorldError: there is no such grip or part.
        """
        row, target = int(_known(self.contents.grips, grip, "grip")), self.body(part)
        self.pose()
        holder = int(self.model.eq_obj1id[row])
        point = np.array(self.data.xpos[target] if at is None else at, np.float64)
        here, there = self._local(holder, point), self._local(target, point)
        values = self.model.eq_data[row]
        if self.model.eq_type[row] == mujoco.mjtEq.mjEQ_WELD:
            inverse, relative = np.empty(4), np.empty(4)
            mujoco.mju_negQuat(inverse, self.data.xquat[holder])
            mujoco.mju_mulQuat(relative, inverse, self.data.xquat[target])
            values[0:3], values[3:6], values[6:10] = there, here, relative
        else:
            values[0:3], values[3:6] = here, there
        self.model.eq_obj2id[row] = target
        self.data.eq_active[row] = 1

    def _local(self, body: int, point: Vector) -> Vector:
        """A point of the world's frame in a body's."""
        turn = self.data.xmat[body].reshape(3, 3)
        return np.asarray((point - self.data.xpos[body]) @ turn)

    def let_go(self, grip: str) -> None:
        """Let a grip hold nothing."""
        self.data.eq_active[_known(self.contents.grips, grip, "grip")] = 0

    def held(self, grip: str) -> str:
        """The part a grip holds, or ""."""
        row = _known(self.contents.grips, grip, "grip")
        return self._names[int(self.model.eq_obj2id[row])] if self.data.eq_active[row] else ""

    # --- what can be seen ----------------------------------------------------------------------------

    def scene(self) -> Scene:
        """What can be seen now."""
        self.pose()
        return self.contents.shapes.scene(self.data.xpos, self.data.xquat)


def _known(table: Mapping[str, Any], name: str, what: str) -> Any:
    """The entry of that name, or a `WorldError` that lists the names there are."""
    if name not in table:
        raise WorldError(f"There is no {what} '{name}'; there are {', '.join(table) or 'none'}.")
    return table[name]
