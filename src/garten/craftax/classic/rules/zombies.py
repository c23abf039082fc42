# mypy: ignore-errors

"""Zombies chase the player and strike when beside it."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.classic.exchange import Exchange
from garten.craftax.classic.rules.creatures import settle
from garten.craftax.classic.state import Rules, Settings, State
from garten.craftax.classic.tables import ZOMBIES, Achievement
from garten.craftax.keys import Key, left, right
from garten.craftax.rules.achieve import unlock
from garten.craftax.rules.creatures import chase
from garten.craftax.rules.grid import distance

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_ZOMBIES = wp.constant(ZOMBIES)


@wp.func
def move_zombies(s: State, p: Settings, r: Rules, x: Exchange, lane: int, table: int, key: Key):
    """Give every zombie its turn; returns the key to go on with."""
    for slot in range(_ZOMBIES):
        key = _move_zombie(s, p, r, x, lane, table, slot, key)
    return key


@wp.func
def _move_zombie(s: State, p: Settings, r: Rules, x: Exchange, lane: int, table: int, slot: int, walk: Key):
    """A zombie's turn; returns the key of the next one's."""
    axis = left(walk)
    whim = left(axis)
    start = s.zombie_position[lane, slot]
    player = s.player_position[lane]
    away = distance(start, player)
    target = start
    if away == 1 and s.zombie_cooldown[lane, slot] <= 0 and s.zombie_alive[lane, slot]:
        s.zombie_cooldown[lane, slot] = r.zombie_cooldown[table]
        _bite(s, r, x, lane, table)
    else:
        s.zombie_cooldown[lane, slot] = s.zombie_cooldown[lane, slot] - 1
        sees = away < r.zombie_chase_range[table]
        target = start + chase(start, player, sees, r.zombie_chase_chance[table], walk, axis, whim)
    settle(s, p, s.zombie_position, s.zombie_alive, lane, slot, target)
    return right(left(whim))


@wp.func
def _bite(s: State, r: Rules, x: Exchange, lane: int, table: int):
    """Hurt the player, more in its sleep, which ends."""
    damage = r.zombie_damage[table]
    asleep = bool(s.sleeping[lane])  # a copy: a condition on an array is read again after the branch
    if asleep:
        damage = r.zombie_damage_asleep[table]
        s.sleeping[lane] = False
        unlock(s, r, x, lane, table, int(Achievement.WAKE_UP))
    s.health[lane] = s.health[lane] - damage
