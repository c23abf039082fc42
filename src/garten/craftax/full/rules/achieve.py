# mypy: ignore-errors

"""Achievements: each is rewarded once."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.exchange import Exchange
from garten.craftax.full.state import Rules, State
from garten.craftax.full.tables import Achievement, Item
from garten.craftax.rules.achieve import unlock

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_FIRST_PICKAXE = wp.constant(
    wp.types.vector(4, int)(
        int(Achievement.MAKE_WOOD_PICKAXE),
        int(Achievement.MAKE_STONE_PICKAXE),
        int(Achievement.MAKE_IRON_PICKAXE),
        int(Achievement.MAKE_DIAMOND_PICKAXE),
    )
)
_FIRST_SWORD = wp.constant(
    wp.types.vector(4, int)(
        int(Achievement.MAKE_WOOD_SWORD),
        int(Achievement.MAKE_STONE_SWORD),
        int(Achievement.MAKE_IRON_SWORD),
        int(Achievement.MAKE_DIAMOND_SWORD),
    )
)
_HELD = {
    Item.WOOD: Achievement.COLLECT_WOOD,
    Item.STONE: Achievement.COLLECT_STONE,
    Item.COAL: Achievement.COLLECT_COAL,
    Item.IRON: Achievement.COLLECT_IRON,
    Item.DIAMOND: Achievement.COLLECT_DIAMOND,
    Item.SAPLING: Achievement.COLLECT_SAPLING,
    Item.BOW: Achievement.FIND_BOW,
    Item.ARROWS: Achievement.MAKE_ARROW,
    Item.TORCHES: Achievement.MAKE_TORCH,
    Item.RUBY: Achievement.COLLECT_RUBY,
    Item.SAPPHIRE: Achievement.COLLECT_SAPPHIRE,
}
_HELD_ITEMS = wp.constant(wp.types.vector(len(_HELD), int)(*(int(item) for item in _HELD)))
_HELD_ACHIEVEMENTS = wp.constant(wp.types.vector(len(_HELD), int)(*(int(done) for done in _HELD.values())))
_HELD_COUNT = wp.constant(len(_HELD))


@wp.func
def unlock_held(s: State, r: Rules, x: Exchange, lane: int, table: int):
    """Unlock what the inventory shows, however it came there."""
    for index in range(_HELD_COUNT):
        if s.inventory[lane, _HELD_ITEMS[index]] > 0:
            unlock(s, r, x, lane, table, _HELD_ACHIEVEMENTS[index])
    for level in range(4):
        if s.inventory[lane, int(Item.PICKAXE)] > level:
            unlock(s, r, x, lane, table, _FIRST_PICKAXE[level])
        if s.inventory[lane, int(Item.SWORD)] > level:
            unlock(s, r, x, lane, table, _FIRST_SWORD[level])
