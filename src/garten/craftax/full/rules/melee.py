# mypy: ignore-errors

"""Melee creatures chase the player and strike when beside it."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.exchange import Exchange
from garten.craftax.full.rules.boss import fights_boss
from garten.craftax.full.rules.creatures import barriers, hurt_player, settle
from garten.craftax.full.state import Rules, Settings, State
from garten.craftax.full.tables import MELEE, Achievement
from garten.craftax.keys import Key, left, right
from garten.craftax.rules.achieve import unlock
from garten.craftax.rules.creatures import chase
from garten.craftax.rules.grid import distance

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_MELEE = wp.constant(MELEE)


@wp.func
def move_melee(s: State, p: Settings, r: Rules, x: Exchange, lane: int, table: int, key: Key):
    """Give every melee creature its turn; returns the key to go on with."""
    for slot in range(_MELEE):
        key = _move(s, p, r, x, lane, table, slot, key)
    return key


@wp.func
def _move(s: State, p: Settings, r: Rules, x: Exchange, lane: int, table: int, slot: int, walk: Key):
    """A creature's turn; returns the key of the next one's."""
    axis = left(walk)
    whim = left(axis)
    floor = s.floor[lane]
    start = s.melee_position[lane, floor, slot]
    player = s.player_position[lane]
    away = distance(start, player)
    boss = fights_boss(s, lane)
    target = start
    if away == 1 and s.melee_cooldown[lane, floor, slot] <= 0 and s.melee_alive[lane, floor, slot]:
        s.melee_cooldown[lane, floor, slot] = r.melee_cooldown[table]
        _strike(s, p, r, x, lane, table, s.melee_type[lane, floor, slot])
    else:
        s.melee_cooldown[lane, floor, slot] = s.melee_cooldown[lane, floor, slot] - 1
        sees = away < p.melee_trigger_distance[lane] or boss
        target = start + chase(start, player, sees, r.chase_chance[table], walk, axis, whim)
    barrier = barriers(1, s.melee_type[lane, floor, slot])
    settle(s, p, s.melee_position, s.melee_alive, lane, slot, target, barrier, boss)
    return right(left(whim))


@wp.func
def _strike(s: State, p: Settings, r: Rules, x: Exchange, lane: int, table: int, type_id: int):
    """Hurt the player, more in its sleep, which ends."""
    share = float(p.mob_damage_multiplier[lane])
    asleep = bool(s.sleeping[lane])  # a copy: a condition on an array is read again after the branch
    if asleep:
        share = share * (1.0 + r.sleeper_damage[table])
        unlock(s, r, x, lane, table, int(Achievement.WAKE_UP))
    damage = wp.vec3(
        r.melee_damage[table, type_id, 0] * share,
        r.melee_damage[table, type_id, 1] * share,
        r.melee_damage[table, type_id, 2] * share,
    )
    hurt_player(s, r, x, lane, table, damage)
