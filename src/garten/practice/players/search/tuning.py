"""The skill `use`: an action with numbers, one of which may be corrected by how far aside a colour is seen.

A step holds each number as a share of its range. The corrected one is changed by `gain` for each width of the
picture that the colour is off the place `at`: either anew each time, as in steering along a road, or for good
(`keeps`), by what its own last use led to, as in aiming again after a miss.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from garten.practice.players.search.effects import ROWS, Effect
from garten.practice.players.search.kinds import ACTION, SHADE, Kind, Scale, Step
from garten.practice.players.search.motor import MOST_TUNED, Handle

PLACES = ("first", "second", "third", "fourth")
"""What the numbers of an action are called, in the order of `Handle.tuned`."""

SHARES = Scale(tuple(round(0.1 * k, 1) for k in range(11)))

PARAMETERS: dict[str, Kind] = {
    "action": ACTION,
    **dict.fromkeys(PLACES, SHARES),
    "tunes": PLACES,
    "by": SHADE,
    "rows": tuple(ROWS),
    "gain": Scale((-8.0, -4.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 4.0, 8.0)),
    "at": Scale((-0.3, -0.2, -0.1, -0.05, 0.0, 0.05, 0.1, 0.2, 0.3)),
    "keeps": ("no", "yes"),
}
"""The parameters of a step that does `use`."""

_STEERED = 0.8  # share of drawn steps that correct a number where one is sure to move a colour
_DEFAULT = 0.8  # chance that a number that need not be given stays as it is
_BOLD = (0.5, 1.0, 2.0)  # corrections tried, as parts of the one that would do it at once
_CLEAR = 0.2  # widths by which a number's whole range moves a colour; more is no better
_CARRIED = 0.5  # of a place aside is still there after an action: then it is corrected anew each time
_OVERSHOT = 0.7  # part of the last miss: one more than that to the other side was corrected too boldly
_FAR = 0.15  # by which a number is changed at most in one variation

assert len(PLACES) == MOST_TUNED


@dataclass(frozen=True)
class Tools:
    """The actions with numbers of one place, and what their numbers are known to move."""

    handles: tuple[Handle, ...] = ()
    effects: tuple[Effect, ...] = ()
    shades: tuple[tuple[int, int, int], ...] = ()  # all colours of the palette, things or not, by index

    def draw(self, rng: random.Random, *, handle: Handle | None = None) -> Step:
        """A new step, of a handle if it is given; mostly it corrects a number that surely moves a colour."""
        handle = handle or rng.choice(self.handles)
        step: Step = {"do": "use", "action": handle.name, **_numbers(handle, rng)}
        known = self._known(handle)
        if known and rng.random() < _STEERED * max(one.strength for one in known):
            return step | self._correction(handle, known, rng)
        return step | self._none(rng)

    def vary(self, step: Step, rng: random.Random) -> Step:
        """The same step with one number, or the way one is corrected, changed a little."""
        handle = next((one for one in self.handles if one.name == step["action"]), None)
        if handle is None:  # of an earlier round, whose actions were others
            return step | self.draw(rng) if self.handles else step
        known = self._known(handle)
        chance = rng.random()
        if known and chance < (0.1 if step["gain"] else 0.4):
            return step | self._correction(handle, known, rng)
        if step["gain"] and chance < 0.35:
            gain = PARAMETERS["gain"]
            assert isinstance(gain, Scale)
            return step | {"gain": gain.within(step["gain"] * rng.choice((0.6, 0.8, 1.25, 1.6)))}
        if step["gain"] and chance < 0.45:
            at = PARAMETERS["at"]
            assert isinstance(at, Scale)
            return step | {"at": at.within(step["at"] + rng.uniform(-0.08, 0.08))}
        index = rng.randrange(len(handle.tuned))
        place = PLACES[index]
        if rng.random() < 0.15:
            return step | {place: round(rng.uniform(handle.least(index), 1.0), 3)}
        return step | {place: SHARES.within(step[place] + rng.uniform(-_FAR, _FAR))}

    def _known(self, handle: Handle) -> list[Effect]:
        """What the action's numbers move aside; a speed is no way to steer."""
        return [
            one
            for one in self.effects
            if one.action == handle.name
            and one.number < len(handle.tuned)
            and not handle.paces(one.number)
            and one.strength > 0.0  # else games disagree, perhaps to a slope of 0
        ]

    def _correction(self, handle: Handle, known: Sequence[Effect], rng: random.Random) -> dict[str, Any]:
        """How to correct a number by what it moves: the better it moves it, the likelier."""
        best: dict[tuple[int, int], float] = {}  # by number and colour, whatever the rows
        for one in known:
            merit = one.strength**2 * min(abs(one.slope), _CLEAR) * one.uses
            best[one.number, one.color] = max(merit, best.get((one.number, one.color), 0.0))
        number, color = rng.choices(list(best), list(best.values()))[0]
        alike = [one for one in known if (one.number, one.color) == (number, color)]
        effect = rng.choices(alike, [one.strength for one in alike])[0]
        place = PLACES[effect.number]
        keeps = effect.carry < _CARRIED
        whole = -1.0 / effect.slope if keeps else -effect.carry / effect.slope
        gain = PARAMETERS["gain"]
        assert isinstance(gain, Scale)
        return {
            place: round(handle.rest[effect.number], 3),
            "tunes": place,
            "by": list(self.shades[effect.color]),
            "rows": effect.rows,
            "gain": gain.within(rng.choice(_BOLD) * whole),
            "at": 0.0,
            "keeps": "yes" if keeps else "no",
        }

    def _none(self, rng: random.Random) -> dict[str, Any]:
        """No correction; what would be corrected, and by what, does not matter."""
        by = list(self.shades[0]) if self.shades else [0, 0, 0]
        return {"tunes": PLACES[0], "by": by, "rows": "all", "gain": 0.0, "at": 0.0, "keeps": "no"}


def _numbers(handle: Handle, rng: random.Random) -> dict[str, float]:
    """A share for each number; those that the action does not have are in the middle."""
    shares = dict.fromkeys(PLACES, 0.5)
    for index, (place, rest) in enumerate(zip(PLACES, handle.rest, strict=False)):
        free = index < handle.needed or rng.random() > _DEFAULT
        shares[place] = round(rng.uniform(handle.least(index), 1.0) if free else rest, 3)
    return shares


@dataclass
class Aim:
    """How a number that is corrected for good has done so far in a game."""

    share: float  # the number, as a share of its range
    miss: float = 0.0  # how far aside of its place the colour was seen last, in widths
    boldness: float = 1.0  # part of the gain that is used

    def correct(self, miss: float, gain: float) -> None:
        """Change the number by a miss; one to the other side and hardly smaller tames the gain."""
        if miss * self.miss < 0.0 and abs(miss) > _OVERSHOT * abs(self.miss):
            self.boldness *= 0.5
        self.share = SHARES.within(self.share + self.boldness * gain * miss)
        self.miss = miss


@dataclass
class Grip:
    """What one role's uses of its actions have come to in a game: the numbers kept, and the last use."""

    kept: dict[tuple[str, str], Aim] = field(default_factory=dict)  # by action and place
    unjudged: Mapping[str, Any] | None = None  # the last use, if its outcome is to correct what is kept

    def judge(self, off: float | None) -> None:
        """Correct what is kept by where the colour is seen now; None: it is not seen."""
        step, self.unjudged = self.unjudged, None
        if step is not None and off is not None:
            self.kept[step["action"], step["tunes"]].correct(off - step["at"], step["gain"])

    def shares(self, handle: Handle, step: Mapping[str, Any], off: float | None) -> list[float]:
        """The numbers of the next use, as shares; `off` is where the colour is seen, None if it is not."""
        kept = {place: self.kept.get((handle.name, place)) for place in PLACES}
        values = {place: step[place] if aim is None else aim.share for place, aim in kept.items()}
        if step["keeps"] == "yes":
            self.kept.setdefault((handle.name, step["tunes"]), Aim(step[step["tunes"]]))
            self.unjudged = step
        elif off is not None:
            values[step["tunes"]] += step["gain"] * (off - step["at"])
        return [values[place] for place in PLACES[: len(handle.tuned)]]
