"""What the rules author must know of a domain beside its goals and dials: what helps with what.

An aid is one thing that a level gives: a tool in hand, ore near the start, a floor to start on. There can be
less or more of it. A kit reads aids from code and writes them as code, knows which ones help with an
achievement, and which achievements they meet from the start.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


class Aid(ABC):
    """One thing that a level gives; immutable, equal where it gives the same. By default all or nothing."""

    @property
    @abstractmethod
    def key(self) -> str:
        """Which thing it is; a level gives each once."""

    def weaker(self) -> tuple[Aid, ...]:
        """The same a step less, or what takes its place; empty where nothing is left of it."""
        return ()

    def stronger(self) -> Aid | None:
        """The same a step more; None where it cannot be more."""
        return None

    def redrawn(self, rng: random.Random) -> Aid:
        """As much help by other numbers; itself where there is nothing to draw."""
        return self


@dataclass(frozen=True)
class Help:
    """All that may help with an achievement.

    Attributes:
        aids: in no order.
        dials: values of dials that make it easier, by name.
        home: where it is done, if it is done in one place only.
    """

    aids: tuple[Aid, ...] = ()
    dials: Mapping[str, float] = field(default_factory=dict)
    home: int | None = None


class Kit:
    """What helps with what in one domain.

    By default nothing is known: levels differ by goals and dials only.
    """

    gentle: Mapping[str, float] = {}
    """For each dial that can make the game easier, the value past which it helps no more."""

    def read(self, method: str, arguments: Sequence[Any], named: Mapping[str, Any]) -> tuple[Aid, ...] | None:
        """The aids that a call of the builder gives; None if it is none that the kit knows."""
        return None

    def help_with(self, goal: str, aids: Collection[Aid], rng: random.Random) -> Help:
        """What helps with an achievement where a level gives these aids already; `rng` draws numbers."""
        return Help()

    def gentle_for(self, goal: str) -> frozenset[str]:
        """The dials that make an achievement easier."""
        return frozenset()

    def settled(self, aids: Sequence[Aid]) -> tuple[Aid, ...]:
        """Aids that go together: what contradicts the place where the player starts is moved or left out."""
        return tuple(aids)

    def lasting(self, aid: Aid) -> bool:
        """Whether an aid is worth having whatever the goal is."""
        return False

    def unlocked(self, aids: Collection[Aid]) -> frozenset[str]:
        """Achievements that these aids meet from the start."""
        return frozenset()

    def start(self, aids: Collection[Aid]) -> int:
        """Where the player starts with these aids; compare `Help.home`."""
        return 0

    def weakened(self, aid: Aid, aids: Collection[Aid], rng: random.Random) -> tuple[Aid, ...]:
        """What takes the place of an aid, one of these, when it is given a step less of."""
        return aid.weaker()

    def is_doubtful(self, aids: Collection[Aid]) -> bool:
        """Whether a level that gives these aids may be unsound, as where monsters kill at once."""
        return False

    def code(self, aids: Sequence[Aid]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Statements on `builder` that give these aids: first to the player, then to the world around."""
        return (), ()

    def words(self, aids: Sequence[Aid]) -> str:
        """What these aids are, in sentences."""
        return ""
