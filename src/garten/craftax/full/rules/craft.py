# mypy: ignore-errors
# ruff: noqa: RUF046, UP018 - Warp takes int(0), not 0, for a variable that a branch changes
"""Making tools, armour, arrows and torches beside a table; iron things beside a furnace too."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.exchange import Exchange
from garten.craftax.full.rules.ground import is_beside
from garten.craftax.full.state import Rules, State
from garten.craftax.full.tables import RECIPES, Achievement, Block, Item
from garten.craftax.rules.achieve import unlock
from garten.craftax.rules.items import affords, pay

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_RECIPES = wp.constant(len(RECIPES))
_ACTIONS = wp.constant(wp.types.vector(len(RECIPES), int)(*(int(action) for action, _, _ in RECIPES)))
_FURNACE = wp.constant(wp.types.vector(len(RECIPES), int)(*(int(furnace) for _, _, furnace in RECIPES)))
_PICKAXES = wp.constant(0)  # recipes 0 to 3 make pickaxes of level 1 to 4
_SWORDS = wp.constant(4)  # recipes 4 to 7 make swords
_ARMOUR = wp.constant(8)  # recipes 8 and 9 make armour of level 1 and 2
_ARROWS = wp.constant(10)


@wp.func
def craft(s: State, r: Rules, x: Exchange, lane: int, table: int, action: int):
    """Make what the action names if it is of use, can be paid for and can be made here."""
    recipe = int(-1)
    for index in range(_RECIPES):
        if _ACTIONS[index] == action:
            recipe = index
    if recipe < 0 or not _is_wanted(s, r, lane, table, recipe):
        return
    if not affords(s, r, lane, table, recipe):
        return
    if not is_beside(s, lane, int(Block.TABLE)):
        return
    if _FURNACE[recipe] != 0 and not is_beside(s, lane, int(Block.FURNACE)):
        return
    pay(s, r, lane, table, recipe)
    _make(s, r, x, lane, table, recipe)


@wp.func
def _armour_below(s: State, lane: int, level: int) -> int:
    """The first piece of armour below a level, or -1."""
    for piece in range(4):
        if s.armour[lane, piece] < level:
            return piece
    return -1


@wp.func
def _is_wanted(s: State, r: Rules, lane: int, table: int, recipe: int) -> bool:
    """Whether the player has nothing as good already, or room for more."""
    if recipe < _SWORDS:
        return s.inventory[lane, int(Item.PICKAXE)] < recipe - _PICKAXES + 1
    if recipe < _ARMOUR:
        return s.inventory[lane, int(Item.SWORD)] < recipe - _SWORDS + 1
    if recipe < _ARROWS:
        return _armour_below(s, lane, recipe - _ARMOUR + 1) >= 0
    if recipe == _ARROWS:
        return s.inventory[lane, int(Item.ARROWS)] < r.item_limit[table]
    return s.inventory[lane, int(Item.TORCHES)] < r.item_limit[table]


@wp.func
def _make(s: State, r: Rules, x: Exchange, lane: int, table: int, recipe: int):
    if recipe < _SWORDS:
        s.inventory[lane, int(Item.PICKAXE)] = recipe - _PICKAXES + 1
    elif recipe < _ARMOUR:
        s.inventory[lane, int(Item.SWORD)] = recipe - _SWORDS + 1
    elif recipe < _ARROWS:
        level = recipe - _ARMOUR + 1
        s.armour[lane, _armour_below(s, lane, level)] = level
        unlock(s, r, x, lane, table, int(Achievement.MAKE_IRON_ARMOUR) + level - 1)
    elif recipe == _ARROWS:
        s.inventory[lane, int(Item.ARROWS)] = s.inventory[lane, int(Item.ARROWS)] + r.arrows_made[table]
    else:
        s.inventory[lane, int(Item.TORCHES)] = s.inventory[lane, int(Item.TORCHES)] + r.torches_made[table]
