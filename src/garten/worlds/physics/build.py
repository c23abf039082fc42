"""Describes bodies and builds a `Physics` from them; what is wrong with a description is said in a sentence.

>>> from garten.scene import Kind
>>> blueprint = Blueprint()
>>> ground = blueprint.fixed("ground")
>>> ground.add(Kind.PLANE, (0.0, 0.0), color=(0.5, 0.5, 0.5))
>>> crate = blueprint.free("crate", (0.0, 0.0, 0.5))
>>> crate.add(Kind.BOX, (0.5, 0.5, 0.5), color=(0.6, 0.4, 0.2), mass=20.0)
>>> physics = blueprint.build()
>>> physics.advance(0.1)

`physics.kit` has ready-made walls, boxes, ramps, doors and drawers, `physics.vehicle` vehicles. Parts of one
thing never collide with each other; a joint's limits keep them apart.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

import mujoco
import numpy as np

from garten.errors import WorldError
from garten.scene import Color, Light, turn_z
from garten.worlds.physics.part import Assembly, Hold, Motor, Part, require, require_finite
from garten.worlds.physics.shapes import HungShapes, Shape
from garten.worlds.physics.simulation import WORLD, Contents, Joint, Physics

if TYPE_CHECKING:
    from garten.worlds.physics.vehicle import Vehicle

OVERLAP = 0.01
"""Metres by which two things may reach into each other at the start."""


class Blueprint(Assembly):
    """Collects things, checks them, and builds the simulation."""

    def __init__(
        self,
        *,
        step: float = 0.005,
        light: Light | None = None,
        surfaces: Mapping[Color, str] | None = None,
    ) -> None:
        """Begin with nothing.

        Args:
            step: The smallest advance of the simulation, seconds.
            light: What falls on its scene.
            surfaces: By colour: one word for what everything of that colour is made of, as for
                `SceneBuilder.material`; other colours are paint. None: nobody says.

        Raises:
            WorldError: the step is not sound.
        """
        require(0.0005 <= step <= 0.02, f"a step of {step} s is not sound; use 0.002 to 0.01")
        super().__init__()
        self.spec.compiler.degree = False
        option = self.spec.option
        option.timestep = step
        option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
        option.impratio = 5.0  # stiffer friction, so that what stands on a slope does not creep
        option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)  # `Physics` wants to see faults
        self._light, self._surfaces = light, surfaces
        self._free: list[str] = []
        self._grips: list[str] = []
        self.vehicles: dict[str, Vehicle] = {}

    # --- things --------------------------------------------------------------------------------------

    def fixed(self, name: str, at: Sequence[float] = (0.0, 0.0, 0.0), heading: float = 0.0) -> Part:
        """A thing that never moves; its jointed parts may.

        Raises:
            WorldError: the name is taken or malformed.
        """
        return self._thing(name, at, heading, moves=False)

    def free(self, name: str, at: Sequence[float], heading: float = 0.0) -> Part:
        """A thing that can be pushed, lifted and turned over.

        Raises:
            WorldError: the name is taken or malformed.
        """
        part = self._thing(name, at, heading, moves=True)
        part.body.add_freejoint()
        self._free.append(name)
        return part

    def upright(
        self, name: str, at: Sequence[float], heading: float = 0.0, *, rises: bool = False, hold: Hold
    ) -> Part:
        """A thing that slides over level ground and turns on it, but never tips over.

        Its joints are ``NAME/x``, ``NAME/y``, ``NAME/turn`` and, if it `rises` and falls, ``NAME/z``; their
        values are its place in the world (metres) and its heading (radians). What does not rise keeps its
        height, so let its shapes begin a little above the ground, which it never touches.

        Args:
            name: Its name.
            at: Where its frame starts, metres.
            heading: Where it faces at first, radians.
            rises: Whether gravity, ramps and steps move it up and down.
            hold: What holds or drives it.

        Raises:
            WorldError: the name is taken or malformed, or a number makes no sense.
        """
        part = self._thing(name, at, heading, moves=True)
        east, north = (
            (math.cos(heading), -math.sin(heading), 0.0),
            (math.sin(heading), math.cos(heading), 0.0),
        )
        slides = [
            ("x", east, at[0]),
            ("y", north, at[1]),
            *([("z", (0.0, 0.0, 1.0), at[2])] if rises else []),
        ]
        for axis, way, start in slides:
            held = hold.slide if axis != "z" else 0.0
            self._upright_joint(name, axis, mujoco.mjtJoint.mjJNT_SLIDE, way, start, held)
        self._upright_joint(name, "turn", mujoco.mjtJoint.mjJNT_HINGE, (0.0, 0.0, 1.0), heading, hold.turn)
        return part

    def _upright_joint(
        self, name: str, joint: str, kind: Any, axis: Sequence[float], start: float, hold: Motor | float
    ) -> None:
        whole = f"{name}/{joint}"
        inertia, friction = (hold.inertia, 0.0) if isinstance(hold, Motor) else (0.0, hold)
        require(friction >= 0.0, f"'{name}' is held with {friction}; give 0 or more, or a motor")
        self.parts[name].body.add_joint(
            name=whole, type=kind, axis=list(axis), ref=float(start), frictionloss=friction, armature=inertia
        )
        if isinstance(hold, Motor):
            self.drive(whole, hold, None)

    def grip(self, name: str, holder: str = WORLD, *, kind: Literal["weld", "pin"] = "weld") -> None:
        """A grip by which the part `holder` can later hold any other part (`Physics.grab`).

        A weld keeps what it holds at its place and angle; a pin only its point, so that it trails behind.
        The world as holder locks things in place.

        Raises:
            WorldError: the name is taken, there is no such holder, or nothing that could be held.
        """
        require(name not in self._grips, f"there are two grips '{name}'; rename one")
        require(
            holder == WORLD or holder in self.parts,
            f"the grip '{name}' is of '{holder}', which is not there; add that part first",
        )
        others = [part for part in self.parts if part != holder]
        require(bool(others), f"the grip '{name}' has nothing to hold; add things first")
        equality = mujoco.mjtEq.mjEQ_WELD if kind == "weld" else mujoco.mjtEq.mjEQ_CONNECT
        made = self.spec.add_equality(
            name=name,
            type=equality,
            objtype=mujoco.mjtObj.mjOBJ_BODY,
            name1=holder,
            name2=others[0],
            active=False,
        )
        data = np.zeros(mujoco.mjNEQDATA)
        data[6], data[10] = 1.0, 1.0  # a weld's quaternion, and torque in the same measure as force
        made.data = data
        self._grips.append(name)

    def build(self, *, check: bool = True) -> Physics:
        """The simulation, at its start.

        Raises:
            WorldError: a moving part has no mass, or with `check`, things overlap at the start.
        """
        for part in self.parts.values():
            weight = sum(geom.mass for geom in part.body.geoms)
            require(weight > 0.0 or not part.moves, f"'{part.name}' has no mass; give one of its shapes one")
        for one, other in combinations(self.parts.values(), 2):
            if one.thing == other.thing:
                self.spec.add_exclude(bodyname1=one.name, bodyname2=other.name)
        try:
            model = self.spec.compile()
        except ValueError as error:
            reason = " ".join(str(error).split())
            raise WorldError(f"MuJoCo refuses the bodies ({reason}); mend their description.") from error
        physics = Physics(model, self._contents(model))
        if check:
            _check_apart(physics)
        return physics

    # --- inside --------------------------------------------------------------------------------------

    def _thing(self, name: str, at: Sequence[float], heading: float, *, moves: bool) -> Part:
        require("/" not in name, f"the name '{name}' of a thing has a slash; parts get theirs from joints")
        require_finite(f"the place of '{name}'", at, (heading,))
        return self.part(name, self.spec.worldbody, at, turn_z(heading).tolist(), moves=moves)

    def _contents(self, model: Any) -> Contents:
        """Where everything is in the compiled model."""
        parts = {WORLD: 0} | {name: model.body(name).id for name in self.parts}
        things: dict[str, tuple[int, ...]] = {}
        for part in self.parts.values():
            things[part.thing] = (*things.get(part.thing, ()), parts[part.name])
        joints = {}
        for index in range(model.njnt):
            joint = model.joint(index)
            if joint.name:  # free joints have none
                motor = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_ACTUATOR, joint.name)
                place = int(joint.qposadr[0]), int(joint.dofadr[0])
                joints[joint.name] = Joint(*place, motor if motor >= 0 else None)
        free = {}
        for name in self._free:
            first = model.body(name).jntadr[0]
            free[name] = int(model.jnt_qposadr[first]), int(model.jnt_dofadr[first])
        ids = {thing: number for number, thing in enumerate(things)}
        shapes = [
            Shape(
                body=parts[item.part.name],
                thing=ids[item.part.thing],
                moves=item.part.moves,
                kind=item.kind,
                size=item.size,
                position=item.at,
                rotation=item.rotation,
                color=item.color,
                mesh=item.mesh,
            )
            for item in self.seen
        ]
        grips = {name: model.equality(name).id for name in self._grips}
        hung = HungShapes(shapes, self._light, self._surfaces)
        return Contents(parts, things, joints, free, grips, dict(self.vehicles), hung)


def _check_apart(physics: Physics) -> None:
    """Refuse things that reach into each other."""
    physics.collide()
    for contact in physics.data.contact[: physics.data.ncon]:
        if contact.dist < -OVERLAP:
            one, other = (physics.name_of(int(physics.model.geom_bodyid[geom])) for geom in contact.geom)
            raise WorldError(
                f"'{one}' and '{other}' reach {-contact.dist:.2f} m into each other at the start; "
                f"move one of them."
            )
