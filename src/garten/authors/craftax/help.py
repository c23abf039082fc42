"""What helps with each achievement of Craftax, from the game's own tables."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import cache

import numpy as np

from garten.authors.craftax.aids import (
    GROUNDS,
    KINDS,
    Attributes,
    ByLadder,
    Creatures,
    Enchanted,
    Held,
    Near,
    Open,
    Spells,
    Start,
    Worn,
)
from garten.authors.kit import Aid, Help
from garten.craftax.full.rulebook import RULES
from garten.craftax.full.tables import FLOOR_ACHIEVEMENTS, FLOORS, KILL_ACHIEVEMENTS, RECIPES, Item
from garten.craftax.tutorial import MINED

_RULES = {rule.name: np.asarray(rule.default) for rule in RULES}

_SWORDS = (3, 4, 4, 4, 4, 4, 4, 4, 4)
_ARMOUR = (0, 0, 1, 1, 1, 2, 2, 2, 2)
_STRENGTH = (1, 2, 2, 3, 3, 4, 4, 4, 4)
"""By floor: level of sword and armour, and strength, with which most of its creatures fall at a blow."""

_GEM_FLOOR = 2  # the first whose rock holds sapphires and rubies
_BOW_FLOOR = 1  # whose first chest holds a bow
_BOSS_FLOOR = FLOORS - 1

_SPARE = 3  # of what things are made of: some of it goes into tables and the like before

Helper = Callable[[int, random.Random], Help]
"""What helps with an achievement for a player that starts on a floor."""


def _near(floor: int, block: str, count: int, rng: random.Random) -> Near:
    least = rng.randint(1, 2)
    rock = () if floor else ("STONE",)  # where ore lies in the overworld too
    most = least + rng.randint(2, 4)
    return Near(floor, block, least, most, count, (*GROUNDS[floor], *rock))


def _beside(floor: int, block: str, rng: random.Random) -> Near:
    """Blocks right beside the start, as tables."""
    return Near(floor, block, 1, rng.randint(2, 3), rng.randint(2, 3), GROUNDS[floor])


def _gathering(block: str, level: int, home: int | None) -> Helper:
    def helper(floor: int, rng: random.Random) -> Help:
        place = floor if home is None else home
        tool = (Held("pickaxe", level),) if level else ()
        aids: tuple[Aid, ...] = (*tool, _near(place, block, rng.randint(5, 8), rng))
        return Help((*_arrival(place), *aids), _danger(place), home)

    return helper


def _making(cost: Mapping[str, int], *, furnace: bool) -> Helper:
    def helper(floor: int, rng: random.Random) -> Help:
        stations = ("TABLE", "FURNACE") if furnace else ("TABLE",)
        held = (Held(item, 2 * count + _SPARE) for item, count in cost.items())
        return Help((*held, *(_beside(floor, station, rng) for station in stations)))

    return helper


def _holding(item: str, count: int, home: int | None = None) -> Helper:
    def helper(floor: int, rng: random.Random) -> Help:
        return Help((Held(item, count),), home=home)

    return helper


def _fighting(kind: str, name: str, home: int) -> Helper:
    def helper(floor: int, rng: random.Random) -> Help:
        on = GROUNDS[home]
        water: tuple[Aid, ...] = ()
        if name == "deep thing":
            on, water = ("WATER",), (_near(home, "WATER", 6, rng),)
        least = rng.randint(2, 3) if kind == "passive" else rng.randint(3, 4)
        count = 3 if kind == "passive" else 1
        creatures = Creatures(home, kind, name, count, least, least + rng.randint(3, 5), on)
        return Help((*_arrival(home), *_arms(home, name), *water, creatures), _danger(home), home)

    return helper


def _arrival(floor: int) -> tuple[Aid, ...]:
    return (Start(floor),) if floor else ()


def _arms(floor: int, foe: str = "") -> tuple[Aid, ...]:
    """With what the creatures of a floor can be fought."""
    armour = (Worn("armour", (_ARMOUR[floor],) * 4),) if _ARMOUR[floor] else ()
    element = {"fire elemental": 2, "pigman": 2, "ice elemental": 1, "frost troll": 1}.get(foe)
    strong = (Attributes((1, _STRENGTH[floor], 3 if element else 1)),) if floor else ()
    enchanted = (Enchanted(element, 0),) if element else ()
    return (Held("sword", _SWORDS[floor]), *armour, *strong, *enchanted)


def _danger(floor: int) -> Mapping[str, float]:
    """Dials that make a floor below the first bearable."""
    return {"mob_damage_multiplier": 0.5 if floor < 3 else 0.3} if floor else {}


def _entering(floor: int) -> Helper:
    above = floor - 1

    def helper(_: int, rng: random.Random) -> Help:
        ladder = (Open(above, 8),) if above else ()
        light = (Held("torches", 6),) if above in (2, 5, 7) else ()
        near = ByLadder(above, rng.randint(1, 3))
        aids = (*_arrival(above), near, *ladder, *light, *_arms(above))
        return Help(aids, {**_danger(above), "needs_depletion_multiplier": 0.5}, above)

    return helper


def _chest(home: int) -> Helper:
    def helper(_: int, rng: random.Random) -> Help:
        aids = (*_arrival(home), Held("sword", _SWORDS[home]), _near(home, "CHEST", rng.randint(2, 4), rng))
        return Help(aids, _danger(home), home)

    return helper


def _enchanting(item: Aid) -> Helper:
    def helper(floor: int, rng: random.Random) -> Help:
        gem, table = rng.choice((("ruby", "FIRE_TABLE"), ("sapphire", "ICE_TABLE")))
        return Help((item, Held(gem, 1), _beside(floor, table, rng)))

    return helper


def _boss(_: int, rng: random.Random) -> Help:
    gear = (Held("arrows", 9), Held("bow", 1), Attributes((3, 4, 3)))
    dials = {"mob_damage_multiplier": 0.2, "mob_health_multiplier": 0.4}
    return Help((Start(_BOSS_FLOOR), *_arms(_BOSS_FLOOR), *gear), dials, _BOSS_FLOOR)


def _plant(floor: int, rng: random.Random) -> Help:
    ripe = Near(0, "RIPE_PLANT", 2, rng.randint(4, 6), rng.randint(1, 3), ("GRASS",))
    return Help((Held("sapling", rng.randint(1, 2)), ripe), {"growing_plants_age": rng.choice((30, 50))}, 0)


def _sleep(floor: int, rng: random.Random) -> Help:
    return Help(
        (Held("stone", rng.randint(3, 5)),), {"melee_spawn_multiplier": 0.1, "ranged_spawn_multiplier": 0.1}
    )


def _nothing(home: int | None) -> Helper:
    return lambda floor, rng: Help(home=home)


@cache
def helpers() -> Mapping[str, Helper]:
    """What helps with each achievement."""
    helps: dict[str, Helper] = {}
    for block, item, level in MINED:
        home = _GEM_FLOOR if item in (Item.SAPPHIRE, Item.RUBY) else None
        helps.setdefault(f"COLLECT_{item.name}", _gathering(block.name, level, home))
    for action, cost, furnace in RECIPES:
        named = {item.name.lower(): count for item, count in cost.items()}
        helps[action.name] = _making(named, furnace=furnace)
    for floor in range(1, FLOORS):
        helps[FLOOR_ACHIEVEMENTS[floor].name] = _entering(floor)
    for floor in reversed(range(FLOORS - 1)):
        for (kind, names), done, type_id in zip(
            KINDS.items(), KILL_ACHIEVEMENTS, _RULES["floor_types"][floor], strict=True
        ):
            helps[done[type_id].name] = _fighting(kind, names[type_id], floor)
    helps |= {f"LEARN_{spell}": _holding("books", 2) for spell in ("FIREBALL", "ICEBALL")}
    helps["CAST_FIREBALL"] = lambda floor, rng: Help((Spells(fireball=True, iceball=False),))
    helps["CAST_ICEBALL"] = lambda floor, rng: Help((Spells(fireball=False, iceball=True),))
    helps["FIRE_BOW"] = lambda floor, rng: Help((Held("bow", 1), Held("arrows", rng.randint(4, 8))))
    helps["DRINK_POTION"] = lambda floor, rng: Help((Worn("potions", (1,) * 6),))
    return helps | {
        "COLLECT_SAPLING": _nothing(0),
        "COLLECT_DRINK": _gathering("WATER", 0, None),
        "PLACE_TABLE": _holding("wood", int(_RULES["table_wood"])),
        "PLACE_FURNACE": _holding("stone", int(_RULES["furnace_stone"])),
        "PLACE_STONE": _holding("stone", 2),
        "PLACE_PLANT": _holding("sapling", 1, home=0),
        "PLACE_TORCH": _holding("torches", 2),
        "EAT_PLANT": _plant,
        "WAKE_UP": _sleep,
        "OPEN_CHEST": _chest(_BOW_FLOOR),
        "FIND_BOW": _chest(_BOW_FLOOR),
        "ENCHANT_SWORD": _enchanting(Held("sword", 3)),
        "ENCHANT_ARMOUR": _enchanting(Worn("armour", (1, 1, 1, 1))),
        "DAMAGE_NECROMANCER": _boss,
        "DEFEAT_NECROMANCER": _boss,
    }
