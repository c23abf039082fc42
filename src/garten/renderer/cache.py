"""The bounded past of a stream: keys and values of the first and the last frames.

One buffer a layer, ``[text | what stays and what moves on | the present block]``. A block that is denoised
writes its keys and values behind the past and sees the buffer up to there; committing it moves a counter.
Then what fell out of the window is closed up, and keys that stand at new positions are turned to them.
Buffers stay where they are. What is done to them (`Cache.settle`) is apart from counting (`Cache.accept`), so
that the former can be recorded, see `serving`.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from itertools import count

import torch
from torch import Tensor

from garten.renderer.layers import attend
from garten.renderer.network import Network
from garten.renderer.prefix import Prefix, seen_with
from garten.renderer.rotary import Phases, rotate
from garten.renderer.serving.kernels import Slots
from garten.renderer.settings import Placement, RendererSettings
from garten.renderer.window import Window


@dataclass(frozen=True)
class Unit:
    """The reference frame or a block."""

    first: int  # latent frame
    frames: int


@dataclass(frozen=True)
class Change:
    """What remembering the present block changes."""

    units: tuple[Unit, ...]
    next_frame: int
    shift: int
    used: int  # tokens, those that go among them
    gone: tuple[int, int] | None  # tokens, first and one past the last
    turned: tuple[int, int] | None  # tokens, counted without those that go, whose keys turn
    moved: int  # latent frames by which they turn back


_serials = count()


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
        self.prefix_tokens = prefix.tokens
        self.prefix_seen = None if prefix.seen is None else prefix.seen.clone()
        frames = window.capacity + settings.block if window else settings.trained_frames
        self._used = prefix.tokens
        room = prefix.tokens + frames * network.frame_tokens
        self.keys = [_room(part, room) for part in prefix.keys]
        self.values = [_room(part, room) for part in prefix.values]
        self._serial = next(_serials)

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

    @property
    def place(self) -> tuple[int, int]:
        """Equal where a block meets the same memory: which cache of the process, and how far it is filled."""
        return self._serial, self._used

    def slots(self, layer: int, tokens: int) -> Slots:
        """See `Memory.slots`."""
        own = slice(self._used, self._used + tokens)
        return Slots(self.keys[layer][:, own], self.values[layer][:, own])

    def attend(self, layer: int, q_BTHD: Tensor, k_BTGD: Tensor, v_BTGD: Tensor) -> Tensor:
        """See `Memory.attend`; what is remembered does not change."""
        end = self._used + k_BTGD.shape[1]
        for slot, part in zip(self.slots(layer, k_BTGD.shape[1]), (k_BTGD, v_BTGD), strict=True):
            if slot.data_ptr() != part.data_ptr():
                slot.copy_(part)
        seen = seen_with(self.prefix_seen, end - self.prefix_tokens)
        return attend(q_BTHD, self.keys[layer][:, :end], self.values[layer][:, :end], seen)

    def commit(self, frames: int) -> None:
        """Remember the frames that ran through all layers last, and forget what the window does not hold."""
        change = self.change(frames)
        self.settle(change, self.turn(change))
        self.accept(change)

    def change(self, frames: int) -> Change:
        """What it changes to remember so many frames; nothing is changed yet."""
        units = (*self.units, Unit(self.next_frame, frames))
        next_frame = self.next_frame + frames
        used = self._used + frames * self.network.frame_tokens
        if self.window is None:
            return Change(units, next_frame, self.shift, used, None, None, 0)
        kept = self.window.kept([unit.frames for unit in units])
        stay = tuple(units[index] for index in kept)
        gone = [unit for index, unit in enumerate(units) if index not in kept]
        # What goes is one run: after the sink, before the recent frames.
        first = self._tokens_before(gone[0], units) if gone else used
        gap = first, first + sum(unit.frames for unit in gone) * self.network.frame_tokens
        shift = {
            "absolute": 0,
            "contiguous": next_frame - sum(unit.frames for unit in stay),
            "top": max(0, next_frame + self.block - self.trained_frames),
        }[self.placement]
        moving = next((unit for unit in stay if unit.first >= self.window.sink), None)
        turns = moving is not None and shift != self.shift
        return Change(
            units=stay,
            next_frame=next_frame,
            shift=shift,
            used=used,
            gone=gap if gone else None,
            turned=(self._tokens_before(moving, stay), used - gap[1] + gap[0]) if turns and moving else None,
            moved=shift - self.shift,
        )

    def turn(self, change: Change) -> Phases | None:
        """What turns the keys of all frames but the sink to where they will stand; None if they stay."""
        if change.turned is None:
            return None
        turn = self.network.rotary.shift(-change.moved * self.network.time_scale)
        return Phases(*(part.to(self.keys[0].device) for part in turn))

    def settle(self, change: Change, turn: Phases | None) -> None:
        """Close up the buffers over what goes, and turn the keys that move; nothing is counted yet."""
        if change.gone is not None:
            start, end = change.gone
            for buffer in (*self.keys, *self.values):
                buffer[:, start : start + change.used - end] = buffer[:, end : change.used].clone()
        if change.turned is not None and turn is not None:
            moving = slice(*change.turned)
            for buffer in self.keys:
                buffer[:, moving] = rotate(buffer[:, moving], turn)

    def accept(self, change: Change) -> None:
        """Count what has been settled."""
        self.units, self.next_frame, self.shift = list(change.units), change.next_frame, change.shift
        start, end = change.gone or (0, 0)
        self._used = change.used - end + start

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
        if self.prefix_seen is not None and prefix.seen is not None:
            self.prefix_seen.copy_(prefix.seen)

    def fork(self) -> Cache:
        """A past of its own that is so far the same."""
        forked = copy(self)
        forked.units = list(self.units)
        forked.keys = [buffer.clone() for buffer in self.keys]
        forked.values = [buffer.clone() for buffer in self.values]
        forked.prefix_seen = None if self.prefix_seen is None else self.prefix_seen.clone()
        forked._serial = next(_serials)
        return forked

    def _tokens_before(self, unit: Unit, units: Sequence[Unit]) -> int:
        before = units[: units.index(unit)]
        return self.prefix_tokens + sum(item.frames for item in before) * self.network.frame_tokens


class Together:
    """The pasts of streams that run as one batch; each sees its own only, whatever its length."""

    def __init__(self, caches: Sequence[Cache]) -> None:
        """Of caches in the order of the batch."""
        self.caches = caches

    def slots(self, layer: int, tokens: int) -> None:
        """See `Memory.slots`: each sample has a place of its own."""

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
