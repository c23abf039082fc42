# mypy: ignore-errors
# ruff: noqa: UP018 - Warp takes int(0), not 0, for a variable that a branch changes
"""What the body needs: sleep, rest, food, drink; health and mana follow from them."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.exchange import Exchange
from garten.craftax.full.rules.achieve import unlock
from garten.craftax.full.rules.body import max_health, max_need
from garten.craftax.full.rules.boss import fights_boss
from garten.craftax.full.state import Rules, Settings, State
from garten.craftax.full.tables import Achievement, Action

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)


@wp.func
def update_needs(s: State, p: Settings, r: Rules, x: Exchange, lane: int, table: int, action: int):
    """A step of the body's clockwork, in the original's order."""
    _sleep_or_wake(s, r, x, lane, table, action)
    _rest_or_rise(s, lane, action)
    _hunger_and_thirst(s, p, r, lane, table)
    _fatigue(s, p, r, lane, table)
    _health(s, p, r, lane, table)
    _mana(s, p, r, lane, table)


@wp.func
def _sleep_or_wake(s: State, r: Rules, x: Exchange, lane: int, table: int, action: int):
    """Fall asleep when asked to and not fully rested; wake up when fully rested."""
    rested = s.energy[lane] >= max_need(s, lane)
    if action == Action.SLEEP and not rested:
        s.sleeping[lane] = True
    if s.sleeping[lane] and rested:
        s.sleeping[lane] = False
        unlock(s, r, x, lane, table, int(Achievement.WAKE_UP))


@wp.func
def _rest_or_rise(s: State, lane: int, action: int):
    """Rest when asked to and hurt; rise when healed, hungry or thirsty."""
    healed = s.health[lane] >= max_health(s, lane)
    if action == Action.REST and not healed:
        s.resting[lane] = True
    if healed or s.food[lane] <= 0 or s.drink[lane] <= 0:
        s.resting[lane] = False


@wp.func
def _pace(s: State, p: Settings, r: Rules, lane: int, table: int) -> float:
    """How fast needs grow; dexterity slows them."""
    pace = 1.0 - r.need_by_dexterity[table] * float(s.dexterity[lane] - 1)
    return pace * p.needs_depletion_multiplier[lane]


@wp.func
def _cost(s: State, lane: int) -> int:
    """What a need costs when its limit is passed: nothing on the boss's floor."""
    if fights_boss(s, lane):
        return 0
    return 1


@wp.func
def _hunger_and_thirst(s: State, p: Settings, r: Rules, lane: int, table: int):
    need = float(1.0)
    if s.sleeping[lane]:
        need = r.asleep_need[table]
    need = need * _pace(s, p, r, lane, table)
    hunger = s.hunger[lane] + need
    if hunger > r.hunger_limit[table]:
        hunger = 0.0
        s.food[lane] = wp.max(s.food[lane] - _cost(s, lane), 0)
    s.hunger[lane] = hunger
    thirst = s.thirst[lane] + need
    if thirst > r.thirst_limit[table]:
        thirst = 0.0
        s.drink[lane] = wp.max(s.drink[lane] - _cost(s, lane), 0)
    s.thirst[lane] = thirst


@wp.func
def _fatigue(s: State, p: Settings, r: Rules, lane: int, table: int):
    fatigue = s.fatigue[lane] + _pace(s, p, r, lane, table)
    if s.sleeping[lane]:
        fatigue = wp.min(s.fatigue[lane] - 1.0, 0.0)
    if fatigue > r.fatigue_limit[table]:
        fatigue = 0.0
        s.energy[lane] = wp.max(s.energy[lane] - _cost(s, lane), 0)
    elif fatigue < r.rest_limit[table]:
        fatigue = 0.0
        s.energy[lane] = wp.min(s.energy[lane] + 1, max_need(s, lane))
    s.fatigue[lane] = fatigue


@wp.func
def _health(s: State, p: Settings, r: Rules, lane: int, table: int):
    asleep = bool(s.sleeping[lane])
    well = s.food[lane] > 0 and s.drink[lane] > 0 and (s.energy[lane] > 0 or asleep)
    change = float(0.0)
    if well:
        change = wp.where(asleep, r.recover_asleep[table], r.recover_awake[table])
        change = change * p.health_recover_multiplier[lane]
    elif not fights_boss(s, lane):
        change = wp.where(asleep, r.decline_asleep[table], r.decline_awake[table])
        change = change * p.health_loss_multiplier[lane]
    recover = s.recover[lane] + change
    if recover > r.recover_limit[table]:
        recover = 0.0
        s.health[lane] = wp.min(s.health[lane] + 1.0, max_health(s, lane))
    elif recover < r.decline_limit[table]:
        recover = 0.0
        s.health[lane] = s.health[lane] - 1.0
    s.recover[lane] = recover


@wp.func
def _mana(s: State, p: Settings, r: Rules, lane: int, table: int):
    """Recover mana. In 1.6.1 intelligence multiplies all that has gathered, again in each step."""
    gain = r.mana_awake[table]
    if s.sleeping[lane]:
        gain = r.mana_asleep[table]
    bonus = r.mana_by_intelligence[table] * float(s.intelligence[lane] - 1)
    speed = 1.0 + bonus * p.mana_recover_multiplier[lane]
    recover = (s.recover_mana[lane] + gain) * speed
    if r.fixed[table]:
        recover = s.recover_mana[lane] + gain * speed
    if recover > r.mana_limit[table]:
        recover = 0.0
        s.mana[lane] = s.mana[lane] + 1
    s.recover_mana[lane] = recover
