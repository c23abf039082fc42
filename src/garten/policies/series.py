"""The last entries of a growing row, kept so that one more is added without copying them all."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

FOLD = 16
"""So many new entries are kept apart before they join the old ones."""


class Series(NamedTuple):
    """Entries along the last axis but one, the latest last.

    Nothing is changed in place: a series goes on to be what it was when another grows from it.

    Attributes:
        old: [..., span, D].
        new: [..., n, D], n up to `FOLD`, later than the old ones.
    """

    old: Tensor
    new: Tensor

    @classmethod
    def begin(cls, old: Tensor) -> Series:
        """A series with no new entries."""
        return cls(old, old[..., :0, :])

    def add(self, entry: Tensor) -> Series:
        """With one more entry [..., 1, D]."""
        full = self.new.shape[-2] == min(FOLD, self.old.shape[-2])
        old, new = Series.begin(self.joined()) if full else self
        return Series(old, torch.cat([new, entry], -2))

    def joined(self) -> Tensor:
        """The last `span` entries as one tensor, [..., span, D]."""
        count = self.new.shape[-2]
        return torch.cat([self.old[..., count:, :], self.new], -2) if count else self.old

    def parts(self) -> tuple[Tensor, Tensor]:
        """The last `span` + 1 entries, of which there must be new ones, in two parts."""
        return self.old[..., self.new.shape[-2] - 1 :, :], self.new
