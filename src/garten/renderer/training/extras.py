"""Further conditions of training clips: what lies over the RGB latents beside geometry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from garten.errors import RunError
from garten.renderer.codec import Codec
from garten.renderer.corrupt import corrupted
from garten.renderer.data.clip import Clip
from garten.renderer.dense import dense_channels
from garten.renderer.history import clip_channels
from garten.renderer.pictures import to_frames
from garten.renderer.renderer import Renderer
from garten.renderer.settings import RendererSettings


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
    Little of a clip comes into view that was not there before, and all that a network must make up itself is
    that; so in some clips one side of the picture is hidden, another for each block.
    """

    codec: Codec
    block_frames: int
    forget: float = 0.0  # share of spoiled clips in which a side is hidden

    def __call__(self, clip: Clip, rgb: Tensor, *, generator: torch.Generator | None) -> Tensor:
        """See `Extra.__call__`."""
        latents, hidden = rgb[None], None
        if generator is not None:
            latents = torch.cat([latents[:, :1], corrupted(latents[:, 1:], generator=generator)], 1)
            if self.forget and float(torch.rand((), generator=generator)) < self.forget:
                blocks, size = (len(clip) - 1) // self.block_frames, clip.depth.shape[1:]
                hidden = sides(blocks, size, generator=generator)
        shown, _ = self.codec.decode(latents)
        return clip_channels(
            self.codec, to_frames(shown[0]), clip.carry, block_frames=self.block_frames, hidden=hidden
        )


def sides(count: int, size: tuple[int, ...], *, generator: torch.Generator) -> NDArray[np.bool_]:
    """One side of each of so many pictures [count, H, W]: beyond a line of any direction, of any share."""
    ways = torch.from_numpy(np.indices(size) / (np.array(size)[:, None, None] - 1)).float() - 0.5
    angle, share = torch.rand((2, count), generator=generator)
    across = torch.stack(
        [torch.sin(2 * torch.pi * angle), torch.cos(2 * torch.pi * angle)], 1
    ) @ ways.flatten(1)
    low, high = across.amin(1), across.amax(1)
    hidden = across < (low + share * (high - low))[:, None]
    return np.asarray(hidden.view(count, *size).numpy())


@dataclass(frozen=True)
class Dense:
    """Geometry as it is, see `garten.renderer.dense`; it is never bent or dropped."""

    settings: RendererSettings

    def __call__(self, clip: Clip, rgb: Tensor, *, generator: torch.Generator | None) -> Tensor:
        """See `Extra.__call__`."""
        return dense_channels(clip.depth, clip.normals, self.settings).to(rgb.device)


@dataclass(frozen=True)
class Joined:
    """Several kinds of conditions, one after the other."""

    parts: tuple[Extra, ...]

    def __call__(self, clip: Clip, rgb: Tensor, *, generator: torch.Generator | None) -> Tensor:
        """See `Extra.__call__`."""
        return torch.cat([part(clip, rgb, generator=generator) for part in self.parts], 1)


def extra_for(renderer: Renderer, *, block_frames: int, forget: float = 0.0) -> Extra | None:
    """What makes the further conditions that a renderer takes; None if it takes none.

    Args:
        renderer: with its codec.
        block_frames: frames of a block; of a clip all but the first, where whole clips are generated at once.
        forget: see `Past`.

    Raises:
        RunError: nothing here makes as many channels.
    """
    settings, parts = renderer.settings, list[Extra]()
    if settings.network.extra:
        raise RunError(
            f"Nothing makes {settings.network.extra} channels of further conditions; set "
            "renderer.network.extra=0."
        )
    if settings.geometry.dense:
        parts.append(Dense(settings))
    if settings.network.history != "attention":
        parts.append(Past(renderer.codec, block_frames, forget))
    return Joined(tuple(parts)) if parts else None
