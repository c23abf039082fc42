"""Clips as lists of chunks, and all chunks through the network, layer by layer.

A target block is there twice: Q at its noise level, which is learned from, and P clean, which later blocks
see. Q_j sees text, reference, P_1 .. P_(j-1) and itself, never P_j; P_j sees text, reference, P_1 .. P_j.
Each chunk has calls of its own, so that there is no mask, and a clip computes what a stream computes block by
block, to the bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from garten.renderer.layers import Layer, attend
from garten.renderer.network import Chunk, Network
from garten.renderer.prefix import Prefix
from garten.renderer.rotary import Phases
from garten.renderer.window import Window

Attention = Callable[[Tensor, Tensor, Tensor, Tensor | None], Tensor]
"""`attend`, or a form of it that can do more."""

UNSEEN = -1
"""The index of a block that is no chunk."""

Look = Callable[[Tensor, list[Tensor], list[Tensor]], Tensor]
"""Attention of queries to keys and values in parts."""


@dataclass(frozen=True)
class Clip:
    """The latents of clips: a reference frame, then target frames."""

    rgb: Tensor  # [B, 1 + F, C, h, w]
    geometry: Tensor  # [B, 1 + F, C, gh, gw]
    extra: Tensor | None = None  # [B, 1 + F, E, h, w] further conditions


def bidirectional_chunks(clip: Clip, noisy: Tensor, level_B: Tensor) -> list[Chunk]:
    """A reference and all target frames as one noisy block: [C0, Q].

    Args:
        clip: only its reference and its geometry are used.
        noisy: target frames [B, F, C, h, w].
        level_B: their noise levels.
    """
    return causal_chunks(clip, noisy, level_B[:, None], block=noisy.shape[1])


def causal_chunks(
    clip: Clip,
    noisy: Tensor,
    level_BJ: Tensor,
    *,
    block: int,
    history: Tensor | None = None,
    window: Window | None = None,
) -> list[Chunk]:
    """A reference and target blocks: [C0, Q_1, P_1, Q_2, P_2, .., Q_J]; nobody would see P_J.

    Args:
        clip: its reference and its geometry, and its target frames if no history is given.
        noisy: target frames [B, F, C, h, w] for Q.
        level_BJ: noise levels by block.
        block: frames of a block, which divide F.
        history: target frames for P; None for those of the clip.
        window: how much of the past is seen; None for all of it, the reference always with it.
    """
    history = clip.rgb[:, 1:] if history is None else history
    blocks = noisy.shape[1] // block
    position = torch.arange(1 + noisy.shape[1], device=noisy.device)[None]
    extra = _part(clip.extra, slice(0, 1))
    chunks = [Chunk(clip.rgb[:, :1], clip.geometry[:, :1], position[:, :1], reference=True, extra=extra)]
    past = [0]
    for j in range(blocks):
        own, shown = slice(j * block, (j + 1) * block), slice(1 + j * block, 1 + (j + 1) * block)
        sees = tuple(past[i] for i in seen_units(len(past), block=block, window=window))
        extra = _part(clip.extra, shown)
        p = Chunk(history[:, own], clip.geometry[:, shown], position[:, shown], extra=extra, sees=sees)
        chunks.append(replace(p, rgb=noisy[:, own], level=level_BJ[:, j]))
        if j < blocks - 1:
            # A block that nobody will see is no chunk; only its place in the past counts.
            seen = window is None or j in (unit - 1 for unit in seen_units(j + 2, block=block, window=window))
            past.append(len(chunks) if seen else UNSEEN)
            chunks += [p] if seen else []
    return chunks


def _part(extra: Tensor | None, frames: slice) -> Tensor | None:
    return None if extra is None else extra[:, frames]


def seen_units(count: int, *, block: int, window: Window | None) -> list[int]:
    """Which of the reference and the blocks after it, `count` in all, the next block sees."""
    return list(range(count)) if window is None else window.kept([1, *[block] * (count - 1)])


def states(
    network: Network,
    chunks: Sequence[Chunk],
    prefix: Prefix,
    *,
    recompute: bool = False,
    history: bool = True,
    attention: Attention = attend,
) -> Iterator[list[Tensor]]:
    """The states [B, T, W] of all chunks after each layer.

    Args:
        network: to go through.
        chunks: each sees only chunks before it.
        prefix: text and style.
        recompute: keep only what lies between layers, and work out the rest again when gradients are asked
            for; the numbers are the same.
        history: whether gradients go on into the chunks that a chunk sees.
        attention: used in place of the fused one.
    """
    embedded = [network.embed(chunk) for chunk in chunks]
    xs, phases = [x for x, _ in embedded], [phase for _, phase in embedded]
    for index, layer in enumerate(network.layers):
        assert isinstance(layer, Layer)
        look = partial(_look, attention, prefix, index)
        if recompute:
            look = partial(_again, look)  # else a chunk's keys are kept once for each chunk that sees it
            xs = _again(partial(_through, layer, chunks, phases, look, history), xs)
        else:
            xs = _through(layer, chunks, phases, look, history, xs)
        yield xs


def velocities(
    network: Network,
    chunks: Sequence[Chunk],
    prefix: Prefix,
    *,
    recompute: bool = False,
    history: bool = True,
    attention: Attention = attend,
) -> Tensor:
    """The velocities [B, F, C, h, w] of the noisy chunks, one after the other; see `states`."""
    for after in states(network, chunks, prefix, recompute=recompute, history=history, attention=attention):
        last = after
    noisy = [x for x, chunk in zip(last, chunks, strict=True) if chunk.level is not None]
    return torch.cat([network.read(x) for x in noisy], 1)


def _through(
    layer: Layer,
    chunks: Sequence[Chunk],
    phases: Sequence[Phases],
    look: Look,
    history: bool,
    xs: list[Tensor],
) -> list[Tensor]:
    """All chunks through one layer."""
    projected = [layer.project(x, phase) for x, phase in zip(xs, phases, strict=True)]
    after = []
    for x, chunk, (q, k, v) in zip(xs, chunks, projected, strict=True):
        past = [projected[i][1:] if history else _still(projected[i][1:]) for i in chunk.sees]
        keys, values = [*(key for key, _ in past), k], [*(value for _, value in past), v]
        after.append(layer.finish(x, look(q, keys, values)))
    return after


def _still(parts: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    """Keys and values as constants."""
    return parts[0].detach(), parts[1].detach()


def _look(
    attention: Attention, prefix: Prefix, layer: int, q: Tensor, keys: list[Tensor], values: list[Tensor]
) -> Tensor:
    """Attention to the prefix and to chunks, the oldest first."""
    all_keys = torch.cat([prefix.keys[layer], *keys], 1)
    all_values = torch.cat([prefix.values[layer], *values], 1)
    return attention(q, all_keys, all_values, prefix.seen_with(all_keys.shape[1] - prefix.tokens))


def _again(function: Callable[..., Any], *inputs: Any) -> Any:
    """The function's result; only its inputs are kept, and it runs again when gradients are asked for."""
    return checkpoint(function, *inputs, use_reentrant=False, preserve_rng_state=False)
