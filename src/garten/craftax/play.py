"""One game in one lane, to be shown to a person and played by anybody: keys, a recording, a policy.

Nothing here knows of a terminal. Equal seeds and equal actions give equal games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from garten.craftax.classic import tables as classic
from garten.craftax.classic.observe import text as classic_text
from garten.craftax.env import Codes, make
from garten.craftax.full import tables as full
from garten.craftax.full.observe import legend
from garten.craftax.full.observe import text as full_text
from garten.craftax.tutorial import explained
from garten.craftax.words import plain
from garten.records import Frame

Actor = Callable[[Codes], int | None]
"""Chooses an action by what is observed, the codes of one lane; None leaves the game."""


@dataclass(frozen=True)
class _Kind:
    """What differs between the games."""

    actions: type[IntEnum]
    achievements: type[IntEnum]
    view: tuple[int, int]
    stats: tuple[str, ...]
    counts: Callable[[Mapping[str, Any]], dict[str, int]]
    possessions: Callable[[dict[str, Any]], list[str]]


def _classic_counts(state: Mapping[str, Any]) -> dict[str, int]:
    return dict(zip(map(plain, classic.Item), state["inventory"].tolist(), strict=True))


def _full_counts(state: Mapping[str, Any]) -> dict[str, int]:
    potions = [f"{colour} potion" for colour in legend.COLOURS]
    charms = [f"{piece} enchantment" for piece in legend.ARMOUR]
    return {
        **dict(zip(map(plain, full.Item), state["inventory"].tolist(), strict=True)),
        **dict(zip(potions, state["potions"].tolist(), strict=True)),
        **dict(zip(legend.ARMOUR, state["armour"].tolist(), strict=True)),
        **dict(zip(charms, state["armour_enchantments"].tolist(), strict=True)),
        "sword enchantment": int(state["sword_enchantment"]),
        "bow enchantment": int(state["bow_enchantment"]),
        "floor": int(state["floor"]),
    }


_KINDS = {
    "Craftax": _Kind(
        actions=full.Action,
        achievements=full.Achievement,
        view=(full.VIEW_ROWS, full.VIEW_COLUMNS),
        stats=(*legend.STATS, "experience", *legend.ATTRIBUTES),
        counts=_full_counts,
        possessions=full_text.possessions,
    ),
    "Craftax-Classic": _Kind(
        actions=classic.Action,
        achievements=classic.Achievement,
        view=(classic.VIEW_ROWS, classic.VIEW_COLUMNS),
        stats=classic_text.STATS,
        counts=_classic_counts,
        possessions=classic_text.possessions,
    ),
}

_QUIET = {"NOOP", "LEFT", "RIGHT", "UP", "DOWN", "DO", "SLEEP", "REST"}
"""Actions that may well change nothing that the player has."""


class Game:
    """A game of one player, from a seed to its end; it goes as in ``make(name, auto_reset=False)``.

    Attributes:
        name: "Craftax" or "Craftax-Classic".
        seed: of the world and of all that happens.
        num_actions: actions are 0 to one less than this.
        num_achievements: how many there are.
        view: rows and columns of tiles that the player sees of the world.
        actions: what was done so far.
        total: the sum of rewards so far.
        over: whether the game has ended.
        achieved: achievements in the order in which they were unlocked.
        news: what the last action changed, in a few words each.
    """

    def __init__(self, name: str, *, seed: int, tile: int = 32, god_mode: bool = False) -> None:
        """Begin a game; pictures have tiles of `tile` pixels.

        Raises:
            ValueError: there is no such game, the seed does not fit 32 bits, the tile is too small, or the
                game is Craftax-Classic, which has no god mode.
        """
        self._env = make(name, auto_reset=False, settings={"god_mode": True} if god_mode else {})
        self._env.engine.use_pixels(tile)
        self._tile = tile
        self._kind = _KINDS[name]
        self._explained = explained(name)
        self.name = name
        self.num_actions = self._env.num_actions
        self.num_achievements = len(self._kind.achievements)
        self.view = self._kind.view
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Begin another game, from another seed.

        Raises:
            ValueError: the seed does not fit 32 bits.
        """
        self._env.reset(seed=seed)
        self._state = self._env.engine.state.row(0)
        self.seed = seed
        self.actions: list[int] = []
        self.total = 0.0
        self.over = self._timeout = False
        self.achieved: list[str] = []
        self.news: list[str] = []

    def act(self, action: int) -> None:
        """Take a step.

        Raises:
            ValueError: there is no such action.
            RuntimeError: the game is over.
        """
        if self.over:
            raise RuntimeError("The game is over; begin another.")
        before, counts, asleep = self._state, self._counts(), self.asleep
        step = self._env.step(np.array([action]))
        self._state = self._env.engine.state.row(0)
        self.actions.append(int(action))
        self.total += float(step.reward[0])
        self._timeout = bool(step.truncated[0])
        self.over = self._timeout or bool(step.terminated[0])
        new = self._state["achievements"] & ~before["achievements"]
        unlocked = [plain(self._kind.achievements(index)) for index in np.flatnonzero(new).tolist()]
        self.achieved += unlocked
        changes = [
            f"{now - counts[name]:+d} {name}" for name, now in self._counts().items() if now != counts[name]
        ]
        self.news = [*(f"achieved: {name}" for name in unlocked), *changes]
        if not (self.news or asleep):
            self.news = self._in_vain(self._kind.actions(action))

    @property
    def observation(self) -> Codes:
        """What an `Actor` is given."""
        observation: Codes = self._env.observation
        return observation

    @property
    def stats(self) -> dict[str, int]:
        """Health, food and so on, as the picture counts them."""
        return {name: int(np.ceil(self._state[name])) for name in self._kind.stats}

    @property
    def held(self) -> list[str]:
        """What the player has, in a few words each."""
        return self._kind.possessions(self._state)

    @property
    def place(self) -> str:
        """The floor, or nothing in a game that has only one."""
        if "floor" not in self._state:
            return ""
        floor = int(self._state["floor"])
        return f"floor {floor}, {full.FLOOR_NAMES[floor]}"

    @property
    def asleep(self) -> bool:
        """Whether the player sleeps or rests, so that actions do nothing."""
        return bool(self._state["sleeping"] or self._state.get("resting", False))

    @property
    def ending(self) -> str:
        """How the game ended, or nothing while it goes on."""
        if not self.over:
            return ""
        if self._state["health"] <= 0:
            return "You died"
        return "The time is up" if self._timeout else "You won"

    @property
    def tiles(self) -> list[list[str]]:
        """What is on each tile of the view: what stands there "on" what it is made of, or only the latter."""
        return [line.split(", ") for line in self._env.text(0).splitlines()[: self.view[0]]]

    @property
    def facing(self) -> tuple[str, str]:
        """The direction that the player faces, and what is on the tile there."""
        line = self._env.text(0).splitlines()[self.view[0]]
        direction, _, there = line.partition("facing ")[2].removesuffix(".").partition(": ")
        return direction, there

    def picture(self) -> Frame:
        """What the player sees: the view, and below it body and possessions, uint8 [height, width, 3]."""
        return self._env.picture(0)

    def scene(self, *, tile: int) -> Frame:
        """The view alone, with tiles of so many pixels, which pictures have from now on too."""
        if tile != self._tile:
            self._env.engine.use_pixels(tile)
            self._tile = tile
        return self.picture()[: self.view[0] * tile]

    def _counts(self) -> dict[str, int]:
        return self.stats | self._kind.counts(self._state)

    def _in_vain(self, action: IntEnum) -> list[str]:
        """What to tell of an action that changed nothing: what it takes."""
        if action.name in _QUIET:
            return []
        said = self._explained.get(action.name)
        return [f"cannot {plain(action)} now" + (f": {said}" if said else "")]


def again(actions: Iterable[int]) -> Actor:
    """Who takes these actions, whatever is observed."""
    left = iter(actions)
    return lambda _: next(left, None)


def frames(game: Game, actor: Actor) -> Iterator[Frame]:
    """Let an actor play on; pictures of now and of each step, until the game is over or it leaves."""
    yield game.picture()
    while not game.over and (action := actor(game.observation)) is not None:
        game.act(action)
        yield game.picture()
