"""Whose turn it is in distillation, and what is drawn for it: functions of the seed and the iteration alone.

So a run that stops and goes on keeps its turns and its draws, and processes that train one student agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from garten.renderer.window import Window
from garten.seeds import derive

Turn = Literal["judge", "student", "fake"]
"""Who learns: the judge alone, the student, or the fake score and the judge."""


def rollout_windows(served: Window) -> tuple[Window, ...]:
    """The windows that rollouts draw from, for the one that is served: no sink, the reference, all of it.

    For (5, 44) these are the published (0, 48), (1, 48) and (5, 44). [paper] Where no block is remembered,
    as the last output is carried along, there is only the one.
    """
    if not served.keeps_blocks:
        return (served,)
    recent = served.capacity - min(1, served.sink)  # whole blocks, also where the reference goes
    return Window(0, recent), Window(1, recent), served


@dataclass(frozen=True)
class Clock:
    """The order of turns: the judge's warm-up, then one student to several fake scores, over and over."""

    seed: int
    fakes: int = 5
    """Turns of the fake score for each one of the student. [paper]"""
    warm_up: int = 10
    """Turns of the judge alone, at first. [code]"""

    def turn(self, iteration: int) -> Turn:
        """Whose turn it is, iterations counted from 0."""
        if iteration < self.warm_up:
            return "judge"
        return "student" if (iteration - self.warm_up) % (1 + self.fakes) == 0 else "fake"

    def steps(self, iteration: int, most: int) -> int:
        """How many denoising steps the rollout of this iteration takes, 1 to `most`, in all its blocks."""
        return 1 + derive(self.seed, "steps", iteration) % most

    def window(self, iteration: int, windows: Sequence[Window]) -> Window:
        """Which window the rollout of this iteration has."""
        return windows[derive(self.seed, "window", iteration) % len(windows)]
