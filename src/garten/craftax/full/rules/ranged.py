# mypy: ignore-errors
# ruff: noqa: UP018 - Warp takes int(0), not 0, for a variable that a branch changes
"""Ranged creatures keep their distance and shoot."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.rules.boss import fights_boss
from garten.craftax.full.rules.creatures import barriers, random_step, settle, step_towards
from garten.craftax.full.rules.ground import distance, is_free
from garten.craftax.full.state import Rules, Settings, State
from garten.craftax.full.tables import RANGED, SHOT_OF_RANGED, SHOTS, TYPES
from garten.craftax.keys import Key, left, right, uniform

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_RANGED = wp.constant(RANGED)
_SHOTS = wp.constant(SHOTS)
_SHOT_TYPES = wp.constant(wp.types.vector(TYPES, int)(*SHOT_OF_RANGED))


@wp.func
def move_ranged(s: State, p: Settings, r: Rules, lane: int, table: int, key: Key):
    """Give every ranged creature its turn."""
    for slot in range(_RANGED):
        walk = key
        axis = left(walk)
        whim = left(axis)
        key = left(whim)
        _move(s, p, r, lane, table, slot, right(walk), right(axis), right(whim))


@wp.func
def _move(
    s: State,
    p: Settings,
    r: Rules,
    lane: int,
    table: int,
    slot: int,
    walk_key: Key,
    axis_key: Key,
    whim_key: Key,
):
    floor = s.floor[lane]
    start = s.ranged_position[lane, floor, slot]
    player = s.player_position[lane]
    away = distance(start, player)
    near = away <= r.ranged_near[table]
    far = away >= r.ranged_far[table]
    barrier = barriers(2, s.ranged_type[lane, floor, slot])
    target = start
    if (near or far) and uniform(whim_key) > r.ranged_whim[table]:
        stride = step_towards(start, player, axis_key)
        if near:
            stride = -stride
        target = start + stride
    else:
        target = start + random_step(walk_key, 4)
    shoots = bool(False)
    if s.ranged_alive[lane, floor, slot] and s.ranged_cooldown[lane, floor, slot] <= 0:
        shoots = away >= r.ranged_shoots[table, 0] and away <= r.ranged_shoots[table, 1]
        if near and not is_free(s, lane, target, barrier):
            shoots = True  # cornered
    if shoots:
        s.ranged_cooldown[lane, floor, slot] = r.ranged_cooldown[table]
        type_id = _SHOT_TYPES[s.ranged_type[lane, floor, slot]]
        _shoot(s, lane, start, step_towards(start, player, axis_key), type_id)
        target = start
    else:
        s.ranged_cooldown[lane, floor, slot] = s.ranged_cooldown[lane, floor, slot] - 1
    settle(s, p, s.ranged_position, s.ranged_alive, lane, slot, target, barrier, fights_boss(s, lane))


@wp.func
def _shoot(s: State, lane: int, start: wp.vec2i, flight: wp.vec2i, type_id: int):
    """Let a projectile fly, if a slot is free."""
    floor = s.floor[lane]
    for slot in range(_SHOTS):
        if not s.mob_shot_alive[lane, floor, slot]:
            s.mob_shot_position[lane, floor, slot] = start
            s.mob_shot_direction[lane, floor, slot] = flight
            s.mob_shot_type[lane, floor, slot] = type_id
            s.mob_shot_alive[lane, floor, slot] = True
            return
