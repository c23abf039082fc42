"""The kit of Craftax: how its aids go together and which achievements they meet."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from garten.authors.craftax.aids import (
    CAPACITY,
    TOOLS,
    Attributes,
    ByLadder,
    Creatures,
    Enchanted,
    Held,
    Near,
    Open,
    Scattered,
    Spells,
    Start,
    Worn,
)
from garten.authors.craftax.help import helpers
from garten.authors.craftax.reading import aids_of
from garten.authors.craftax.writing import code_of, words_of
from garten.authors.kit import Aid, Help, Kit
from garten.craftax.full.tables import FLOOR_ACHIEVEMENTS, Achievement, Item

_UNLOCKED_BY = {"bow": "FIND_BOW", "arrows": "MAKE_ARROW", "torches": "MAKE_TORCH"} | {
    item.name.lower(): f"COLLECT_{item.name}"
    for item in Item
    if f"COLLECT_{item.name}" in Achievement.__members__
}
_TOOL_ACHIEVEMENTS = {
    tool: tuple(f"MAKE_{tier}_{tool.upper()}" for tier in ("WOOD", "STONE", "IRON", "DIAMOND"))
    for tool in ("pickaxe", "sword")
}

_LIVING = ("needs_depletion_multiplier", "health_recover_multiplier", "mob_damage_multiplier")
_PEACE = ("melee_spawn_multiplier", "ranged_spawn_multiplier")


class CraftaxKit(Kit):
    """See `garten.authors.kit.Kit`."""

    gentle: Mapping[str, float] = {
        "passive_spawn_multiplier": 3.0,
        "melee_spawn_multiplier": 0.1,
        "ranged_spawn_multiplier": 0.1,
        "mob_health_multiplier": 0.4,
        "mob_damage_multiplier": 0.2,
        "melee_trigger_distance": 4,
        "monsters_killed_to_clear_level": 1,
        "needs_depletion_multiplier": 0.3,
        "health_recover_multiplier": 5.0,
        "health_loss_multiplier": 0.3,
        "mana_recover_multiplier": 4.0,
        "growing_plants_age": 30,
    }

    def read(self, method: str, arguments: Sequence[Any], named: Mapping[str, Any]) -> tuple[Aid, ...] | None:
        """See `Kit.read`."""
        return aids_of(method, arguments, named)

    def help_with(self, goal: str, aids: Collection[Aid], rng: random.Random) -> Help:
        """See `Kit.help_with`."""
        return helpers()[goal](self.start(aids), rng)

    def gentle_for(self, goal: str) -> frozenset[str]:
        """See `Kit.gentle_for`."""
        dials = {*_LIVING, *_PEACE}
        if goal == "WAKE_UP":
            dials.remove("needs_depletion_multiplier")  # who is not tired cannot sleep
        if goal.startswith(("DEFEAT", "DAMAGE")):
            dials = {*_LIVING, "mob_health_multiplier"}
        if goal in ("EAT_COW", "EAT_BAT", "EAT_SNAIL"):
            dials.add("passive_spawn_multiplier")
        if goal.startswith("ENTER") and goal != "ENTER_DUNGEON":
            dials = {*_LIVING, "monsters_killed_to_clear_level", "melee_trigger_distance"}
        if goal == "EAT_PLANT":
            dials.add("growing_plants_age")
        return frozenset(dials)

    def settled(self, aids: Sequence[Aid]) -> tuple[Aid, ...]:
        """See `Kit.settled`."""
        start = self.start(aids)
        fitting: dict[str, Aid] = {}
        for aid in aids:
            match aid:
                case Near(floor=floor) if floor > start:
                    fitting[aid.key] = aid.somewhere()
                case Near(floor=floor) | Scattered(floor=floor) if floor < start:
                    continue
                case Creatures(floor=floor) | ByLadder(floor=floor) if floor != start:
                    continue
                case Open(floor=floor) if floor < max(start, 1):
                    continue
                case _:
                    fitting[aid.key] = aid
        return tuple(sorted(_within_capacity(fitting.values()), key=_rank))

    def lasting(self, aid: Aid) -> bool:
        """See `Kit.lasting`."""
        match aid:
            case Held(item=item):
                return item in TOOLS
            case Worn(item=item):
                return item == "armour"
            case Creatures(kind=kind):
                return kind == "passive"
        return isinstance(aid, Attributes | Enchanted)

    def unlocked(self, aids: Collection[Aid]) -> frozenset[str]:
        """See `Kit.unlocked`."""
        found: set[str] = set()
        for aid in aids:
            match aid:
                case Held(item="pickaxe" | "sword" as item, count=level):
                    found |= {*_TOOL_ACHIEVEMENTS[item][:level]}
                case Held(item=item) if item in _UNLOCKED_BY:
                    found.add(_UNLOCKED_BY[item])
                case Near(block="TABLE" | "FURNACE" as block):
                    found.add(f"PLACE_{block}")  # by the level's own word
                case Start(floor=floor):
                    found |= {each.name for each in FLOOR_ACHIEVEMENTS[1 : floor + 1]}
        return frozenset(found)

    def start(self, aids: Collection[Aid]) -> int:
        """See `Kit.start`: the floor."""
        return next((aid.floor for aid in aids if isinstance(aid, Start)), 0)

    def weakened(self, aid: Aid, aids: Collection[Aid], rng: random.Random) -> tuple[Aid, ...]:
        """See `Kit.weakened`: in place of a tool comes the one before, and what the better is made of."""
        match aid:
            case Held(item="pickaxe" | "sword" as item, count=level):
                making = helpers()[_TOOL_ACHIEVEMENTS[item][level - 1]](self.start(aids), rng)
                return (*aid.weaker(), *making.aids)
        return aid.weaker()

    def is_doubtful(self, aids: Collection[Aid]) -> bool:
        """See `Kit.is_doubtful`."""
        return self.start(aids) > 0  # where monsters may kill who has just come

    def code(self, aids: Sequence[Aid]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """See `Kit.code`."""
        return code_of(aids)

    def words(self, aids: Sequence[Aid]) -> str:
        """See `Kit.words`."""
        return words_of(aids)


_ORDER = (Start, ByLadder, Held, Worn, Attributes, Spells, Enchanted, Open, Near, Scattered, Creatures)


def _rank(aid: Aid) -> tuple[int, str]:
    return _ORDER.index(type(aid)), aid.key


def _within_capacity(aids: Iterable[Aid]) -> list[Aid]:
    """No more creatures of a kind than a floor has slots for; those named first come first."""
    left = dict(CAPACITY)
    fitting: list[Aid] = []
    for aid in aids:
        if isinstance(aid, Creatures):
            count = min(aid.count, left[aid.kind])
            left[aid.kind] -= count
            if not count:
                continue
            aid = replace(aid, count=count)
        fitting.append(aid)
    return fitting
