# mypy: ignore-errors
"""Day and night, the same in both games."""

from __future__ import annotations

import warp as wp

from garten import devices

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_PI = wp.constant(3.1415927)


@wp.func
def daylight(timestep: int, day_length: int) -> float:
    """Light at a time: days start and end in the dark."""
    days = float(timestep) * (1.0 / float(day_length))
    dark = wp.abs(wp.cos(_PI * (days - wp.floor(days) + 0.3)))
    return 1.0 - dark * dark * dark
