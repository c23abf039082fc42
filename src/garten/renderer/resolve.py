"""The last step before a frame is shown: what the decoder gives and what exact motion carries become one.

Latents bring a frame's light, its new surfaces and its things in rough; the last frame, carried to the new
view, brings the texture that latents are too small for; the geometry itself has the edges. A small network
says for each pixel how far the carried colour holds, and mends what both miss. It is the temporal resolve of
real-time graphics (Karis, "High quality temporal supersampling", SIGGRAPH 2014), with a learned test of
history in place of a tuned one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from garten.renderer.convolution import each_frame
from garten.scene import Condition

FOLD = 2
"""Pixels along the side of a square that the network sees as one."""

TRUST = 3.0
"""Of carried colours at first: they count for 95 parts of 100, so that after 33 frames a fifth is left."""

MIDDLE = 5.0
"""Metres at which nearness is one half."""


def guides(blocks: Sequence[Sequence[Condition]], device: torch.device) -> Tensor:
    """The geometry of clips of equal length, [B, T, 4, H, W]: normals, and nearness, 0 where nothing is."""
    depth = np.stack([[condition.depth for condition in block] for block in blocks])
    normals = np.stack([[condition.normals for condition in block] for block in blocks])
    near = (MIDDLE / (MIDDLE + depth))[..., None]
    stacked = np.concatenate([normals, near], -1, dtype=np.float32)
    return torch.from_numpy(stacked).to(device).permute(0, 1, 4, 2, 3)


class Resolve(nn.Module):
    """Decoded and carried frames to the frames that are shown."""

    def __init__(self, width: int) -> None:
        """A network that at first blends all known pixels alike.

        Args:
            width: channels inside.
        """
        super().__init__()
        self.enter = nn.Conv2d(11 * FOLD**2, width, 3, padding=1)
        self.middle = nn.Conv2d(width, width, 3, padding=1)
        self.leave = nn.Conv2d(width, 4 * FOLD**2, 3, padding=1)
        for part in self.leave.parameters():
            nn.init.zeros_(part)

    def forward(self, decoded: Tensor, geometry: Tensor, carried: Tensor, known: Tensor) -> Tensor:
        """The images that are shown, [B, T, 3, H, W].

        Args:
            decoded: images [B, T, 3, H, W].
            geometry: of these frames, see `guides`, [B, T, 4, H, W].
            carried: the last shown image in these views, [B, T, 3, H, W]; anything where it is not known.
            known: 1 or 0, [B, T, 1, H, W].
        """
        carried = torch.where(known > 0.0, carried, decoded)
        x = torch.cat([decoded, carried - decoded, known, geometry], 2)
        x = nn.functional.pixel_unshuffle(x, FOLD)
        x = torch.relu(each_frame(self.enter, x))
        x = x + torch.relu(each_frame(self.middle, x))
        x = nn.functional.pixel_shuffle(each_frame(self.leave, x), FOLD)
        held, mended = torch.sigmoid(x[:, :, :1] + TRUST), x[:, :, 1:]
        return decoded + held * (carried - decoded) + mended
