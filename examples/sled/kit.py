"""What the rules author knows of the sled: landmarks can be nearer and lower, the motor stronger."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from garten.authors.kit import Aid, Help, Kit
from sled.game import ACHIEVEMENTS, HOME, LANDMARKS
from sled.level import FARTHEST, NEAREST

CLOSE, FAR = 2.5, 6.0
"""Metres of a landmark that is brought near at first, and from which on it is no help."""

LOWEST, FULL = 0.3, 0.9
"""Shares of a height that help most, and from which on they do not help."""


@dataclass(frozen=True)
class Near(Aid):
    """A landmark lies at most so many metres from the start."""

    landmark: str
    within: float

    @property
    def key(self) -> str:
        """See `Aid.key`."""
        return f"near {self.landmark}"

    def weaker(self) -> tuple[Aid, ...]:
        """A third farther, until it does not help."""
        farther = round(self.within * 4.0 / 3.0, 1)
        return (replace(self, within=farther),) if farther < FAR else ()

    def stronger(self) -> Aid | None:
        """A quarter nearer."""
        nearer = round(self.within * 0.75, 1)
        return replace(self, within=nearer) if nearer >= NEAREST else None

    def redrawn(self, rng: random.Random) -> Aid:
        """About as near."""
        return replace(self, within=round(max(NEAREST, self.within * rng.uniform(0.85, 1.15)), 1))


@dataclass(frozen=True)
class Low(Aid):
    """A landmark has only a share of its height, or of its depth."""

    landmark: str
    share: float

    @property
    def key(self) -> str:
        """See `Aid.key`."""
        return f"low {self.landmark}"

    def weaker(self) -> tuple[Aid, ...]:
        """A quarter higher, until it does not help."""
        higher = round(self.share * 1.25, 2)
        return (replace(self, share=higher),) if higher < FULL else ()

    def stronger(self) -> Aid | None:
        """A fifth lower."""
        lower = round(self.share * 0.8, 2)
        return replace(self, share=lower) if lower >= LOWEST else None

    def redrawn(self, rng: random.Random) -> Aid:
        """About as high."""
        return replace(self, share=round(min(FULL, self.share * rng.uniform(0.9, 1.1)), 2))


class SledKit(Kit):
    """A `Kit`."""

    gentle: Mapping[str, float] = {"gain": 8.0, "gravity": 6.0, "friction": 0.04}

    def read(self, method: str, arguments: Sequence[Any], named: Mapping[str, Any]) -> tuple[Aid, ...] | None:
        """See `Kit.read`."""
        match (method, *arguments) if not named else ():
            case ("bring", str(landmark), int() | float() as within) if landmark in LANDMARKS:
                return (Near(landmark, min(float(within), FARTHEST)),)
            case ("lower", str(landmark), int() | float() as share) if landmark in LANDMARKS:
                return (Low(landmark, float(share)),)
        return None

    def help_with(self, goal: str, aids: Collection[Aid], rng: random.Random) -> Help:
        """See `Kit.help_with`: the landmark where it is done, near and low."""
        landmark = _landmark(goal)
        if not landmark:
            return Help()
        near = Near(landmark, round(CLOSE * rng.uniform(0.85, 1.15), 1))
        return Help((near,) if landmark == "MEADOW" else (near, Low(landmark, 0.4)))

    def gentle_for(self, goal: str) -> frozenset[str]:
        """See `Kit.gentle_for`: a strong motor and little friction help with all, little weight on slopes."""
        flat = _landmark(goal) in ("", "MEADOW")
        return frozenset({"gain", "friction"} if flat else self.gentle)

    def code(self, aids: Sequence[Aid]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """See `Kit.code`."""
        return (), tuple(_statement(aid) for aid in aids)

    def words(self, aids: Sequence[Aid]) -> str:
        """See `Kit.words`."""
        return " ".join(_sentence(aid) for aid in aids)


def _landmark(goal: str) -> str:
    """Where an achievement is done, or where the way to it leads; empty where that does not matter."""
    at = ACHIEVEMENTS[goal].at
    return ACHIEVEMENTS[ACHIEVEMENTS[goal].needs[0]].at if at == HOME else at


def _statement(aid: Aid) -> str:
    match aid:
        case Near(landmark, within):
            return f'builder.bring("{landmark}", {within})'
        case Low(landmark, share):
            return f'builder.lower("{landmark}", {share})'
    raise AssertionError(f"{aid} is no aid of this kit")


def _sentence(aid: Aid) -> str:
    match aid:
        case Near(landmark, within):
            return f"The {landmark.lower()} lies at most {within:g} m from the start."
        case Low(landmark, share):
            return f"The {landmark.lower()} has {share:g} of its height."
    raise AssertionError(f"{aid} is no aid of this kit")
