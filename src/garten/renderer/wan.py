"""The autoencoder of Wan 2.2, whose latents the published renderer works on: 16x16 pixels, 4 frames a latent.

Written from its published form, for its weights (see `garten.renderer.public`): convolutions over space and
the past, root-mean-square norms over channels, one attention over each frame in the middle, and beside each
level a plain way by means or copies. It encodes and decodes as `garten.renderer.codec` does, whole clips and
streams alike. Tensors inside are [B, C, T, h, w].
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize, pad, scaled_dot_product_attention, silu

from garten.renderer.codec import CodecState, check_frames

PATCH = 2
"""Pixels of a side that become channels."""


@dataclass(frozen=True)
class WanSettings:
    """Sizes; those of Wan 2.2 by default."""

    channels: int = 48
    """Of a latent."""
    encoder: int = 160
    """Width of the encoder's finest level."""
    decoder: int = 256
    """Width of the decoder's finest level."""
    widths: tuple[int, ...] = (1, 2, 4, 4)
    """Of levels, the finest first, by those."""
    blocks: int = 2
    """Of a level of the encoder; the decoder has one more."""
    slower: tuple[bool, ...] = (False, True, True)
    """Whether two frames become one where a level ends; the last one ends in the middle."""


class Past:
    """What layers saw before: handed to each in order, and taken from each."""

    def __init__(self, state: CodecState | None) -> None:
        """Where a clip was left; None at its start."""
        self.start = state is None
        self._before = [] if state is None else list(state.before)
        self.after: list[Tensor] = []

    def joined(self, x: Tensor, frames: int) -> Tensor:
        """Frames behind so many before them; those are black before a clip begins."""
        batch, channels, _, *size = x.shape
        before = x.new_zeros(batch, channels, frames, *size) if self.start else self._before[len(self.after)]
        both = torch.cat([before, x], 2)
        self.after.append(both[:, :, -frames:])
        return both

    def begun(self, x: Tensor) -> Tensor:
        """Frames behind the one before them, or as they are where a clip begins."""
        both = x if self.start else torch.cat([self._before[len(self.after)], x], 2)
        self.after.append(both[:, :, -1:])
        return both


class Norm(nn.Module):
    """Channels by their root mean square, and a weight for each."""

    def __init__(self, channels: int) -> None:
        """A norm of weight 1."""
        super().__init__()
        self.weight = nn.Parameter(torch.ones(channels))

    def forward(self, x: Tensor) -> Tensor:
        """The normalised channels, axis 1."""
        weight = self.weight.view(-1, *(1,) * (x.ndim - 2))
        made: Tensor = normalize(x, dim=1) * len(self.weight) ** 0.5 * weight
        return made


class Causal(nn.Conv3d):
    """A convolution of 3x3 pixels over a frame and the two before it."""

    def __init__(self, channels: int, made: int) -> None:
        """A convolution that keeps the size."""
        super().__init__(channels, made, 3, padding=(0, 1, 1))

    def through(self, x: Tensor, past: Past) -> Tensor:
        """All frames of x."""
        made: Tensor = self(past.joined(x, 2))
        return made


class Residual(nn.Module):
    """Two convolutions beside the way through."""

    def __init__(self, channels: int, made: int) -> None:
        """A block from so many channels to so many."""
        super().__init__()
        self.first_norm, self.first = Norm(channels), Causal(channels, made)
        self.second_norm, self.second = Norm(made), Causal(made, made)
        self.through = nn.Conv3d(channels, made, 1) if channels != made else nn.Identity()

    def forward(self, x: Tensor, past: Past) -> Tensor:
        """[B, channels, T, h, w] to [B, made, T, h, w]."""
        y = self.first.through(silu(self.first_norm(x)), past)
        y = self.second.through(silu(self.second_norm(y)), past)
        done: Tensor = self.through(x) + y
        return done


class Glance(nn.Module):
    """Each place of a frame looks at all places of it."""

    def __init__(self, channels: int) -> None:
        """Attention with one head."""
        super().__init__()
        self.norm = Norm(channels)
        self.queries_keys_values = nn.Conv2d(channels, 3 * channels, 1)
        self.out = nn.Conv2d(channels, channels, 1)

    def forward(self, x: Tensor) -> Tensor:
        """The same shape."""
        frames = x.transpose(1, 2).flatten(0, 1)
        q, k, v = self.queries_keys_values(self.norm(frames)).flatten(2).transpose(1, 2).chunk(3, -1)
        seen = scaled_dot_product_attention(q, k, v).transpose(1, 2).view_as(frames)
        return x + torch.unflatten(self.out(seen), 0, (len(x), -1)).transpose(1, 2)


class Middle(nn.Module):
    """What stands at the coarsest level."""

    def __init__(self, channels: int) -> None:
        """Two blocks and a glance between them."""
        super().__init__()
        self.first, self.glance = Residual(channels, channels), Glance(channels)
        self.second = Residual(channels, channels)

    def forward(self, x: Tensor, past: Past) -> Tensor:
        """The same shape."""
        done: Tensor = self.second(self.glance(self.first(x, past)), past)
        return done


class Down(nn.Module):
    """A level of the encoder."""

    def __init__(self, channels: int, made: int, *, blocks: int, smaller: bool, slower: bool) -> None:
        """A level that halves the sides, and the frames, or not."""
        super().__init__()
        self.made, self.space, self.time = made, 2 if smaller else 1, 2 if slower else 1
        self.blocks = nn.ModuleList(Residual(width, made) for width in (channels, *(made,) * (blocks - 1)))
        self.smaller = nn.Conv2d(made, made, 3, stride=2) if smaller else None
        self.slower = nn.Conv3d(made, made, (3, 1, 1), stride=(2, 1, 1)) if slower else None

    def forward(self, x: Tensor, past: Past) -> Tensor:
        """[B, channels, T, h, w] to [B, made, T / time, h / space, w / space]; T is odd at a clip's start."""
        y = x
        for block in self.blocks:
            y = block(y, past)
        if self.smaller is not None:
            y = _each_frame(self.smaller, pad(y, (0, 1, 0, 1)))
        if self.slower is not None:
            first = y[:, :, : 1 if past.start else 0]
            both = past.begun(y)
            y = torch.cat([first, self.slower(both)], 2) if both.shape[2] > 1 else first
        return y + means(x, self.made, time=self.time, space=self.space)


class Up(nn.Module):
    """A level of the decoder."""

    def __init__(self, channels: int, made: int, *, blocks: int, larger: bool, faster: bool) -> None:
        """A level that doubles the sides, and the frames, or not."""
        super().__init__()
        self.made, self.time = made, 2 if faster else 1
        self.blocks = nn.ModuleList(Residual(width, made) for width in (channels, *(made,) * (blocks - 1)))
        self.faster = nn.Conv3d(made, 2 * made, (3, 1, 1)) if faster else None
        self.larger = nn.Conv2d(made, made, 3, padding=1) if larger else None

    def forward(self, x: Tensor, past: Past) -> Tensor:
        """[B, channels, T, h, w] to twice as large, and as many frames; the first of a clip stays one."""
        y = x
        for block in self.blocks:
            y = block(y, past)
        if self.faster is not None:
            first, rest = y.tensor_split([1 if past.start else 0], 2)
            both = past.joined(rest, 2)
            if rest.shape[2]:
                halves = torch.unflatten(self.faster(both), 1, (2, -1))
                rest = halves.movedim(1, 3).flatten(2, 3)
            y = torch.cat([first, rest], 2)
        if self.larger is None:
            return y
        y = _each_frame(self.larger, y.repeat_interleave(2, 3).repeat_interleave(2, 4))
        copied = copies(x, self.made, time=self.time)
        return y + (copied[:, :, self.time - 1 :] if past.start else copied)


def means(x: Tensor, made: int, *, time: int, space: int) -> Tensor:
    """So many channels as means of cells of time and space, and of channels; black stands before a clip."""
    x = pad(x, (0, 0, 0, 0, -x.shape[2] % time, 0))
    cells = torch.unflatten(torch.unflatten(x, 4, (-1, space)), 3, (-1, space))
    cells = torch.unflatten(cells, 2, (-1, time))
    flat = cells.permute(0, 1, 3, 5, 7, 2, 4, 6).flatten(1, 4)
    return torch.unflatten(flat, 1, (made, -1)).mean(2)


def copies(x: Tensor, made: int, *, time: int) -> Tensor:
    """The inverse of `means` for twice the sides: each cell from channels of one place, copied as needed."""
    x = x.repeat_interleave(made * time * 4 // x.shape[1], 1)
    cells = torch.unflatten(x, 1, (made, time, 2, 2))
    return cells.permute(0, 1, 5, 2, 6, 3, 7, 4).flatten(6, 7).flatten(4, 5).flatten(2, 3)


def _each_frame(module: nn.Module, x: Tensor) -> Tensor:
    frames = module(x.transpose(1, 2).flatten(0, 1))
    return torch.unflatten(frames, 0, (len(x), -1)).transpose(1, 2)


class WanEncoder(nn.Module):
    """Patches of pixels to what latents are read from."""

    def __init__(self, settings: WanSettings) -> None:
        """An encoder with random weights."""
        super().__init__()
        widths = [settings.encoder * width for width in (1, *settings.widths)]
        last = len(settings.widths) - 1
        self.enter = Causal(3 * PATCH**2, widths[0])
        self.levels = nn.ModuleList(
            Down(
                *pair,
                blocks=settings.blocks,
                smaller=level < last,
                slower=level < last and settings.slower[level],
            )
            for level, pair in enumerate(pairwise(widths))
        )
        self.middle = Middle(widths[-1])
        self.norm, self.leave = Norm(widths[-1]), Causal(widths[-1], 2 * settings.channels)

    def forward(self, x: Tensor, past: Past) -> Tensor:
        """[B, 12, T, h, w] to means and spreads [B, 2 C, F, h, w]."""
        x = self.enter.through(x, past)
        for level in self.levels:
            x = level(x, past)
        return self.leave.through(silu(self.norm(self.middle(x, past))), past)


class WanDecoder(nn.Module):
    """Latents to patches of pixels."""

    def __init__(self, settings: WanSettings) -> None:
        """A decoder with random weights."""
        super().__init__()
        coarse = settings.widths[::-1]
        widths = [settings.decoder * width for width in (coarse[0], *coarse)]
        last, faster = len(coarse) - 1, settings.slower[::-1]
        self.enter = Causal(settings.channels, widths[0])
        self.middle = Middle(widths[0])
        self.levels = nn.ModuleList(
            Up(
                *pair,
                blocks=settings.blocks + 1,
                larger=level < last,
                faster=level < last and faster[level],
            )
            for level, pair in enumerate(pairwise(widths))
        )
        self.norm, self.leave = Norm(widths[-1]), Causal(widths[-1], 3 * PATCH**2)

    def forward(self, x: Tensor, past: Past) -> Tensor:
        """[B, C, F, h, w] to [B, 12, T, h, w]."""
        x = self.middle(self.enter.through(x, past), past)
        for level in self.levels:
            x = level(x, past)
        return self.leave.through(silu(self.norm(x)), past)


class Wan(nn.Module):
    """Frames [B, T, 3, H, W], -1 to 1, to latents [B, F, C, h, w] of unit size, and back."""

    mean: Tensor
    size: Tensor

    def __init__(self, settings: WanSettings) -> None:
        """An autoencoder with random weights."""
        super().__init__()
        self.step = 2 ** sum(settings.slower)
        self.scale = PATCH * 2 ** (len(settings.widths) - 1)
        self.encoder, self.decoder = WanEncoder(settings), WanDecoder(settings)
        self.read = nn.Conv3d(2 * settings.channels, 2 * settings.channels, 1)
        self.write = nn.Conv3d(settings.channels, settings.channels, 1)
        self.register_buffer("mean", torch.zeros(settings.channels, 1, 1))
        self.register_buffer("size", torch.ones(settings.channels, 1, 1))

    def encode(self, frames: Tensor, state: CodecState | None = None) -> tuple[Tensor, CodecState]:
        """See `Codec.encode`."""
        check_frames(frames, state, step=self.step, scale=self.scale)
        past = Past(state)
        cells = torch.unflatten(torch.unflatten(frames, 4, (-1, PATCH)), 3, (-1, PATCH))
        patches = cells.permute(0, 2, 6, 4, 1, 3, 5).flatten(1, 3)  # the column in a patch before its row
        raw = self.read(self.encoder(patches, past)).chunk(2, 1)[0].transpose(1, 2)
        return (raw - self.mean) / self.size, CodecState(tuple(past.after))

    def decode(self, latents: Tensor, state: CodecState | None = None) -> tuple[Tensor, CodecState]:
        """See `Codec.decode`."""
        past = Past(state)
        raw = (latents * self.size + self.mean).transpose(1, 2)
        patches = torch.unflatten(self.decoder(self.write(raw), past), 1, (3, PATCH, PATCH))
        frames = patches.permute(0, 4, 1, 5, 3, 6, 2).flatten(5, 6).flatten(3, 4)
        return frames, CodecState(tuple(past.after))
