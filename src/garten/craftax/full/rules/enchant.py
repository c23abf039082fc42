# mypy: ignore-errors
# ruff: noqa: RUF046, UP018 - Warp takes int(0), not 0, for a variable that a branch changes
"""Enchanting sword, bow or armour at a table of fire or ice."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.exchange import Exchange
from garten.craftax.full.rules.ground import block_at, is_reachable
from garten.craftax.full.state import Rules, State
from garten.craftax.full.tables import Achievement, Action, Block, Item
from garten.craftax.keys import Key, right, uniform
from garten.craftax.rules.achieve import unlock
from garten.craftax.rules.grid import facing

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)


@wp.func
def enchant(s: State, r: Rules, x: Exchange, lane: int, table: int, action: int, key: Key):
    """Enchant what the action names, for a gem and mana; `key` is that of this part of the step."""
    if action != Action.ENCHANT_SWORD and action != Action.ENCHANT_ARMOUR and action != Action.ENCHANT_BOW:
        return
    place = facing(s, lane)
    block = block_at(s, lane, place)
    if not is_reachable(r, table, place) or (block != Block.FIRE_TABLE and block != Block.ICE_TABLE):
        return
    element = int(1)
    gem = int(Item.RUBY)
    if block == Block.ICE_TABLE:
        element = 2
        gem = int(Item.SAPPHIRE)
    if s.mana[lane] < r.enchanting_mana[table] or s.inventory[lane, gem] < 1:
        return
    if action == Action.ENCHANT_SWORD:
        if s.inventory[lane, int(Item.SWORD)] <= 0:
            return
        s.sword_enchantment[lane] = element
        unlock(s, r, x, lane, table, int(Achievement.ENCHANT_SWORD))
    elif action == Action.ENCHANT_BOW:
        if s.inventory[lane, int(Item.BOW)] <= 0:
            return
        s.bow_enchantment[lane] = element
    else:
        if s.armour[lane, 0] + s.armour[lane, 1] + s.armour[lane, 2] + s.armour[lane, 3] <= 0:
            return
        s.armour_enchantments[lane, _piece(s, lane, element, right(key))] = element
        unlock(s, r, x, lane, table, int(Achievement.ENCHANT_ARMOUR))
    s.mana[lane] = s.mana[lane] - r.enchanting_mana[table]
    s.inventory[lane, gem] = s.inventory[lane, gem] - 1


@wp.func
def _piece(s: State, lane: int, element: int, key: Key) -> int:
    """A random piece without enchantment, or else one with the other, or else the first."""
    plain = int(0)
    other = int(0)
    for piece in range(4):
        if s.armour_enchantments[lane, piece] == 0:
            plain = plain + 1
        elif s.armour_enchantments[lane, piece] != element:
            other = other + 1
    count = plain
    if plain == 0:
        count = other
    if count == 0:
        return 0
    level = float(count) * (1.0 - uniform(key))
    seen = float(0.0)
    for piece in range(4):
        enchantment = s.armour_enchantments[lane, piece]
        if enchantment == 0 or (plain == 0 and enchantment != element):
            seen = seen + 1.0
            if seen >= level:
                return piece
    return 3
