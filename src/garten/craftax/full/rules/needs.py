# mypy: ignore-errors

"""What the body needs: sleep, rest, food, drink; health and mana follow from them."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.exchange import Exchange
from garten.craftax.full.rules.body import max_health, max_need
from garten.craftax.full.rules.boss import fights_boss
from garten.craftax.full.state import Rules, Settings, State
from garten.craftax.full.tables import Action
from garten.craftax.rules import body

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)


@wp.func
def update_needs(s: State, p: Settings, r: Rules, x: Exchange, lane: int, table: int, action: int):
    """A step of the body's clockwork, in the original's order; on the boss's floor needs rest."""
    cost = 1
    loss = p.health_loss_multiplier[lane]
    if fights_boss(s, lane):
        cost = 0
        loss = 0.0
    pace = _pace(s, p, r, lane, table)
    most = max_need(s, lane)
    body.sleep_or_wake(s, r, x, lane, table, action, most)
    _rest_or_rise(s, lane, action)
    body.hunger_and_thirst(s, r, lane, table, pace, cost)
    body.fatigue(s, r, lane, table, pace, cost, most)
    change = body.recovery(s, r, lane, table, p.health_recover_multiplier[lane], loss)
    if change > 0:
        s.health[lane] = wp.min(s.health[lane] + 1.0, max_health(s, lane))
    if change < 0:
        s.health[lane] = s.health[lane] - 1.0
    _mana(s, p, r, lane, table)


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
