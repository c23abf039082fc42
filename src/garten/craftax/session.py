"""A session at the keys: games one after another until the player leaves.

It goes by keys alone, so that equal seeds and equal keys give equal sessions, at a terminal or without.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from garten.craftax.host_keys import SEEDS
from garten.craftax.keyboard import LEAVE, NEW, bindings
from garten.craftax.play import Game, again, frames
from garten.records import Frame


@dataclass(frozen=True)
class Played:
    """A game as it was played.

    Attributes:
        seed: it began from.
        actions: in order.
        total: the sum of rewards.
        achieved: achievements in the order in which they were unlocked.
        over: whether it was played to its end.
    """

    seed: int
    actions: tuple[int, ...]
    total: float
    achieved: tuple[str, ...]
    over: bool


class Session:
    """Games played by keys.

    Attributes:
        game: the one that is played.
        left: whether the player has left.
        asking: whether the player was asked to confirm leaving.
        keys: that mean something in this game; others do nothing.
    """

    def __init__(self, game: Game) -> None:
        """Begin with a game; each further one begins from the next seed."""
        self.game = game
        self.left = False
        self.asking = False
        self._done: list[Played] = []
        self._bindings = bindings(game.num_actions)
        self.keys = {*self._bindings, NEW, LEAVE}

    def press(self, key: str) -> None:
        """Take one key. A game that is not over is left by two `LEAVE`; keys that mean nothing do nothing."""
        if self.left or key not in self.keys:
            return
        if self.game.over:
            if key == NEW:
                self._done.append(_played(self.game))
                self.game.begin((self.game.seed + 1) % SEEDS)
            self.left = key == LEAVE
        elif self.asking:
            self.asking = False
            self.left = key == LEAVE
        elif key == LEAVE:
            self.asking = True
        elif key in self._bindings:
            self.game.act(self._bindings[key])

    @property
    def played(self) -> tuple[Played, ...]:
        """All games, the present one last."""
        return (*self._done, _played(self.game))


def film(game: Game, played: Iterable[Played]) -> Iterator[Frame]:
    """Pictures of games that were played, step by step, played once more by `game`."""
    for one in played:
        game.begin(one.seed)
        yield from frames(game, again(one.actions))


def _played(game: Game) -> Played:
    return Played(game.seed, tuple(game.actions), game.total, tuple(game.achieved), game.over)
