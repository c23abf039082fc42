# mypy: ignore-errors
# ruff: noqa: RUF046, SIM102, UP018 - Warp takes int(0), not 0, for a variable that a branch changes
"""Drinking potions, reading books, spending experience."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.exchange import Exchange
from garten.craftax.full.state import Rules, Settings, State
from garten.craftax.full.tables import Achievement, Action, Item
from garten.craftax.keys import Key, right, uniform
from garten.craftax.rules.achieve import unlock

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)


@wp.func
def drink_potion(s: State, r: Rules, x: Exchange, lane: int, table: int, action: int):
    """Drink a potion of the colour that the action names."""
    colour = action - int(Action.DRINK_POTION_RED)
    if colour < 0 or colour >= 6:
        return
    if s.potions[lane, colour] <= 0:
        return
    s.potions[lane, colour] = s.potions[lane, colour] - 1
    unlock(s, r, x, lane, table, int(Achievement.DRINK_POTION))
    effect = s.potion_effects[lane, colour]
    change = wp.where(effect % 2 == 0, r.potion_gain[table], -r.potion_loss[table])
    if effect // 2 == 0:
        s.health[lane] = s.health[lane] + float(change)
    elif effect // 2 == 1:
        s.mana[lane] = s.mana[lane] + change
    else:
        s.energy[lane] = s.energy[lane] + change


@wp.func
def read_book(s: State, r: Rules, x: Exchange, lane: int, table: int, action: int, key: Key):
    """Learn a spell that is not known yet; `key` is that of this part of the step."""
    if action != Action.READ_BOOK or s.inventory[lane, int(Item.BOOKS)] <= 0:
        return
    s.inventory[lane, int(Item.BOOKS)] = s.inventory[lane, int(Item.BOOKS)] - 1
    spell = int(0)
    knows_fireball = bool(s.spells[lane, 0])
    knows_iceball = bool(s.spells[lane, 1])
    if knows_fireball and not knows_iceball:
        spell = 1
    if not knows_fireball and not knows_iceball:
        if 1.0 - uniform(right(key)) > 0.5:
            spell = 1
    s.spells[lane, spell] = True
    unlock(s, r, x, lane, table, int(Achievement.LEARN_FIREBALL) + 2 * spell)


@wp.func
def level_up(s: State, p: Settings, lane: int, action: int):
    """Raise an attribute for one experience."""
    if action < int(Action.LEVEL_UP_DEXTERITY) or action > int(Action.LEVEL_UP_INTELLIGENCE):
        return
    if s.experience[lane] < 1:
        return
    most = p.max_attribute[lane]
    if action == Action.LEVEL_UP_DEXTERITY:
        if s.dexterity[lane] < most:
            s.dexterity[lane] = s.dexterity[lane] + 1
            s.experience[lane] = s.experience[lane] - 1
    elif action == Action.LEVEL_UP_STRENGTH:
        if s.strength[lane] < most:
            s.strength[lane] = s.strength[lane] + 1
            s.experience[lane] = s.experience[lane] - 1
    elif s.intelligence[lane] < most:
        s.intelligence[lane] = s.intelligence[lane] + 1
        s.experience[lane] = s.experience[lane] - 1
