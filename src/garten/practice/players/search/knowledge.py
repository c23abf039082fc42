"""What a player knows of its body and surroundings apart from any skill: palette, lens, sizes, what moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from garten.practice.mapping import Lens, lens_from_data
from garten.practice.percepts import Palette, join_palettes
from garten.practice.players.search.calibration import Size, merge_sizes
from garten.practice.players.search.effects import Effect, merge_effects

_MOVER = 0.25  # share of sightings found aside of their place from which things of a colour are movers

_MOST_TOLD = 12  # sentences of one game that are remembered
_LONGEST = 200  # characters of one
_OFTENEST = 10**6  # times that one counts at most


@dataclass(frozen=True)
class Knowledge:
    """Found by looking and moving, merged over games, inherited as a lesson."""

    palette: Palette | None = None
    lens: Lens | None = None  # as measured, with sizes
    sizes: Mapping[int, Size] = field(default_factory=dict)  # by colour index
    shifts: Mapping[int, tuple[int, int]] = field(default_factory=dict)  # by colour: sightings, moved aside
    effects: tuple[Effect, ...] = ()  # what numbers of actions move
    told: Mapping[str, int] = field(default_factory=dict)  # sentences that were said, and how often

    @property
    def movers(self) -> tuple[int, ...]:
        """Colours of things that were seen to move, most restless first."""
        share = {color: moved / looks for color, (looks, moved) in self.shifts.items() if looks >= 10}
        return tuple(sorted((c for c in share if share[c] >= _MOVER), key=lambda c: (-share[c], c)))

    def to_data(self) -> dict[str, Any]:
        """The knowledge in JSON types."""
        lens = self.lens
        return {
            "palette": self.palette.to_data() if self.palette else None,
            "lens": lens
            and {"width": lens.width, "height": lens.height, "focal": lens.focal, "turn": lens.turn},
            "sizes": [[color, size.strides, size.pairs] for color, size in self.sizes.items()],
            "shifts": [[color, looks, moved] for color, (looks, moved) in self.shifts.items()],
            "effects": [effect.to_data() for effect in self.effects],
            "told": dict(sorted(self.told.items(), key=lambda item: (-item[1], item[0]))[:_MOST_TOLD]),
        }

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> Knowledge:
        """The inverse of `to_data`.

        Raises:
            ValueError, TypeError, KeyError: the data is malformed.
        """
        palette = Palette.from_data(data["palette"]) if data["palette"] else None
        count = len(palette.shades) if palette else 0
        sizes = {int(color): Size(float(size), int(pairs)) for color, size, pairs in data["sizes"]}
        shifts = {int(color): (int(looks), int(moved)) for color, looks, moved in data["shifts"]}
        effects = tuple(Effect.from_data(one) for one in data.get("effects", ()))
        told = {
            sentence(str(line)): min(int(times), _OFTENEST) for line, times in data.get("told", {}).items()
        }
        if any(not 0 <= color < count for color in (*sizes, *shifts, *(one.color for one in effects))):
            raise ValueError("Sizes, shifts or effects name a colour that the palette does not have.")
        if any(times < 1 for times in told.values()):
            raise ValueError("A sentence was said less than once.")
        if any(not 0.0 < size.strides < 1e3 for size in sizes.values()):
            raise ValueError("A size is not a positive number of strides.")
        lens = lens_from_data(data["lens"]) if data["lens"] else None
        return _whole(Knowledge(palette, lens, sizes, shifts, effects, told))


def sentence(feedback: str) -> str:
    """What was said, on one line and no longer than is remembered: as conditions of skills name it."""
    return " ".join(feedback.split())[:_LONGEST]


def merge(parts: Sequence[Knowledge]) -> Knowledge:
    """Knowledge from several games as one; colours are matched by likeness, the first palette leads."""
    palettes = [part.palette for part in parts if part.palette]
    if not palettes:
        return Knowledge(lens=next((part.lens for part in parts if part.lens), None))
    palette, maps = join_palettes(palettes)
    known = [part for part in parts if part.palette]
    sizes = merge_sizes(
        [
            {own[color]: size for color, size in part.sizes.items()}
            for part, own in zip(known, maps, strict=True)
        ]
    )
    shifts: dict[int, tuple[int, int]] = {}
    for part, own in zip(known, maps, strict=True):
        for color, (looks, moved) in part.shifts.items():
            before = shifts.get(own[color], (0, 0))
            shifts[own[color]] = before[0] + looks, before[1] + moved
    effects = [
        replace(one, color=own[one.color])
        for part, own in zip(known, maps, strict=True)
        for one in part.effects
    ]
    told: dict[str, int] = {}
    for part in known:
        for line, times in part.told.items():
            told[line] = told.get(line, 0) + times
    lenses = sorted((part.lens for part in parts if part.lens), key=lambda lens: (lens.turn, lens.focal))
    lens = lenses[len(lenses) // 2] if lenses else None
    return _whole(Knowledge(palette, lens, sizes, dict(sorted(shifts.items())), merge_effects(effects), told))


def _whole(knowledge: Knowledge) -> Knowledge:
    """The same with the sizes put into the lens."""
    if knowledge.lens is None:
        return knowledge
    sizes = {color: size.strides for color, size in knowledge.sizes.items()}
    return replace(knowledge, lens=replace(knowledge.lens, sizes=sizes))
