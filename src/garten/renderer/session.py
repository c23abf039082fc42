"""Streaming in frames: a reference frame and geometry go in, frames come out, block by block.

Which frame is the observation when an action ends inside a block? The one of that instant. A block needs the
geometry of all its frames, so an unfinished one is looked at with `Session.peek`: the last geometry stands
for what has not happened yet, frames after the instant are dropped, and nothing is remembered. When the
block's geometry is complete, `Session.advance` generates it from the same noise and remembers it. What a
block shows depends on its own geometry and the past, never on what comes after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from garten.errors import RenderError
from garten.records import Frame
from garten.renderer.codec import CodecState
from garten.renderer.dense import dense_channels, guides
from garten.renderer.geometry import colored, encoded, pooled, stretched, with_noise
from garten.renderer.history import Carried, Pixels, block_channels, brought, carried_on
from garten.renderer.pictures import to_frames, to_images, to_pixels
from garten.renderer.renderer import Renderer
from garten.renderer.serving.choice import Serving, suited
from garten.renderer.stream import Given, Stream, commit_together, denoise_together
from garten.renderer.texels import Texels
from garten.scene import Condition, Floats
from garten.sight.carry import Tracked
from garten.sight.encodings import METRIC


@dataclass(frozen=True)
class _Coded:
    """Where the codec was left: the geometry that was encoded, the frames that were decoded."""

    geometry: CodecState
    frames: CodecState


@dataclass(frozen=True)
class Drawn:
    """The next block of some sessions, decoded and not yet shown."""

    conditions: Sequence[Sequence[Condition]]  # of each session, of all frames of the block
    images: Tensor  # [B, T, 3, H, W]
    coded: tuple[_Coded, ...]  # where the codec would be left


class Session:
    """One view of one world, rendered as it goes."""

    def __init__(
        self,
        renderer: Renderer,
        *,
        caption: str = "",
        seed: int = 0,
        depth_scale: float = METRIC,
        steps: int | None = None,
        texels: Texels | None = None,
        serving: Serving | None = None,
    ) -> None:
        """A session that waits for its reference frame.

        Args:
            renderer: shared by any number of sessions.
            caption: text and style.
            seed: of all noise.
            depth_scale: of the world's depth, see `garten.sight.encodings`.
            steps: of denoising; None for those of the settings.
            texels: what is known of the look of things before the session begins, for renderers that carry
                their frames along; the session adds to it.
            serving: by which means blocks are made; None for what suits the renderer's device, see
                `garten.renderer.serving`.
        """
        self.renderer, self.settings = renderer, renderer.settings
        self.seed, self.depth_scale = seed, depth_scale
        with torch.no_grad():
            prefix = renderer.prefix(caption)
        self.stream = Stream(
            renderer.network,
            self.settings,
            prefix,
            seeds=[seed],
            window=self.settings.past,
            endpoints=self.settings.endpoints[:steps],
            serving=suited(renderer.network) if serving is None else serving,
        )
        self._texels = Texels() if texels is None else texels
        self._coded: _Coded | None = None
        self._last: Pixels | None = None
        self._truth: Floats | None = None  # of the last frame, [H, W]
        self._hidden: NDArray[np.bool_] | None = None  # [H, W] of the next block's history

    @torch.no_grad()
    def start(self, reference: Frame, condition: Condition) -> Frame:
        """Begin from a reference frame and its geometry; what is shown of it.

        That is the frame as the codec gives it back, or itself where carried frames are resolved: all of its
        texture is then carried on.

        Raises:
            RenderError: an image has another size than the renderer's.
            ValueError: the session has started.
        """
        self._check(reference.shape[:2])
        self._check(condition.depth.shape)
        latents, _ = self.renderer.codec.encode(to_images([reference[None]], self._device))
        geometry, state = self._geometry([condition], None)
        self.stream.start(latents, geometry, self._further([condition], None))
        frames, shown = self.renderer.codec.decode(latents)
        self._coded = _Coded(state, shown)
        first: Frame = to_frames(frames[0])[0] if self.renderer.resolve is None else reference
        self._remember(first, condition, np.ones(condition.depth.shape, np.float32))
        return first

    def advance(self, conditions: Sequence[Condition]) -> NDArray[np.uint8]:
        """The frames [n, H, W, 3] of the next block for the geometry of all its frames, which are remembered.

        Raises:
            RenderError: an image has another size, or these are not the frames of a block.
            ValueError: the session has not started.
        """
        return advance_together([self], [conditions])[0]

    def peek(self, conditions: Sequence[Condition]) -> NDArray[np.uint8]:
        """The first frames of the next block, as far as their geometry is known; nothing is remembered.

        Raises:
            RenderError: an image has another size, or there is more than one block of them, or none.
            ValueError: the session has not started.
        """
        whole = self.settings.block_frames
        if not 1 <= len(conditions) <= whole:
            raise RenderError(f"A block begins with 1 to {whole} frames, not {len(conditions)}; cut them.")
        last = conditions[-1]
        held = last.held() if isinstance(last, Tracked) else last
        filled = [*conditions, *[held] * (whole - len(conditions))]
        drawn = draw_together([self], [filled])
        asked = replace(drawn, conditions=[conditions], images=drawn.images[:, : len(conditions)])
        self.stream.pending = None
        with torch.no_grad():
            return to_frames(shown_together([self], asked)[0][0])

    def hide(self, where: NDArray[np.bool_]) -> None:
        """Tell the next block nothing of the past there, [H, W], as if it came into view: for training."""
        self._hidden = where

    def switch(self, caption: str) -> None:
        """Go on with other text and style from the next block; what was seen is kept."""
        with torch.no_grad():
            self.stream.switch(self.renderer.prefix(caption))

    def fork(self) -> Session:
        """A session of its own that goes on from here."""
        forked = copy(self)
        forked.stream, forked._texels = self.stream.fork(), self._texels.fork()
        return forked

    @property
    def started(self) -> bool:
        """Whether it has its reference frame."""
        return self._coded is not None

    def check_block(self, conditions: Sequence[Condition]) -> None:
        """Refuse what is no block.

        Raises:
            RenderError: an image has another size, or these are not the frames of a block.
        """
        if len(conditions) != self.settings.block_frames:
            raise RenderError(
                f"A block has {self.settings.block_frames} frames, not {len(conditions)}; "
                "give whole blocks, and peek at a part of one."
            )
        for condition in conditions:
            self._check(condition.depth.shape)
            if self.carries and not isinstance(condition, Tracked):
                raise RenderError(
                    "This renderer carries its last frame along; give conditions that are tracked, see "
                    "garten.sight.carry.tracked."
                )

    @property
    def carries(self) -> bool:
        """Whether the last frame is carried into the views of the next ones."""
        return self.settings.network.history != "attention"

    def _past(self, conditions: Sequence[Condition]) -> list[Carried]:
        """The last frame in the views that come next, if the renderer carries it along."""
        if not self.carries:
            return []
        assert self._last is not None, "a started session has shown something"
        tracked = [condition for condition in conditions if isinstance(condition, Tracked)]
        return [carried_on(self._last, tracked, self._texels)]

    def _further(self, conditions: Sequence[Condition], past: Tensor | None) -> Tensor | None:
        """What lies over the latents [1, F, E, h, w] of frames: their geometry; history, once there is."""
        if not self.settings.geometry.dense:
            return past
        own = dense_channels(*_stacked(conditions), self.settings)[None].to(self._device)
        if past is None and self.carries:
            past = own.new_zeros(*own.shape[:2], self.settings.codec.channels + 1, *own.shape[3:])
        return own if past is None else torch.cat([own, past], 2)

    def _shown(self) -> Tensor:
        """The last frame and its truth, [4, H, W]."""
        assert self._last is not None, "a started session has shown something"
        assert self._truth is not None, "with its truth"
        image, truth = to_images([self._last[None]], self._device)[0, 0], torch.from_numpy(self._truth)
        return torch.cat([image, truth.to(self._device)[None]])

    def _remember(
        self, frame: Frame, condition: Condition, truth: Floats, *, exact: Pixels | None = None
    ) -> None:
        """Keep the last frame, unrounded if that is told, its truth [H, W], and the look of what it shows."""
        self._last, self._truth, self._hidden = frame if exact is None else exact, truth, None
        if self.carries and isinstance(condition, Tracked) and condition.anchors is not None:
            self._texels.write(frame, condition.anchors, truth=truth)

    @property
    def _device(self) -> torch.device:
        return self.renderer.network.tokens_in.weight.device

    def _geometry(
        self, conditions: Sequence[Condition], state: CodecState | None
    ) -> tuple[Tensor, CodecState]:
        """The geometry's latents [1, F, C, h, w] of frames, with their noise."""
        depth, normals = (
            None if x is None else stretched(pooled(x.to(self._device), self.settings), self.settings)[None]
            for x in colored(conditions, scale=self.depth_scale, wanted=self.settings.geometry.modality)
        )
        latents, after = encoded(self.renderer.codec, depth, normals, self.settings, state)
        first = self.stream.cache.next_frame
        return with_noise(latents, self.settings.geometry.noise, [self.seed], first=first), after

    def _check(self, size: tuple[int, ...]) -> None:
        width, height = self.settings.width, self.settings.height
        if size != (height, width):
            raise RenderError(
                f"This renderer takes images of {width}x{height}, not {size[1]}x{size[0]}; resize them."
            )


def advance_together(
    sessions: Sequence[Session], conditions: Sequence[Sequence[Condition]]
) -> list[NDArray[np.uint8]]:
    """The next block of each session, in one batch; none sees anything of the others.

    Raises:
        RenderError: an image has another size, or a session was not given the frames of a block.
        ValueError: a session has not started.
    """
    drawn = draw_together(sessions, conditions)
    with torch.no_grad():
        shown = shown_together(sessions, drawn)
    return show_together(sessions, drawn, *shown)


@torch.no_grad()
def draw_together(sessions: Sequence[Session], conditions: Sequence[Sequence[Condition]]) -> Drawn:
    """The next block of each session, in one batch, of which nothing is remembered yet.

    Raises:
        RenderError: an image has another size, or a session was not given the frames of a block.
        ValueError: a session has not started.
    """
    codec = sessions[0].renderer.codec
    given, states, before = [], [], []
    for session, block in zip(sessions, conditions, strict=True):
        if session._coded is None:
            raise ValueError("The session has no reference frame yet; start it first.")
        session.check_block(block)
        latents, state = session._geometry(block, session._coded.geometry)
        carried = session._past(block)
        hidden = None if session._hidden is None else session._hidden[None]
        past = block_channels(codec, carried, hidden=hidden) if carried else None
        given.append(Given(latents, session._further(block, past)))
        states.append(state)
        before.append(session._coded.frames.before)
    done = denoise_together([session.stream for session in sessions], given)
    batch = CodecState(tuple(torch.cat(parts) for parts in zip(*before, strict=True)))
    images, after = codec.decode(torch.cat([block.clean for block in done]), batch)
    split = zip(*(torch.split(part, 1) for part in after.before), strict=True)
    coded = (_Coded(state, CodecState(tuple(frames))) for state, frames in zip(states, split, strict=True))
    return Drawn(conditions, images, tuple(coded))


def shown_together(sessions: Sequence[Session], drawn: Drawn) -> tuple[Tensor, Tensor]:
    """A drawn block as it is shown: images [B, T, 3, H, W], and their truth [B, T, 1, H, W].

    Truth is which share of a pixel's colour comes from true frames. Where carried frames are resolved, each
    is made from the one before it, so that a frame follows another within a block as it does from block to
    block.
    """
    resolve, device = sessions[0].renderer.resolve, drawn.images.device
    if resolve is None:
        return drawn.images, torch.zeros_like(drawn.images[:, :, :1])
    geometry = torch.stack([guides(*_stacked(block)) for block in drawn.conditions]).to(device)
    last, shown = torch.stack([session._shown() for session in sessions]), list[Tensor]()
    for t, decoded in enumerate(torch.split(drawn.images, 1, 1)):
        past = [
            brought(image, condition, session._texels, hidden=None if t else session._hidden)
            for image, session, block in zip(last, sessions, drawn.conditions, strict=True)
            if isinstance(condition := block[t], Tracked)
        ]
        carried, known = (torch.stack(parts)[:, None] for parts in zip(*past, strict=True))
        image, truth = resolve(decoded, geometry[:, t : t + 1], carried[:, :, :3], carried[:, :, 3:], known)
        shown.append(torch.cat([image, truth], 2))
        last = torch.cat([image.clamp(-1, 1), truth], 2)[:, 0]
    images, truths = torch.split(torch.cat(shown, 1), [3, 1], 2)
    return images, truths


def show_together(
    sessions: Sequence[Session], drawn: Drawn, shown: Tensor, truth: Tensor
) -> list[NDArray[np.uint8]]:
    """Remember a drawn block; its frames [n, H, W, 3] of each session.

    Args:
        sessions: that drew it.
        drawn: the block.
        shown: its images as they are shown, [B, T, 3, H, W].
        truth: of them, [B, T, 1, H, W].
    """
    commit_together([session.stream for session in sessions])
    frames, resolved = [to_frames(images) for images in shown], sessions[0].renderer.resolve is not None
    exact = list(to_pixels(shown[:, -1])) if resolved else [None] * len(frames)
    truths = truth[:, -1, 0].cpu().numpy()
    for session, own, last, share, coded, block in zip(
        sessions, frames, exact, truths, drawn.coded, drawn.conditions, strict=True
    ):
        session._coded = coded
        session._remember(own[-1], block[-1], share, exact=last)
    return frames


def _stacked(conditions: Sequence[Condition]) -> tuple[Floats, Floats]:
    """Depth [T, H, W] and normals [T, H, W, 3] of frames."""
    return np.stack([one.depth for one in conditions]), np.stack([one.normals for one in conditions])
