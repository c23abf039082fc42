"""Geometry at full size, in numbers from -1 to 1: where edges are, which pooled and encoded geometry blurs.

It is not part of the published interface, whose condition is one image, encoded. Where the world is code its
geometry is exact, and costs nothing more.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import avg_pool2d, pixel_unshuffle

from garten.renderer.settings import RendererSettings
from garten.scene import Floats

MIDDLE = 5.0
"""Metres at which nearness is one half."""


def guides(depth: Floats, normals: Floats) -> Tensor:
    """Normals and nearness [..., 4, H, W] of depth [..., H, W] and normals [..., H, W, 3]; 0 for nothing."""
    near = (MIDDLE / (MIDDLE + depth))[..., None]
    return torch.from_numpy(np.concatenate([normals, near], -1, dtype=np.float32)).movedim(-1, -3)


def dense_channels(depth: Floats, normals: Floats, settings: RendererSettings) -> Tensor:
    """Further conditions [F, E, h, w] of the F latent frames of a clip or a block.

    A square of pixels that one latent stands for becomes so many channels, of each of its frames.

    Args:
        depth: [T, H, W]; the first latent frame of a clip has one frame, all others ``codec.step``.
        normals: [T, H, W, 3].
        settings: of the renderer, whose geometry is dense.
    """
    pool, step = settings.geometry.dense, settings.codec.step
    frames = avg_pool2d(guides(depth, normals), pool)
    alone = len(frames) % step
    frames = torch.cat([frames[:alone].repeat_interleave(step, 0), frames[alone:]])
    cut = pixel_unshuffle(frames, settings.codec.scale // pool)
    return cut.view(-1, step * cut.shape[1], *cut.shape[2:])
