"""Looks: the ways in which a moment of a world becomes a frame."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from garten.errors import RenderError
from garten.records import Frame, Look, Moment
from garten.scene import Camera, Condition
from garten.sight import encodings
from garten.sight.shading import shade

if TYPE_CHECKING:
    from garten.sight.camera import RayCaster

_own = threading.local()


def caster() -> RayCaster:
    """The ray caster of this thread, made at its first use."""
    if not hasattr(_own, "caster"):
        from garten.sight.camera import RayCaster  # loads Warp

        _own.caster = RayCaster()
    made: RayCaster = _own.caster
    return made


def see(moment: Moment, camera: Camera, *, role: str, width: int, height: int) -> Condition:
    """The geometry that `camera` sees: drawn by the world's engine if it can, else by the ray caster.

    Raises:
        RenderError: the engine draws for its roles' own cameras, and `camera` is not that of `role`.
    """
    if moment.drawing is None:
        return caster().condition(moment.scene, camera, width, height)
    if camera != moment.cameras.get(role):
        roles = " or ".join(moment.cameras)
        raise RenderError(f"This world's engine draws only what its roles see; use the camera of {roles}.")
    return moment.drawing(role, width, height)


class Raw:
    """Material colours under a sun with hard shadows; colours by id where the engine draws."""

    name = "raw"

    def frame(self, moment: Moment, camera: Camera, *, role: str, width: int, height: int) -> Frame:
        """The frame that `camera` sees at that moment."""
        if moment.drawing is None:
            return caster().raw(moment.scene, camera, width, height)
        condition = see(moment, camera, role=role, width=width, height=height)
        return shade(condition, camera, moment.scene.light)


class Depth:
    """Metric depth as colour."""

    name = "depth"

    def frame(self, moment: Moment, camera: Camera, *, role: str, width: int, height: int) -> Frame:
        """The frame that `camera` sees at that moment."""
        condition = see(moment, camera, role=role, width=width, height=height)
        return encodings.to_bytes(encodings.depth_to_rgb(condition.depth))


class Normals:
    """Normals in the camera frame as colour."""

    name = "normals"

    def frame(self, moment: Moment, camera: Camera, *, role: str, width: int, height: int) -> Frame:
        """The frame that `camera` sees at that moment."""
        condition = see(moment, camera, role=role, width=width, height=height)
        return encodings.to_bytes(encodings.normals_to_rgb(condition.normals))


LOOKS: dict[str, type[Look]] = {"raw": Raw, "depth": Depth, "normals": Normals}
"""The looks by name."""


def look(name: str) -> Look:
    """The look of that name.

    Raises:
        RenderError: there is none.
    """
    if name not in LOOKS:
        raise RenderError(f"There is no look '{name}'; choose one of {', '.join(LOOKS)}.")
    return LOOKS[name]()
