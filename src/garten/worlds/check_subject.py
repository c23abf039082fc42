"""What the checks of the conformance suite work on: a world and its journeys under random play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from garten.records import Action, ActionSpec, Argument, Moment, Score
from garten.worlds.world import World


class Fault(Exception):  # noqa: N818 (it ends up as a detail, nobody sees it raised)
    """A check failed; the text says what is wrong."""


def require(kept: bool, fault: str) -> None:
    """Raise `Fault` with that text unless the rule was kept."""
    if not kept:
        raise Fault(fault)


@dataclass(frozen=True)
class Stop:
    """What could be read at one point of a journey."""

    actions: Mapping[str, Action]  # that led here; none at the opening
    ticks: int
    hash: str
    moment: Moment
    feedback: Mapping[str, str]  # by role
    score: Score
    flags: tuple[bool, bool, bool]  # terminated, truncated, over


class Subject:
    """The world under test and its journeys, made once."""

    def __init__(self, world: type[World[Any]], seeds: Sequence[int]) -> None:
        self.world = world
        self.spec = world.spec
        self.seeds = seeds
        self.roles = [role.name for role in world.spec.roles]

    def fresh(self, seed: int) -> World[Any]:
        """A new instance, reset."""
        made = self.world()
        made.reset(seed)
        return made

    @cached_property
    def journeys(self) -> dict[int, list[Stop]]:
        """One journey for each seed."""
        return {seed: list(play_randomly(self.fresh(seed), seed)) for seed in self.seeds}

    def stops(self) -> Iterator[Stop]:
        """All stops of all journeys."""
        for journey in self.journeys.values():
            yield from journey


def play_randomly(world: World[Any], seed: int) -> Iterator[Stop]:
    """Random actions from the present state to the end, with a stop at each decision."""
    rng = np.random.default_rng([seed, 1])
    actions: dict[str, Action] = {}
    while True:
        yield Stop(
            actions=actions,
            ticks=world.ticks,
            hash=world.state_hash(),
            moment=world.moment(),
            feedback={role.name: world.feedback(role.name) for role in world.spec.roles},
            score=world.score(),
            flags=(world.terminated, world.truncated, world.over),
        )
        if world.over:
            return
        actions = {role: random_action(world.spec.actions, rng) for role in world.idle}
        world.act(actions)


def random_action(actions: Sequence[ActionSpec], rng: np.random.Generator) -> Action:
    """Any action with arguments within its bounds."""
    spec = actions[int(rng.integers(len(actions)))]
    return Action(spec.name, {one.name: random_value(one, rng) for one in spec.arguments})


def random_value(argument: Argument, rng: np.random.Generator) -> float:
    """Any value the argument allows."""
    if argument.kind == "int":
        return float(rng.integers(int(argument.low), int(argument.high) + 1))
    return float(rng.uniform(argument.low, argument.high))


def tick_at_random(world: World[Any], rng: np.random.Generator, *, ticks: int) -> None:
    """Advance tick by tick until the end at most, each free role starting a random action."""
    for _ in range(ticks):
        if world.over:
            return
        for role in world.idle:
            world.start(role, random_action(world.spec.actions, rng))
        world.tick()
