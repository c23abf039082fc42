# mypy: ignore-errors

"""Skeletons keep their distance and shoot."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.classic.rules.creatures import settle
from garten.craftax.classic.rules.ground import is_free
from garten.craftax.classic.state import Rules, Settings, State
from garten.craftax.classic.tables import SKELETONS
from garten.craftax.keys import Key, left
from garten.craftax.rules.creatures import approach, first_free, keep_distance
from garten.craftax.rules.grid import distance

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_SKELETONS = wp.constant(SKELETONS)


@wp.func
def move_skeletons(s: State, p: Settings, r: Rules, lane: int, table: int, key: Key):
    """Give every skeleton its turn."""
    for slot in range(_SKELETONS):
        key = _move_skeleton(s, p, r, lane, table, slot, key)


@wp.func
def _move_skeleton(s: State, p: Settings, r: Rules, lane: int, table: int, slot: int, walk: Key):
    """A skeleton's turn; returns the key of the next one's."""
    axis = left(walk)
    whim = left(axis)
    start = s.skeleton_position[lane, slot]
    player = s.player_position[lane]
    away = distance(start, player)
    near = away <= r.skeleton_near[table]
    far = away >= r.skeleton_far[table]
    target = start + keep_distance(start, player, near, far, r.skeleton_whim[table], walk, axis, whim)
    shoots = False
    if s.skeleton_alive[lane, slot] and s.skeleton_cooldown[lane, slot] <= 0:
        shoots = away >= r.skeleton_shoots[table, 0] and away <= r.skeleton_shoots[table, 1]
        if near and not is_free(s, lane, target):
            shoots = True  # cornered
    if shoots:
        s.skeleton_cooldown[lane, slot] = r.skeleton_cooldown[table]
        _shoot(s, lane, start, approach(start, player, axis))
        target = start
    else:
        s.skeleton_cooldown[lane, slot] = s.skeleton_cooldown[lane, slot] - 1
    settle(s, p, s.skeleton_position, s.skeleton_alive, lane, slot, target)
    return left(whim)


@wp.func
def _shoot(s: State, lane: int, start: wp.vec2i, flight: wp.vec2i):
    """Let an arrow fly, if a slot is free."""
    slot = first_free(s.arrow_alive[lane])
    if slot >= 0:
        s.arrow_position[lane, slot] = start
        s.arrow_direction[lane, slot] = flight
        s.arrow_alive[lane, slot] = True
