# mypy: ignore-errors

"""Skeletons keep their distance and shoot."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.classic.rules.creatures import random_step, settle, step_towards
from garten.craftax.classic.rules.ground import distance, is_free
from garten.craftax.classic.state import Rules, Settings, State
from garten.craftax.classic.tables import ARROWS, SKELETONS
from garten.craftax.keys import Key, left, right, uniform

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_SKELETONS = wp.constant(SKELETONS)
_ARROWS = wp.constant(ARROWS)


@wp.func
def move_skeletons(s: State, p: Settings, r: Rules, lane: int, table: int, key: Key):
    """Give every skeleton its turn."""
    for slot in range(_SKELETONS):
        walk = key
        axis = left(walk)
        whim = left(axis)
        key = left(whim)
        _move_skeleton(s, p, r, lane, table, slot, right(walk), right(axis), right(whim))


@wp.func
def _move_skeleton(
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
    start = s.skeleton_position[lane, slot]
    player = s.player_position[lane]
    away = distance(start, player)
    near = away <= r.skeleton_near[table]
    far = away >= r.skeleton_far[table]
    target = start
    if (near or far) and uniform(whim_key) > r.skeleton_whim[table]:
        stride = step_towards(start, player, axis_key)
        if near:
            stride = -stride
        target = start + stride
    else:
        target = start + random_step(walk_key, 4)
    shoots = False
    if s.skeleton_alive[lane, slot] and s.skeleton_cooldown[lane, slot] <= 0:
        shoots = away >= r.skeleton_shoots[table, 0] and away <= r.skeleton_shoots[table, 1]
        if near and not is_free(s, lane, target):
            shoots = True  # cornered
    if shoots:
        s.skeleton_cooldown[lane, slot] = r.skeleton_cooldown[table]
        _shoot(s, lane, start, step_towards(start, player, axis_key))
        target = start
    else:
        s.skeleton_cooldown[lane, slot] = s.skeleton_cooldown[lane, slot] - 1
    settle(s, p, s.skeleton_position, s.skeleton_alive, lane, slot, target)


@wp.func
def _shoot(s: State, lane: int, start: wp.vec2i, flight: wp.vec2i):
    """Let an arrow fly, if a slot is free."""
    for slot in range(_ARROWS):
        if not s.arrow_alive[lane, slot]:
            s.arrow_position[lane, slot] = start
            s.arrow_direction[lane, slot] = flight
            s.arrow_alive[lane, slot] = True
            return
