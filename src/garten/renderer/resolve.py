"""The last step before a frame is shown: what the decoder gives and what exact motion carries become one.

Latents bring a frame's light, its new surfaces and its things in rough; the last frame, carried to the new
view, brings the texture that latents are too small for; the geometry itself has the edges. A small network
says for each pixel how far the carried colour holds, and mends what both miss. It is the temporal resolve of
real-time graphics (Karis, "High quality temporal supersampling", SIGGRAPH 2014), with a learned test of
history in place of a tuned one. What the reference showed is to be held longer than what was made up when it
came into view. So each pixel goes with its truth: which share of its colour still comes from true frames.
"""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor, nn

FOLD = 2
"""Pixels along the side of a square that the network sees as one."""

TRUST = 3.0
"""Of carried colours at first: they count for 95 parts of 100, so that after 33 frames a fifth is left."""


class Resolve(nn.Module):
    """Decoded and carried frames to the frames that are shown: a small U-Net (Ronneberger et al. 2015)."""

    def __init__(self, width: int) -> None:
        """A network that at first blends all known pixels alike.

        Args:
            width: channels at its finest; coarser ones have half as many more, and twice as many.
        """
        super().__init__()
        widths = (width, width * 3 // 2, width * 2)
        self.enter = _convolution(12 * FOLD**2, width)
        self.down = nn.ModuleList(_convolution(fine, coarse) for fine, coarse in pairwise(widths))
        self.up = nn.ModuleList(nn.Conv2d(coarse, fine, 1) for fine, coarse in pairwise(widths))
        self.before = nn.ModuleList(_convolution(own, own) for own in widths)
        self.after = nn.ModuleList(_convolution(own, own) for own in widths[:-1])
        self.leave = _convolution(width, 4 * FOLD**2)
        for part in self.leave.parameters():
            nn.init.zeros_(part)

    def forward(
        self, decoded: Tensor, geometry: Tensor, carried: Tensor, truth: Tensor, known: Tensor
    ) -> tuple[Tensor, Tensor]:
        """The images that are shown, [B, T, 3, H, W], and their truth, [B, T, 1, H, W].

        Args:
            decoded: images [B, T, 3, H, W].
            geometry: of these frames, see `garten.renderer.dense.guides`, [B, T, 4, H, W].
            carried: the last shown image in these views, [B, T, 3, H, W]; anything where it is not known.
            truth: what share of it comes from true frames, [B, T, 1, H, W].
            known: 1 or 0, [B, T, 1, H, W].
        """
        carried, truth = torch.where(known > 0.0, carried, decoded), truth * known
        x = torch.cat([decoded, carried - decoded, known, truth, geometry], 2)
        x = torch.unflatten(self._folded(x.flatten(0, 1)), 0, x.shape[:2])
        held, mended = torch.sigmoid(x[:, :, :1] + TRUST), x[:, :, 1:]
        return decoded + held * (carried - decoded) + mended, held * truth

    def _folded(self, x: Tensor) -> Tensor:
        """What the network says of images [N, 12, H, W]: how far to hold, what to add, [N, 4, H, W]."""
        x = _refined(self.before[0], torch.relu(self.enter(nn.functional.pixel_unshuffle(x, FOLD))))
        finer = []
        for down, mix in zip(self.down, self.before[1:], strict=True):
            finer.append(x)
            x = _refined(mix, torch.relu(down(nn.functional.avg_pool2d(x, 2, ceil_mode=True))))
        for up, mix, fine in zip(reversed(self.up), reversed(self.after), reversed(finer), strict=True):
            x = nn.functional.interpolate(up(x), fine.shape[2:], mode="bilinear")
            x = _refined(mix, fine + x)
        return nn.functional.pixel_shuffle(self.leave(x), FOLD)


def _refined(mix: nn.Module, x: Tensor) -> Tensor:
    return x + torch.relu(mix(x))


def _convolution(before: int, after: int) -> nn.Conv2d:
    return nn.Conv2d(before, after, 3, padding=1)
