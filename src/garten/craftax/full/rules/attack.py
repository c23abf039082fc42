# mypy: ignore-errors
# ruff: noqa: UP018 - Warp takes int(0), not 0, for a variable that a branch changes
"""Blows and projectiles that hit creatures."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.exchange import Exchange
from garten.craftax.full.rules.body import max_need
from garten.craftax.full.rules.ground import set_occupied
from garten.craftax.full.state import Rules, State
from garten.craftax.full.tables import (
    KILL_ACHIEVEMENTS,
    MELEE,
    PASSIVE,
    PASSIVE_CREATURES,
    RANGED,
    TYPES,
    Item,
)
from garten.craftax.rules.achieve import unlock

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_MELEE = wp.constant(MELEE)
_PASSIVE = wp.constant(PASSIVE)
_RANGED = wp.constant(RANGED)
_TYPES = wp.constant(TYPES)
_KILLS = wp.constant(
    wp.types.vector(3 * TYPES, int)(*(int(done) for kind in KILL_ACHIEVEMENTS for done in kind))
)
_ANIMALS = wp.constant(len(PASSIVE_CREATURES))
_HIT = wp.constant(1)
_KILL = wp.constant(2)


@wp.func
def blow(s: State, r: Rules, lane: int, table: int) -> wp.vec3:
    """The damage of the player's blow: physical, fire, ice."""
    base = r.sword_damage[table, wp.min(s.inventory[lane, int(Item.SWORD)], 4)]
    element = base * r.enchanted_share[table]
    element = element * (1.0 + r.enchanted_by_intelligence[table] * float(s.intelligence[lane] - 1))
    damage = wp.vec3(base * (1.0 + r.damage_by_strength[table] * float(s.strength[lane] - 1)), 0.0, 0.0)
    if s.sword_enchantment[lane] == 1:
        damage[1] = element
    if s.sword_enchantment[lane] == 2:
        damage[2] = element
    return damage


@wp.func
def attack(
    s: State, r: Rules, x: Exchange, lane: int, table: int, place: wp.vec2i, damage: wp.vec3, eats: bool
) -> bool:
    """Hit whatever creatures stand on a place; returns whether one was hit.

    Args:
        s: the states.
        r: the rule tables.
        x: rewards.
        lane: whose creatures.
        table: row of the rule tables.
        place: the place.
        damage: physical, fire, ice.
        eats: whether killing a passive creature feeds the player and counts.
    """
    melee = _hit(
        s.melee_position,
        s.melee_health,
        s.melee_alive,
        s.melee_type,
        _MELEE,
        1,
        s,
        r,
        lane,
        table,
        place,
        damage,
    )
    passive = _hit(
        s.passive_position, s.passive_health, s.passive_alive, s.passive_type, _PASSIVE, 0,
        s, r, lane, table, place, damage,
    )  # fmt: skip
    ranged = _hit(
        s.ranged_position, s.ranged_health, s.ranged_alive, s.ranged_type, _RANGED, 2,
        s, r, lane, table, place, damage,
    )  # fmt: skip
    floor = s.floor[lane]
    if (melee & _KILL) != 0:
        unlock(s, r, x, lane, table, _KILLS[_TYPES + (melee >> 2)])
    if (passive & _KILL) != 0 and eats:
        if (passive >> 2) < _ANIMALS or not r.fixed[table]:
            unlock(s, r, x, lane, table, _KILLS[passive >> 2])
        s.food[lane] = wp.min(max_need(s, lane), s.food[lane] + r.creature_food[table])
        s.hunger[lane] = 0.0
    if (ranged & _KILL) != 0:
        unlock(s, r, x, lane, table, _KILLS[2 * _TYPES + (ranged >> 2)])
    if ((melee | ranged) & _KILL) != 0:
        s.kills[lane, floor] = s.kills[lane, floor] + 1
    if ((melee | passive | ranged) & _KILL) != 0:
        set_occupied(s, lane, place, False)
    return ((melee | passive | ranged) & _HIT) != 0


@wp.func
def _hit(
    positions: wp.array3d(dtype=wp.vec2i),
    healths: wp.array3d(dtype=float),
    alive: wp.array3d(dtype=bool),
    types: wp.array3d(dtype=int),
    slots: int,
    kind: int,
    s: State,
    r: Rules,
    lane: int,
    table: int,
    place: wp.vec2i,
    damage: wp.vec3,
) -> int:
    """Hit the creature of one kind on a place; returns whether it was hit, killed, and its type times 4."""
    floor = s.floor[lane]
    for slot in range(slots):
        if alive[lane, floor, slot] and positions[lane, floor, slot] == place:
            type_id = types[lane, floor, slot]
            suffered = float(0.0)
            for part in range(3):
                suffered = suffered + (1.0 - r.defences[table, kind, type_id, part]) * damage[part]
            health = healths[lane, floor, slot] - suffered
            healths[lane, floor, slot] = health
            if health > 0.0:
                return _HIT
            alive[lane, floor, slot] = False
            return _HIT | _KILL | (type_id << 2)
    return 0
