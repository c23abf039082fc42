"""Depth and normals as the network's condition: coloured, pooled, stretched, encoded, made noisy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import avg_pool2d, interpolate

from garten.renderer.codec import Codec, CodecState
from garten.renderer.noise import normal
from garten.renderer.settings import Modality, RendererSettings
from garten.scene import Condition, Floats
from garten.sight.encodings import METRIC, depth_to_rgb, normals_to_rgb

BLACK = -1.0
"""What stands for missing geometry in images from -1 to 1."""


def colored(
    conditions: Sequence[Condition], *, scale: float = METRIC, wanted: Modality = "average"
) -> tuple[Tensor | None, Tensor | None]:
    """Depth and normals of the frames of a clip as images.

    Args:
        conditions: T frames.
        scale: of the clip's depth, see `garten.sight.encodings`.
        wanted: what of it is encoded.

    Returns:
        What is wanted of both [T, 3, H, W], -1 to 1; black where nothing valid is seen.
    """
    depth = normals = None
    if wanted != "normals":
        depth = depth_images(np.stack([condition.depth for condition in conditions]), scale)
    if wanted != "depth":
        normals = normal_images(np.stack([condition.normals for condition in conditions]))
    return depth, normals


def depth_images(depth: Floats, scale: float = METRIC) -> Tensor:
    """Depth [T, H, W] as images [T, 3, H, W], see `colored`."""
    return torch.from_numpy(depth_to_rgb(depth, scale)).permute(0, 3, 1, 2) * 2 - 1


def normal_images(normals: Floats) -> Tensor:
    """Normals [T, H, W, 3] as images [T, 3, H, W], see `colored`."""
    return torch.from_numpy(normals_to_rgb(normals)).permute(0, 3, 1, 2) * 2 - 1


def pooled(images: Tensor, settings: RendererSettings) -> Tensor:
    """Images [..., 3, H, W] of the renderer's size, averaged over squares."""
    return torch.unflatten(avg_pool2d(images.flatten(0, -4), settings.geometry.pool), 0, images.shape[:-3])


def stretched(
    images: Tensor, settings: RendererSettings, *, split: tuple[float, float] = (0.5, 0.5)
) -> Tensor:
    """Pooled images [..., 3, h, w] at the size the network takes.

    Args:
        images: pooled, and in training augmented.
        settings: of the renderer.
        split: shares of the stretching that the upper and the left half take; drawn in training.
    """
    rows, columns = (side * settings.codec.scale for side in settings.geometry_size)
    flat = _with_rows(_with_rows(images.flatten(0, -4), rows, split[0]).mT, columns, split[1]).mT
    return torch.unflatten(flat, 0, images.shape[:-3])


def _with_rows(images: Tensor, rows: int, share: float) -> Tensor:
    """Images [N, 3, h, w] with more rows; the added ones are shared between the upper and the lower half."""
    added = rows - images.shape[2]
    if added == 0:
        return images
    middle = images.shape[2] // 2
    above = round(share * added)
    halves = ((images[:, :, :middle], above), (images[:, :, middle:], added - above))
    larger = [
        interpolate(half, (half.shape[2] + more, half.shape[3]), mode="bilinear") for half, more in halves
    ]
    return torch.cat(larger, 2)


def encoded(
    codec: Codec,
    depth: Tensor | None,
    normals: Tensor | None,
    settings: RendererSettings,
    state: CodecState | None = None,
) -> tuple[Tensor, CodecState]:
    """Latents of stretched images [B, T, 3, h, w], before noise, and where the clip was left.

    Where the settings take the average, both are encoded and a missing one is black; else the one they name
    is encoded, and black if it is missing.
    """
    given = {"depth": depth, "normals": normals}
    present = next(image for image in given.values() if image is not None)
    wanted = list(given) if settings.geometry.modality == "average" else [settings.geometry.modality]
    black = torch.full_like(present, BLACK)
    images = [black if (image := given[name]) is None else image for name in wanted]
    latents, after = codec.encode(torch.cat(images), state)
    return torch.unflatten(latents, 0, (len(wanted), -1)).mean(0), after


def with_noise(latents: Tensor, sigma: float, seeds: Sequence[int], *, first: int = 0) -> Tensor:
    """Latents with a share of noise: ``(1 - sigma) z + sigma eps``.

    Args:
        latents: of geometry, [B, F, C, h, w].
        sigma: the share; at 0 the latents come back as they are.
        seeds: of the samples; the noise of a frame depends on its sample's seed and its number, nothing else.
        first: number of the first frame.
    """
    if sigma == 0.0:
        return latents
    shape, frames = latents.shape[2:], range(first, first + latents.shape[1])
    eps = torch.stack(
        [torch.stack([normal(shape, seed, "geometry", frame) for frame in frames]) for seed in seeds]
    )
    return (1 - sigma) * latents + sigma * eps.to(latents.device)
