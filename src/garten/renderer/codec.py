"""The causal autoencoder: frames to latents and back, for whole clips and for streams.

The first latent frame is the first frame; each further one is `step` frames. To that end the encoder sees the
first frame `step` times, and the decoder drops the first `step` - 1 of its frames, once at the start of a
clip. Geometry as RGB goes through the same encoder.

The decoder follows the idea of TAEHV (a small convolutional decoder with memory, for streaming): recurrent
blocks at each resolution, nearest upsampling, and a last doubling by moving channels to pixels.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import torch
from torch import Tensor, nn

from garten.renderer.convolution import Faster, Recall, Slower, State, each_frame
from garten.renderer.settings import CodecSettings


class CodecState(NamedTuple):
    """Where a clip was left: the last frame in front of each block, in order."""

    before: tuple[Tensor, ...]


def check_frames(frames: Tensor, state: CodecState | None, *, step: int, scale: int) -> None:
    """Refuse frames [B, T, 3, H, W] that make no whole latents.

    Raises:
        ValueError: there are more or fewer, or their sides are no multiples of `scale`.
    """
    T, _, H, W = frames.shape[1:]
    if T < 1 or T % step != (1 % step if state is None else 0):
        wanted = f"1 and a multiple of {step}" if state is None else f"a multiple of {step}"
        raise ValueError(f"{T} frames make no whole latent frames; give {wanted}.")
    if H % scale or W % scale:
        raise ValueError(f"Frames of {W}x{H} do not fit the codec; choose multiples of {scale}.")


class Encoder(nn.Module):
    """Frames to raw latents."""

    def __init__(self, settings: CodecSettings) -> None:
        """An encoder with random weights."""
        super().__init__()
        fine = settings.widths[::-1]
        slower = settings.step.bit_length() - 1
        self.enter = nn.Conv2d(12, fine[0], 3, padding=1)
        self.blocks = nn.ModuleList(Recall(width) for width in fine)
        self.slower = nn.ModuleList(Slower(width) for width in fine[:slower])
        self.smaller = nn.ModuleList(
            nn.Conv2d(width, coarser, 3, stride=2, padding=1) for width, coarser in pairwise(fine)
        )
        self.leave = nn.Conv2d(fine[-1], settings.channels, 3, padding=1)

    def forward(self, x: Tensor, before: tuple[State, ...]) -> tuple[Tensor, tuple[Tensor, ...]]:
        """[B, F, 3, H, W] to [B, F / step, C, h, w], and the state after it."""
        x = each_frame(self.enter, nn.functional.pixel_unshuffle(x, 2))
        after = []
        for index, block in enumerate(self.blocks):
            x, state = block(x, before[index])
            after.append(state)
            if index < len(self.slower):
                x = self.slower[index](x)
            if index < len(self.smaller):
                x = each_frame(self.smaller[index], x)
        return each_frame(self.leave, x), tuple(after)


class Decoder(nn.Module):
    """Raw latents to frames."""

    def __init__(self, settings: CodecSettings) -> None:
        """A decoder with random weights."""
        super().__init__()
        widths = settings.widths
        self.still = len(widths) - (settings.step.bit_length() - 1)
        self.enter = nn.Conv2d(settings.channels, widths[0], 3, padding=1)
        self.blocks = nn.ModuleList(Recall(width) for width in widths)
        self.faster = nn.ModuleList(Faster(width) for width in widths[self.still :])
        self.larger = nn.ModuleList(
            nn.Sequential(nn.Upsample(scale_factor=2), nn.Conv2d(width, finer, 3, padding=1))
            for width, finer in pairwise(widths)
        )
        self.leave = nn.Conv2d(widths[-1], 12, 3, padding=1)

    def forward(self, x: Tensor, before: tuple[State, ...]) -> tuple[Tensor, tuple[Tensor, ...]]:
        """[B, F, C, h, w] to [B, F * step, 3, H, W], and the state after it."""
        x = each_frame(self.enter, x)
        after = []
        for index, block in enumerate(self.blocks):
            if index >= self.still:
                x = self.faster[index - self.still](x)
            x, state = block(x, before[index])
            after.append(state)
            if index < len(self.larger):
                x = each_frame(self.larger[index], x)
        return nn.functional.pixel_shuffle(each_frame(self.leave, x), 2), tuple(after)


class Codec(nn.Module):
    """Frames [B, T, 3, H, W], about -1 to 1, to latents [B, F, C, h, w] of about unit size, and back."""

    mean: Tensor
    size: Tensor

    def __init__(self, settings: CodecSettings) -> None:
        """A codec with random weights, drawn from torch's generator."""
        super().__init__()
        self.step, self.scale, self.stages = settings.step, settings.scale, len(settings.widths)
        self.encoder = Encoder(settings)
        self.decoder = Decoder(settings)
        self.register_buffer("mean", torch.zeros(settings.channels, 1, 1))
        self.register_buffer("size", torch.ones(settings.channels, 1, 1))

    def encode(self, frames: Tensor, state: CodecState | None = None) -> tuple[Tensor, CodecState]:
        """The latents of frames, and where the clip was left.

        Args:
            frames: 1 + n step frames at the start of a clip, n step frames further on.
            state: where the clip was left before; None at its start.

        Raises:
            ValueError: there are more or fewer frames, or their sides are no multiples of `scale`.
        """
        check_frames(frames, state, step=self.step, scale=self.scale)
        if state is None:
            frames = torch.cat([frames[:, :1]] * (self.step - 1) + [frames], 1)
        raw, after = self.encoder(frames, self._before(state))
        return (raw - self.mean) / self.size, CodecState(after)

    def decode(self, latents: Tensor, state: CodecState | None = None) -> tuple[Tensor, CodecState]:
        """The frames of latents, and where the clip was left.

        Args:
            latents: at least one latent frame.
            state: where the clip was left before; None at its start, whose first latent frame is one frame.
        """
        frames, after = self.decoder(latents * self.size + self.mean, self._before(state))
        return frames[:, self.step - 1 :] if state is None else frames, CodecState(after)

    def _before(self, state: CodecState | None) -> tuple[State, ...]:
        return (None,) * self.stages if state is None else state.before
