"""The errands: five kinds, what each asks for in words, what brings points, where its things start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from garten.worlds.living_room import constants as c
from garten.worlds.living_room.things import called

OPEN = ("table", "sofa", "bed", "chest", "counter", "floor")
"""Where things lie in sight."""

SHUT = ("fridge", "drawer")
"""Where they cannot be seen from outside."""

SMALL = ("red-mug", "blue-mug", "red-book", "blue-book", "orange")
"""The things that fit into the drawer."""

HOMES = {"bear": "bed", "bottle": "counter", "orange": "table"}
"""Where things that got lost belong."""


@dataclass(frozen=True)
class Goal:
    """One part of an errand and what it is worth."""

    label: str  # a line of the score
    kind: Literal["taken", "on", "in drawer", "shut in"]
    thing: str
    place: str  # the thing or part it must lie on; "" for the other kinds
    points: float


@dataclass(frozen=True)
class Errand:
    """What an episode asks for."""

    kind: Literal["fetch", "put away", "sort", "set the table", "find"]
    text: str  # what the player is told
    goals: tuple[Goal, ...]
    starts: dict[str, tuple[str, ...]]  # by thing: where it may start


def draw(rng: np.random.Generator) -> Errand:
    """The errand of an episode."""
    make = (_fetch, _put_away, _sort, _set_table, _find)[int(rng.integers(5))]
    return make(rng)


def _fetch(rng: np.random.Generator) -> Errand:
    thing = _one(rng, ("bear", "orange", "red-book", "blue-book"))
    return Errand(
        "fetch",
        f"Fetch the {called(thing)} and put it on the sofa.",
        (_taken(thing, 20.0), _on(thing, "sofa", 70.0)),
        {thing: ("bed", "chest", "counter")},
    )


def _put_away(rng: np.random.Generator) -> Errand:
    thing, name = _named(rng, SMALL)
    return Errand(
        "put away",
        f"Put the {name} into the drawer in the bedroom and shut it.",
        (
            _taken(thing, 15.0),
            Goal(f"{name} in the drawer", "in drawer", thing, "", 45.0),
            Goal("drawer shut", "shut in", thing, "", 30.0),
        ),
        {thing: ("table", "sofa", "counter", "floor")},
    )


def _sort(rng: np.random.Generator) -> Errand:
    del rng  # this kind is always the same; where its things lie is not
    things = ("red-mug", "red-book", "blue-mug", "blue-book")
    share = c.ALL_POINTS / len(things)
    return Errand(
        "sort",
        "Sort by colour: red book and red mug on the red tray, blue book and blue mug on the blue one.",
        tuple(_on(thing, f"tray-{thing.partition('-')[0]}", share) for thing in things),
        dict.fromkeys(things, ("table", "sofa", "counter", "floor")),
    )


def _set_table(rng: np.random.Generator) -> Errand:
    mug, name = _named(rng, ("red-mug", "blue-mug"))
    things = ("plate", mug, "bottle")
    return Errand(
        "set the table",
        f"Set the table: bring the plate, the {name} and the bottle.",
        tuple(_on(thing, "table", c.ALL_POINTS / len(things)) for thing in things),
        {"plate": ("counter", "sofa"), mug: ("counter", "sofa", "floor"), "bottle": ("counter", "fridge")},
    )


def _find(rng: np.random.Generator) -> Errand:
    thing, name = _named(rng, tuple(HOMES))
    home = HOMES[thing]
    hidden = SHUT if thing in SMALL else ("fridge",)
    return Errand(
        "find",
        f"Find the {name} and put it back on the {home}.",
        (_taken(thing, 25.0), _on(thing, home, 65.0)),
        {thing: hidden},
    )


def _taken(thing: str, points: float) -> Goal:
    return Goal(f"{called(thing)} taken", "taken", thing, "", points)


def _on(thing: str, place: str, points: float) -> Goal:
    return Goal(f"{called(thing)} on the {' '.join(place.split('-')[::-1])}", "on", thing, place, points)


def _one(rng: np.random.Generator, choices: Sequence[str]) -> str:
    return choices[int(rng.integers(len(choices)))]


def _named(rng: np.random.Generator, choices: Sequence[str]) -> tuple[str, str]:
    """One of the things, and what it is called."""
    thing = _one(rng, choices)
    return thing, called(thing)
