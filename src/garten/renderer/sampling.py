"""Whole clips in many steps: how a teacher is looked at, and what a student is measured against."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from garten.renderer.blocks import Clip
from garten.renderer.distill import GUIDANCE, score
from garten.renderer.network import Network
from garten.renderer.noise import batch_normal
from garten.renderer.prefix import Prefix
from garten.renderer.solver import levels, solve

STEPS = 35
"""As published for whole clips."""


@torch.no_grad()
def sample_clip(
    network: Network,
    clip: Clip,
    prefix: Prefix,
    *,
    seeds: Sequence[int],
    steps: int = STEPS,
    silent: Prefix | None = None,
    guidance: float = GUIDANCE,
) -> Tensor:
    """The target frames [B, F, C, h, w] of clips, all at once.

    Args:
        network: of stage 1.
        clip: its reference and geometry are used.
        prefix: text and style.
        seeds: of the samples' noise.
        steps: of the solver.
        silent: the prefix of the empty caption, to move away from; None for no guidance.
        guidance: how far, 1 being none.
    """
    path = levels(steps)
    frames = clip.rgb[:, 1:].shape[1:]
    noise = batch_normal(frames, seeds, "clip").to(clip.rgb.device)
    # The first level is a little below pure noise, whose share of picture is not known yet.
    start = path[0] * noise

    def predict(x: Tensor, level: float) -> Tensor:
        s = torch.full((len(x),), level, device=x.device)
        return score(network, clip, prefix, x, s, silent=silent, guidance=guidance)

    return solve(predict, start, path)
