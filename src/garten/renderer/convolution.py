"""Convolutions over frames that know the past and not the future.

All are made of convolutions of single frames. What a block needs of the frame before is handed in and out, so
that a clip in pieces gives what the whole gives. Tensors are [B, F, C, h, w]; states are [B, C, h, w], or
None at the start of a clip.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

State = Tensor | None


def each_frame(module: nn.Module, x: Tensor) -> Tensor:
    """A module for images on every frame."""
    return torch.unflatten(module(x.flatten(0, 1)), 0, x.shape[:2])


class Recall(nn.Module):
    """A residual block that sees each frame beside the one before it, which is black before the first."""

    def __init__(self, channels: int) -> None:
        """A block that keeps the channels."""
        super().__init__()
        self.first = nn.Conv2d(2 * channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x: Tensor, before: State) -> tuple[Tensor, Tensor]:
        """The block's output and the state after it."""
        start = torch.zeros_like(x[:, :1]) if before is None else before[:, None]
        both = torch.cat([x, torch.cat([start, x[:, :-1]], 1)], 2)
        change = each_frame(self.second, torch.relu(each_frame(self.first, both)))
        return torch.relu(x + change), x[:, -1]


class Slower(nn.Module):
    """Two frames become one."""

    def __init__(self, channels: int) -> None:
        """A layer that keeps the channels."""
        super().__init__()
        self.mix = nn.Conv2d(2 * channels, channels, 1)

    def forward(self, x: Tensor) -> Tensor:
        """[B, F, C, h, w] to [B, F / 2, C, h, w]."""
        return each_frame(self.mix, torch.unflatten(x, 1, (-1, 2)).flatten(2, 3))


class Faster(nn.Module):
    """One frame becomes two, or several."""

    def __init__(self, channels: int, *, times: int = 2, bias: bool = True) -> None:
        """A layer that keeps the channels."""
        super().__init__()
        self.times = times
        self.part = nn.Conv2d(channels, times * channels, 1, bias=bias)

    def forward(self, x: Tensor) -> Tensor:
        """[B, F, C, h, w] to [B, times F, C, h, w]."""
        return torch.unflatten(each_frame(self.part, x), 2, (self.times, -1)).flatten(1, 2)
