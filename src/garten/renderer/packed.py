"""A list of chunks in one call a layer, under a mask: the form that exact replay is compared with.

It computes the same function as `blocks`, from the mask's table instead of from calls, and rounds
differently: its matrices have other shapes. Self Gradient Forcing replays rollouts in this form.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from garten.renderer.layers import Layer, attend
from garten.renderer.network import Chunk, Network
from garten.renderer.prefix import Prefix
from garten.renderer.rotary import Phases


def mask_of(chunks: Sequence[Chunk], frame_tokens: int, prefix_tokens: int = 0) -> Tensor:
    """Which token of the list (rows) sees which token of prefix and list (columns), true where it does."""
    owner = torch.cat(
        [torch.full((chunk.rgb.shape[1] * frame_tokens,), index) for index, chunk in enumerate(chunks)]
    )
    table = torch.eye(len(chunks), dtype=torch.bool)
    for index, chunk in enumerate(chunks):
        table[index, list(chunk.sees)] = True
    return torch.nn.functional.pad(table[owner][:, owner], (prefix_tokens, 0), value=True)


def packed_velocities(network: Network, chunks: Sequence[Chunk], prefix: Prefix) -> Tensor:
    """What `blocks.velocities` gives, by one masked call a layer: [B, F, C, h, w]."""
    embedded = [network.embed(chunk) for chunk in chunks]
    x = torch.cat([tokens for tokens, _ in embedded], 1)
    phases = Phases(*(torch.cat(parts, 1) for parts in zip(*(phase for _, phase in embedded), strict=True)))
    seen = mask_of(chunks, network.frame_tokens, prefix.tokens).to(x.device)[None]
    text = prefix.seen_with(x.shape[1])
    seen = seen if text is None else seen & text
    for index, layer in enumerate(network.layers):
        assert isinstance(layer, Layer)
        q, k, v = layer.project(x, phases)
        keys = torch.cat([prefix.keys[index].expand(len(x), -1, -1, -1), k], 1)
        values = torch.cat([prefix.values[index].expand(len(x), -1, -1, -1), v], 1)
        x = layer.finish(x, attend(q, keys, values, seen))
    lengths = [tokens.shape[1] for tokens, _ in embedded]
    parts = zip(torch.split(x, lengths, 1), chunks, strict=True)
    return torch.cat([network.read(part) for part, chunk in parts if chunk.level is not None], 1)
