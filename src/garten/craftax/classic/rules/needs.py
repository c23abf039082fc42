# mypy: ignore-errors
# ruff: noqa: UP018 - Warp is not quite Python
"""What the body needs: sleep, food, drink; and health, which follows from them."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.classic.exchange import Exchange
from garten.craftax.classic.rules.achieve import unlock
from garten.craftax.classic.state import Rules, State
from garten.craftax.classic.tables import Achievement, Action

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)


@wp.func
def update_needs(s: State, r: Rules, x: Exchange, lane: int, table: int, action: int):
    """A step of the body's clockwork, in the original's order."""
    _sleep_or_wake(s, r, x, lane, table, action)
    _hunger_and_thirst(s, r, lane, table)
    _fatigue(s, r, lane, table)
    _health(s, r, lane, table)


@wp.func
def _sleep_or_wake(s: State, r: Rules, x: Exchange, lane: int, table: int, action: int):
    """Fall asleep when asked to and not fully rested; wake up when fully rested."""
    rested = s.energy[lane] >= r.stat_limit[table]
    if action == Action.SLEEP and not rested:
        s.sleeping[lane] = True
    if s.sleeping[lane] and rested:
        s.sleeping[lane] = False
        unlock(s, r, x, lane, table, int(Achievement.WAKE_UP))


@wp.func
def _hunger_and_thirst(s: State, r: Rules, lane: int, table: int):
    need = float(1.0)
    if s.sleeping[lane]:
        need = r.asleep_need[table]
    hunger = s.hunger[lane] + need
    if hunger > r.hunger_limit[table]:
        hunger = float(0.0)
        s.food[lane] = wp.max(s.food[lane] - 1, 0)
    s.hunger[lane] = hunger
    thirst = s.thirst[lane] + need
    if thirst > r.thirst_limit[table]:
        thirst = float(0.0)
        s.drink[lane] = wp.max(s.drink[lane] - 1, 0)
    s.thirst[lane] = thirst


@wp.func
def _fatigue(s: State, r: Rules, lane: int, table: int):
    fatigue = s.fatigue[lane] + 1.0
    if s.sleeping[lane]:
        fatigue = wp.min(s.fatigue[lane] - 1.0, 0.0)
    if fatigue > r.fatigue_limit[table]:
        fatigue = float(0.0)
        s.energy[lane] = wp.max(s.energy[lane] - 1, 0)
    elif fatigue < r.rest_limit[table]:
        fatigue = float(0.0)
        s.energy[lane] = wp.min(s.energy[lane] + 1, r.stat_limit[table])
    s.fatigue[lane] = fatigue


@wp.func
def _health(s: State, r: Rules, lane: int, table: int):
    asleep = s.sleeping[lane]
    well = s.food[lane] > 0 and s.drink[lane] > 0 and (s.energy[lane] > 0 or asleep)
    change = float(0.0)
    if well:
        change = wp.where(asleep, r.recover_asleep[table], r.recover_awake[table])
    else:
        change = wp.where(asleep, r.decline_asleep[table], r.decline_awake[table])
    recover = s.recover[lane] + change
    if recover > r.recover_limit[table]:
        recover = float(0.0)
        s.health[lane] = wp.min(s.health[lane] + 1, r.stat_limit[table])
    elif recover < r.decline_limit[table]:
        recover = float(0.0)
        s.health[lane] = s.health[lane] - 1
    s.recover[lane] = recover
