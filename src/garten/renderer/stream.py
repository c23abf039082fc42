"""Streaming in latents: start from a reference, then denoise and commit, block by block, without end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass

import torch
from torch import Tensor

from garten.renderer.cache import Cache, Together
from garten.renderer.flow import clean, noised
from garten.renderer.network import Chunk, Network
from garten.renderer.noise import batch_normal
from garten.renderer.prefix import Prefix
from garten.renderer.settings import RendererSettings
from garten.renderer.window import Window


@dataclass(frozen=True)
class Denoised:
    """A block as the last denoising step left it, all [B, F, C, h, w]."""

    clean: Tensor  # what the step arrived at
    noisy: Tensor  # what it began from
    level: float  # at which noise level


@dataclass(frozen=True)
class Given:
    """The conditions of a block."""

    geometry: Tensor  # [B, F, C, gh, gw]
    extra: Tensor | None = None  # [B, F, E, h, w], for networks that take further ones


def few_steps(
    predict: Callable[[Tensor, float], Tensor], noise: Callable[[int], Tensor], endpoints: Sequence[float]
) -> Denoised:
    """Denoise in a few steps, with fresh noise after each but the last.

    Args:
        predict: the velocity at a latent and its noise level.
        noise: standard normal numbers for each step.
        endpoints: the noise levels of the steps, falling; the first latent is pure noise.
    """
    latent = x0 = noise(0)
    for step, level in enumerate(endpoints):
        s = torch.full(latent.shape[:1], level, device=latent.device)
        if step:
            latent = noised(x0, noise(step), s)
        x0 = clean(latent, predict(latent, level), s)
    return Denoised(x0, latent, endpoints[-1])


class Stream:
    """One endless clip, or several that go in step.

    ``start`` once, then ``denoise`` and ``commit`` for each block. Denoising changes nothing that is
    remembered and gives the same result however often it is asked for, so that a block can be looked at
    before it is decided on.
    """

    def __init__(
        self,
        network: Network,
        settings: RendererSettings,
        prefix: Prefix,
        *,
        seeds: Sequence[int],
        window: Window | None = None,
        endpoints: Sequence[float] | None = None,
    ) -> None:
        """A stream that waits for its reference.

        Args:
            network: with its weights.
            settings: of the renderer.
            prefix: text and style of each sample.
            seeds: of the noise of each sample; its noise depends on nothing else.
            window: what is remembered; None for all of a clip as long as those of training.
            endpoints: noise levels of the steps; None for those of the settings.
        """
        if len(seeds) != prefix.keys[0].shape[0]:
            raise ValueError(f"{len(seeds)} seeds do not fit a prefix of {prefix.keys[0].shape[0]} samples.")
        self.network, self.settings = network, settings
        self.seeds = tuple(seeds)
        self.endpoints = tuple(settings.endpoints if endpoints is None else endpoints)
        self.cache = Cache(network, settings, prefix.to(dtype=network.dtype), window)
        self.blocks = 0
        self.pending: tuple[Denoised, Given] | None = None

    @torch.no_grad()
    def start(self, reference: Tensor, geometry: Tensor, extra: Tensor | None = None) -> None:
        """Remember the reference frame.

        Args:
            reference: its latents [B, 1, C, h, w].
            geometry: its geometry [B, 1, C, gh, gw].
            extra: further conditions [B, 1, E, h, w].

        Raises:
            ValueError: the stream has started.
        """
        if self.cache.next_frame:
            raise ValueError("The stream has started; make a new one for another reference.")
        chunk = Chunk(reference, geometry, self.cache.position(1), reference=True, extra=extra)
        self.network.run(chunk, self.cache)
        self.cache.commit(1)

    def denoise(self, geometry: Tensor, extra: Tensor | None = None) -> Denoised:
        """Generate the next block for its geometry [B, F, C, gh, gw], and further conditions [B, F, E, h, w].

        Raises:
            ValueError: the stream has not started, or the block has another length.
        """
        return denoise_together([self], [Given(geometry, extra)])[0]

    def commit(self) -> None:
        """Remember the block that was denoised last.

        Raises:
            ValueError: there is none that is not yet remembered.
        """
        commit_together([self])

    def switch(self, prefix: Prefix) -> None:
        """Go on with other text and style, see `Cache.switch`.

        Raises:
            ValueError: a denoised block waits to be committed, or the prefix does not fit.
        """
        if self.pending is not None:
            raise ValueError("A block was denoised under the old style; commit it before switching.")
        self.cache.switch(prefix.to(dtype=self.network.dtype))

    def fork(self) -> Stream:
        """A stream of its own that goes on from here."""
        forked = copy(self)
        forked.cache = self.cache.fork()
        return forked


@torch.no_grad()
def denoise_together(streams: Sequence[Stream], given: Sequence[Given]) -> list[Denoised]:
    """The next block of each stream, in one batch; all share a network and noise levels.

    Raises:
        ValueError: a stream has not started or has no room, or a block has another length.
    """
    first = streams[0]
    for stream, block in zip(streams, given, strict=True):
        if not stream.cache.next_frame:
            raise ValueError("The stream has no reference yet; start it first.")
        if block.geometry.shape[1] != stream.settings.block:
            raise ValueError(
                f"A block has {stream.settings.block} latent frames, not {block.geometry.shape[1]}; "
                "give the geometry of a whole one."
            )
        if stream.cache.full:
            raise ValueError(
                f"The stream has reached the {stream.settings.trained_frames} frames of training; "
                "give it a window to go on without end."
            )
        if stream.network is not first.network or stream.endpoints != first.endpoints:
            raise ValueError("Streams of one batch share a network and noise levels; run the others apart.")
    network, frames = first.network, first.settings.block
    memory, position = _together(streams, frames)
    shape = (frames, network.channels, *first.settings.latent_size)
    conditions = _stacked(given)

    def predict(latent: Tensor, level: float) -> Tensor:
        s = torch.full(latent.shape[:1], level, device=latent.device)
        chunk = Chunk(latent, conditions.geometry, position, level=s, extra=conditions.extra)
        return network.read(network.run(chunk, memory))

    def noise(step: int) -> Tensor:
        drawn = [batch_normal(shape, s.seeds, "block", s.blocks, step) for s in streams]
        return torch.cat(drawn).to(conditions.geometry.device)

    done = few_steps(predict, noise, first.endpoints)
    sizes = [stream.cache.samples for stream in streams]
    parts = zip(torch.split(done.clean, sizes), torch.split(done.noisy, sizes), strict=True)
    results = [Denoised(x0, noisy, done.level) for x0, noisy in parts]
    for stream, result, block in zip(streams, results, given, strict=True):
        stream.pending = result, block
    return results


@torch.no_grad()
def commit_together(streams: Sequence[Stream]) -> None:
    """Remember the last denoised block of each stream, in one batch.

    Raises:
        ValueError: a stream has none that is not yet remembered.
    """
    waiting = [stream.pending for stream in streams if stream.pending is not None]
    if len(waiting) < len(streams):
        raise ValueError("There is no denoised block to commit; denoise one first.")
    frames, window = streams[0].settings.block, streams[0].cache.window
    if window is None or window.keeps_blocks:
        memory, position = _together(streams, frames)
        rgb = torch.cat([done.clean for done, _ in waiting])
        given = _stacked([block for _, block in waiting])
        streams[0].network.run(Chunk(rgb, given.geometry, position, extra=given.extra), memory)
    for stream in streams:
        stream.cache.commit(frames)
        stream.blocks += 1
        stream.pending = None


def _stacked(given: Sequence[Given]) -> Given:
    """The conditions of a batch; further ones only if all streams have them."""
    extra = [block.extra for block in given if block.extra is not None]
    if extra and len(extra) < len(given):
        raise ValueError("Some streams have further conditions and some have none; run them apart.")
    return Given(torch.cat([block.geometry for block in given]), torch.cat(extra) if extra else None)


def _together(streams: Sequence[Stream], frames: int) -> tuple[Cache | Together, Tensor]:
    """The memory of a batch of streams, and where the next frames of each stand, [B or 1, F]."""
    if len(streams) == 1:
        return streams[0].cache, streams[0].cache.position(frames)
    places = [stream.cache.position(frames).expand(stream.cache.samples, -1) for stream in streams]
    return Together([stream.cache for stream in streams]), torch.cat(places)
