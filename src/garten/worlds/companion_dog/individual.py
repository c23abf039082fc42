"""One dog's hidden nature: what it likes, what it needs for that, and how much of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from garten.scene import Color

ACTIVITIES = ("offer", "pet_chest", "pet_head", "play")
"""What a hand can do, in the order of an individual's tuples."""

INVITING = ("offer", "play")
"""Activities that draw a dog near; the others reach for it."""

COATS: tuple[Color, ...] = (
    (0.80, 0.55, 0.25),  # golden: the one everybody meets first
    (0.30, 0.20, 0.14),
    (0.20, 0.20, 0.22),
    (0.62, 0.60, 0.58),
    (0.60, 0.30, 0.14),
)


@dataclass(frozen=True)
class Individual:
    """What stays the same about one dog."""

    likes: tuple[float, float, float, float]  # -1 to 1, by activity, when it trusts the person
    needs: tuple[float, float, float, float]  # trust (0 to 1) below which it likes an activity less
    enough: tuple[float, float, float, float]  # seconds of one activity in a row after which it is overdone
    efforts: tuple[float, float, float, float]  # how much an activity tires it, relative to stroking
    patience: float  # seconds of stroking until it needs a rest
    rest: float  # seconds of sitting still in which it recovers from that
    warning: float  # seconds it puts up with a hand it refuses before it goes to its bed
    coat: Color


JUNO = Individual(
    likes=(0.35, 1.0, 0.6, 0.9),
    needs=(0.0, 0.3, 0.85, 0.55),
    enough=(6.5, 9.5, 4.0, 6.5),
    efforts=(0.5, 0.9, 1.2, 1.1),
    patience=8.0,
    rest=6.0,
    warning=2.0,
    coat=COATS[0],
)
"""The dog of the default setting."""


def individual(number: int) -> Individual:
    """The dog of that number: 0 is Juno, any other is drawn from its number and stays the same for ever.

    Each has a favourite, something it likes, and something it does not, among stroking and play.
    """
    if number == 0:
        return JUNO
    rng = np.random.default_rng([0xD06, number])
    order = rng.permutation(3)
    tastes = np.array([1.0, rng.uniform(0.6, 0.9), rng.uniform(-0.6, 0.1)])[order]
    needs = np.array([rng.uniform(0.1, 0.3), rng.uniform(0.3, 0.45), rng.uniform(0.5, 0.9)])[order]
    enough = np.array([rng.uniform(6.5, 10.0), rng.uniform(6.5, 10.0), 3.5])[order]
    efforts = rng.uniform(0.8, 1.3, 3)
    return Individual(
        likes=(float(rng.uniform(0.25, 0.45)), *_three(tastes)),
        needs=(0.0, *_three(needs)),
        enough=(float(rng.uniform(5.0, 8.0)), *_three(enough)),
        efforts=(0.5, *_three(efforts)),
        patience=float(rng.uniform(8.0, 12.0)),
        rest=float(rng.uniform(4.0, 6.0)),
        warning=float(rng.uniform(1.5, 2.5)),
        coat=COATS[1 + int(rng.integers(len(COATS) - 1))],
    )


def _three(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[float, float, float]:
    first, second, third = (float(value) for value in values)
    return first, second, third
