# mypy: ignore-errors

"""Making tools beside a table; iron ones beside a furnace too. More than one of a tool can be made."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.classic.exchange import Exchange
from garten.craftax.classic.rules.ground import is_beside
from garten.craftax.classic.state import Rules, State
from garten.craftax.classic.tables import RECIPES, Action, Block, Item
from garten.craftax.rules.achieve import unlock
from garten.craftax.rules.items import affords, pay

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_RECIPES = wp.constant(len(RECIPES))
_PRODUCTS = wp.constant(wp.types.vector(len(RECIPES), int)(*(int(item) for item in RECIPES)))
_ACHIEVEMENTS = wp.constant(wp.types.vector(len(RECIPES), int)(*(int(done) for _, done in RECIPES.values())))


@wp.func
def craft(s: State, r: Rules, x: Exchange, lane: int, table: int, action: int):
    """Make what the action names if the player has what it takes and stands where it can be made.

    In 1.6.1 also a tool that is owned already.
    """
    recipe = action - int(Action.MAKE_WOOD_PICKAXE)
    if recipe < 0 or recipe >= _RECIPES:
        return
    product = _PRODUCTS[recipe]
    if s.inventory[lane, product] != 0 and r.fixed[table]:
        return
    if not affords(s, r, lane, table, recipe):
        return
    if not is_beside(s, lane, int(Block.TABLE)):
        return
    if (product == Item.IRON_PICKAXE or product == Item.IRON_SWORD) and not is_beside(
        s, lane, int(Block.FURNACE)
    ):
        return
    pay(s, r, lane, table, recipe)
    s.inventory[lane, product] = s.inventory[lane, product] + 1
    unlock(s, r, x, lane, table, _ACHIEVEMENTS[recipe])
