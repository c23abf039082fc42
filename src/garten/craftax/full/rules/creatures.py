# mypy: ignore-errors
# ruff: noqa: UP018 - Warp takes int(0), not 0, for a variable that a branch changes
"""What all creatures have in common: their steps, when they vanish, and how they hurt the player."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.exchange import Exchange
from garten.craftax.full.rules.boss import fights_boss
from garten.craftax.full.rules.ground import is_free, set_occupied
from garten.craftax.full.state import Rules, Settings, State
from garten.craftax.full.tables import BARRIERS, TYPES, Achievement
from garten.craftax.rules.achieve import unlock
from garten.craftax.rules.grid import distance

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_TYPES = wp.constant(TYPES)
_BARRIERS = wp.constant(wp.types.vector(3 * TYPES, int)(*(way for kind in BARRIERS for way in kind)))


@wp.func
def barriers(kind: int, type_id: int) -> int:
    """Where a passive (0), melee (1) or ranged (2) creature of a type cannot go; see `BARRIERS`."""
    return _BARRIERS[kind * _TYPES + type_id]


@wp.func
def settle(
    s: State,
    p: Settings,
    positions: wp.array3d(dtype=wp.vec2i),
    alive: wp.array3d(dtype=bool),
    lane: int,
    slot: int,
    target: wp.vec2i,
    barrier: int,
    stays: bool,
):
    """End a creature's turn: step to the target if it can, and vanish if the player was far away.

    Empty slots move like the rest, unseen. `stays` says that the creature does not vanish.
    """
    floor = s.floor[lane]
    start = positions[lane, floor, slot]
    finish = start
    if is_free(s, lane, target, barrier):
        finish = target
    if alive[lane, floor, slot]:
        set_occupied(s, lane, start, False)
        if stays or distance(start, s.player_position[lane]) < p.mob_despawn_distance[lane]:
            set_occupied(s, lane, finish, True)
        else:
            alive[lane, floor, slot] = False
    positions[lane, floor, slot] = finish


@wp.func
def hurt_player(s: State, r: Rules, x: Exchange, lane: int, table: int, damage: wp.vec3):
    """Take damage (physical, fire, ice) off the player's health, less what armour keeps off; it wakes.

    Waking counts as an achievement if a blow ends the sleep, in 1.6.1 not if a shot does.
    """
    physical = float(0.0)
    fire = float(0.0)
    ice = float(0.0)
    for piece in range(4):
        physical = physical + float(s.armour[lane, piece]) * r.armour_defence[table]
        if s.armour_enchantments[lane, piece] == 1:
            fire = fire + r.enchanted_defence[table]
        if s.armour_enchantments[lane, piece] == 2:
            ice = ice + r.enchanted_defence[table]
    share = float(1.0)
    if fights_boss(s, lane):
        share = 1.0 + r.boss_damage[table]
    suffered = (1.0 - physical) * (damage[0] * share)
    suffered = suffered + (1.0 - fire) * (damage[1] * share)
    suffered = suffered + (1.0 - ice) * (damage[2] * share)
    s.health[lane] = s.health[lane] - suffered
    if s.sleeping[lane] and r.fixed[table]:
        unlock(s, r, x, lane, table, int(Achievement.WAKE_UP))
    s.sleeping[lane] = False
    s.resting[lane] = False
