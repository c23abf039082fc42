"""What happens in steps of Craftax-Classic, for counting which rules were exercised."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from garten.craftax.classic.tables import PLANTS, Achievement, Action, Block, Item

Fields = dict[str, np.ndarray]

KINDS = ("zombie", "cow", "skeleton", "arrow")
STATS = ("health", "food", "drink", "energy", "sleeping")


def events(before: Fields, actions: np.ndarray, effects: np.ndarray, after: Fields) -> Iterator[str]:
    """What happened in a step of a batch, once for each time.

    Args:
        before: states before the step.
        actions: that were given.
        effects: where they changed more than doing nothing would have.
        after: states after it.
    """
    for action in actions[effects]:
        yield f"{Action(action).name} had an effect"
    for achievement in Achievement:
        new = after["achievements"][:, achievement] & ~before["achievements"][:, achievement]
        yield from _times(f"unlocked {achievement.name}", new)
    changed = before["blocks"] != after["blocks"]
    for old, new in zip(before["blocks"][changed], after["blocks"][changed], strict=True):
        yield f"{Block(old).name} to {Block(new).name}"
    yield from _creatures(before, after)
    yield from _body(before, after)


def _times(event: str, where: np.ndarray) -> Iterator[str]:
    yield from [event] * int(np.count_nonzero(where))


def _creatures(before: Fields, after: Fields) -> Iterator[str]:
    for kind in KINDS:
        yield from _times(f"{kind} came", after[f"{kind}_alive"] & ~before[f"{kind}_alive"])
        yield from _times(f"{kind} went", before[f"{kind}_alive"] & ~after[f"{kind}_alive"])
        yield from _times(f"all slots of {kind} full", before[f"{kind}_alive"].all(1))
    bit = (after["zombie_cooldown"] > before["zombie_cooldown"]).any(1)
    yield from _times("a zombie bit", bit)
    yield from _times("a zombie bit a sleeper", bit & before["sleeping"])
    yield from _times("a skeleton shot", after["skeleton_cooldown"] > before["skeleton_cooldown"])


def _body(before: Fields, after: Fields) -> Iterator[str]:
    for name in STATS:
        yield from _times(f"{name} rose", after[name].astype(int) > before[name])
        yield from _times(f"{name} fell", after[name].astype(int) < before[name])
    yield from _times("died", (after["health"] <= 0) & (before["health"] > 0))
    off = (after["player_position"] < 0).any(1) & (before["player_position"] >= 0).all(1)
    yield from _times("the player stepped off the map", off)
    yield from _times("an action was lost in sleep", before["sleeping"])
    yield from _times("a count reached its limit", (after["inventory"] == 9) & (before["inventory"] < 9))
    saplings = after["inventory"][:, Item.SAPLING] < before["inventory"][:, Item.SAPLING]
    yield from _times("a sapling was planted in vain", saplings & (before["plant_alive"].sum(1) == PLANTS))
    yield from _times("time was up", after["timestep"] == 10_000)
    yield from _times("a step at night", after["light"] < 0.3)


def _possible() -> list[str]:
    """What the rules can do."""
    changes = [("TREE", "GRASS"), ("RIPE_PLANT", "PLANT"), ("GRASS", "PLANT"), ("PLANT", "RIPE_PLANT")]
    changes += [(old, "PATH") for old in ("STONE", "COAL", "IRON", "DIAMOND", "TABLE", "FURNACE")]
    changes += [(old, "STONE") for old in ("GRASS", "PATH", "SAND", "WATER", "LAVA")]
    changes += [(old, new) for old in ("GRASS", "PATH", "SAND", "LAVA") for new in ("TABLE", "FURNACE")]
    possible = [f"{old} to {new}" for old, new in changes]
    possible += [f"{action.name} had an effect" for action in Action if action != Action.NOOP]
    possible += [f"{kind} {way}" for kind in KINDS for way in ("came", "went")]
    possible += [f"all slots of {kind} full" for kind in KINDS]
    possible += [f"{name} {way}" for name in STATS for way in ("rose", "fell")]
    possible += [f"unlocked {achievement.name}" for achievement in Achievement]
    return [
        *possible,
        *("a zombie bit", "a zombie bit a sleeper", "a skeleton shot", "died", "time was up"),
        *("the player stepped off the map", "an action was lost in sleep", "a count reached its limit"),
        *("a sapling was planted in vain", "a step at night"),
    ]


POSSIBLE = _possible()
