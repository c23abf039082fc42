"""Streaming in latents: start from a reference, then denoise and commit, block by block, without end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor

from garten.renderer.cache import Cache, Change, Together
from garten.renderer.flow import clean, noised
from garten.renderer.network import Chunk, Network
from garten.renderer.noise import batch_normal
from garten.renderer.prefix import Prefix
from garten.renderer.rotary import Phases
from garten.renderer.serving.choice import PLAIN, Serving
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
        serving: Serving = PLAIN,
    ) -> None:
        """A stream that waits for its reference.

        Args:
            network: with its weights.
            settings: of the renderer.
            prefix: text and style of each sample.
            seeds: of the noise of each sample; its noise depends on nothing else.
            window: what is remembered; None for all of a clip as long as those of training.
            endpoints: noise levels of the steps; None for those of the settings.
            serving: by which means blocks are denoised and remembered.
        """
        if len(seeds) != prefix.keys[0].shape[0]:
            raise ValueError(f"{len(seeds)} seeds do not fit a prefix of {prefix.keys[0].shape[0]} samples.")
        self.network, self.settings = network, settings
        self.seeds = tuple(seeds)
        self.endpoints = tuple(settings.endpoints if endpoints is None else endpoints)
        self.cache = Cache(network, settings, prefix.to(dtype=network.dtype), window)
        self.serving = serving
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
        shared = stream.network is first.network and stream.serving is first.serving
        if not shared or stream.endpoints != first.endpoints:
            raise ValueError(
                "Streams of one batch share a network, noise levels and the way they are served; run the "
                "others apart."
            )
    batch, conditions = _Batch(streams), _stacked(given)
    shape = (first.settings.block, first.network.channels, *first.settings.latent_size)
    noise = [
        torch.cat([batch_normal(shape, s.seeds, "block", s.blocks, step) for s in streams])
        for step in range(len(first.endpoints))
    ]
    clean, noisy = first.serving.calls(
        ("denoise", first.endpoints, batch.places),
        partial(_denoise, batch, first.endpoints),
        *(conditions.geometry, conditions.extra, *batch.phases),
        *(eps.to(conditions.geometry.device) for eps in noise),
    )
    sizes = [stream.cache.samples for stream in streams]
    parts = zip(torch.split(clean, sizes), torch.split(noisy, sizes), strict=True)
    results = [Denoised(x0, start, first.endpoints[-1]) for x0, start in parts]
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
    first, window = streams[0], streams[0].cache.window
    changes = [stream.cache.change(stream.settings.block) for stream in streams]
    if window is None or window.keeps_blocks:
        batch, given = _Batch(streams), _stacked([block for _, block in waiting])
        turns = [stream.cache.turn(change) for stream, change in zip(streams, changes, strict=True)]
        first.serving.calls(
            ("commit", batch.places, tuple((change.gone, change.turned) for change in changes)),
            partial(_remember, batch, changes),
            *(torch.cat([done.clean for done, _ in waiting]), given.geometry, given.extra, *batch.phases),
            *(part for turn in turns for part in turn or (None, None)),
        )
    for stream, change in zip(streams, changes, strict=True):
        stream.cache.accept(change)
        stream.blocks += 1
        stream.pending = None


def _stacked(given: Sequence[Given]) -> Given:
    """The conditions of a batch; further ones only if all streams have them."""
    extra = [block.extra for block in given if block.extra is not None]
    if extra and len(extra) < len(given):
        raise ValueError("Some streams have further conditions and some have none; run them apart.")
    return Given(torch.cat([block.geometry for block in given]), torch.cat(extra) if extra else None)


class _Batch:
    """What the next blocks of streams have in common, apart from their numbers."""

    def __init__(self, streams: Sequence[Stream]) -> None:
        """Streams of one network."""
        self.network, self.kernels = streams[0].network, streams[0].serving.kernels
        self.caches = [stream.cache for stream in streams]
        self.memory = self.caches[0] if len(streams) == 1 else Together(self.caches)
        frames = streams[0].settings.block
        places = [cache.position(frames).expand(cache.samples, -1) for cache in self.caches]
        self.position = self.caches[0].position(frames) if len(streams) == 1 else torch.cat(places)
        self.phases = self.network.phases(self.position)

    @property
    def places(self) -> tuple[tuple[int, int], ...]:
        """See `Cache.place`."""
        return tuple(cache.place for cache in self.caches)

    def run(self, rgb: Tensor, given: Given, phases: Phases, *, level: Tensor | None = None) -> Tensor:
        """The last states of a block, its phases given apart."""
        chunk = Chunk(rgb, given.geometry, self.position, level=level, extra=given.extra)
        return self.network.run(chunk, self.memory, phases=phases, kernels=self.kernels)


def _denoise(
    batch: _Batch,
    endpoints: Sequence[float],
    geometry: Tensor,
    extra: Tensor | None,
    cos: Tensor,
    sin: Tensor,
    *noise: Tensor,
) -> tuple[Tensor, Tensor]:
    """What the last step arrived at, and what it began from; fixed work, see `serving.calls`."""

    def predict(latent: Tensor, level: float) -> Tensor:
        s = torch.full(latent.shape[:1], level, device=latent.device)
        x = batch.run(latent, Given(geometry, extra), Phases(cos, sin), level=s)
        return batch.network.read(x, kernels=batch.kernels)

    done = few_steps(predict, noise.__getitem__, endpoints)
    return done.clean, done.noisy


def _remember(
    batch: _Batch,
    changes: Sequence[Change],
    rgb: Tensor,
    geometry: Tensor,
    extra: Tensor | None,
    cos: Tensor,
    sin: Tensor,
    *turns: Tensor | None,
) -> tuple[()]:
    """Keys and values of clean blocks, and room for the next ones; fixed work, see `serving.calls`."""
    batch.run(rgb, Given(geometry, extra), Phases(cos, sin))
    for cache, change, c, s in zip(batch.caches, changes, turns[::2], turns[1::2], strict=True):
        cache.settle(change, None if c is None or s is None else Phases(c, s))
    return ()
