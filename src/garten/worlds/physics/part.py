"""Parts of a blueprint: rigid bodies made of shapes, and the joints between them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from garten.errors import WorldError
from garten.scene import UPRIGHT, Color, Kind, Mesh
from garten.worlds.physics.shapes import Rotation
from garten.worlds.physics.simulation import WORLD

FRICTION = 0.6
"""Coulomb friction of a surface, unless told otherwise; of two that touch, the greater counts."""

UNSEEN = 5
"""MuJoCo's group of shapes that nothing touches and no look meets."""

_GEOMS = {
    Kind.BOX: mujoco.mjtGeom.mjGEOM_BOX,
    Kind.SPHERE: mujoco.mjtGeom.mjGEOM_SPHERE,
    Kind.CAPSULE: mujoco.mjtGeom.mjGEOM_CAPSULE,
    Kind.CYLINDER: mujoco.mjtGeom.mjGEOM_CYLINDER,
    Kind.PLANE: mujoco.mjtGeom.mjGEOM_PLANE,
    Kind.WEDGE: mujoco.mjtGeom.mjGEOM_MESH,
    Kind.CONE: mujoco.mjtGeom.mjGEOM_MESH,
    Kind.MESH: mujoco.mjtGeom.mjGEOM_MESH,
}

_EXTENTS = {
    Kind.BOX: 3,
    Kind.SPHERE: 1,
    Kind.CAPSULE: 2,
    Kind.CYLINDER: 2,
    Kind.PLANE: 2,
    Kind.WEDGE: 3,
    Kind.CONE: 2,
    Kind.MESH: 3,
}
"""How many numbers the size of each kind has."""

_CONE_SIDES = 16


@dataclass(frozen=True)
class Servo:
    """Moves a joint to a target and holds it there, as far as its force goes."""

    stiffness: float  # N/m or N m/rad: force for each unit of distance from the target
    damping: float  # N s/m or N m s/rad: force against each unit of speed
    force: float  # N or N m, the most it pushes either way


@dataclass(frozen=True)
class Motor:
    """Keeps a joint at a target speed, as far as its force goes.

    What it drives should not gain more speed in a step than the force is for, or it swings about its target;
    inertia of the motor's own helps.
    """

    gain: float  # N s/m or N m s/rad: force for each unit of missing speed
    force: float  # N or N m, the most it pushes either way
    inertia: float = 0.0  # kg or kg m2 of the motor itself


@dataclass(frozen=True)
class Hold:
    """What moves an upright thing or keeps it where it is: motors, or friction with the ground."""

    slide: Motor | float  # along x and along y; as a number the friction to be overcome, N
    turn: Motor | float  # about the vertical; as a number the friction to be overcome, N m


class Part:
    """One rigid body of a blueprint: shapes, and further parts jointed to it."""

    def __init__(self, assembly: Assembly, name: str, body: Any, *, moves: bool) -> None:
        self.name = name
        self.body = body
        self.moves = moves
        self._assembly = assembly

    @property
    def thing(self) -> str:
        """Name of the thing it is part of."""
        return self.name.split("/")[0]

    def add(
        self,
        kind: Kind,
        size: Sequence[float],
        *,
        color: Color | None,
        at: Sequence[float] = (0.0, 0.0, 0.0),
        rotation: Rotation = UPRIGHT,
        mass: float = 0.0,
        friction: float = FRICTION,
        rolling: float = 0.0,
        overrules: bool = False,
        mesh: Mesh | None = None,
    ) -> None:
        """Add a solid shape.

        Args:
            kind: Its kind; height fields are for the eye only.
            size: Its extents, as `Kind` says.
            color: What it is seen in; None: it isn't seen.
            at: Its middle in the part's frame, metres.
            rotation: Its quaternion in the part's frame.
            mass: Its mass, kg; a moving part needs some shape that has one.
            friction: Its Coulomb friction.
            rolling: Its friction against rolling, metres; for balls that come to rest.
            overrules: Its friction counts, not the greater of the two that touch.
            mesh: The mesh of kind MESH; its convex hull is what collides.

        Raises:
            WorldError: a number makes no sense.
        """
        where = f"a {kind.name.lower()} of '{self.name}'"
        self._check(where, kind, size, at, rotation)
        require(mass >= 0.0 and math.isfinite(mass), f"{where} weighs {mass} kg; give it a mass of 0 or more")
        require(friction >= 0.0, f"{where} has a friction of {friction}; give it 0 or more")
        require(
            kind != Kind.PLANE or not self.moves, f"{where} is endless and cannot move; use a box instead"
        )
        geom: dict[str, Any] = {
            "type": _GEOMS[kind],
            "pos": list(map(float, at)),
            "quat": list(map(float, rotation)),
            "mass": mass,
            "condim": 6 if rolling else 3,
            "friction": [friction, 0.005, rolling],
            "priority": int(overrules),
        }
        if _GEOMS[kind] == mujoco.mjtGeom.mjGEOM_MESH:
            geom["meshname"] = self._assembly.hull(_mesh_of(kind, size, mesh), where)
        else:
            geom["size"] = [*map(float, size), 0.0, 0.0, 0.0][:3]
            if kind == Kind.PLANE:
                geom["size"][2] = 1.0  # spacing of MuJoCo's grid lines; no extent
        self.body.add_geom(**geom)
        if color is not None:
            self._show(kind, size, color, at, rotation, mesh)

    def add_wheel(self, radius: float, half_width: float, *, mass: float, friction: float = 1.0) -> None:
        """Add what a wheel rolls on, about the part's y axis; it is not seen.

        It is an ellipsoid, which touches the ground in one point: enough, and cheaper than a cylinder.

        Raises:
            WorldError: a number makes no sense.
        """
        least = min(radius, half_width, mass)
        require(least > 0.0, f"the wheel '{self.name}' has an extent or mass of {least}; make it more than 0")
        self.body.add_geom(
            type=mujoco.mjtGeom.mjGEOM_ELLIPSOID,
            size=[radius, half_width, radius],
            mass=mass,
            friction=[friction, 0.005, 0.0],
        )

    def weigh(self, mass: float, *, at: Sequence[float] = (0.0, 0.0, 0.0), radius: float = 0.03) -> None:
        """Give it the mass of a ball (kg, metres) that is not seen and touches nothing.

        For parts that are there to be moved by joints, such as those between a shoulder and a hand.

        Raises:
            WorldError: a number makes no sense.
        """
        require_finite(f"the weight of '{self.name}'", at)
        require(
            min(mass, radius) > 0.0,
            f"the weight of '{self.name}' has a mass or radius of {min(mass, radius)}; make it more than 0",
        )
        self.body.add_geom(
            type=mujoco.mjtGeom.mjGEOM_SPHERE,
            size=[radius, 0.0, 0.0],
            pos=list(map(float, at)),
            mass=mass,
            contype=0,
            conaffinity=0,
            group=UNSEEN,
        )

    def paint(
        self,
        kind: Kind,
        size: Sequence[float],
        *,
        color: Color,
        at: Sequence[float] = (0.0, 0.0, 0.0),
        rotation: Rotation = UPRIGHT,
        mesh: Mesh | None = None,
    ) -> None:
        """Add a shape for the eye only: it has no mass and collides with nothing.

        Raises:
            WorldError: a number makes no sense.
        """
        self._check(f"a painted {kind.name.lower()} of '{self.name}'", kind, size, at, rotation)
        self._show(kind, size, color, at, rotation, mesh)

    def hinge(
        self,
        name: str,
        *,
        at: Sequence[float],
        axis: Sequence[float],
        limits: tuple[float, float] | None = None,
        damping: float = 0.0,
        friction: float = 0.0,
        drive: Servo | Motor | None = None,
    ) -> Part:
        """A new part that turns about a line through `at` along `axis`, both in this part's frame.

        Args:
            name: Its own name; the whole name begins with that of the thing.
            at: Where its frame is, metres.
            axis: The line; its length does not matter.
            limits: Least and greatest angle, radians; None: it turns for ever.
            damping: Torque against turning, N m s/rad.
            friction: Torque to be overcome before it turns, N m.
            drive: What turns it; None: only what touches it.

        Raises:
            WorldError: a number makes no sense, or the name is taken.
        """
        kind = mujoco.mjtJoint.mjJNT_HINGE
        return self._jointed(name, kind, at, axis, limits, damping, friction, drive)

    def slide(
        self,
        name: str,
        *,
        at: Sequence[float],
        axis: Sequence[float],
        limits: tuple[float, float] | None = None,
        damping: float = 0.0,
        friction: float = 0.0,
        drive: Servo | Motor | None = None,
    ) -> Part:
        """A new part that moves along `axis`; arguments as for `hinge`, in metres and newtons."""
        kind = mujoco.mjtJoint.mjJNT_SLIDE
        return self._jointed(name, kind, at, axis, limits, damping, friction, drive)

    def _jointed(
        self,
        name: str,
        kind: Any,
        at: Sequence[float],
        axis: Sequence[float],
        limits: tuple[float, float] | None,
        damping: float,
        friction: float,
        drive: Servo | Motor | None,
    ) -> Part:
        whole = f"{self.thing}/{name}"
        where = f"the joint of '{whole}'"
        require_finite(where, at, axis)
        require(any(axis), f"{where} has an axis without direction; give it one such as (0, 0, 1)")
        require(min(damping, friction) >= 0.0, f"{where} has negative damping or friction; give 0 or more")
        if limits is not None:
            require(limits[0] < limits[1], f"{where} has limits {limits}; give the least first")
        part = self._assembly.part(whole, self.body, at, UPRIGHT, moves=True)
        part.body.add_joint(
            name=whole,
            type=kind,
            axis=list(map(float, axis)),
            damping=damping,
            frictionloss=friction,
            armature=drive.inertia if isinstance(drive, Motor) else 0.0,
            **({} if limits is None else {"range": list(limits)}),
        )
        if drive is not None:
            self._assembly.drive(whole, drive, limits)
        return part

    def _check(
        self, where: str, kind: Kind, size: Sequence[float], at: Sequence[float], rotation: Rotation
    ) -> None:
        require(kind in _EXTENTS, f"{where} cannot be part of a body; use another kind")
        require_finite(where, size, at, rotation)
        count = _EXTENTS[kind]
        require(len(size) >= count, f"{where} has {len(size)} extents; give {count} of them")
        least = min(size[:count])
        require(least > 0.0 or kind == Kind.PLANE, f"{where} has an extent of {least} m; make it more than 0")
        require(
            abs(math.hypot(*rotation) - 1.0) < 1e-6, f"{where} is turned by no unit quaternion; use turn_z"
        )

    def _show(
        self,
        kind: Kind,
        size: Sequence[float],
        color: Color,
        at: Sequence[float],
        rotation: Rotation,
        mesh: Mesh | None,
    ) -> None:
        require(
            len(color) == 3 and all(0.0 <= channel <= 1.0 for channel in color),
            f"the colour {color} of '{self.name}' is none; give red, green and blue from 0 to 1",
        )
        self._assembly.seen.append(Seen(self, kind, size, at, rotation, color, mesh))


@dataclass(frozen=True)
class Seen:
    """One shape to be seen, in the frame of its part."""

    part: Part
    kind: Kind
    size: Sequence[float]
    at: Sequence[float]
    rotation: Rotation
    color: Color
    mesh: Mesh | None


class Assembly:
    """What parts are put together in: MuJoCo's description, the names taken, and what is to be seen."""

    def __init__(self) -> None:
        self.spec = mujoco.MjSpec()
        self.parts: dict[str, Part] = {}
        self.seen: list[Seen] = []
        self._hulls = 0

    def part(self, name: str, parent: Any, at: Sequence[float], rotation: Rotation, *, moves: bool) -> Part:
        """Add a part below `parent`."""
        require(
            re.fullmatch(r"[a-z0-9-]+(/[a-z0-9-]+)?", name) is not None,
            f"the name '{name}' is not of small letters, digits and dashes; write it so",
        )
        require(name not in self.parts and name != WORLD, f"there are two parts '{name}'; rename one")
        body = parent.add_body(name=name, pos=list(map(float, at)), quat=list(rotation))
        self.parts[name] = Part(self, name, body, moves=moves)
        return self.parts[name]

    def drive(self, joint: str, drive: Servo | Motor, limits: tuple[float, float] | None) -> None:
        """Add what drives a joint."""
        require(
            drive.force > 0.0, f"the drive of '{joint}' has a force of {drive.force}; make it more than 0"
        )
        actuator = self.spec.add_actuator(
            name=joint,
            target=joint,
            trntype=mujoco.mjtTrn.mjTRN_JOINT,
            forcelimited=True,
            forcerange=[-drive.force, drive.force],
        )
        if isinstance(drive, Motor):
            actuator.set_to_velocity(kv=drive.gain)
            return
        actuator.set_to_position(kp=drive.stiffness, kv=drive.damping)
        if limits is not None:
            actuator.ctrllimited, actuator.ctrlrange = True, list(limits)

    def hull(self, mesh: Mesh, where: str) -> str:
        """Add a mesh to collide with, of which MuJoCo takes the convex hull; returns its name."""
        require(len(mesh.vertices) >= 4, f"{where} has {len(mesh.vertices)} corners; give at least 4")
        name = f"hull-{self._hulls}"
        self._hulls += 1
        self.spec.add_mesh(
            name=name,
            uservert=np.asarray(mesh.vertices, np.float64).ravel().tolist(),
            userface=np.asarray(mesh.triangles).ravel().tolist(),
        )
        return name


def wedge_mesh(size: Sequence[float]) -> Mesh:
    """The prism of kind WEDGE with these half extents: its top rises from -z at -x to +z at +x."""
    x, y, z = map(float, size)
    corners = [(-x, -y, -z), (-x, y, -z), (x, -y, -z), (x, y, -z), (x, -y, z), (x, y, z)]
    faces = [(0, 1, 3), (0, 3, 2), (0, 4, 5), (0, 5, 1), (2, 3, 5), (2, 5, 4), (0, 2, 4), (1, 5, 3)]
    return Mesh(np.array(corners, np.float32), np.array(faces, np.int32))


def _cone_mesh(size: Sequence[float]) -> Mesh:
    radius, half = map(float, size[:2])
    around = np.linspace(0.0, math.tau, _CONE_SIDES, endpoint=False)
    rim = np.stack([radius * np.cos(around), radius * np.sin(around), np.full_like(around, -half)], axis=1)
    tip = _CONE_SIDES
    sides = [(i, (i + 1) % tip, tip) for i in range(tip)]
    base = [(0, i + 1, i) for i in range(1, tip - 1)]
    return Mesh(np.vstack([rim, [0.0, 0.0, half]]).astype(np.float32), np.array(sides + base, np.int32))


def _mesh_of(kind: Kind, size: Sequence[float], mesh: Mesh | None) -> Mesh:
    if kind == Kind.WEDGE:
        return wedge_mesh(size)
    if kind == Kind.CONE:
        return _cone_mesh(size)
    if mesh is None:
        raise WorldError("A shape of kind MESH has no mesh; give it one.")
    return Mesh(mesh.vertices * np.array(size[:3], np.float32), mesh.triangles)


def require_finite(where: str, *groups: Sequence[float]) -> None:
    """Raise `WorldError` unless all numbers are finite."""
    for group in groups:
        require(all(map(math.isfinite, group)), f"{where} has the numbers {tuple(group)}; use finite ones")


def require(kept: bool, fault: str) -> None:
    """Raise `WorldError` with that sentence unless the rule was kept."""
    if not kept:
        raise WorldError(f"{fault[0].upper()}{fault[1:]}.")
