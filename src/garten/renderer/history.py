"""History by exact motion: the last frame, carried into the views of the next block, as further conditions.

The world knows how everything moves. So what was shown can be brought into the views that come next, and
the network is left with what was never seen, and with light. What was seen before the last frame is taken
from the long memory (`texels`), and what nobody knows from around it. The images become latents by the
renderer's own codec, beside one channel that says how much of each latent is known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import avg_pool2d, interpolate

from garten.records import Frame
from garten.renderer.codec import Codec, CodecState
from garten.renderer.pictures import to_frames, to_images
from garten.renderer.texels import Texels
from garten.scene import Floats
from garten.sight.carry import Carry, Tracked

CarryTo = Callable[[int], Carry]
"""How the frame before frame t of a clip carries over to it, for t from 1."""


Pixels = Frame | Floats
"""A frame, [H, W, 3], or one that is not yet rounded, 0 to 255."""


@dataclass(frozen=True)
class Carried:
    """A frame in the views of those after it."""

    last: Pixels  # [H, W, 3]
    images: Floats  # [n, H, W, 3], 0 to 255; 0 where nothing is known
    known: NDArray[np.bool_]  # [n, H, W]


def carried(last: Pixels, carries: Sequence[Carry]) -> Carried:
    """Carry a frame [H, W, 3] from view to view, each the next one's past."""
    image: Floats = last.astype(np.float32)
    known = np.ones(last.shape[:2], np.bool_)
    images, where = [], []
    for carry in carries:
        image, holes = carry.apply(image, known=known)
        known = ~holes
        images.append(image)
        where.append(known)
    return Carried(last, np.stack(images), np.stack(where))


def carried_on(last: Pixels, conditions: Sequence[Tracked], texels: Texels) -> Carried:
    """A frame in the views of the next block, holes filled from the long memory."""
    plain = carried(last, [condition.carry for condition in conditions])
    images, known = plain.images.copy(), plain.known.copy()
    for image, own, condition in zip(images, known, conditions, strict=True):
        if condition.anchors is None:
            continue
        remembered, _, found = texels.read(condition.anchors, ~own)
        image[found] = remembered[found]
        own |= found
    return Carried(last, images, known)


def past_images(blocks: Sequence[Carried], device: torch.device) -> tuple[Tensor, Tensor]:
    """Carried frames as images [B, n, 3, H, W], and where they are known, 1 or 0, [B, n, 1, H, W]."""
    known = torch.from_numpy(np.stack([block.known for block in blocks])).to(device)
    return to_images([block.images for block in blocks], device), known[:, :, None].float()


def brought(
    last: Tensor, condition: Tracked, texels: Texels, *, hidden: NDArray[np.bool_] | None = None
) -> tuple[Tensor, Tensor]:
    """An image in the view that comes next, and where it is known.

    The same as `carried_on` of one frame, with gradients to the image.

    Args:
        last: colours, and which share of them comes from true frames, [4, H, W].
        condition: the view.
        texels: the long memory, for holes.
        hidden: what is not told, [H, W]; None: all is told.

    Returns:
        [4, H, W]; 1 or 0, [1, H, W].
    """
    sources = condition.carry.sources()
    width = sources.holes.shape[1]
    index = torch.from_numpy(sources.rows * width + sources.columns).to(last.device)
    weights = torch.from_numpy(sources.weights.astype(np.float32)).to(last.device)
    image = (last.flatten(1)[:, index.flatten()].view(-1, *index.shape) * weights).sum(1)
    known = torch.from_numpy(~sources.holes).to(last.device)
    if condition.anchors is not None:
        colors, truth, found = texels.read(condition.anchors, sources.holes)
        remembered = to_images([colors[None]], last.device)[0, 0]
        remembered = torch.cat([remembered, torch.from_numpy(truth).to(last.device)[None]])
        where = torch.from_numpy(found).to(last.device)
        image, known = torch.where(where, remembered, image), known | where
    if hidden is not None:
        known = known & torch.from_numpy(~hidden).to(last.device)
    return image, known[None].float()


@torch.no_grad()
def block_channels(
    codec: Codec, blocks: Sequence[Carried], *, hidden: NDArray[np.bool_] | None = None
) -> Tensor:
    """The channels of history [B, F, C + 1, h, w] for one block of each of B clips: latents, share known.

    Args:
        codec: of the renderer.
        blocks: carried frames.
        hidden: what is not told of each, [B, H, W]; None: all is told.
    """
    device = next(codec.parameters()).device
    images, known = past_images(blocks, device)
    last = to_images([block.last[None] for block in blocks], device)
    if hidden is not None:
        told = torch.from_numpy(~hidden).to(device).float()[:, None, None]
        last, known = filled(last, told), known * told
    # Encoded as a clip that begins with the last frame, so that nothing of earlier blocks plays a part.
    latents, _ = codec.encode(torch.cat([last, filled(images, known)], 1))
    share = avg_pool2d(known.flatten(0, 1), codec.scale)
    share = torch.unflatten(share, 0, (len(blocks), -1, codec.step)).mean(2)
    return torch.cat([latents[:, 1:], share], 2)


def clip_channels(
    codec: Codec,
    frames: Frame,
    carry: CarryTo,
    *,
    block_frames: int,
    hidden: NDArray[np.bool_] | None = None,
) -> Tensor:
    """The channels of history of a clip [1 + F, C + 1, h, w], each block after the frames as they are.

    Args:
        codec: of the renderer.
        frames: [1 + n block_frames, H, W, 3]; those of the world, or as a stream would have shown them.
        carry: the exact motion.
        block_frames: of a block; all frames after the first where the whole clip is generated at once.
        hidden: what is not told to each block, [n, H, W]; None: all is told.
    """
    starts = range(1, len(frames), block_frames)
    blocks = [
        carried(frames[start - 1], [carry(t) for t in range(start, start + block_frames)]) for start in starts
    ]
    channels = block_channels(codec, blocks, hidden=hidden).flatten(0, 1)
    return torch.cat([torch.zeros_like(channels[:1]), channels])  # nothing comes before the reference


class Shown:
    """What streams that go in step have shown, each carried into the views of its own next block."""

    def __init__(self, codec: Codec, carries: Sequence[CarryTo], *, block_frames: int) -> None:
        """Streams that have shown nothing yet.

        Args:
            codec: of the renderer.
            carries: the exact motion of each.
            block_frames: of a block.
        """
        self._codec, self._carries, self._block_frames = codec, tuple(carries), block_frames
        self._state: CodecState | None = None
        self._last: list[Frame] = []
        self._count = 0  # of frames

    @torch.no_grad()
    def show(self, latents: Tensor) -> None:
        """Show what comes next, latents [B, F, C, h, w]; at first those of the references."""
        images, self._state = self._codec.decode(latents, self._state)
        self._last = [to_frames(one[-1:])[0] for one in images]
        self._count += images.shape[1]

    def carried_on(self) -> Tensor:
        """The channels of history [B, F, C + 1, h, w] for the next block of each stream."""
        views = range(self._count, self._count + self._block_frames)
        blocks = [
            carried(last, [carry(t) for t in views])
            for last, carry in zip(self._last, self._carries, strict=True)
        ]
        return block_channels(self._codec, blocks)


def filled(images: Tensor, known: Tensor) -> Tensor:
    """Images [..., 3, H, W] whose unknown places have the colours of what is known around them.

    Args:
        images: anything where they are not known.
        known: 1 or 0, [..., 1, H, W].
    """
    shape = images.shape
    x, weight = (images * known).flatten(0, -4), known.flatten(0, -4)
    return _filled(x, weight).view(shape)


def _filled(x: Tensor, weight: Tensor) -> Tensor:
    """Means of ever larger squares where nothing is known; `x` is what is known times its weight."""
    own = x / weight.clamp(min=1e-6)
    if min(x.shape[2:]) < 2:
        return torch.where(weight > 0, own, 0.0)
    coarser = _filled(
        avg_pool2d(x, 2, ceil_mode=True, count_include_pad=False),
        avg_pool2d(weight, 2, ceil_mode=True, count_include_pad=False),
    )
    return torch.where(weight > 0, own, interpolate(coarser, x.shape[2:], mode="bilinear"))
