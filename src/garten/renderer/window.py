"""Which of the past a block sees: the first frames, which stay, and the last ones, which move on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Window:
    """A bounded past, in latent frames; units (the reference frame, then blocks) stay or go as a whole."""

    sink: int
    """Frames from the start that always stay, counting the reference; 0 lets even the reference go."""
    recent: int
    """The last frames before the present block, at most."""

    def check(self, block: int) -> None:
        """Refuse windows that would split units.

        Args:
            block: frames of a block.

        Raises:
            ValueError: the sink is neither 0 nor the reference and whole blocks, or no block is recent.
        """
        if self.sink < 0 or (self.sink > 0 and self.sink % block != 1 % block):
            raise ValueError(
                f"A sink of {self.sink} splits a block; choose 0, or 1 and a multiple of {block}."
            )
        if self.recent < block or self.recent % block:
            raise ValueError(
                f"{self.recent} recent frames are no whole blocks; choose a positive multiple of {block}."
            )

    @property
    def keeps_blocks(self) -> bool:
        """Whether any block is ever seen by a later one."""
        return self.recent > 0 or self.sink > 1

    @property
    def capacity(self) -> int:
        """The most frames that are seen beside the present block."""
        return self.sink + self.recent

    def kept(self, units: Sequence[int]) -> list[int]:
        """Which of the past units are seen, by index and in order.

        Args:
            units: how many frames each has, the oldest first; what was dropped before may be missing, as the
                answer is the same.
        """
        first, frames = 0, 0
        while first < len(units) and frames + units[first] <= self.sink:
            frames += units[first]
            first += 1
        last, frames = len(units), 0
        while last > first and frames + units[last - 1] <= self.recent:
            frames += units[last - 1]
            last -= 1
        return [*range(first), *range(last, len(units))]
