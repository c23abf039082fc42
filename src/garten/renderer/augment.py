"""What happens to geometry in training, so that the network takes it for what it is: a guide that may be off.

Published: both modalities are dropped from a tenth of the samples, and the others keep one of the two. Half
of the samples are warped, less and less towards the last frame, which is true; half lose fine texture.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor
from torch.nn.functional import conv2d, grid_sample, interpolate, pad

DROPPED = 0.1
"""Share of samples without geometry."""


@dataclass(frozen=True)
class Warp:
    """A bend of the image plane in coordinates from -1 to 1, at full strength."""

    scale: float  # 1 is none; up to 1.15
    shift: tuple[float, float]  # up to 0.06 of a side, each way
    shear: float  # up to 0.03
    perspective: tuple[float, float]  # up to 0.02


def draw_modality(generator: torch.Generator) -> Literal["depth", "normals"] | None:
    """Which modality a training sample keeps; None for neither."""
    if torch.rand((), generator=generator).item() < DROPPED:
        return None
    return "depth" if torch.rand((), generator=generator).item() < 0.5 else "normals"


def draw_warp(generator: torch.Generator) -> Warp:
    """A bend of random strength and direction."""
    u = torch.rand(6, generator=generator).tolist()
    a, b, c, d, e = (2 * x - 1 for x in u[1:])
    return Warp(1 + 0.15 * u[0], (0.06 * a, 0.06 * b), 0.03 * c, (0.02 * d, 0.02 * e))


def warped(images: Tensor, warp: Warp) -> Tensor:
    """A clip [T, 3, h, w] bent, the less the later: by (1 - progress) ** 1.5, nothing at its last frame."""
    T, _, height, width = images.shape
    row, column = (
        torch.linspace(1 / n - 1, 1 - 1 / n, n, dtype=images.dtype, device=images.device)
        for n in (height, width)
    )
    y, x = torch.meshgrid(row, column, indexing="ij")
    done = [images[-1]]
    for frame in range(T - 2, -1, -1):
        grid = _bent(x, y, warp, (1 - frame / (T - 1)) ** 1.5)
        bent = grid_sample(images[frame][None], grid[None], padding_mode="border", align_corners=False)
        done.append(bent[0])
    return torch.stack(done[::-1])


def _bent(x: Tensor, y: Tensor, warp: Warp, strength: float) -> Tensor:
    """Where each pixel comes from, [h, w, 2] as (x, y)."""
    scale = 1 / (1 + strength * (warp.scale - 1))
    depth = 1 + strength * (warp.perspective[0] * x + warp.perspective[1] * y)
    # A shift of a share of a side is twice that share in coordinates from -1 to 1.
    bent_x = (scale * x + strength * (warp.shear * y - 2 * warp.shift[0])) / depth
    bent_y = (scale * y + strength * (warp.shear * x - 2 * warp.shift[1])) / depth
    return torch.stack([bent_x, bent_y], -1)


def smoothed(images: Tensor, factor: float) -> Tensor:
    """Images [T, 3, h, w] without fine texture: blurred, made smaller (1.5 to 3 times), and large again."""
    height, width = images.shape[-2:]
    small = (max(1, round(height / factor)), max(1, round(width / factor)))
    less = interpolate(_blurred(images, 0.5 * factor), small, mode="area")
    return interpolate(less, (height, width), mode="bilinear")


def _blurred(images: Tensor, sigma: float) -> Tensor:
    """A Gaussian blur of so many pixels, along columns and then rows."""
    reach = math.ceil(3 * sigma)
    place = torch.arange(-reach, reach + 1, dtype=images.dtype, device=images.device)
    weight = torch.exp(-0.5 * (place / sigma) ** 2)
    kernel = (weight / weight.sum())[None, None, :, None]
    flat = images.flatten(0, 1)[:, None]
    for _ in range(2):
        flat = conv2d(pad(flat, (0, 0, reach, reach), mode="replicate"), kernel).mT
    return flat.view_as(images)


def augmented(images: Tensor, *, generator: torch.Generator, suppress: bool = True) -> Tensor:
    """A clip of one modality [T, 3, h, w], each augmentation applied to half of the clips.

    Args:
        images: pooled geometry as RGB.
        generator: of what is drawn.
        suppress: false for clips whose geometry has no texture to lose.
    """
    if torch.rand((), generator=generator).item() < 0.5:
        images = warped(images, draw_warp(generator))
    if suppress and torch.rand((), generator=generator).item() < 0.5:
        images = smoothed(images, 1.5 + 1.5 * torch.rand((), generator=generator).item())
    return images
