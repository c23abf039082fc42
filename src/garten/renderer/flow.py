"""Rectified flow: straight lines from pictures to noise, and at which levels of noise they are learned.

At level s, from 0 (the picture) to 1 (noise), a latent is ``x_s = (1 - s) x0 + s eps`` and its velocity is
``v = eps - x0`` ("Flow Straight and Fast", Liu et al., 2022, equation 1).
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

SHIFT = 5.0
"""How far levels are moved towards noise, as published for this renderer."""

WAVER = 1.29
"""The strength of the published density of levels in training."""


def spread(level: Tensor, like: Tensor) -> Tensor:
    """Levels of leading dimensions, e.g. [B] or [B, F], with ones for the further dimensions of `like`."""
    return level.reshape(*level.shape, *(1,) * (like.ndim - level.ndim))


def noised(x0: Tensor, eps: Tensor, level: Tensor) -> Tensor:
    """The latent at a level: ``(1 - s) x0 + s eps``."""
    s = spread(level, x0)
    return (1 - s) * x0 + s * eps


def velocity(x0: Tensor, eps: Tensor) -> Tensor:
    """What the network learns to predict: ``eps - x0``."""
    return eps - x0


def clean(x_s: Tensor, v: Tensor, level: Tensor) -> Tensor:
    """The picture that a velocity leads to: ``x_s - s v``."""
    return x_s - spread(level, x_s) * v


def shifted(s: Tensor, shift: float = SHIFT) -> Tensor:
    """Levels moved towards noise: ``shift s / (1 + (shift - 1) s)``, which keeps 0 and 1."""
    return shift * s / (1 + (shift - 1) * s)


def waver(u: Tensor) -> Tensor:
    """Levels for training from uniform numbers u: ``shifted(1 - tau)``, which rises from 0 to 1 with u.

    The published density: ``tau = 1 - u - 1.29 (cos^2(pi u / 2) - 1 + u)``.
    """
    tau = 1 - u - WAVER * (torch.cos(math.pi / 2 * u).square() - 1 + u)
    return shifted(1 - tau)
