"""What numbers of an action do to the picture: which colour goes aside when which of them changes.

A survey plays an action with varied numbers. For every colour and band of rows the place aside after the
action is explained, by least squares, from the numbers and from the place before. What a number moves can be
steered by it: the skill `use` starts from what is found here, and the search tunes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROWS: dict[str, tuple[float, float]] = {
    "all": (0.0, 1.0),
    "upper": (0.0, 0.4),
    "middle": (0.4, 0.65),
    "lower": (0.65, 1.0),
}
"""Bands of a picture in which a colour is looked for, as shares of its height from the top."""

_FEW = 6  # pixels below which a colour is not seen
_STILL = 0.01  # of the width; a place that changes less tells nothing
_RIDGE = 0.002  # pulls what few samples cannot tell towards no effect
_TOLD = 0.25  # share of the changes left to it that a number must explain to count as moving the colour
_MOVED = 0.003  # of the width; where no colour went aside by more, the action was in vain
_FASTEST = 1e3  # slopes beyond are none

Samples = Sequence[tuple[Sequence[float], NDArray[np.float64], NDArray[np.float64]]]
"""Of each use of an action: its numbers as shares, and `asides` before and after it."""


@dataclass(frozen=True)
class Effect:
    """A number of an action moves a colour."""

    action: str
    number: int  # index among the action's tuned arguments
    color: int  # index into the palette's colours
    rows: str  # a key of `ROWS`
    slope: float  # widths of the picture to the right, for the whole range of the number
    carry: float  # share of a place aside that is still there after the action
    strength: float  # share that it explains of what nothing else does, 0 to 1
    uses: int  # how many it was found from

    def __post_init__(self) -> None:
        shares = 0.0 <= self.carry <= 1.0 and 0.0 <= self.strength <= 1.0
        counts = self.number >= 0 and self.uses > 0
        if self.rows not in ROWS or not shares or not counts or not abs(self.slope) <= _FASTEST:
            raise ValueError("An effect has a number, rows, a slope, a share or a count that cannot be.")

    def to_data(self) -> dict[str, Any]:
        """The effect in JSON types."""
        return asdict(self)

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> Effect:
        """The inverse of `to_data`.

        Raises:
            ValueError, TypeError, KeyError: the data is malformed.
        """
        return Effect(
            str(data["action"]), int(data["number"]), int(data["color"]), str(data["rows"]),
            float(data["slope"]), float(data["carry"]), float(data["strength"]), int(data["uses"]),
        )  # fmt: skip


def asides(labels: NDArray[np.uint8], count: int) -> NDArray[np.float64]:
    """How far aside of the middle each colour is, by band of rows, in widths; NaN where it is not seen.

    Args:
        labels: The colour index of every pixel, [H, W].
        count: The number of colours.

    Returns:
        [count, len(ROWS)], -0.5 at the left edge to 0.5 at the right one.
    """
    height, width = labels.shape
    places = (np.arange(width) + 0.5) / width - 0.5
    found = np.full((count, len(ROWS)), np.nan)
    for column, (top, bottom) in enumerate(ROWS.values()):
        band = labels[round(top * height) : round(bottom * height)]
        codes = band.astype(np.int64) * width + np.arange(width)
        pixels = np.bincount(codes.ravel(), minlength=256 * width)[: count * width].reshape(count, width)
        totals = pixels.sum(1)
        seen = totals >= _FEW
        found[seen, column] = (pixels[seen] @ places) / totals[seen]
    return found


def find_effects(action: str, samples: Samples) -> tuple[Effect, ...]:
    """What an action's numbers were seen to move in one game, each effect by itself.

    Args:
        action: Its name.
        samples: Its uses, in any order.
    """
    if not samples:
        return ()
    before, after = np.stack([one for _, one, _ in samples]), np.stack([one for _, _, one in samples])
    moved = np.nan_to_num(np.abs(after - before), nan=1.0).max((1, 2), where=np.isfinite(after), initial=0.0)
    numbers = np.array([one for one, _, _ in samples], float)[moved > _MOVED]
    before, after = before[moved > _MOVED], after[moved > _MOVED]
    varied = int((numbers.std(0) > 0.0).sum()) if len(numbers) else 0
    found: list[Effect] = []
    for color in range(after.shape[1]):
        for column, rows in enumerate(ROWS):
            was, became = before[:, color, column], after[:, color, column]
            seen = np.isfinite(was) & np.isfinite(became)
            if seen.sum() >= varied + 3 and became[seen].std() > _STILL:
                fit = _fit(numbers[seen], was[seen], became[seen])
                found += [
                    Effect(action, number, color, rows, slope, fit.carry, strength, int(seen.sum()))
                    for number, (slope, strength) in enumerate(zip(fit.slopes, fit.strengths, strict=True))
                    if strength > _TOLD
                ]
    return tuple(found)


@dataclass(frozen=True)
class _Fit:
    slopes: tuple[float, ...]
    strengths: tuple[float, ...]
    carry: float


def _fit(numbers: NDArray[np.float64], was: NDArray[np.float64], became: NDArray[np.float64]) -> _Fit:
    """Ridge regression of where a colour went on the numbers and where it was."""
    inputs = np.column_stack([numbers, was])
    inputs = inputs - inputs.mean(0)
    target = became - became.mean()
    gram = inputs.T @ inputs + _RIDGE * np.eye(inputs.shape[1])
    weights = np.linalg.solve(gram, inputs.T @ target)
    parts = weights**2 * inputs.var(0)
    left = float(((target - inputs @ weights) ** 2).mean())
    strengths = parts[:-1] / np.maximum(parts[:-1] + left, 1e-12)
    return _Fit(
        slopes=tuple(float(one) for one in weights[:-1]),
        strengths=tuple(float(one) for one in strengths),
        carry=min(max(float(weights[-1]), 0.0), 1.0),
    )


def merge_effects(effects: Sequence[Effect]) -> tuple[Effect, ...]:
    """Effects of several games as one, each by how many uses it rests on; those that disagree grow weak."""
    groups: dict[tuple[str, int, int, str], list[Effect]] = {}
    for one in effects:
        groups.setdefault((one.action, one.number, one.color, one.rows), []).append(one)
    return tuple(_mean(group) for _, group in sorted(groups.items()))


def _mean(group: Sequence[Effect]) -> Effect:
    uses = sum(one.uses for one in group)

    def mean(values: Sequence[float]) -> float:
        return sum(value * one.uses for value, one in zip(values, group, strict=True)) / uses

    slope = mean([one.slope for one in group])
    agreement = abs(slope) / max(mean([abs(one.slope) for one in group]), 1e-12)
    strength = agreement * mean([one.strength for one in group])
    carry = mean([one.carry for one in group])
    return replace(group[0], slope=slope, carry=carry, strength=strength, uses=uses)
