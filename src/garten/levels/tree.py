"""The technology tree of Craftax: which achievements lead to which, and an order from easy to hard."""

from __future__ import annotations

import heapq
from collections.abc import Mapping

import numpy as np

from garten.craftax.full.rulebook import RULES
from garten.craftax.full.tables import (
    FLOOR_ACHIEVEMENTS,
    FLOORS,
    KILL_ACHIEVEMENTS,
    RECIPES,
    Achievement,
    Item,
)
from garten.craftax.tutorial import MINED

A = Achievement

Needs = Mapping[Achievement, tuple[Achievement, ...]]

_RULES = {field.name: np.asarray(field.default) for field in RULES}

_PICKAXES = (A.MAKE_WOOD_PICKAXE, A.MAKE_STONE_PICKAXE, A.MAKE_IRON_PICKAXE, A.MAKE_DIAMOND_PICKAXE)

_BY_HAND: Needs = {
    A.PLACE_TABLE: (A.COLLECT_WOOD,),
    A.PLACE_STONE: (A.COLLECT_STONE,),
    A.PLACE_FURNACE: (A.PLACE_TABLE, A.COLLECT_STONE),
    A.PLACE_PLANT: (A.COLLECT_SAPLING,),
    A.EAT_PLANT: (A.PLACE_PLANT,),
    A.PLACE_TORCH: (A.MAKE_TORCH,),
    A.OPEN_CHEST: (A.ENTER_DUNGEON,),
    A.FIND_BOW: (A.OPEN_CHEST,),
    A.FIRE_BOW: (A.FIND_BOW, A.MAKE_ARROW),
    A.DRINK_POTION: (A.OPEN_CHEST,),
    A.LEARN_FIREBALL: (A.ENTER_SEWERS, A.OPEN_CHEST),
    A.LEARN_ICEBALL: (A.ENTER_SEWERS, A.OPEN_CHEST),
    A.CAST_FIREBALL: (A.LEARN_FIREBALL,),
    A.CAST_ICEBALL: (A.LEARN_ICEBALL,),
    A.ENCHANT_SWORD: (A.ENTER_SEWERS, A.COLLECT_SAPPHIRE, A.MAKE_WOOD_SWORD),
    A.ENCHANT_ARMOUR: (A.ENTER_SEWERS, A.COLLECT_SAPPHIRE, A.MAKE_IRON_ARMOUR),
    A.DAMAGE_NECROMANCER: (A.ENTER_GRAVEYARD,),
    A.DEFEAT_NECROMANCER: (A.DAMAGE_NECROMANCER,),
}
"""What no table of the game says: where things are found, and what is done with them."""

_GEM_FLOOR = A.ENTER_GNOMISH_MINES  # the first floor whose rock holds sapphires and rubies


def _gathering() -> Needs:
    levels: dict[Item, int] = {}
    for _, item, level in MINED:
        levels[item] = min(level, levels.get(item, level))
    gems = (Item.SAPPHIRE, Item.RUBY)
    return {
        Achievement[f"COLLECT_{item.name}"]: (
            _PICKAXES[level - 1],
            *((_GEM_FLOOR,) if item in gems else ()),
        )
        for item, level in levels.items()
        if level
    }


def _making() -> Needs:
    return {
        Achievement[action.name]: (
            *(Achievement[f"COLLECT_{item.name}"] for item in cost),
            A.PLACE_TABLE,
            *((A.PLACE_FURNACE,) if furnace else ()),
        )
        for action, cost, furnace in RECIPES
    }


def _descending() -> Needs:
    return {FLOOR_ACHIEVEMENTS[floor]: (FLOOR_ACHIEVEMENTS[floor - 1],) for floor in range(2, FLOORS)}


def _killing() -> Needs:
    """Creatures live on certain floors, of which the highest counts."""
    needs: dict[Achievement, tuple[Achievement, ...]] = {}
    for floor in reversed(range(1, FLOORS)):
        for kind, type_id in enumerate(_RULES["floor_types"][floor]):
            needs[KILL_ACHIEVEMENTS[kind][type_id]] = (FLOOR_ACHIEVEMENTS[floor],)
    for kind, type_id in enumerate(_RULES["floor_types"][0]):
        needs[KILL_ACHIEVEMENTS[kind][type_id]] = ()
    return needs


NEEDS: Needs = {
    each: ({**_gathering(), **_making(), **_descending(), **_killing(), **_BY_HAND}).get(each, ())
    for each in Achievement
}
"""For each achievement those that lead to it directly, in the plain game and without luck."""


def in_order(needs: Needs = NEEDS) -> tuple[Achievement, ...]:
    """All achievements, those that pay least first, each after those that it needs."""
    rewards = np.broadcast_to(_RULES["achievement_reward"], (len(Achievement),))
    waiting = {each: set(first) for each, first in needs.items()}
    ready = [(float(rewards[each]), each) for each, first in waiting.items() if not first]
    heapq.heapify(ready)
    order: list[Achievement] = []
    while ready:
        _, done = heapq.heappop(ready)
        order.append(done)
        for each, first in waiting.items():
            if done in first:
                first.remove(done)
                if not first:
                    heapq.heappush(ready, (float(rewards[each]), each))
    return tuple(order)


def leading_to(goal: Achievement, needs: Needs = NEEDS) -> frozenset[Achievement]:
    """All achievements on the way to one, itself not among them."""
    found: set[Achievement] = set()
    following = list(needs[goal])
    while following:
        each = following.pop()
        if each not in found:
            found.add(each)
            following += needs[each]
    return frozenset(found)
