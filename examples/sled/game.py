"""What there is to achieve with the sled, and the dials by which levels change its world."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from garten.domain import Dial

NAME = "Sled"

HOME = "HOME"
"""Where the sled starts."""

LANDMARKS = ("MEADOW", "HOLLOW", "HILL", "SUMMIT")
"""Places with a flag; each world has one of each."""


@dataclass(frozen=True)
class Achievement:
    """Something to achieve, once an episode.

    Attributes:
        needs: names of those that lead to it.
        reward: for it.
        at: the landmark where it is done, or `HOME`; empty where there is none.
        meaning: in words.
    """

    needs: tuple[str, ...]
    reward: float
    at: str
    meaning: str


ACHIEVEMENTS: Mapping[str, Achievement] = {
    "LEAVE_HOME": Achievement((), 1.0, "", "be 1.5 m away from the start"),
    "REACH_MEADOW": Achievement(("LEAVE_HOME",), 1.0, "MEADOW", "come to the flag on even ground"),
    "REACH_HOLLOW": Achievement(("LEAVE_HOME",), 1.0, "HOLLOW", "come to the flag in a hollow, 0.5 m deep"),
    "CLIMB_HILL": Achievement(("REACH_MEADOW",), 2.0, "HILL", "come to the flag on a hill, 0.8 m high"),
    "REST_ON_HILL": Achievement(("CLIMB_HILL",), 3.0, "HILL", "lie nearly still beside that flag"),
    "CLIMB_SUMMIT": Achievement(
        ("CLIMB_HILL",), 3.0, "SUMMIT", "come to the flag on a hill 1.2 m high, too steep without a run-up"
    ),
    "RETURN_HOME": Achievement(("CLIMB_SUMMIT",), 4.0, HOME, "be back at the start after CLIMB_SUMMIT"),
}
"""By name, easy ones first."""

NAMES = tuple(ACHIEVEMENTS)

BEST = sum(each.reward for each in ACHIEVEMENTS.values())
"""What all of them give."""

DIALS: Mapping[str, Dial] = {
    dial.name: dial
    for dial in (
        Dial("friction", 0.1, 0.02, 0.3, False, "of the ground, as a share of what presses on it"),
        Dial("gravity", 9.81, 5.0, 15.0, False, "weight of a kilogram in newtons"),
        Dial("gain", 5.0, 2.0, 8.0, False, "push of the motor in newtons; the sled weighs 1 kg"),
    )
}
"""By name; all at their defaults is the plain game."""

LIMIT = 80
"""Steps of an episode in the plain game; five make a second."""
