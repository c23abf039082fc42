"""How frames of any size lie in those of a renderer, which makes one size only.

The view asked for is cut out of the renderer's, which covers it: the same camera, wider to the sides or to
top and bottom. So what is seen, and where, is the same as in any other look of that size.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from garten.records import Frame, Moment, Shot
from garten.scene import NO_ID, Camera, Condition
from garten.sight.carry import Tracked, tracked
from garten.sight.looks import Photo, see


@dataclass(frozen=True)
class Framing:
    """A view of a size asked for inside a renderer's frame; sizes are width x height."""

    asked: tuple[int, int]
    own: tuple[int, int]

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the view asked for, in pixels of the renderer's frame."""
        (wide, high), (width, height) = self.asked, self.own
        across, down = min(width, height * wide / high), min(height, width * high / wide)
        left, top = 0.5 * (width - across), 0.5 * (height - down)
        return left, top, left + across, top + down

    def cut(self, frame: Frame) -> Frame:
        """The view asked for, of its size, out of a frame of the renderer's."""
        from PIL import Image

        cut = Image.fromarray(frame).resize(self.asked, Image.Resampling.BICUBIC, box=self.box)
        return np.asarray(cut)

    def condition(self, moment: Moment, camera: Camera, role: str) -> Condition:
        """The geometry of the renderer's frame, for the camera of the view asked for."""
        width, height = self.own
        if moment.drawing is None:
            return see(moment, self.widened(camera), role=role, width=width, height=height)
        seen = see(moment, camera, role=role, width=self._drawn[0], height=self._drawn[1])
        return Condition(
            self._padded(seen.depth, mode="constant", constant_values=np.inf),
            self._padded(seen.normals, mode="constant"),
            self._padded(seen.ids, mode="constant", constant_values=NO_ID),
            self.widened(camera).intrinsics(width, height),
        )

    def tracked(self, before: Moment, now: Moment, shot: Shot, role: str) -> Tracked:
        """The geometry of the renderer's frame now, told how it follows from that of an earlier moment."""
        cameras = [shot(moment) for moment in (before, now)]
        seen, here = (
            self.condition(moment, camera, role)
            for moment, camera in zip((before, now), cameras, strict=True)
        )
        then, there = (self.widened(camera) for camera in cameras)
        return tracked(before, then, now, there, seen=seen, here=here)

    def photo(self, look: Photo, moment: Moment, camera: Camera, role: str) -> Frame:
        """The renderer's frame in the `photo` look, for the camera of the view asked for."""
        width, height = self.own if moment.drawing is None else self._drawn
        wider = self.widened(camera) if moment.drawing is None else camera
        frame = look.frame(moment, wider, role=role, width=width, height=height)
        return self._padded(frame, mode="edge")

    def widened(self, camera: Camera) -> Camera:
        """The camera of the renderer's frame."""
        _, top, _, bottom = self.box
        slope = math.tan(0.5 * camera.fov_y) * self.own[1] / (bottom - top)
        return replace(camera, fov_y=2.0 * math.atan(slope))

    @property
    def _drawn(self) -> tuple[int, int]:
        """Width x height of the view asked for inside the renderer's frame: all that an engine can draw."""
        left, top, right, bottom = self.box
        return max(1, round(right - left)), max(1, round(bottom - top))

    def _padded(self, image: NDArray[Any], **how: Any) -> NDArray[Any]:
        """An image [h, w, ...] in the middle of one of the renderer's size."""
        sides = []
        for whole, part in zip((self.own[1], self.own[0]), image.shape[:2], strict=True):
            sides.append(((whole - part) // 2, whole - part - (whole - part) // 2))
        rest = [(0, 0)] * (image.ndim - 2)
        return np.pad(image, [*sides, *rest], **how)
