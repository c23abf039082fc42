"""Exact replay: the gradient of a rollout, history and all, from a second pass that repeats it bit for bit.

Pass 1, `roll_out`, streams blocks without gradients and records for each what its last step began from and
what it arrived at. Pass 2, `replay`, gives those records to the network as constants, noisy as Q, clean as P
(see `blocks`), and arrives at the same blocks with a graph: the calls are the same and of the same shapes. A
loss on a late block reaches, through the P of earlier ones, the weights by which history is written. The
steps before the last are not replayed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from garten.renderer.blocks import Clip, causal_chunks, velocities
from garten.renderer.flow import clean
from garten.renderer.network import Network
from garten.renderer.prefix import Prefix
from garten.renderer.settings import RendererSettings
from garten.renderer.stream import Stream
from garten.renderer.window import Window


@dataclass(frozen=True)
class Rollout:
    """What pass 1 recorded, target frames [B, F, C, h, w]."""

    clean: Tensor  # the generated frames
    noisy: Tensor  # what the last steps began from
    level: float  # at which noise level


def roll_out(
    network: Network,
    settings: RendererSettings,
    clip: Clip,
    prefix: Prefix,
    *,
    steps: int,
    seeds: Sequence[int],
    window: Window | None = None,
) -> Rollout:
    """Generate the target frames of clips, without gradients.

    Args:
        network: the student.
        settings: of the renderer.
        clip: its reference and geometry are used; at most as long as clips of training.
        prefix: text and style.
        steps: of denoising, the first so many of the settings' noise levels.
        seeds: of the samples' noise.
        window: of this rollout; None for all history.

    Raises:
        ValueError: the clip is too long, or there are no so many steps.
    """
    frames = clip.geometry.shape[1]
    if frames > settings.trained_frames or frames % settings.block != 1 % settings.block:
        raise ValueError(
            f"A rollout of {frames} latent frames is no reference and whole blocks up to "
            f"{settings.trained_frames}; cut the clip."
        )
    if not 1 <= steps <= len(settings.endpoints):
        raise ValueError(f"A block has 1 to {len(settings.endpoints)} denoising steps, not {steps}.")
    endpoints = settings.endpoints[:steps]
    still = replace(settings, placement="absolute")  # within a clip of training no frame moves
    stream = Stream(network, still, prefix, seeds=seeds, window=window, endpoints=endpoints)
    lengths = [1, *[settings.block] * (frames // settings.block)]
    geometry = torch.split(clip.geometry, lengths, 1)
    extra = [None] * len(lengths) if clip.extra is None else torch.split(clip.extra, lengths, 1)
    stream.start(clip.rgb[:, :1], geometry[0], extra[0])
    done = []
    for index in range(1, len(lengths)):
        done.append(stream.denoise(geometry[index], extra[index]))
        if index < len(lengths) - 1:  # nobody sees the last one
            stream.commit()
    return Rollout(
        torch.cat([block.clean for block in done], 1),
        torch.cat([block.noisy for block in done], 1),
        endpoints[-1],
    )


def replay(
    network: Network,
    settings: RendererSettings,
    clip: Clip,
    prefix: Prefix,
    rollout: Rollout,
    *,
    window: Window | None = None,
    recompute: bool = True,
    history: bool = True,
) -> Tensor:
    """The frames of a rollout once more, equal to the bit, with gradients to the network.

    Args:
        network: the student, its weights and type as in the rollout, on as many threads.
        settings: of the renderer.
        clip: as in the rollout.
        prefix: as in the rollout.
        rollout: pass 1.
        window: as in the rollout.
        recompute: see `blocks.states`.
        history: whether gradients reach earlier blocks through what they left in memory.

    Returns:
        [B, F, C, h, w].
    """
    level_BJ = torch.full(
        (len(rollout.clean), rollout.clean.shape[1] // settings.block),
        rollout.level,
        device=rollout.clean.device,
    )
    chunks = causal_chunks(
        clip, rollout.noisy, level_BJ, block=settings.block, history=rollout.clean, window=window
    )
    v = velocities(network, chunks, prefix.to(dtype=network.dtype), recompute=recompute, history=history)
    return clean(rollout.noisy, v, level_BJ.repeat_interleave(settings.block, 1))
