"""The losses of the first two stages: whole clips at once, then block by block on true history."""

from __future__ import annotations

import torch
from torch import Tensor

from garten.renderer.blocks import Clip, bidirectional_chunks, causal_chunks, velocities
from garten.renderer.corrupt import corrupted
from garten.renderer.flow import noised, velocity, waver
from garten.renderer.network import Network
from garten.renderer.prefix import Prefix
from garten.renderer.window import Window


def bidirectional_loss(
    network: Network, clip: Clip, prefix: Prefix, *, generator: torch.Generator, recompute: bool = False
) -> Tensor:
    """Stage 1: all target frames at one noise level a clip, seen from all others; the reference is given.

    Args:
        network: learns.
        clip: of any length.
        prefix: text and style.
        generator: of levels and noise, on the CPU.
        recompute: see `blocks.states`.

    Returns:
        The mean squared error of velocities over target frames.
    """
    target = clip.rgb[:, 1:]
    level_B = waver(torch.rand(len(target), generator=generator)).to(target.device)
    eps = torch.randn(target.shape, generator=generator).to(target.device)
    chunks = bidirectional_chunks(clip, noised(target, eps, level_B), level_B)
    predicted = velocities(network, chunks, prefix, recompute=recompute)
    return (predicted - velocity(target, eps)).square().mean()


def forcing_loss(
    network: Network,
    clip: Clip,
    prefix: Prefix,
    *,
    block: int,
    generator: torch.Generator,
    window: Window | None = None,
    spoil: bool = True,
    recompute: bool = False,
) -> Tensor:
    """Stage 2, teacher forcing: each block at a noise level of its own, after the true ones before it.

    Args:
        network: learns.
        clip: a reference and whole blocks.
        prefix: text and style.
        block: frames of a block.
        generator: of levels, noise and spoiled history, on the CPU.
        window: how much of the past is seen; None for all of it.
        spoil: whether history is spoiled, see `corrupt`.
        recompute: see `blocks.states`.

    Returns:
        The mean squared error of velocities over target frames.
    """
    target = clip.rgb[:, 1:]
    B, F = target.shape[:2]
    level_BJ = waver(torch.rand(B, F // block, generator=generator)).to(target.device)
    eps = torch.randn(target.shape, generator=generator).to(target.device)
    noisy = noised(target, eps, level_BJ.repeat_interleave(block, 1))
    history = corrupted(target, generator=generator) if spoil else target
    chunks = causal_chunks(clip, noisy, level_BJ, block=block, history=history, window=window)
    predicted = velocities(network, chunks, prefix, recompute=recompute)
    return (predicted - velocity(target, eps)).square().mean()
