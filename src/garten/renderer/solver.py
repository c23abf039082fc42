"""Many-step sampling: UniPC of second order ("UniPC", Zhao et al., 2023, algorithms 1 and 2), in flow form.

With ``lambda = log((1 - s) / s)``, a step of h = lambda' - lambda from level s to s' is::

    x' = (s' / s) x + (1 - s') (1 - e^-h) (m0 + B)

where m0 is the picture predicted at s and B a mix of its differences to other predictions: for the predictor
to the one a step earlier, for the corrector also to the one at s'.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import torch
from torch import Tensor

from garten.renderer.flow import shifted

LARGEST = 0.999
"""The noise level sampling begins at, as published."""


def levels(steps: int, *, largest: float = LARGEST) -> list[float]:
    """Falling noise levels for so many steps, evenly spaced and then shifted; the last is 0."""
    even = torch.linspace(1.0, 0.0, steps + 1, dtype=torch.float64)
    return [min(largest, s) for s in shifted(even).tolist()]


def solve(predict: Callable[[Tensor, float], Tensor], x: Tensor, levels: Sequence[float]) -> Tensor:
    """Follow the flow from the first level to the last.

    Args:
        predict: the picture x0 at a latent and its level.
        x: the latent at the first level.
        levels: falling, from below 1; the last may be 0.
    """
    past: tuple[Tensor, float] | None = None  # prediction one step earlier, and how far back it lies
    m0 = predict(x, levels[0])
    for s, s_next in pairwise(levels):
        if s_next == 0.0:
            return m0
        h = _snr(s_next) - _snr(s)
        shrink = math.expm1(-h)
        base = s_next / s * x - (1 - s_next) * shrink * m0
        back = None if past is None else (past[0] - m0, -past[1] / h)
        guess = base - (1 - s_next) * shrink * _predictor(back, like=x)
        m1 = predict(guess, s_next)
        x = base - (1 - s_next) * shrink * _corrector(back, m1 - m0, -h)
        past, m0 = (m0, h), m1
    return x


def _snr(s: float) -> float:
    """Lambda: half the logarithm of the signal-to-noise ratio."""
    return math.log((1 - s) / s)


def _predictor(back: tuple[Tensor, float] | None, *, like: Tensor) -> Tensor:
    """Half the slope to the step before; nothing on the first step."""
    return torch.zeros_like(like) if back is None else 0.5 * back[0] / back[1]


def _corrector(back: tuple[Tensor, float] | None, ahead: Tensor, hh: float) -> Tensor:
    """The mix of both differences whose first moments are right for a step of -hh."""
    if back is None:
        return 0.5 * ahead
    difference, place = back
    scale = math.expm1(hh)
    phi = scale / hh - 1
    first, second = phi / scale, 2 * (phi / hh - 0.5) / scale
    # a + b = first, place * a + b = second.
    a = (first - second) / (1 - place)
    return a * difference / place + (first - a) * ahead
