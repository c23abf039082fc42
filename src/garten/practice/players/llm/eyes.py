"""How a model sees frames: as pictures, or as descriptions in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from garten.llm.messages import Image, Part
from garten.practice.percepts import describe, find_palette
from garten.records import Frame

REGIONS = 16
"""Most regions described of one frame, the largest first."""

REMEMBERED = 24
"""Latest frames from which the colours of a place are found."""

Item = TypeVar("Item")


class Eyes(Protocol):
    """Turns frames into parts of a message."""

    def show(self, frames: Sequence[Frame]) -> list[Part]:
        """One part for each frame."""
        ...


class Sight:
    """For models that take pictures."""

    def show(self, frames: Sequence[Frame]) -> list[Part]:
        """The frames as pictures."""
        return [Image.of(frame) for frame in frames]


class Words:
    """For models that do not: the regions of colour in each frame, named by a palette found on the way."""

    def __init__(self) -> None:
        self._seen: list[Frame] = []

    def show(self, frames: Sequence[Frame]) -> list[Part]:
        """The frames as lists of regions."""
        self._seen = [*self._seen, *frames][-REMEMBERED:]
        palette = find_palette(self._seen)
        return [_listed(describe(frame, palette)) for frame in frames]


def choose(items: Sequence[Item], most: int) -> list[Item]:
    """At most `most` of the items, evenly chosen, the last one among them."""
    count = min(most, len(items))
    return [items[(number + 1) * len(items) // count - 1] for number in range(count)]


def _listed(regions: Sequence[str]) -> str:
    lines = [f"- {region}" for region in regions[:REGIONS]]
    left = len(regions) - len(lines)
    if left:
        lines.append(f"- and {left} smaller ones")
    return "\n".join(lines) or "- nothing but sky and ground"
