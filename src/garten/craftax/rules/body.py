# mypy: ignore-errors
# ruff: noqa: RUF046, UP018 - Warp takes int(0), not 0, for a variable that a branch changes
"""The body's clockwork: sleep, hunger, thirst, fatigue, recovery."""

from __future__ import annotations

from typing import Any

import warp as wp

from garten import devices
from garten.craftax.classic.tables import (  # those of Classic have the same numbers in Craftax
    Achievement,
    Action,
)
from garten.craftax.rules.achieve import unlock

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)


@wp.func
def sleep_or_wake(s: Any, r: Any, x: Any, lane: int, table: int, action: int, most: int):
    """Fall asleep when asked to and not fully rested; wake up when fully rested, at `most` energy."""
    rested = s.energy[lane] >= most
    if action == Action.SLEEP and not rested:
        s.sleeping[lane] = True
    if s.sleeping[lane] and rested:
        s.sleeping[lane] = False
        unlock(s, r, x, lane, table, int(Achievement.WAKE_UP))


@wp.func
def hunger_and_thirst(s: Any, r: Any, lane: int, table: int, pace: float, cost: int):
    """Grow hungry and thirsty at a pace; each limit passed takes `cost` food or drink."""
    need = float(1.0)
    if s.sleeping[lane]:
        need = r.asleep_need[table]
    need = need * pace
    hunger = s.hunger[lane] + need
    if hunger > r.hunger_limit[table]:
        hunger = 0.0
        s.food[lane] = wp.max(s.food[lane] - cost, 0)
    s.hunger[lane] = hunger
    thirst = s.thirst[lane] + need
    if thirst > r.thirst_limit[table]:
        thirst = 0.0
        s.drink[lane] = wp.max(s.drink[lane] - cost, 0)
    s.thirst[lane] = thirst


@wp.func
def fatigue(s: Any, r: Any, lane: int, table: int, pace: float, cost: int, most: int):
    """Tire at a pace, or rest asleep; the limits passed take `cost` energy, or give 1 up to `most`."""
    tired = s.fatigue[lane] + pace
    if s.sleeping[lane]:
        tired = wp.min(s.fatigue[lane] - 1.0, 0.0)
    if tired > r.fatigue_limit[table]:
        tired = 0.0
        s.energy[lane] = wp.max(s.energy[lane] - cost, 0)
    elif tired < r.rest_limit[table]:
        tired = 0.0
        s.energy[lane] = wp.min(s.energy[lane] + 1, most)
    s.fatigue[lane] = tired


@wp.func
def recovery(s: Any, r: Any, lane: int, table: int, gain: float, loss: float) -> int:
    """Recover with all needs met, decline otherwise; returns the health gained, or lost as a negative number.

    Args:
        s: the states.
        r: the rule tables.
        lane: whose body.
        table: row of the rule tables.
        gain: times recovery.
        loss: times decline.
    """
    asleep = bool(s.sleeping[lane])
    well = s.food[lane] > 0 and s.drink[lane] > 0 and (s.energy[lane] > 0 or asleep)
    change = float(0.0)
    if well:
        change = wp.where(asleep, r.recover_asleep[table], r.recover_awake[table]) * gain
    else:
        change = wp.where(asleep, r.decline_asleep[table], r.decline_awake[table]) * loss
    recover = s.recover[lane] + change
    health = int(0)
    if recover > r.recover_limit[table]:
        recover = 0.0
        health = 1
    elif recover < r.decline_limit[table]:
        recover = 0.0
        health = -1
    s.recover[lane] = recover
    return health
