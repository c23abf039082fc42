"""The device copy of a coat and of the air, for the shapes of one stage."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from garten import devices
from garten.scene import Ints
from garten.sight import photo
from garten.sight.buffer import Buffer
from garten.sight.styles import Air
from garten.sight.surfaces import Coat

wp = devices.init_warp()


class Wardrobe:
    """What the `photo` kernel reads beside a stage's shapes and light."""

    def __init__(self, materials: Ints, device: str) -> None:
        """`materials` is `Scene.materials`, [S]."""
        count = len(materials)
        self._materials = materials
        self._worn: Coat | None = None
        self._patterns = Buffer(count, int, device)
        self._sizes = Buffer(count, float, device)
        self._bright = Buffer(count, wp.vec3, device)
        self._dark = Buffer(count, wp.vec3, device)
        self.coat = photo.Coat()
        self.coat.patterns = self._patterns.array
        self.coat.sizes = self._sizes.array
        self.coat.bright = self._bright.array
        self.coat.dark = self._dark.array

        self._colors = {name: Buffer(1, wp.vec3, device) for name in ("sun", "zenith", "sky", "horizon")}
        self._haze = Buffer(1, wp.vec3, device)
        self.air = photo.Air()
        for name, buffer in self._colors.items():
            setattr(self.air, name, buffer.array)
        self.air.haze = self._haze.array
        self.air.disc = wp.array(_disc(photo.SUN_RAYS * photo.SAMPLES), dtype=wp.vec2, device=device)

    def wear(self, coat: Coat, air: Air) -> None:
        """Bring the device up to date."""
        if coat is not self._worn:
            self._patterns.write(coat.patterns[self._materials])
            self._sizes.write(coat.sizes[self._materials])
            self._bright.write(coat.bright[self._materials])
            self._dark.write(coat.dark[self._materials])
            self._worn = coat
        for name, buffer in self._colors.items():
            buffer.write(getattr(air, name))
        self._haze.write((air.fog, air.clouds, air.softness))


def _disc(count: int) -> NDArray[np.float32]:
    """Places spread evenly over the unit disc, any few in a row of them too, [count, 2]."""
    radius = np.sqrt((np.arange(count) + 0.5) / count)
    around = np.arange(count) * math.pi * (3.0 - math.sqrt(5.0))
    return np.stack([radius * np.cos(around), radius * np.sin(around)], axis=1).astype(np.float32)
