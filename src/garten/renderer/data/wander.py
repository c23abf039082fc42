"""Episodes in which every role wanders: what happens in clips, whatever the world."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from garten.records import Action, ActionSpec, Moment
from garten.worlds.world import World

STAY = 0.55
"""How often a role does again what it just did: it gets about, and turns to the same side for a while."""

IDLE = 0.2
"""How often an action without buttons and arguments is taken, beside the others."""


def wander(world: World[Any], seed: int, rng: np.random.Generator) -> Iterator[Moment]:
    """Play an episode by chance and yield its moments at the world's frame rate, the opening one first."""
    world.reset(seed)
    yield world.moment()
    last: dict[str, Action] = {}
    while not world.over:
        for role in world.idle:
            if role not in last or rng.random() > STAY:
                last[role] = _draw(world.spec.actions, rng)
        yield from world.act({role: last[role] for role in world.idle}, watch=True).moments


def _draw(actions: tuple[ActionSpec, ...], rng: np.random.Generator) -> Action:
    """Any action, with any arguments; seldom one that presses nothing, for it mostly waits."""
    weights = np.array([1.0 if spec.buttons or spec.arguments else IDLE for spec in actions])
    spec = actions[int(rng.choice(len(actions), p=weights / weights.sum()))]
    arguments = {}
    for argument in spec.arguments:
        value = float(rng.uniform(argument.low, argument.high))
        arguments[argument.name] = float(round(value)) if argument.kind == "int" else value
    return Action(spec.name, arguments)
