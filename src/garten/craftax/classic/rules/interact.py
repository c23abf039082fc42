# mypy: ignore-errors
# ruff: noqa: RUF046, UP018 - Warp is not quite Python
"""Doing something to what one faces: attack a creature, or else mine, drink, eat or search the block."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.classic.exchange import Exchange
from garten.craftax.classic.rules.achieve import unlock
from garten.craftax.classic.rules.ground import block_at, direction, in_bounds, set_block, set_occupied
from garten.craftax.classic.state import Rules, State
from garten.craftax.classic.tables import COWS, PLANTS, SKELETONS, ZOMBIES, Achievement, Block, Item
from garten.craftax.keys import right, uniform

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_ZOMBIES = wp.constant(ZOMBIES)
_COWS = wp.constant(COWS)
_SKELETONS = wp.constant(SKELETONS)
_PLANTS = wp.constant(PLANTS)
_HIT = wp.constant(1)
_KILL = wp.constant(2)


@wp.func
def interact(s: State, r: Rules, x: Exchange, lane: int, table: int, key: wp.vec2ui):
    """Do it; `key` is that of the action."""
    place = s.player_position[lane] + direction(s.player_direction[lane])
    struck = _attack(s, r, x, lane, table, place)
    if struck == 0 and in_bounds(place):
        _use_block(s, r, x, lane, table, place, key)


@wp.func
def _attack(s: State, r: Rules, x: Exchange, lane: int, table: int, place: wp.vec2i) -> int:
    """Strike whatever creature stands on a place; returns how many were hit."""
    damage = _damage(s, r, lane, table)
    zombie = _strike(s.zombie_position, s.zombie_health, s.zombie_alive, _ZOMBIES, lane, place, damage)
    cow = _strike(s.cow_position, s.cow_health, s.cow_alive, _COWS, lane, place, damage)
    skeleton = _strike(
        s.skeleton_position, s.skeleton_health, s.skeleton_alive, _SKELETONS, lane, place, damage
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
    """The player's damage: that of the best kind of sword, times how many of it are owned."""
    damage = r.bare_damage[table]
    for kind in range(3):
        damage = wp.max(damage, r.sword_damage[table, kind] * s.inventory[lane, int(Item.WOOD_SWORD) + kind])
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
) -> int:
    """Strike the creature of one kind on a place; returns whether it was hit and killed.

    As in the original, any attack, even on nothing, brings every slot with health left back to life.
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
        alive[lane, slot] = healths[lane, slot] > 0
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
def _use_block(s: State, r: Rules, x: Exchange, lane: int, table: int, place: wp.vec2i, key: wp.vec2ui):
    """Mine, drink, eat or search the block on a place of the map."""
    block = block_at(s, lane, place)
    if block == Block.TREE:
        set_block(s, lane, place, int(Block.GRASS))
        _gather(s, r, x, lane, table, int(Item.WOOD), int(Achievement.COLLECT_WOOD))
    elif block == Block.STONE and s.inventory[lane, int(Item.WOOD_PICKAXE)] != 0:
        set_block(s, lane, place, int(Block.PATH))
        _gather(s, r, x, lane, table, int(Item.STONE), int(Achievement.COLLECT_STONE))
    elif block == Block.COAL and s.inventory[lane, int(Item.WOOD_PICKAXE)] != 0:
        set_block(s, lane, place, int(Block.PATH))
        _gather(s, r, x, lane, table, int(Item.COAL), int(Achievement.COLLECT_COAL))
    elif block == Block.IRON and s.inventory[lane, int(Item.STONE_PICKAXE)] != 0:
        set_block(s, lane, place, int(Block.PATH))
        _gather(s, r, x, lane, table, int(Item.IRON), int(Achievement.COLLECT_IRON))
    elif block == Block.DIAMOND and s.inventory[lane, int(Item.IRON_PICKAXE)] != 0:
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
        s.plant_age[lane, _plant_on(s, lane, place)] = 0
        unlock(s, r, x, lane, table, int(Achievement.EAT_PLANT))


@wp.func
def _plant_on(s: State, lane: int, place: wp.vec2i) -> int:
    """The first slot, in use or not, whose plant is on a place; slot 0 if none is."""
    for slot in range(_PLANTS):
        if s.plant_position[lane, slot] == place:
            return slot
    return 0
