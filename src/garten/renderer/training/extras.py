"""Further conditions of training clips: what lies over the RGB latents beside geometry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from garten.errors import RunError
from garten.renderer.codec import Codec
from garten.renderer.corrupt import corrupted
from garten.renderer.data.clip import Clip
from garten.renderer.history import clip_channels
from garten.renderer.pictures import to_frames
from garten.renderer.renderer import Renderer


class Extra(Protocol):
    """Makes the further conditions of a clip."""

    def __call__(self, clip: Clip, rgb: Tensor, *, generator: torch.Generator | None) -> Tensor:
        """Conditions [F, E, h, w] for the F latent frames of a clip.

        Args:
            clip: with its frames, ids and exact motion.
            rgb: its latents [F, C, h, w].
            generator: of spoiled history, on the CPU; None for history as it is.
        """
        ...


@dataclass(frozen=True)
class Past:
    """History by exact motion, see `garten.renderer.history`: each block after the frames before it.

    These are frames as a stream would have shown them, through the codec, and spoiled as other history is.
    """

    codec: Codec
    block_frames: int

    def __call__(self, clip: Clip, rgb: Tensor, *, generator: torch.Generator | None) -> Tensor:
        """See `Extra.__call__`."""
        latents = rgb[None]
        if generator is not None:
            latents = torch.cat([latents[:, :1], corrupted(latents[:, 1:], generator=generator)], 1)
        shown, _ = self.codec.decode(latents)
        return clip_channels(self.codec, to_frames(shown[0]), clip.carry, block_frames=self.block_frames)


def extra_for(renderer: Renderer, *, block_frames: int) -> Extra | None:
    """What makes the further conditions that a renderer takes; None if it takes none.

    Args:
        renderer: with its codec.
        block_frames: frames of a block; of a clip all but the first, where whole clips are generated at once.

    Raises:
        RunError: nothing here makes as many channels.
    """
    settings = renderer.settings
    channels = settings.network.extra
    if channels == 0:
        carries = settings.network.history != "attention"
        return Past(renderer.codec, block_frames) if carries else None
    raise RunError(f"Nothing makes {channels} channels of further conditions; set renderer.network.extra=0.")
