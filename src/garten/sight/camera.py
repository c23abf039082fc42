"""The ray caster: what a camera sees of a scene, as geometry, as a picture, or as motion on the image.

Surfaces are seen from both sides. A camera inside a shape sees that shape's inner surface, and normals
always face the camera; what is nearer than a tenth of a millimetre is not seen. Nothing needs a display, GL
or a GPU. Importing this module loads Warp.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import numpy as np

from garten import devices
from garten.errors import RenderError
from garten.records import Frame
from garten.scene import Camera, Condition, Floats, Mesh, Scene
from garten.sight import kernels
from garten.sight.geometry import check_drawable
from garten.sight.stage import Eye, Stage, search_tree
from garten.sight.styles import Air
from garten.sight.surfaces import Coat

COMPILE_SECONDS = 10
"""About how long the kernels take to compile the first time, for the announcement."""

PHOTO_SECONDS = 12
"""The same for the kernel of the `photo` look."""

STAGES_KEPT = 8
"""Device copies of scenes kept at a time; the one not used for longest goes first."""

MESHES_KEPT = 256
"""Meshes whose search trees are kept at a time; the one not used for longest goes first."""


class RayCaster:
    """Draws scenes on one device.

    Equal scenes and cameras give equal bits, in this process and in any other. An instance reuses its
    buffers, so it serves one thread at a time; make one for each thread.
    """

    def __init__(self, device: str = "cpu") -> None:
        """`device` is a Warp device name, e.g. ``"cpu"`` or ``"cuda:0"``."""
        devices.load_kernels(kernels.__name__, device=device, seconds=COMPILE_SECONDS)
        self._device = device
        self._has_photo = False
        self._stages: list[Stage] = []  # most recently used first
        self._meshes: OrderedDict[int, tuple[Mesh, Any]] = OrderedDict()  # by identity

    def condition(self, scene: Scene, camera: Camera, width: int, height: int) -> Condition:
        """Metric depth, normals and ids of what `camera` sees, at `width` x `height` pixels."""
        stage, eye = self._look(scene, camera, width, height)
        depth, normals, ids = eye.draw(kernels.draw_condition, _seen(stage, eye), kernels.CONDITION)
        return Condition(depth, normals, ids, camera.intrinsics(width, height))

    def raw(self, scene: Scene, camera: Camera, width: int, height: int) -> Frame:
        """The picture in material colours under the scene's sun, with hard shadows and a sky."""
        stage, eye = self._look(scene, camera, width, height)
        stage.light()
        inputs = [*_seen(stage, eye), stage.lamp, stage.shade]
        (frame,) = eye.draw(kernels.draw_raw, inputs, kernels.RAW)
        return frame

    def photo(self, scene: Scene, camera: Camera, width: int, height: int, *, coat: Coat, air: Air) -> Frame:
        """The picture in a coat, under the scene's sun and in that air; see `garten.sight.photo`.

        `coat` and `air` are those of the scene's materials and of its light.
        """
        self.load_photo()
        from garten.sight import photo

        stage, eye = self._look(scene, camera, width, height)
        stage.soften(air.softness)
        stage.light()
        stage.wardrobe.wear(coat, air)
        worn = [stage.wardrobe.coat, stage.wardrobe.air]
        inputs = [*_seen(stage, eye), stage.lamp, stage.shade, *worn]
        (frame,) = eye.draw(photo.draw_photo, inputs, photo.PHOTO)
        return frame

    def load_photo(self) -> None:
        """Load the kernels of the `photo` look, which are compiled where they are first wanted."""
        if not self._has_photo:
            from garten.sight import photo

            devices.load_kernels(photo.__name__, device=self._device, seconds=PHOTO_SECONDS)
            self._has_photo = True

    def motion(
        self,
        before_scene: Scene,
        before_camera: Camera,
        after_scene: Scene,
        after_camera: Camera,
        width: int,
        height: int,
    ) -> Floats:
        """How far what each pixel of the `before` view sees moves on the image, [H, W, 2], pixels.

        The first number is to the right, the second downwards. The two scenes hold the same shapes in the
        same order. Sky is taken as endlessly far away, so that it moves with the turn of the camera alone.
        What is behind the eye afterwards has no place on the image: NaN. What is then merely hidden, or
        beside the image, has its true motion.

        Raises:
            RenderError: the scenes do not hold the same shapes.
        """
        return self.track(before_scene, before_camera, after_scene, after_camera, width, height)[0]

    def track(
        self,
        before_scene: Scene,
        before_camera: Camera,
        after_scene: Scene,
        after_camera: Camera,
        width: int,
        height: int,
    ) -> tuple[Floats, Floats]:
        """`motion`, and the depth at which the `after` view has what each pixel sees, [H, W], metres.

        That depth is infinite for the sky, and not positive where the motion is NaN.

        Raises:
            RenderError: the scenes do not hold the same shapes.
        """
        if not np.array_equal(before_scene.kinds, after_scene.kinds):
            raise RenderError("Motion needs the same shapes in both scenes; pass two scenes of one episode.")
        moved = before_scene.moved(after_scene.positions, after_scene.rotations)
        _, later = self._place(moved, after_camera, width, height, slot=1)
        stage, eye = self._look(before_scene, before_camera, width, height)
        inputs = [*_seen(stage, eye), later.lens, later.view]
        motion, depth = eye.draw(kernels.draw_motion, inputs, kernels.MOTION)
        return motion, depth

    def _look(self, scene: Scene, camera: Camera, width: int, height: int) -> tuple[Stage, Eye]:
        """Place the scene's shapes before the camera and list them by tile."""
        stage, eye = self._place(scene, camera, width, height)
        eye.sort()
        return stage, eye

    def _place(
        self, scene: Scene, camera: Camera, width: int, height: int, *, slot: int = 0
    ) -> tuple[Stage, Eye]:
        if width < 1 or height < 1:
            raise RenderError(
                f"An image of {width} x {height} pixels cannot be drawn; ask for at least 1 x 1."
            )
        stage = self._stage(scene)
        eye = stage.eye(width, height, slot)
        eye.place(camera)
        return stage, eye

    def _stage(self, scene: Scene) -> Stage:
        """The device copy of the scene, up to date."""
        stage = next((kept for kept in self._stages if kept.fits(scene)), None)
        if stage is None:
            check_drawable(scene)
            stage = Stage(scene, [self._search_tree(mesh) for mesh in scene.meshes], self._device)
        if not self._stages or stage is not self._stages[0]:
            self._stages = [stage, *(kept for kept in self._stages if kept is not stage)][:STAGES_KEPT]
        stage.hold(scene)
        return stage

    def _search_tree(self, mesh: Mesh) -> Any:
        if id(mesh) not in self._meshes:
            self._meshes[id(mesh)] = (mesh, search_tree(mesh, self._device))
        self._meshes.move_to_end(id(mesh))
        if len(self._meshes) > MESHES_KEPT:
            self._meshes.popitem(last=False)
        return self._meshes[id(mesh)][1]


def _seen(stage: Stage, eye: Eye) -> list[Any]:
    """The inputs that every drawing kernel begins with."""
    return [stage.shapes, stage.assets, eye.lens, eye.view, eye.tiles, eye.columns]
