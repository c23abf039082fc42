"""Rotary positions along time, rows and columns.

"RoFormer" (Su et al., 2021): a pair of numbers of a query or key turns by an angle that grows with the
position, so that their products depend on distances. Here each pair turns with one of three coordinates.
Pairs are numbers i and i + D/2 of a head; frequencies fall with i, and the three axes take turns along i, as
far as each one's section goes, so that all three have quick and slow ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor


class Phases(NamedTuple):
    """Cosines and sines [B or 1, T, 1, D/2] of the angles, float32."""

    cos: Tensor
    sin: Tensor


@dataclass(frozen=True)
class Rotary:
    """How angles follow from coordinates."""

    sections: tuple[int, int, int]
    """Pairs that turn with time, row and column."""
    theta: float
    """Slowest wavelength, in units of 2 pi."""

    def axes(self) -> Tensor:
        """The axis of each pair: 0 time, 1 row, 2 column."""
        pairs = sum(self.sections)
        axes = torch.zeros(pairs, dtype=torch.int64)
        for axis in (1, 2):
            axes[axis : min(3 * self.sections[axis], pairs) : 3] = axis
        return axes

    def phases(self, position_BT3: Tensor) -> Phases:
        """Phases of tokens at (time, row, column); angles are float64, so that large times lose nothing."""
        pairs = sum(self.sections)
        frequency = self.theta ** (-torch.arange(pairs, dtype=torch.float64) / pairs)
        angle = position_BT3.double()[..., self.axes()] * frequency.to(position_BT3.device)
        return Phases(angle.cos().float()[..., None, :], angle.sin().float()[..., None, :])

    def shift(self, time: float) -> Phases:
        """What moves keys of any place by so much time; places are not touched, to the last bit."""
        return self.phases(torch.tensor([[[time, 0.0, 0.0]]]))


def rotate(x_BTHD: Tensor, phases: Phases) -> Tensor:
    """Queries or keys turned by their phases, at full precision whatever the input is."""
    a, b = full(x_BTHD).chunk(2, -1)
    cos, sin = phases
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1).to(x_BTHD.dtype)


def full(x: Tensor) -> Tensor:
    """Numbers at float32 at least."""
    return x if x.dtype == torch.float64 else x.float()


def token_places(rows: int, columns: int, like: tuple[int, int]) -> Tensor:
    """Rows and columns [rows * columns, 2] of a grid laid over another: the corners of both coincide.

    A cell's centre (i + 1/2) / rows lies at (i + 1/2) * like / rows - 1/2 in the units of the other grid.
    """
    row = (torch.arange(rows, dtype=torch.float64) + 0.5) * like[0] / rows - 0.5
    column = (torch.arange(columns, dtype=torch.float64) + 0.5) * like[1] / columns - 0.5
    return torch.cartesian_prod(row, column)
