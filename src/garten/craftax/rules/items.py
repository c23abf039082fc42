# mypy: ignore-errors
"""Paying with items: for what is made, and for what is put on the ground."""

from __future__ import annotations

from typing import Any

import warp as wp

from garten import devices

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)


@wp.func
def affords(s: Any, r: Any, lane: int, table: int, recipe: int) -> bool:
    """Whether the inventory holds what a recipe takes."""
    for item in range(s.inventory.shape[1]):
        if s.inventory[lane, item] < r.recipe_costs[table, recipe, item]:
            return False
    return True


@wp.func
def pay(s: Any, r: Any, lane: int, table: int, recipe: int):
    """Take what a recipe takes."""
    for item in range(s.inventory.shape[1]):
        s.inventory[lane, item] = s.inventory[lane, item] - r.recipe_costs[table, recipe, item]


@wp.func
def take(s: Any, lane: int, item: int, count: int) -> bool:
    """Take items from the inventory if there are enough; returns whether there were."""
    if s.inventory[lane, item] < count:
        return False
    s.inventory[lane, item] = s.inventory[lane, item] - count
    return True


@wp.func
def limit(s: Any, r: Any, lane: int, table: int):
    """Keep no more of an item than fits."""
    for item in range(s.inventory.shape[1]):
        s.inventory[lane, item] = wp.min(s.inventory[lane, item], r.item_limit[table])
