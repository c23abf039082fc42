"""Which achievements a start can lead to: the technology tree, climbed as far as the map lets one.

The search is generous: what needs luck counts as possible, nothing is used up, creatures never win. What it
calls out of reach is so for certain; what it calls within reach may still be hard.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from garten.craftax.full.rulebook import RULES
from garten.craftax.full.tables import (
    FLOOR_ACHIEVEMENTS,
    FLOOR_NAMES,
    FLOORS,
    KILL_ACHIEVEMENTS,
    RECIPES,
    SIZE,
    SOLID,
    Achievement,
    Action,
    Block,
    Item,
    Thing,
)

A, B = Achievement, Block

Conditions = dict[Achievement, tuple[tuple[str, bool], ...]]
"""What each achievement needs, in words, and whether it can be had."""

_RULES = {field.name: np.asarray(field.default) for field in RULES}
_RECIPES = {action: (needs, furnace) for action, needs, furnace in RECIPES}
_WOODEN = (B.TREE, B.FIRE_TREE, B.ICE_SHRUB)
_MINED = {  # item: the blocks it is mined from, and the level of the pickaxe that it takes
    Item.WOOD: (_WOODEN, 0),
    Item.STONE: ((B.STONE, B.STALAGMITE), 1),
    Item.COAL: ((B.COAL,), 1),
    Item.IRON: ((B.IRON,), 2),
    Item.DIAMOND: ((B.DIAMOND,), 3),
    Item.SAPPHIRE: ((B.SAPPHIRE,), 4),
    Item.RUBY: ((B.RUBY,), 4),
}
_IN_CHESTS = {Item.COAL: 3, Item.IRON: 2, Item.DIAMOND: 1, Item.SAPPHIRE: 1, Item.RUBY: 1}
_IN_CHESTS |= {Item.ARROWS: 4, Item.TORCHES: 7}
_BEST_TOOL = 4  # a chest may hold it
_BOW_FLOOR, _BOOK_FLOORS = 1, (3, 4)
_PICKAXES = (
    *(Action.MAKE_WOOD_PICKAXE, Action.MAKE_STONE_PICKAXE, Action.MAKE_IRON_PICKAXE),
    Action.MAKE_DIAMOND_PICKAXE,
)
_SWORDS = (
    *(Action.MAKE_WOOD_SWORD, Action.MAKE_STONE_SWORD, Action.MAKE_IRON_SWORD, Action.MAKE_DIAMOND_SWORD),
)
_KINDS = ("passive", "melee", "ranged")

Mask = npt.NDArray[np.bool_]


def out_of_reach(
    state: Mapping[str, npt.NDArray[Any]], dials: Mapping[str, float], goal: Collection[Achievement]
) -> dict[Achievement, str]:
    """The achievements of a goal that a start cannot lead to, and what each lacks, in words.

    Args:
        state: of one lane, all floors made.
        dials: all twelve.
        goal: what is wanted.
    """
    search = _Search(state, dials)
    while True:
        conditions = search.conditions()
        open_goals = {each for each in goal if not all(met for _, met in conditions[each])}
        open_goals -= {each for each in goal if state["achievements"][each]}
        if not open_goals or not search.climb():
            break
    lacks = {each: [what for what, met in conditions[each] if not met] for each in sorted(open_goals)}
    return {each: " and ".join(whats) for each, whats in lacks.items()}


class _Search:
    """What can be had so far: floors, tools and tiles grow until nothing more does."""

    def __init__(self, state: Mapping[str, npt.NDArray[Any]], dials: Mapping[str, float]) -> None:
        self._state = state
        self._dials = dials
        self._entries = {int(state["floor"]): [tuple(state["player_position"])]}
        self._pickaxe = int(state["inventory"][Item.PICKAXE])
        self._sword = int(state["inventory"][Item.SWORD])
        self._bridges = False
        self._look_around()

    def _look_around(self) -> None:
        """Find the tiles within reach of each floor, and count the blocks that can be touched."""
        self._walked = {floor: self._flood(floor, entries) for floor, entries in self._entries.items()}
        self._near = {
            floor: Counter(self._state["blocks"][floor][_spread(walked)].tolist())
            for floor, walked in self._walked.items()
        }
        self._blocks: Counter[int] = sum(self._near.values(), Counter())

    def _flood(self, floor: int, entries: list[tuple[int, int]]) -> Mask:
        blocks = self._state["blocks"][floor]
        barred = [*SOLID, *(() if self._bridges else (B.WATER, B.LAVA))]
        dug = [B.TABLE, B.FURNACE, B.CHEST]
        dug += [
            block for blocks_of, level in _MINED.values() if level <= self._pickaxe for block in blocks_of
        ]
        passable = ~np.isin(blocks, barred) | np.isin(blocks, dug)
        walked = np.zeros((SIZE, SIZE), bool)
        for row, column in entries:
            walked[row, column] = True
        while True:
            grown = walked | (_spread(walked) & passable)
            if np.array_equal(grown, walked):
                return walked
            walked = grown

    def climb(self) -> bool:
        """Take the tools and floors that are within reach now; whether there was anything new."""
        before = (self._pickaxe, self._sword, self._bridges, dict(self._entries))

        def made(actions: tuple[Action, ...]) -> int:
            levels = (level for level, action in enumerate(actions, 1) if self._lacks_nothing(action))
            return max(levels, default=0)

        chest = _BEST_TOOL if self._blocks[B.CHEST] else 0
        self._pickaxe = max(self._pickaxe, made(_PICKAXES), chest)
        self._sword = max(self._sword, made(_SWORDS), chest)
        self._bridges = self._pickaxe >= 1 and self._count(Item.STONE) > 0
        self._entries = {floor: list(entries) for floor, entries in self._entries.items()}
        for floor in list(self._entries):
            self._take_ladders(floor)
        if before == (self._pickaxe, self._sword, self._bridges, self._entries):
            return False
        self._look_around()
        return True

    def _take_ladders(self, floor: int) -> None:
        ladders = {Thing.LADDER_UP: ("down_ladder", floor - 1), Thing.LADDER_DOWN: ("up_ladder", floor + 1)}
        for thing, (landing, other) in ladders.items():
            there = (self._state["things"][floor] == thing) & self._walked[floor]
            is_open = thing == Thing.LADDER_UP or self._is_cleared(floor)
            if 0 <= other < FLOORS and there.any() and is_open:
                place = tuple(self._state[landing][other])
                if place not in self._entries.setdefault(other, []):
                    self._entries[other].append(place)

    def _is_cleared(self, floor: int) -> bool:
        """Whether enough monsters of a floor can be killed for its way down to open."""
        standing = sum(int(self._state[f"{kind}_alive"][floor].sum()) for kind in _KINDS[1:])
        known = self._state["kills"][floor] + standing
        return bool(known >= self._dials["monsters_killed_to_clear_level"]) or any(
            self._comes(kind, floor) for kind in (1, 2)
        )

    def _comes(self, kind: int, floor: int) -> bool:
        """Whether creatures of a kind appear on a floor by themselves."""
        chances = _RULES["spawn_chances"][floor]
        chance = chances[kind] + (chances[3] if kind == 1 else 0.0)
        return bool(chance * self._dials[f"{_KINDS[kind]}_spawn_multiplier"] > 0.0)

    def _is_there(self, kind: int, type_id: int) -> bool:
        """Whether a type of creature lives on a floor within reach, or appears there."""
        for floor, walked in self._walked.items():
            if walked.sum() == 1:
                continue  # nobody can come up to the player
            alive = self._state[f"{_KINDS[kind]}_alive"][floor]
            if (alive & (self._state[f"{_KINDS[kind]}_type"][floor] == type_id)).any():
                return True
            in_wave = floor == FLOORS - 1 and kind > 0
            if (in_wave or _RULES["floor_types"][floor, kind] == type_id) and self._comes(kind, floor):
                return True
        return False

    def _count(self, item: Item) -> int:
        """The most of an item that can be had."""
        count = int(self._state["inventory"][item]) + _IN_CHESTS.get(item, 0) * self._blocks[B.CHEST]
        blocks, level = _MINED.get(item, ((), 0))
        if self._pickaxe >= level:
            count += sum(self._blocks[block] for block in blocks)
        if item is Item.SAPLING and self._blocks[B.GRASS]:
            count += 99
        return count

    def _has_room(self) -> bool:
        """Whether there is a tile to put something on."""
        return any(walked.sum() > 1 for walked in self._walked.values())

    def _recipe(self, action: Action) -> tuple[tuple[str, bool], ...]:
        """What a recipe needs, tables and furnaces that have to be placed first included."""
        needs, furnace = _RECIPES[action]
        wanted = Counter(needs)
        stations = [B.TABLE, B.FURNACE] if furnace else [B.TABLE]
        placed = self._has_room() or all(self._blocks[block] for block in stations)
        if not self._blocks[B.TABLE]:
            wanted[Item.WOOD] += int(_RULES["table_wood"])
        if furnace and not self._blocks[B.FURNACE]:
            wanted[Item.STONE] += int(_RULES["furnace_stone"])
        return (
            *((f"{count} {item.name.lower()}", self._count(item) >= count) for item, count in wanted.items()),
            ("a free tile for a table or furnace", placed),
        )

    def _lacks_nothing(self, action: Action) -> bool:
        return all(met for _, met in self._recipe(action))

    def conditions(self) -> Conditions:
        """What every achievement needs: the technology tree."""
        return {
            **self._gathering(),
            **self._making(),
            **self._creatures(),
            **self._descending(),
            **self._magic(),
        }

    def _gathering(self) -> Conditions:
        blocks = self._blocks
        drink = blocks[B.WATER] + blocks[B.FOUNTAIN] > 0
        collected = {
            A.COLLECT_WOOD: (Item.WOOD, "wood within reach"),
            A.COLLECT_STONE: (Item.STONE, "stone within reach and a pickaxe"),
            A.COLLECT_COAL: (Item.COAL, "coal within reach and a pickaxe"),
            A.COLLECT_IRON: (Item.IRON, "iron within reach and a stone pickaxe"),
            A.COLLECT_DIAMOND: (Item.DIAMOND, "diamond within reach and an iron pickaxe"),
            A.COLLECT_SAPPHIRE: (Item.SAPPHIRE, "sapphire within reach and a diamond pickaxe"),
            A.COLLECT_RUBY: (Item.RUBY, "ruby within reach and a diamond pickaxe"),
            A.COLLECT_SAPLING: (Item.SAPLING, "grass within reach"),
        }
        growing = ("grass on the overworld for a sapling", self._near.get(0, Counter())[B.GRASS] > 0)
        ripe = blocks[B.RIPE_PLANT] > 0
        tired = self._dials["needs_depletion_multiplier"] > 0.0 or self._state["energy"] < 7 + 2 * int(
            self._state["dexterity"]
        )
        return {
            **{each: ((what, self._count(item) > 0),) for each, (item, what) in collected.items()},
            A.COLLECT_DRINK: (("water within reach", drink),),
            A.PLACE_PLANT: (("grass within reach for a sapling", self._count(Item.SAPLING) > 0),),
            A.EAT_PLANT: ((growing[0], ripe or growing[1]),),
            A.WAKE_UP: (("a body that tires (needs_depletion_multiplier is 0)", bool(tired)),),
            A.OPEN_CHEST: (("a chest within reach", blocks[B.CHEST] > 0),),
        }

    def _making(self) -> Conditions:
        wood, stone = int(_RULES["table_wood"]), int(_RULES["furnace_stone"])
        room = ("a free tile", self._has_room())
        torches = self._count(Item.TORCHES) > 0
        tools: Conditions = {A[action.name]: self._recipe(action) for action in (*_PICKAXES, *_SWORDS)}
        for levels, item in ((_PICKAXES, Item.PICKAXE), (_SWORDS, Item.SWORD)):
            for level, action in enumerate(levels, 1):
                held = (self._pickaxe if item is Item.PICKAXE else self._sword) >= level
                if held:
                    tools[A[action.name]] = (("", True),)
        return {
            **tools,
            A.MAKE_IRON_ARMOUR: self._recipe(Action.MAKE_IRON_ARMOUR),
            A.MAKE_DIAMOND_ARMOUR: self._recipe(Action.MAKE_DIAMOND_ARMOUR),
            A.PLACE_TABLE: ((f"{wood} wood", self._count(Item.WOOD) >= wood), room),
            A.PLACE_STONE: (("stone", self._count(Item.STONE) >= 1), room),
            A.PLACE_FURNACE: ((f"{stone} stone", self._count(Item.STONE) >= stone), room),
            A.MAKE_ARROW: self._held_or_made(Item.ARROWS, Action.MAKE_ARROW),
            A.MAKE_TORCH: self._held_or_made(Item.TORCHES, Action.MAKE_TORCH),
            A.PLACE_TORCH: (("a torch", torches or self._lacks_nothing(Action.MAKE_TORCH)), room),
        }

    def _held_or_made(self, item: Item, action: Action) -> tuple[tuple[str, bool], ...]:
        return (("", True),) if self._count(item) > 0 else self._recipe(action)

    def _creatures(self) -> Conditions:
        return {
            achievement: (
                (f"its creature on a floor within reach ({_KINDS[kind]})", self._is_there(kind, type_id)),
            )
            for kind, achievements in enumerate(KILL_ACHIEVEMENTS)
            for type_id, achievement in enumerate(achievements)
            if achievement is not A.COLLECT_WOOD
        }

    def _descending(self) -> Conditions:
        boss = ("the graveyard within reach", FLOORS - 1 in self._entries)
        floors = {
            achievement: ((f"a way to floor {floor} ({FLOOR_NAMES[floor]})", floor in self._entries),)
            for floor, achievement in enumerate(FLOOR_ACHIEVEMENTS)
            if floor > 0
        }
        return {**floors, A.DAMAGE_NECROMANCER: (boss,), A.DEFEAT_NECROMANCER: (boss,)}

    def _magic(self) -> Conditions:
        inventory, spells = self._state["inventory"], self._state["spells"]
        chests = {floor: near[B.CHEST] > 0 for floor, near in self._near.items()}
        bow = inventory[Item.BOW] > 0 or chests.get(_BOW_FLOOR, False)
        book = inventory[Item.BOOKS] > 0 or any(chests.get(floor, False) for floor in _BOOK_FLOORS)
        arrows = self._count(Item.ARROWS) > 0 or self._lacks_nothing(Action.MAKE_ARROW)
        potion = self._state["potions"].sum() > 0 or self._blocks[B.CHEST] > 0
        armour = self._state["armour"].sum() > 0 or any(
            self._lacks_nothing(action) for action in (Action.MAKE_IRON_ARMOUR, Action.MAKE_DIAMOND_ARMOUR)
        )
        enchanting = any(
            self._blocks[table] > 0 and self._count(gem) > 0
            for table, gem in ((B.FIRE_TABLE, Item.RUBY), (B.ICE_TABLE, Item.SAPPHIRE))
        )
        table = ("an enchantment table within reach and its gem", enchanting)
        return {
            A.FIND_BOW: (("a bow (the dungeon's first chest holds one)", bool(bow)),),
            A.FIRE_BOW: (("a bow", bool(bow)), ("arrows", arrows)),
            A.LEARN_FIREBALL: (("a book", bool(book)),),
            A.LEARN_ICEBALL: (("a book", bool(book)),),
            A.CAST_FIREBALL: (("the spell, or a book", bool(spells[0] or book)),),
            A.CAST_ICEBALL: (("the spell, or a book", bool(spells[1] or book)),),
            A.DRINK_POTION: (("a potion", bool(potion)),),
            A.ENCHANT_SWORD: (("a sword", self._sword > 0), table),
            A.ENCHANT_ARMOUR: (("armour", bool(armour)), table),
        }


def _spread(tiles: Mask) -> Mask:
    """Tiles, and those beside them in the four directions."""
    out = tiles.copy()
    out[1:] |= tiles[:-1]
    out[:-1] |= tiles[1:]
    out[:, 1:] |= tiles[:, :-1]
    out[:, :-1] |= tiles[:, 1:]
    return out
