# mypy: ignore-errors
# ruff: noqa: SIM109 - Warp takes int(0), not 0, for a variable that a branch changes
"""Projectiles fly a tile a step until something stops them. Empty slots drift, unseen."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.exchange import Exchange
from garten.craftax.full.rules.attack import attack
from garten.craftax.full.rules.creatures import hurt_player
from garten.craftax.full.rules.ground import (
    block_at,
    in_bounds,
    is_occupied,
    is_reachable,
    is_solid,
    set_block,
)
from garten.craftax.full.state import Rules, Settings, State
from garten.craftax.full.tables import FIREBALL, ICEBALL, PLAYER_ARROW, SHOTS, Block

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_SHOTS = wp.constant(SHOTS)
_ARROW = wp.constant(0)
_STRONG_ARROW = wp.constant(PLAYER_ARROW)
_FIREBALL = wp.constant(FIREBALL)
_ICEBALL = wp.constant(ICEBALL)


@wp.func
def _damage(r: Rules, table: int, type_id: int) -> wp.vec3:
    return wp.vec3(
        r.shot_damage[table, type_id, 0], r.shot_damage[table, type_id, 1], r.shot_damage[table, type_id, 2]
    )


@wp.func
def move_mob_shots(s: State, p: Settings, r: Rules, x: Exchange, lane: int, table: int):
    """Let the creatures' projectiles fly on; they hurt the player and destroy tables and furnaces.

    In 1.6.1 one that leaves over the upper or left edge hits the block on the opposite edge.
    """
    floor = s.floor[lane]
    for slot in range(_SHOTS):
        start = s.mob_shot_position[lane, floor, slot]
        target = start + s.mob_shot_direction[lane, floor, slot]
        s.mob_shot_position[lane, floor, slot] = target
        if s.mob_shot_alive[lane, floor, slot]:
            block = block_at(s, lane, target)
            if not in_bounds(target) or is_solid(block) or is_occupied(s, lane, target):
                s.mob_shot_alive[lane, floor, slot] = False
            if start == s.player_position[lane] or target == s.player_position[lane]:
                s.mob_shot_alive[lane, floor, slot] = False
                damage = _damage(r, table, s.mob_shot_type[lane, floor, slot])
                hurt_player(s, r, x, lane, table, damage * p.mob_damage_multiplier[lane])
            if (block == Block.FURNACE or block == Block.TABLE) and is_reachable(r, table, target):
                set_block(s, lane, target, int(Block.PATH))


@wp.func
def move_player_shots(s: State, r: Rules, x: Exchange, lane: int, table: int):
    """Let the player's projectiles fly on; they hit creatures where they are and where they come to.

    In 1.6.1 animals shot feed nobody and count as nothing.
    """
    floor = s.floor[lane]
    eats = bool(r.fixed[table])
    for slot in range(_SHOTS):
        start = s.player_shot_position[lane, floor, slot]
        target = start + s.player_shot_direction[lane, floor, slot]
        s.player_shot_position[lane, floor, slot] = target
        if s.player_shot_alive[lane, floor, slot]:
            damage = _player_damage(s, r, lane, table, s.player_shot_type[lane, floor, slot])
            hit = attack(s, r, x, lane, table, start, damage, eats)
            if hit:
                damage = wp.vec3(0.0, 0.0, 0.0)
            hit_next = attack(s, r, x, lane, table, target, damage, eats)
            if hit or hit_next or not in_bounds(target) or is_solid(block_at(s, lane, target)):
                s.player_shot_alive[lane, floor, slot] = False


@wp.func
def _player_damage(s: State, r: Rules, lane: int, table: int, type_id: int) -> wp.vec3:
    """The damage of the player's projectile, with the bow's enchantment and the attributes."""
    damage = _damage(r, table, type_id)
    if type_id == _ARROW or type_id == _STRONG_ARROW:
        if s.bow_enchantment[lane] > 0:
            damage[s.bow_enchantment[lane]] = damage[s.bow_enchantment[lane]] + damage[0] / 2.0
        damage = damage * (1.0 + r.arrow_by_dexterity[table] * float(s.dexterity[lane] - 1))
    if type_id == _FIREBALL or type_id == _ICEBALL:
        damage = damage * (1.0 + r.spell_by_intelligence[table] * float(s.intelligence[lane] - 1))
    return damage
