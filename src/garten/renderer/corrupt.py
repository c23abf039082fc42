"""Spoiled history: what later blocks see in training, so that a stream can live with its own faults.

Published: each frame of the clean copies, never of the targets, gets one of four treatments with equal
chances.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import interpolate


def corrupted(frames: Tensor, *, generator: torch.Generator) -> Tensor:
    """Frames [B, F, C, h, w] with other contrast, with noise, blurred by resampling, or as they are."""
    flat = frames.flatten(0, 1)
    kinds = torch.randint(4, (len(flat),), generator=generator).tolist()
    amounts = torch.rand(len(flat), generator=generator).tolist()
    done = [_treat(x, kind, amount, generator) for x, kind, amount in zip(flat, kinds, amounts, strict=True)]
    return torch.stack(done).view_as(frames)


def _treat(x_Chw: Tensor, kind: int, amount: float, generator: torch.Generator) -> Tensor:
    """One frame; the amount, 0 to 1, is spread over the treatment's range."""
    match kind:
        case 0:
            return contrast(x_Chw, 0.3 + 1.4 * amount)
        case 1:
            noise = torch.randn(x_Chw.shape, generator=generator).to(x_Chw.device)
            return x_Chw + amount / 3 * (noise - x_Chw)
        case 2:
            return resampled(x_Chw, 0.9 + 0.1 * amount)
        case _:
            return x_Chw


def contrast(x_Chw: Tensor, factor: float) -> Tensor:
    """A frame whose channels are drawn from, or to, their mean at each place."""
    mean = x_Chw.mean(-3, keepdim=True)
    return mean + factor * (x_Chw - mean)


def resampled(x_Chw: Tensor, scale: float) -> Tensor:
    """A frame made smaller and large again, bilinear and antialiased."""
    height, width = x_Chw.shape[-2:]
    small = (max(1, round(scale * height)), max(1, round(scale * width)))
    less = interpolate(x_Chw[None], small, mode="bilinear", antialias=True)
    return interpolate(less, (height, width), mode="bilinear", antialias=True)[0]
