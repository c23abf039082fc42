"""Frames, which are bytes, as images, which networks compute with, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from garten.records import Frame
from garten.scene import Floats


def to_images(clips: Sequence[NDArray[Any]], device: torch.device) -> Tensor:
    """Frames of clips of equal length, [T, H, W, 3] each, 0 to 255, as images [B, T, 3, H, W], -1 to 1."""
    frames = torch.from_numpy(np.stack(list(clips))).to(device)
    return frames.permute(0, 1, 4, 2, 3).float() / 127.5 - 1


def to_pixels(images: Tensor) -> Floats:
    """Images [T, 3, H, W], about -1 to 1, as frames that are not yet rounded, [T, H, W, 3], 0 to 255."""
    return np.asarray(_scaled(images).permute(0, 2, 3, 1).contiguous().cpu().numpy())


def to_frames(images: Tensor) -> Frame:
    """Images [T, 3, H, W], about -1 to 1, as frames [T, H, W, 3]."""
    pixels = _scaled(images).round().byte().permute(0, 2, 3, 1)
    return np.asarray(pixels.contiguous().cpu().numpy())


def _scaled(images: Tensor) -> Tensor:
    return (images.clamp(-1, 1) + 1) * 127.5
