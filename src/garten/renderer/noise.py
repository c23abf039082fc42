"""Noise that depends on what it is for, and on nothing that happens to run beside it."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from garten.seeds import derive


def normal(shape: Sequence[int], seed: int, *path: str | int) -> Tensor:
    """Standard normal numbers for one use of a seed, float32, made on the CPU on every device."""
    generator = torch.Generator().manual_seed(derive(seed, *path))
    return torch.randn(*shape, generator=generator)


def batch_normal(shape: Sequence[int], seeds: Sequence[int], *path: str | int) -> Tensor:
    """The noise of several samples, [B, *shape], each from its own seed."""
    return torch.stack([normal(shape, seed, *path) for seed in seeds])
