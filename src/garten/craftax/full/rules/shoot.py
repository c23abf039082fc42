# mypy: ignore-errors
# ruff: noqa: SIM102 - Warp takes int(0), not 0, for a variable that a branch changes
"""The player shoots arrows and casts spells."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.exchange import Exchange
from garten.craftax.full.state import Rules, State
from garten.craftax.full.tables import FIREBALL, ICEBALL, PLAYER_ARROW, Achievement, Action, Item
from garten.craftax.rules.achieve import unlock
from garten.craftax.rules.creatures import first_free
from garten.craftax.rules.grid import direction

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_ARROW = wp.constant(PLAYER_ARROW)
_FIREBALL = wp.constant(FIREBALL)
_ICEBALL = wp.constant(ICEBALL)


@wp.func
def shoot(s: State, r: Rules, x: Exchange, lane: int, table: int, action: int):
    """Shoot an arrow or cast a spell, if the action says so and the player can."""
    if action == Action.SHOOT_ARROW:
        if s.inventory[lane, int(Item.BOW)] >= 1 and s.inventory[lane, int(Item.ARROWS)] >= 1:
            if _launch(s, lane, _ARROW):
                s.inventory[lane, int(Item.ARROWS)] = s.inventory[lane, int(Item.ARROWS)] - 1
                unlock(s, r, x, lane, table, int(Achievement.FIRE_BOW))
    elif action == Action.CAST_FIREBALL:
        _cast(s, r, x, lane, table, 0, _FIREBALL, int(Achievement.CAST_FIREBALL))
    elif action == Action.CAST_ICEBALL:
        _cast(s, r, x, lane, table, 1, _ICEBALL, int(Achievement.CAST_ICEBALL))


@wp.func
def _cast(s: State, r: Rules, x: Exchange, lane: int, table: int, spell: int, type_id: int, achievement: int):
    if s.spells[lane, spell] and s.mana[lane] >= r.spell_mana[table]:
        if _launch(s, lane, type_id):
            s.mana[lane] = s.mana[lane] - r.spell_mana[table]
            unlock(s, r, x, lane, table, achievement)


@wp.func
def _launch(s: State, lane: int, type_id: int) -> bool:
    """Let a projectile start from the player's own tile, if a slot is free; returns whether one was."""
    floor = s.floor[lane]
    slot = first_free(s.player_shot_alive[lane, floor])
    if slot < 0:
        return False
    s.player_shot_position[lane, floor, slot] = s.player_position[lane]
    s.player_shot_direction[lane, floor, slot] = direction(s.player_direction[lane])
    s.player_shot_type[lane, floor, slot] = type_id
    s.player_shot_alive[lane, floor, slot] = True
    return True
