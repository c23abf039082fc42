# mypy: ignore-errors
# ruff: noqa: RUF046, UP018 - Warp takes int(0), not 0, for a variable that a branch changes
"""Saplings are sown, grow, ripen and are eaten."""

from __future__ import annotations

from typing import Any

import warp as wp

from garten import devices

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)


@wp.func
def _free_slot(s: Any, lane: int) -> int:
    """The first slot in which no plant grows, or -1."""
    for slot in range(s.plant_alive.shape[1]):
        if not s.plant_alive[lane, slot]:
            return slot
    return -1


@wp.func
def may_sow(s: Any, r: Any, lane: int, table: int) -> bool:
    """Whether a sapling can be planted; in 1.6.1 also one for which there is no slot, and it never ripens."""
    return not r.fixed[table] or _free_slot(s, lane) >= 0


@wp.func
def sow(s: Any, lane: int, place: wp.vec2i):
    """Let a sapling grow in the first free slot, if there is one."""
    slot = _free_slot(s, lane)
    if slot >= 0:
        s.plant_position[lane, slot] = place
        s.plant_age[lane, slot] = 0
        s.plant_alive[lane, slot] = True


@wp.func
def ripens(s: Any, lane: int, slot: int, ripe_age: int) -> bool:
    """Let the plant of a slot, if one grows in it, grow for a step; returns whether it is ripe."""
    age = int(0)
    if s.plant_alive[lane, slot]:
        age = s.plant_age[lane, slot] + 1
    s.plant_age[lane, slot] = age
    return age >= ripe_age


@wp.func
def eat(s: Any, lane: int, place: wp.vec2i, fixed: bool):
    """Make the plant on a place young again.

    In 1.6.1 it is that of the first slot with this place, in use or not, or else that of slot 0.
    """
    for slot in range(s.plant_position.shape[1]):
        if s.plant_position[lane, slot] == place and (s.plant_alive[lane, slot] or not fixed):
            s.plant_age[lane, slot] = 0
            return
    if not fixed:
        s.plant_age[lane, 0] = 0
