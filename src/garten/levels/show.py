"""A level in words: what it changes of the plain game, and what its starts look like."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from garten.craftax import glyphs
from garten.craftax.env import Env
from garten.craftax.full import ops
from garten.craftax.full.ops import ARGUMENTS, LOW_BLOCKS, Op, Rows
from garten.craftax.full.tables import VIEW_ROWS, Block, Item
from garten.levels.lanes import assign
from garten.levels.level import Level
from garten.levels.params import DEFAULTS
from garten.levels.words import CREATURES

_HELD = (
    *(item.name.lower() for item in Item),
    *(f"{colour} potion" for colour in ("red", "green", "blue", "pink", "cyan", "yellow")),
    *("helmet", "chestplate", "leggings", "boots"),
)
_ENCHANTED = ("sword", "bow", "helmet", "chestplate", "leggings", "boots")
_SPELLS = ("fireball", "iceball")
_REGISTERS = {ops.PLAYER_ROW: "the player's row", ops.PLAYER_COLUMN: "the player's column"}


def differences(level: Level) -> list[str]:
    """What a level changes of the plain game, a line each; of its variants the first."""
    dials = [
        f"{name} is {value:g}, not {DEFAULTS[name]:g}"
        for name, value in level.dials.items()
        if value != DEFAULTS[name]
    ]
    rows = [in_words(row) for row in level.variants[0]]
    more = len(level.variants) - 1
    return [
        f"The goal is {', '.join(each.name for each in level.goal) or 'nothing'}.",
        *(f"{each.name} is unlocked from the start." for each in level.initial),
        *(f"{dial}." for dial in dials),
        *(f"{row}." for row in rows),
        *([f"Or what one of {more} other runs of its code gives."] if more else []),
    ]


def in_words(row: Rows) -> str:
    """One row of a program."""
    op = Op(row[0])
    values = {
        argument.name: (int(row[1 + 2 * index]), int(row[2 + 2 * index]))
        for index, argument in enumerate(ARGUMENTS[op])
    }
    parts = []
    if "kind" in values:
        parts.append(CREATURES[values.pop("kind")[1]][values.pop("type")[1]])
    if "low" in values:
        bits = values.pop("low")[1] | values.pop("high")[1] << LOW_BLOCKS
        blocks = [block.name.lower() for block in Block if bits >> block & 1]
        parts.append(f"on {', '.join(blocks)}")
    parts += [f"{name} {_value(name, *value)}" for name, value in values.items()]
    return f"{op.name}: {'; '.join(parts)}"


def _value(name: str, register: int, constant: int) -> str:
    tables: dict[str, Sequence[str]] = {
        "block": [block.name.lower() for block in Block],
        "target": [block.name.lower() for block in Block],
        "slot": _HELD,
        "piece": _ENCHANTED,
        "spell": _SPELLS,
    }
    if register:
        known = _REGISTERS.get(register, f"number {register}")
        return f"{known} {constant:+d}" if constant else known
    return tables[name][constant] if name in tables else str(constant)


def starts(level: Level, env: Env, *, seed: int) -> list[list[str]]:
    """Starts of a level drawn in letters: for each lane of an environment of Craftax its lines."""
    assign(env, [level], np.zeros(env.num_envs, int), bonus=1.0)
    env.reset(seed=seed)
    drawn = []
    for lane in range(env.num_envs):
        told = env.text(lane).splitlines()
        tiles = [line.split(", ") for line in told[:VIEW_ROWS]]
        drawn.append([*glyphs.lines(tiles, "up"), *told[VIEW_ROWS + 1 :]])
    return drawn
