# mypy: ignore-errors
# ruff: noqa: RUF046, UP018 - Warp is not quite Python
"""Doing something to what one faces: attack a creature, or else mine, drink, eat or search the block."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.classic.exchange import Exchange
from garten.craftax.classic.rules.ground import block_at, in_bounds, set_block, set_occupied
from garten.craftax.classic.state import Rules, State
from garten.craftax.classic.tables import COWS, SKELETONS, ZOMBIES, Achievement, Block, Item
from garten.craftax.keys import Key, right, uniform
from garten.craftax.rules import plants
from garten.craftax.rules.achieve import unlock
from garten.craftax.rules.grid import facing

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_ZOMBIES = wp.constant(ZOMBIES)
_COWS = wp.constant(COWS)
_SKELETONS = wp.constant(SKELETONS)
_HIT = wp.constant(1)
_KILL = wp.constant(2)


@wp.func
def interact(s: State, r: Rules, x: Exchange, lane: int, table: int, key: Key):
    """Do it; `key` is that of the action."""
    place = facing(s, lane)
    struck = _attack(s, r, x, lane, table, place)
    if struck == 0 and in_bounds(place):
        _use_block(s, r, x, lane, table, place, key)


@wp.func
def _attack(s: State, r: Rules, x: Exchange, lane: int, table: int, place: wp.vec2i) -> int:
    """Strike whatever creature stands on a place; returns how many were hit."""
    damage = _damage(s, r, lane, table)
    revives = not r.fixed[table]
    zombie = _strike(
        s.zombie_position, s.zombie_health, s.zombie_alive, _ZOMBIES, lane, place, damage, revives
    )
    cow = _strike(s.cow_position, s.cow_health, s.cow_alive, _COWS, lane, place, damage, revives)
    skeleton = _strike(
        s.skeleton_position, s.skeleton_health, s.skeleton_alive, _SKELETONS, lane, place, damage, revives
    )
    if (zombie & _KILL) != 0:
        unlock(s, r, x, lane, table, int(Achievement.DEFEAT_ZOMBIE))
    if (cow & _KILL) != 0:
        unlock(s, r, x, lane, table, int(Achievement.EAT_COW))
        _eat(s, r, lane, table, r.cow_food[table])
    if (skeleton & _KILL) != 0:
        unlock(s, r, x, lane, table, int(Achievement.DEFEAT_SKELETON))
    if ((zombie | cow | skeleton) & _KILL) != 0:
        set_occupied(s, lane, place, False)
    return (zombie & _HIT) + (cow & _HIT) + (skeleton & _HIT)


@wp.func
def _damage(s: State, r: Rules, lane: int, table: int) -> int:
    """The player's damage: that of the best kind of sword, in 1.6.1 times how many of it are owned."""
    damage = r.bare_damage[table]
    for kind in range(3):
        swords = s.inventory[lane, int(Item.WOOD_SWORD) + kind]
        if r.fixed[table]:
            swords = wp.min(swords, 1)
        damage = wp.max(damage, r.sword_damage[table, kind] * swords)
    return damage


@wp.func
def _strike(
    positions: wp.array2d(dtype=wp.vec2i),
    healths: wp.array2d(dtype=int),
    alive: wp.array2d(dtype=bool),
    slots: int,
    lane: int,
    place: wp.vec2i,
    damage: int,
    revives: bool,
) -> int:
    """Strike the creature of one kind on a place; returns whether it was hit and killed.

    In 1.6.1 any attack, even on nothing, `revives` every slot with health left.
    """
    hit = int(0)
    target = int(0)
    for slot in range(slots):
        if hit == 0 and alive[lane, slot] and positions[lane, slot] == place:
            hit = _HIT
            target = slot
    if hit != 0:
        healths[lane, target] = healths[lane, target] - damage
    if alive[lane, target] and healths[lane, target] <= 0:
        hit = hit | _KILL
    for slot in range(slots):
        alive[lane, slot] = healths[lane, slot] > 0 and (alive[lane, slot] or revives)
    return hit


@wp.func
def _eat(s: State, r: Rules, lane: int, table: int, food: int):
    s.food[lane] = wp.min(r.stat_limit[table], s.food[lane] + food)
    s.hunger[lane] = 0.0


@wp.func
def _gather(s: State, r: Rules, x: Exchange, lane: int, table: int, item: int, achievement: int):
    s.inventory[lane, item] = s.inventory[lane, item] + 1
    unlock(s, r, x, lane, table, achievement)


@wp.func
def _use_block(s: State, r: Rules, x: Exchange, lane: int, table: int, place: wp.vec2i, key: Key):
    """Mine, drink, eat or search the block on a place of the map."""
    pickaxes = _pickaxes(s, r, lane, table)
    block = block_at(s, lane, place)
    if block == Block.TREE:
        set_block(s, lane, place, int(Block.GRASS))
        _gather(s, r, x, lane, table, int(Item.WOOD), int(Achievement.COLLECT_WOOD))
    elif block == Block.STONE and (pickaxes & 1) != 0:
        set_block(s, lane, place, int(Block.PATH))
        _gather(s, r, x, lane, table, int(Item.STONE), int(Achievement.COLLECT_STONE))
    elif block == Block.COAL and (pickaxes & 1) != 0:
        set_block(s, lane, place, int(Block.PATH))
        _gather(s, r, x, lane, table, int(Item.COAL), int(Achievement.COLLECT_COAL))
    elif block == Block.IRON and (pickaxes & 2) != 0:
        set_block(s, lane, place, int(Block.PATH))
        _gather(s, r, x, lane, table, int(Item.IRON), int(Achievement.COLLECT_IRON))
    elif block == Block.DIAMOND and (pickaxes & 4) != 0:
        set_block(s, lane, place, int(Block.PATH))
        _gather(s, r, x, lane, table, int(Item.DIAMOND), int(Achievement.COLLECT_DIAMOND))
    elif block == Block.GRASS:
        if uniform(right(key)) < r.sapling_chance[table]:
            _gather(s, r, x, lane, table, int(Item.SAPLING), int(Achievement.COLLECT_SAPLING))
    elif block == Block.WATER:
        s.drink[lane] = wp.min(r.stat_limit[table], s.drink[lane] + r.water_drink[table])
        s.thirst[lane] = 0.0
        unlock(s, r, x, lane, table, int(Achievement.COLLECT_DRINK))
    elif block == Block.RIPE_PLANT:
        set_block(s, lane, place, int(Block.PLANT))
        _eat(s, r, lane, table, r.plant_food[table])
        plants.eat(s, lane, place, bool(r.fixed[table]))
        unlock(s, r, x, lane, table, int(Achievement.EAT_PLANT))


@wp.func
def _pickaxes(s: State, r: Rules, lane: int, table: int) -> int:
    """Bits of the kinds of pickaxe that can be used: wood, stone, iron.

    In 1.6.1 those that are owned; by fixed rules an owned one does what all lesser ones do.
    """
    owned = int(0)
    for kind in range(3):
        if s.inventory[lane, int(Item.WOOD_PICKAXE) + kind] != 0:
            owned = owned | (1 << kind)
            if r.fixed[table]:
                owned = owned | ((1 << kind) - 1)
    return owned
