"""What happens in steps of Craftax, for counting which rules were exercised."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from garten.craftax.full.tables import FLOORS, PLANTS, Achievement, Action, Block, Item, Thing

Fields = dict[str, np.ndarray]

KINDS = ("melee", "passive", "ranged", "mob_shot", "player_shot")
STATS = ("health", "food", "drink", "energy", "mana", "sleeping", "resting")
ATTRIBUTES = ("dexterity", "strength", "intelligence")
WATCHED = (
    *STATS,
    *ATTRIBUTES,
    "floor",
    "experience",
    "boss_progress",
    "sword_enchantment",
    "bow_enchantment",
)
LOOT = (
    *(Item.TORCHES, Item.COAL, Item.IRON, Item.DIAMOND, Item.SAPPHIRE, Item.RUBY, Item.ARROWS),
    *(Item.PICKAXE, Item.SWORD, Item.BOW, Item.BOOKS),
)


def events(before: Fields, actions: np.ndarray, effects: np.ndarray, after: Fields) -> Iterator[str]:
    """What happened in a step of a batch, once for each time.

    Args:
        before: states before the step.
        actions: that were given.
        effects: where they changed more than doing nothing would have.
        after: states after it.
    """
    yield from _choices(actions, effects, before)
    yield from _changes(before, after)
    yield from _creatures(before, after)
    yield from _body(before, actions, effects, after)
    yield from _floors(before, after)


def _times(event: str, where: np.ndarray) -> Iterator[str]:
    yield from [event] * int(np.count_nonzero(where))


def _choices(actions: np.ndarray, effects: np.ndarray, before: Fields) -> Iterator[str]:
    for action in actions[effects]:
        yield f"{Action(action).name} had an effect"
    yield from _times("an action was lost in sleep or rest", before["sleeping"] | before["resting"])


def _changes(before: Fields, after: Fields) -> Iterator[str]:
    for name, kinds in (("blocks", Block), ("things", Thing)):
        changed = before[name] != after[name]
        for old, new in zip(before[name][changed], after[name][changed], strict=True):
            yield f"{kinds(old).name} to {kinds(new).name}"
    for achievement in Achievement:
        new = after["achievements"][:, achievement] & ~before["achievements"][:, achievement]
        yield from _times(f"unlocked {achievement.name}", new)


def _creatures(before: Fields, after: Fields) -> Iterator[str]:
    lanes = np.arange(len(before["floor"]))
    for kind in KINDS:
        came = after[f"{kind}_alive"] & ~before[f"{kind}_alive"]
        went = before[f"{kind}_alive"] & ~after[f"{kind}_alive"]
        for event, where in (("came", came), ("went", went)):
            for type_id in after[f"{kind}_type"][where]:
                yield f"{kind} {type_id} {event}"
        yield from _times(f"all slots of {kind} full", before[f"{kind}_alive"][lanes, before["floor"]].all(1))
    for kind, event in (("melee", "struck"), ("ranged", "shot")):
        for type_id in before[f"{kind}_type"][after[f"{kind}_cooldown"] > before[f"{kind}_cooldown"]]:
            yield f"{kind} {type_id} {event}"
    struck = (after["melee_cooldown"] > before["melee_cooldown"]).any((1, 2))
    yield from _times("a sleeper was struck", struck & before["sleeping"])
    yield from _times("a rester was struck", struck & before["resting"])


def _body(before: Fields, actions: np.ndarray, effects: np.ndarray, after: Fields) -> Iterator[str]:
    for name in WATCHED:
        yield from _times(f"{name} rose", after[name].astype(float) > before[name])
        yield from _times(f"{name} fell", after[name].astype(float) < before[name])
    for index in range(4):
        for level in (1, 2):
            now = (after["armour"][:, index] == level) & (before["armour"][:, index] != level)
            yield from _times(f"armour {index} of level {level} made", now)
            now = after["armour_enchantments"][:, index] == level
            changed = now & (before["armour_enchantments"][:, index] != level)
            yield from _times(f"armour {index} enchanted with {level}", changed)
    for level in (1, 2):
        for name in ("sword_enchantment", "bow_enchantment"):
            yield from _times(f"{name} became {level}", (after[name] == level) & (before[name] != level))
    drank = after["potions"].sum(1) < before["potions"].sum(1)
    for lane in np.flatnonzero(drank & effects):
        colour = int(actions[lane] - Action.DRINK_POTION_RED)
        yield f"potion of effect {before['potion_effects'][lane, colour]} drunk"
    opened = (before["blocks"] == Block.CHEST) & (after["blocks"] == Block.PATH)
    for lane in np.flatnonzero(opened.any((1, 2, 3))):
        for item in LOOT:
            if after["inventory"][lane, item] > before["inventory"][lane, item]:
                yield f"a chest held {item.name}"
        yield from _times("a chest held a potion", after["potions"][lane] > before["potions"][lane])
    limit = (after["inventory"] == 99) & (before["inventory"] < 99)
    yield from _times("a count reached its limit", limit)
    yield from _times("died", (after["health"] <= 0) & (before["health"] > 0))
    yield from _times("won", (after["boss_progress"] >= FLOORS - 1) & (before["boss_progress"] < FLOORS - 1))
    yield from _times("time was up", after["timestep"] == 100_000)
    saplings = after["inventory"][:, Item.SAPLING] < before["inventory"][:, Item.SAPLING]
    yield from _times("a sapling was planted in vain", saplings & (before["plant_alive"].sum(1) == PLANTS))
    lost = before["chest_opened"] != after["chest_opened"]
    yield from _times("a chest was noted without loot", lost.any(1) & ~opened.any((1, 2, 3)))


def _floors(before: Fields, after: Fields) -> Iterator[str]:
    for floor in range(FLOORS):
        there = before["floor"] == floor
        yield from _times(f"a step on floor {floor}", there)
        lanes = np.flatnonzero(there)
        rows, columns = before["player_position"][lanes].T
        inside = (rows >= 0) & (rows < 48) & (columns >= 0) & (columns < 48)
        lit = before["light_map"][lanes[inside], floor, rows[inside], columns[inside]]
        yield from _times("a step in the dark", lit <= 0.05)
    boss = before["floor"] == FLOORS - 1
    yield from _times("a step in a wave of the boss", boss & (before["boss_timer"] >= 1))
    yield from _times("a step between waves of the boss", boss & (before["boss_timer"] < 1))
    yield from _times("a step at night", after["light"] < 0.3)


def _possible() -> list[str]:
    """What the rules can do."""
    changes = [("TREE", "GRASS"), ("FIRE_TREE", "FIRE_GRASS"), ("ICE_SHRUB", "ICE_GRASS")]
    changes += [("RIPE_PLANT", "PLANT"), ("GRASS", "PLANT"), ("PLANT", "RIPE_PLANT"), ("NONE", "TORCH")]
    mined = (
        "STONE",
        "COAL",
        "IRON",
        "DIAMOND",
        "SAPPHIRE",
        "RUBY",
        "STALAGMITE",
        "TABLE",
        "FURNACE",
        "CHEST",
    )
    changes += [(old, "PATH") for old in mined]
    ground = (
        "GRASS",
        "SAND",
        "PATH",
        "WATER",
        "LAVA",
        "FIRE_GRASS",
        "ICE_GRASS",
        "GRAVEL",
        "ICE_SHRUB",
        "DARKNESS",
    )
    changes += [(old, new) for old in ground for new in ("STONE", "TABLE", "FURNACE")]
    possible = [f"{old} to {new}" for old, new in changes]
    possible += [f"unlocked {achievement.name}" for achievement in Achievement]
    possible += [f"{action.name} had an effect" for action in Action if action != Action.NOOP]
    monsters = [(kind, type_id) for kind in ("melee", "ranged") for type_id in range(8)]
    possible += [f"{kind} {type_id} {way}" for kind, type_id in monsters for way in ("came", "went")]
    possible += [f"melee {type_id} struck" for type_id in range(8)]
    possible += [f"ranged {type_id} shot" for type_id in range(8)]
    possible += [f"mob_shot {type_id} {way}" for type_id in (0, 1, 2, 4, 5, 6, 7) for way in ("came", "went")]
    possible += [f"passive {type_id} {way}" for type_id in range(3) for way in ("came", "went")]
    possible += [f"player_shot {type_id} {way}" for type_id in (2, 3, 4) for way in ("came", "went")]
    possible += [f"all slots of {kind} full" for kind in KINDS]
    possible += [f"{name} {way}" for name in (*STATS, "floor", "experience") for way in ("rose", "fell")]
    possible += [f"{name} rose" for name in (*ATTRIBUTES, "boss_progress")]
    pieces = [(index, level) for index in range(4) for level in (1, 2)]
    possible += [f"armour {index} of level {level} made" for index, level in pieces]
    possible += [f"armour {index} enchanted with {level}" for index, level in pieces]
    possible += [f"{name}_enchantment became {level}" for name in ("sword", "bow") for level in (1, 2)]
    possible += [f"potion of effect {effect} drunk" for effect in range(6)]
    possible += [f"a chest held {item.name}" for item in LOOT]
    possible += [f"a step on floor {floor}" for floor in range(FLOORS)]
    return [
        *possible,
        *(
            "an action was lost in sleep or rest",
            "a sleeper was struck",
            "a rester was struck",
            "died",
            "won",
        ),
        *("a chest held a potion", "a count reached its limit", "time was up", "a step in the dark"),
        *("a sapling was planted in vain", "a chest was noted without loot", "a step at night"),
        *("a step in a wave of the boss", "a step between waves of the boss"),
    ]


POSSIBLE = _possible()
