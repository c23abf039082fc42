# mypy: ignore-errors
# ruff: noqa: UP018 - Warp takes int(0), not 0, for a variable that a branch changes
"""Ranged creatures keep their distance and shoot."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.rules.boss import fights_boss
from garten.craftax.full.rules.creatures import barriers, settle
from garten.craftax.full.rules.ground import is_free
from garten.craftax.full.state import Rules, Settings, State
from garten.craftax.full.tables import RANGED, SHOT_OF_RANGED, TYPES
from garten.craftax.keys import Key, left
from garten.craftax.rules.creatures import approach, first_free, keep_distance
from garten.craftax.rules.grid import distance

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_RANGED = wp.constant(RANGED)
_SHOT_TYPES = wp.constant(wp.types.vector(TYPES, int)(*SHOT_OF_RANGED))


@wp.func
def move_ranged(s: State, p: Settings, r: Rules, lane: int, table: int, key: Key):
    """Give every ranged creature its turn."""
    for slot in range(_RANGED):
        key = _move(s, p, r, lane, table, slot, key)


@wp.func
def _move(s: State, p: Settings, r: Rules, lane: int, table: int, slot: int, walk: Key):
    """A creature's turn; returns the key of the next one's."""
    axis = left(walk)
    whim = left(axis)
    floor = s.floor[lane]
    start = s.ranged_position[lane, floor, slot]
    player = s.player_position[lane]
    away = distance(start, player)
    near = away <= r.ranged_near[table]
    far = away >= r.ranged_far[table]
    target = start + keep_distance(start, player, near, far, r.ranged_whim[table], walk, axis, whim)
    barrier = barriers(2, s.ranged_type[lane, floor, slot])
    shoots = bool(False)
    if s.ranged_alive[lane, floor, slot] and s.ranged_cooldown[lane, floor, slot] <= 0:
        shoots = away >= r.ranged_shoots[table, 0] and away <= r.ranged_shoots[table, 1]
        if near and not is_free(s, lane, target, barrier):
            shoots = True  # cornered
    if shoots:
        s.ranged_cooldown[lane, floor, slot] = r.ranged_cooldown[table]
        type_id = _SHOT_TYPES[s.ranged_type[lane, floor, slot]]
        _shoot(s, lane, start, approach(start, player, axis), type_id)
        target = start
    else:
        s.ranged_cooldown[lane, floor, slot] = s.ranged_cooldown[lane, floor, slot] - 1
    settle(s, p, s.ranged_position, s.ranged_alive, lane, slot, target, barrier, fights_boss(s, lane))
    return left(whim)


@wp.func
def _shoot(s: State, lane: int, start: wp.vec2i, flight: wp.vec2i, type_id: int):
    """Let a projectile fly, if a slot is free."""
    floor = s.floor[lane]
    slot = first_free(s.mob_shot_alive[lane, floor])
    if slot >= 0:
        s.mob_shot_position[lane, floor, slot] = start
        s.mob_shot_direction[lane, floor, slot] = flight
        s.mob_shot_type[lane, floor, slot] = type_id
        s.mob_shot_alive[lane, floor, slot] = True
