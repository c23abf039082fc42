# mypy: ignore-errors
# ruff: noqa: RUF046, UP018 - Warp takes int(0), not 0, for a variable that a branch changes
"""What chests hold; all of it is drawn independently."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.state import Rules, State
from garten.craftax.full.tables import Item
from garten.craftax.keys import Key, left, randint, right, uniform

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_ORES = wp.constant(
    wp.types.vector(5, int)(
        int(Item.COAL), int(Item.IRON), int(Item.DIAMOND), int(Item.SAPPHIRE), int(Item.RUBY)
    )
)


@wp.func
def open_chest(s: State, r: Rules, lane: int, table: int, key: Key):
    """Give the player what is in a chest. Each draw has a link of the chain, made or not."""
    torches = key
    ore = left(left(torches))
    potion = left(left(left(ore)))
    arrows = left(left(left(potion)))
    tool = left(left(arrows))
    if uniform(right(torches)) < r.loot_chances[table, 0]:
        _gain(s, lane, int(Item.TORCHES), 4 + randint(right(left(torches)), 4))
    if uniform(right(ore)) < r.loot_chances[table, 1]:
        _find_ore(s, r, lane, table, left(ore))
    if uniform(right(potion)) < r.loot_chances[table, 2]:
        colour = randint(right(left(potion)), 6)
        s.potions[lane, colour] = s.potions[lane, colour] + 1 + randint(right(left(left(potion))), 2)
    if uniform(right(arrows)) < r.loot_chances[table, 3]:
        _gain(s, lane, int(Item.ARROWS), 1 + randint(right(left(arrows)), 4))
    if uniform(right(tool)) < r.loot_chances[table, 4]:
        _find_tool(s, r, lane, table, left(tool))
    _find_treasure(s, lane)


@wp.func
def _gain(s: State, lane: int, item: int, count: int):
    s.inventory[lane, item] = s.inventory[lane, item] + count


@wp.func
def _find_ore(s: State, r: Rules, lane: int, table: int, key: Key):
    """One kind of ore, of coal up to 3 and of iron up to 2."""
    which = _weighted(r.ore_weights, table, 5, right(key))
    amount = right(left(key))
    count = int(1)
    if which == 0:
        count = 1 + randint(amount, 3)
    if which == 1:
        count = 1 + randint(amount, 2)
    _gain(s, lane, _ORES[which], count)


@wp.func
def _find_tool(s: State, r: Rules, lane: int, table: int, key: Key):
    """A pickaxe or a sword, of use if it is better than the player's."""
    is_sword = randint(right(key), 2) == 1
    pickaxe_key = right(left(key))
    sword_key = right(left(left(key)))
    item = int(Item.PICKAXE)
    level_key = pickaxe_key
    if is_sword:
        item = int(Item.SWORD)
        level_key = sword_key
    level = 1 + _weighted(r.tool_weights, table, 4, level_key)
    s.inventory[lane, item] = wp.max(s.inventory[lane, item], level)


@wp.func
def _find_treasure(s: State, lane: int):
    """The first chest of floor 1 holds a bow, those of floors 3 and 4 a book."""
    floor = s.floor[lane]
    if s.chest_opened[lane, floor]:
        return
    if floor == 1:
        s.inventory[lane, int(Item.BOW)] = 1
    if floor == 3 or floor == 4:
        _gain(s, lane, int(Item.BOOKS), 1)


@wp.func
def _weighted(weights: wp.array2d(dtype=float), table: int, count: int, key: Key) -> int:
    """An index drawn by weights."""
    total = float(0.0)
    for index in range(count):
        total = total + weights[table, index]
    level = total * (1.0 - uniform(key))
    seen = float(0.0)
    for index in range(count):
        seen = seen + weights[table, index]
        if seen >= level:
            return index
    return count - 1
