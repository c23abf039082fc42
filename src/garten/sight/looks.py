"""Looks: the ways in which a moment of a world becomes a frame."""

from __future__ import annotations

import math
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from garten.errors import RenderError
from garten.records import Frame, Look, Moment
from garten.scene import Camera, Condition, Scene
from garten.sight import encodings
from garten.sight.shading import shade
from garten.sight.styles import OWN, lighting, style_named
from garten.sight.surfaces import Coat, drawn_coat, own_coat

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


class Photo:
    """Surfaces with patterns, a sun with soft shadows, a sky and fog: an hour and a weather, and a coat."""

    name = "photo"

    def __init__(self, style: str = OWN, *, palette: int | None = None) -> None:
        """A style by its name; the coat is in the world's own colours, or drawn from the number `palette`.

        A palette also turns the sun.

        Raises:
            RenderError: there is no such style.
        """
        if style != OWN:
            self.name = f"{Photo.name}:{style}"
        self._style = style_named(style)
        self._palette = palette
        self._turn = 0.0 if palette is None else float(np.random.default_rng(palette).uniform(0.0, math.tau))
        self._dressed: tuple[Scene, Coat] | None = None

    def frame(self, moment: Moment, camera: Camera, *, role: str, width: int, height: int) -> Frame:
        """The frame that `camera` sees at that moment."""
        light, air = lighting(moment.scene.light, self._style, turn=self._turn)
        if moment.drawing is not None:
            condition = see(moment, camera, role=role, width=width, height=height)
            return shade(condition, camera, light)
        scene = replace(moment.scene, light=light)
        return caster().photo(scene, camera, width, height, coat=self.coat(moment.scene), air=air)

    def coat(self, scene: Scene) -> Coat:
        """What the scene's materials look like."""
        if self._dressed is None or self._dressed[0].materials is not scene.materials:
            palette = self._palette
            coat = own_coat(scene) if palette is None else drawn_coat(scene, palette)
            self._dressed = scene, coat
        return self._dressed[1]


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


LOOKS: dict[str, type[Look]] = {"raw": Raw, "photo": Photo, "depth": Depth, "normals": Normals}
"""The looks by name."""


def look(name: str) -> Look:
    """The look of that name; ``photo:STYLE`` is `photo` in one of `garten.sight.styles`.

    Raises:
        RenderError: there is none.
    """
    kind, colon, style = name.partition(":")
    if colon and kind == Photo.name:
        return Photo(style)
    if name not in LOOKS:
        raise RenderError(
            f"There is no look '{name}'; choose one of {', '.join(LOOKS)} or photo:STYLE, e.g. photo:dusk."
        )
    return LOOKS[name]()


def prepare(name: str) -> None:
    """Load what the look of that name needs, and compile it where that was not done yet.

    Raises:
        RenderError: there is no such look.
    """
    if isinstance(look(name), Photo):
        caster().load_photo()
    else:
        caster()
