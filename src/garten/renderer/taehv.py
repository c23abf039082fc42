"""A small decoder for latents of Wan 2.2: TAEHV in its plain form, `taew2_2`.

Written from its published form, for its weights (see `garten.renderer.public`). It stands in for the decoder
of an autoencoder: blocks that see the frame before, nearest upsampling, doublings of frames, and a last
doubling of the sides by moving channels to pixels. The published renderer serves with a larger form of it,
whose weights have no place here.
"""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor, nn

from garten.renderer.codec import CodecState
from garten.renderer.convolution import Faster, State, each_frame
from garten.renderer.wan import Wan

WIDTHS = (256, 128, 64, 64)
"""Of its levels, the coarsest first; the last one has no blocks."""

BLOCKS = 3
"""Of a level."""

FASTER = (1, 2, 2)
"""How many frames one becomes where a level ends."""

BOUND = 3.0
"""Latents are bent so that they stay within."""


class Memory(nn.Module):
    """Three convolutions that see each frame beside the one before it, which is black before the first."""

    def __init__(self, channels: int) -> None:
        """A block that keeps the channels."""
        super().__init__()
        self.first = nn.Conv2d(2 * channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)
        self.third = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x: Tensor, before: State) -> tuple[Tensor, Tensor]:
        """The block's output and the state after it."""
        start = torch.zeros_like(x[:, :1]) if before is None else before[:, None]
        y = torch.cat([x, torch.cat([start, x[:, :-1]], 1)], 2)
        y = torch.relu(each_frame(self.second, torch.relu(each_frame(self.first, y))))
        return torch.relu(x + each_frame(self.third, y)), x[:, -1]


class TinyDecoder(nn.Module):
    """Latents [B, F, C, h, w] of unit size to frames [B, T, 3, 16 h, 16 w], -1 to 1."""

    def __init__(self, channels: int = 48, widths: tuple[int, ...] = WIDTHS) -> None:
        """A decoder with random weights."""
        super().__init__()
        self.step = 4
        self.enter = nn.Conv2d(channels, widths[0], 3, padding=1)
        self.levels = nn.ModuleList(
            nn.ModuleList(Memory(width) for _ in range(BLOCKS)) for width in widths[:-1]
        )
        self.faster = nn.ModuleList(
            Faster(width, times=times, bias=False) for width, times in zip(widths[:-1], FASTER, strict=True)
        )
        self.finer = nn.ModuleList(nn.Conv2d(*pair, 3, padding=1, bias=False) for pair in pairwise(widths))
        self.leave = nn.Conv2d(widths[-1], 12, 3, padding=1)

    def decode(self, latents: Tensor, state: CodecState | None = None) -> tuple[Tensor, CodecState]:
        """See `Codec.decode`."""
        before = iter((None,) * (BLOCKS * len(self.levels)) if state is None else state.before)
        after = []
        x = torch.relu(each_frame(self.enter, BOUND * torch.tanh(latents / BOUND)))
        for blocks, faster, finer in zip(self.levels, self.faster, self.finer, strict=True):
            assert isinstance(blocks, nn.ModuleList)
            for block in blocks:
                x, last = block(x, next(before))
                after.append(last)
            x = x.repeat_interleave(2, 3).repeat_interleave(2, 4)
            x = each_frame(finer, faster(x))
        frames = 2 * nn.functional.pixel_shuffle(each_frame(self.leave, torch.relu(x)), 2).clamp(0, 1) - 1
        return frames[:, self.step - 1 :] if state is None else frames, CodecState(tuple(after))


class Served(nn.Module):
    """Wan's encoder with the small decoder, as one codec."""

    def __init__(self, wan: Wan, decoder: TinyDecoder) -> None:
        """Of an autoencoder, whose own decoder is let go."""
        super().__init__()
        self.step, self.scale = wan.step, wan.scale
        self.wan, self.decoder = wan, decoder
        del wan.decoder, wan.write

    @property
    def mean(self) -> Tensor:
        """Of raw latents, by channel."""
        return self.wan.mean

    def encode(self, frames: Tensor, state: CodecState | None = None) -> tuple[Tensor, CodecState]:
        """See `Codec.encode`."""
        return self.wan.encode(frames, state)

    def decode(self, latents: Tensor, state: CodecState | None = None) -> tuple[Tensor, CodecState]:
        """See `Codec.decode`."""
        return self.decoder.decode(latents, state)
