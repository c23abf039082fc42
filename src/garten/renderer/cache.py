"""The bounded past of a stream: keys and values of the first and the last frames.

One buffer a layer, ``[text | what stays and what moves on | the present block]``. A block that is denoised
writes its keys and values behind the past and sees the buffer up to there; committing it moves a counter.
Then what fell out of the window is closed up, and keys that stand at new positions are turned to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass

import torch
from torch import Tensor

from garten.renderer.layers import attend
from garten.renderer.network import Network
from garten.renderer.prefix import Prefix, seen_with
from garten.renderer.rotary import Phases, rotate
from garten.renderer.settings import Placement, RendererSettings
from garten.renderer.window import Window


@dataclass(frozen=True)
class Unit:
    """The reference frame or a block."""

    first: int  # latent frame
    frames: int


class Cache:
    """The past of one stream, or of several that go in step."""

    def __init__(
        self, network: Network, settings: RendererSettings, prefix: Prefix, window: Window | None
    ) -> None:
        """Nothing but text and style.

        Args:
            network: whose layers attend.
            settings: of the renderer.
            prefix: copied, so that later changes to it change nothing here.
            window: what is remembered; None for all of a clip as long as those of training.
        """
        self.network = network
        self.window = window
        self.placement: Placement = settings.placement if window else "absolute"
        self.block, self.trained_frames = settings.block, settings.trained_frames
        self.units: list[Unit] = []
        self.next_frame = 0
        self.shift = 0
        self.prefix_tokens, self.prefix_seen = prefix.tokens, prefix.seen
        frames = window.capacity + settings.block if window else settings.trained_frames
        self._used = prefix.tokens
        room = prefix.tokens + frames * network.frame_tokens
        self.keys = [_room(part, room) for part in prefix.keys]
        self.values = [_room(part, room) for part in prefix.values]

    @property
    def samples(self) -> int:
        """B."""
        return self.keys[0].shape[0]

    @property
    def bytes(self) -> int:
        """Of all buffers."""
        return sum(part.nbytes for part in (*self.keys, *self.values))

    @property
    def full(self) -> bool:
        """Whether there is no room for another block, as happens without a window."""
        return self._used + self.block * self.network.frame_tokens > self.keys[0].shape[1]

    @property
    def frames(self) -> list[int]:
        """Which latent frames are remembered, in order."""
        return [frame for unit in self.units for frame in range(unit.first, unit.first + unit.frames)]

    def position(self, frames: int) -> Tensor:
        """Where the next frames stand in time, [1, frames]."""
        first = self.next_frame - self.shift
        return torch.arange(first, first + frames, device=self.keys[0].device)[None]

    def attend(self, layer: int, q_BTHD: Tensor, k_BTGD: Tensor, v_BTGD: Tensor) -> Tensor:
        """See `Memory.attend`; what is remembered does not change."""
        end = self._used + k_BTGD.shape[1]
        self.keys[layer][:, self._used : end] = k_BTGD
        self.values[layer][:, self._used : end] = v_BTGD
        seen = seen_with(self.prefix_seen, end - self.prefix_tokens)
        return attend(q_BTHD, self.keys[layer][:, :end], self.values[layer][:, :end], seen)

    def commit(self, frames: int) -> None:
        """Remember the frames that ran through all layers last, and forget what the window does not hold."""
        self.units.append(Unit(self.next_frame, frames))
        self.next_frame += frames
        self._used += frames * self.network.frame_tokens
        if self.window:
            self._forget(self.window)
            self._place(self.window)

    def switch(self, prefix: Prefix) -> None:
        """Put other text and style in place of the present one; what was seen stays.

        Raises:
            ValueError: the prefix has another shape, or other keys of it count.
        """
        old, new = self.keys[0][:, : self.prefix_tokens], prefix.keys[0]
        if old.shape != new.shape or (self.prefix_seen is None) != (prefix.seen is None):
            raise ValueError(
                f"A prefix of {tuple(new.shape)} cannot take the place of one of {tuple(old.shape)}; "
                "use the same encoder for both."
            )
        for buffers, parts in ((self.keys, prefix.keys), (self.values, prefix.values)):
            for buffer, part in zip(buffers, parts, strict=True):
                buffer[:, : self.prefix_tokens] = part
        self.prefix_seen = prefix.seen

    def fork(self) -> Cache:
        """A past of its own that is so far the same."""
        forked = copy(self)
        forked.units = list(self.units)
        forked.keys = [buffer.clone() for buffer in self.keys]
        forked.values = [buffer.clone() for buffer in self.values]
        return forked

    def _forget(self, window: Window) -> None:
        kept = set(window.kept([unit.frames for unit in self.units]))
        gone = [unit for index, unit in enumerate(self.units) if index not in kept]
        if not gone:
            return
        # What goes is one run: after the sink, before the recent frames.
        start = self._tokens_before(gone[0])
        end = start + sum(unit.frames for unit in gone) * self.network.frame_tokens
        for buffer in (*self.keys, *self.values):
            buffer[:, start : start + self._used - end] = buffer[:, end : self._used].clone()
        self._used -= end - start
        self.units = [unit for index, unit in enumerate(self.units) if index in kept]

    def _place(self, window: Window) -> None:
        """Turn the keys of all frames but the sink to where they stand now."""
        shift = {
            "absolute": 0,
            "contiguous": self.next_frame - len(self.frames),
            "top": max(0, self.next_frame + self.block - self.trained_frames),
        }[self.placement]
        moved, self.shift = shift - self.shift, shift
        moving = next((unit for unit in self.units if unit.first >= window.sink), None)
        if not moved or moving is None:
            return
        start = self._tokens_before(moving)
        turn = self.network.rotary.shift(-moved * self.network.time_scale)
        turn = Phases(*(part.to(self.keys[0].device) for part in turn))
        for buffer in self.keys:
            buffer[:, start : self._used] = rotate(buffer[:, start : self._used], turn)

    def _tokens_before(self, unit: Unit) -> int:
        before = self.units[: self.units.index(unit)]
        return self.prefix_tokens + sum(item.frames for item in before) * self.network.frame_tokens


class Together:
    """The pasts of streams that run as one batch; each sees its own only, whatever its length."""

    def __init__(self, caches: Sequence[Cache]) -> None:
        """Of caches in the order of the batch."""
        self.caches = caches

    def attend(self, layer: int, q_BTHD: Tensor, k_BTGD: Tensor, v_BTGD: Tensor) -> Tensor:
        """See `Memory.attend`."""
        sizes = [cache.samples for cache in self.caches]
        parts = zip(
            self.caches, *(torch.split(part, sizes) for part in (q_BTHD, k_BTGD, v_BTGD)), strict=True
        )
        return torch.cat([cache.attend(layer, q, k, v) for cache, q, k, v in parts])


def _room(part_BNGD: Tensor, tokens: int) -> Tensor:
    """A buffer for so many tokens that begins with what is given."""
    buffer = part_BNGD.new_zeros(part_BNGD.shape[0], tokens, *part_BNGD.shape[2:])
    buffer[:, : part_BNGD.shape[1]] = part_BNGD
    return buffer
