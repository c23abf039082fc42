"""Exact replay: the gradient of a rollout, history and all, from a second pass that repeats it bit for bit.

Pass 1, `roll_out`, streams blocks without gradients and records for each what its last step began from and
what it arrived at. Pass 2, `replay`, gives those records to the network as constants, noisy as Q, clean as P
(see `blocks`), and arrives at the same blocks with a graph: the calls are the same and of the same shapes. A
loss on a late block reaches, through the P of earlier ones, the weights by which history is written. The
steps before the last are not replayed. Where the last output is carried into the next block's views (see
`history`), what was carried is recorded too, and given again as a constant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from garten.renderer.blocks import Clip, causal_chunks, velocities
from garten.renderer.flow import clean
from garten.renderer.history import Shown
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
    carried: Tensor | None = None  # [B, 1 + F, C + 1, h, w] history that blocks were told, see `history`

    def told(self, clip: Clip) -> Clip:
        """A clip with the history that the rollout was told among its further conditions."""
        return replace(clip, extra=_joined(clip.extra, [] if self.carried is None else [self.carried]))


def roll_out(
    network: Network,
    settings: RendererSettings,
    clip: Clip,
    prefix: Prefix,
    *,
    steps: int,
    seeds: Sequence[int],
    window: Window | None = None,
    shown: Shown | None = None,
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
        shown: carries what the rollout shows into its next views, for networks that are told so; it has
            shown nothing yet.

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
    reference = clip.rgb[:, :1]
    carried = list[Tensor]()  # what was told; of the reference nothing
    if shown is not None:
        carried.append(reference.new_zeros(len(seeds), 1, settings.codec.channels + 1, *settings.latent_size))
        shown.show(reference)
    stream.start(reference, geometry[0], _joined(extra[0], carried))
    done = []
    for index in range(1, len(lengths)):
        if shown is not None:
            carried.append(shown.carried_on())
        done.append(stream.denoise(geometry[index], _joined(extra[index], carried)))
        if index < len(lengths) - 1:  # nobody sees the last one
            stream.commit()
            if shown is not None:
                shown.show(done[-1].clean)
    return Rollout(
        torch.cat([block.clean for block in done], 1),
        torch.cat([block.noisy for block in done], 1),
        endpoints[-1],
        torch.cat(carried, 1) if carried else None,
    )


def _joined(own: Tensor | None, carried: Sequence[Tensor]) -> Tensor | None:
    """The further conditions of a part of a clip: its own, then the latest that was carried, if any."""
    parts = [*([] if own is None else [own]), *carried[-1:]]
    return torch.cat(parts, 2) if parts else None


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
        rollout.told(clip),
        rollout.noisy,
        level_BJ,
        block=settings.block,
        history=rollout.clean,
        window=window,
    )
    v = velocities(network, chunks, prefix.to(dtype=network.dtype), recompute=recompute, history=history)
    return clean(rollout.noisy, v, level_BJ.repeat_interleave(settings.block, 1))
