# mypy: ignore-errors

"""Zombies chase the player and strike when beside it."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.classic.exchange import Exchange
from garten.craftax.classic.rules.achieve import unlock
from garten.craftax.classic.rules.creatures import random_step, settle, step_towards
from garten.craftax.classic.rules.ground import distance
from garten.craftax.classic.state import Rules, Settings, State
from garten.craftax.classic.tables import ZOMBIES, Achievement
from garten.craftax.keys import Key, left, right, uniform

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_ZOMBIES = wp.constant(ZOMBIES)


@wp.func
def move_zombies(s: State, p: Settings, r: Rules, x: Exchange, lane: int, table: int, key: Key):
    """Give every zombie its turn; returns the key to go on with."""
    for slot in range(_ZOMBIES):
        walk = key
        axis = left(walk)
        chase = left(axis)
        last = left(chase)
        key = right(last)
        _move_zombie(s, p, r, x, lane, table, slot, right(walk), right(axis), right(chase))
    return key


@wp.func
def _move_zombie(
    s: State,
    p: Settings,
    r: Rules,
    x: Exchange,
    lane: int,
    table: int,
    slot: int,
    walk_key: Key,
    axis_key: Key,
    chase_key: Key,
):
    start = s.zombie_position[lane, slot]
    player = s.player_position[lane]
    away = distance(start, player)
    attacks = away == 1 and s.zombie_cooldown[lane, slot] <= 0 and s.zombie_alive[lane, slot]
    if attacks:
        s.zombie_cooldown[lane, slot] = r.zombie_cooldown[table]
        _bite(s, r, x, lane, table)
        settle(s, p, s.zombie_position, s.zombie_alive, lane, slot, start)
        return
    s.zombie_cooldown[lane, slot] = s.zombie_cooldown[lane, slot] - 1
    target = start
    if away < r.zombie_chase_range[table] and uniform(chase_key) < r.zombie_chase_chance[table]:
        target = start + step_towards(start, player, axis_key)
    else:
        target = start + random_step(walk_key, 4)
    settle(s, p, s.zombie_position, s.zombie_alive, lane, slot, target)


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
