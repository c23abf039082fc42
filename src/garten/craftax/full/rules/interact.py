# mypy: ignore-errors

"""Doing something to what one faces: attack a creature, or else mine, drink, eat or open the block."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.exchange import Exchange
from garten.craftax.full.rules.attack import attack, blow
from garten.craftax.full.rules.body import max_need
from garten.craftax.full.rules.boss import hit_boss
from garten.craftax.full.rules.ground import block_at, in_bounds, set_block
from garten.craftax.full.rules.loot import open_chest
from garten.craftax.full.state import Rules, State
from garten.craftax.full.tables import Achievement, Block, Item
from garten.craftax.keys import Key, left, right, uniform
from garten.craftax.rules import plants
from garten.craftax.rules.achieve import unlock
from garten.craftax.rules.grid import facing

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)


@wp.func
def interact(s: State, r: Rules, x: Exchange, lane: int, table: int, key: Key):
    """Do it; `key` is that of the action.

    In 1.6.1 a chest or the necromancer is noted as opened or hit even if a creature was struck instead, or if
    it lies on the far edge and the player faces off the map.
    """
    place = facing(s, lane)
    struck = attack(s, r, x, lane, table, place, blow(s, r, lane, table), True)
    reaches = in_bounds(place) and not struck
    noted = reaches or not r.fixed[table]
    block = block_at(s, lane, place)
    if block == Block.NECROMANCER and noted:
        hit_boss(s, r, x, lane, table, reaches)
    if reaches:
        _use_block(s, r, x, lane, table, place, block, key)
    if block == Block.CHEST and noted:
        s.chest_opened[lane, s.floor[lane]] = True


@wp.func
def _take(s: State, lane: int, place: wp.vec2i, left_behind: int, item: int):
    """Mine a block for an item."""
    set_block(s, lane, place, left_behind)
    s.inventory[lane, item] = s.inventory[lane, item] + 1


@wp.func
def _use_block(s: State, r: Rules, x: Exchange, lane: int, table: int, place: wp.vec2i, block: int, key: Key):
    """Mine, drink, eat, search or open the block on a place of the map."""
    pickaxe = s.inventory[lane, int(Item.PICKAXE)]
    path = int(Block.PATH)
    if block == Block.TREE:
        _take(s, lane, place, int(Block.GRASS), int(Item.WOOD))
    elif block == Block.FIRE_TREE:
        _take(s, lane, place, int(Block.FIRE_GRASS), int(Item.WOOD))
    elif block == Block.ICE_SHRUB:
        _take(s, lane, place, int(Block.ICE_GRASS), int(Item.WOOD))
    elif (block == Block.STONE or block == Block.STALAGMITE) and pickaxe >= 1:
        _take(s, lane, place, path, int(Item.STONE))
    elif block == Block.COAL and pickaxe >= 1:
        _take(s, lane, place, path, int(Item.COAL))
    elif block == Block.IRON and pickaxe >= 2:
        _take(s, lane, place, path, int(Item.IRON))
    elif block == Block.DIAMOND and pickaxe >= 3:
        _take(s, lane, place, path, int(Item.DIAMOND))
    elif block == Block.SAPPHIRE and pickaxe >= 4:
        _take(s, lane, place, path, int(Item.SAPPHIRE))
    elif block == Block.RUBY and pickaxe >= 4:
        _take(s, lane, place, path, int(Item.RUBY))
    elif block == Block.FURNACE or block == Block.TABLE:
        set_block(s, lane, place, path)
    elif block == Block.GRASS:
        if uniform(right(key)) < r.sapling_chance[table]:
            s.inventory[lane, int(Item.SAPLING)] = s.inventory[lane, int(Item.SAPLING)] + 1
    elif block == Block.WATER or block == Block.FOUNTAIN:
        s.drink[lane] = wp.min(max_need(s, lane), s.drink[lane] + 1)
        s.thirst[lane] = 0.0
        unlock(s, r, x, lane, table, int(Achievement.COLLECT_DRINK))
    elif block == Block.RIPE_PLANT:
        set_block(s, lane, place, int(Block.PLANT))
        s.food[lane] = wp.min(max_need(s, lane), s.food[lane] + r.plant_food[table])
        s.hunger[lane] = 0.0
        plants.eat(s, lane, place, bool(r.fixed[table]))
        unlock(s, r, x, lane, table, int(Achievement.EAT_PLANT))
    elif block == Block.CHEST:
        set_block(s, lane, place, path)
        open_chest(s, r, lane, table, right(left(key)))
        unlock(s, r, x, lane, table, int(Achievement.OPEN_CHEST))
