"""Text and style as keys and values that all layers see before anything else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor


@dataclass(frozen=True)
class Prefix:
    """Keys and values for each layer, [B, N, G, D] each, and which of them count.

    There may be none (N = 0). A language model that pads its text to a fixed length says in `seen` which keys
    are text; None means all.
    """

    keys: tuple[Tensor, ...]
    values: tuple[Tensor, ...]
    seen: Tensor | None = None  # [B, N] bool

    @property
    def tokens(self) -> int:
        """N."""
        return self.keys[0].shape[1]

    def to(self, *, dtype: torch.dtype) -> Prefix:
        """The same in another type."""
        keys, values = (tuple(part.to(dtype) for part in parts) for parts in (self.keys, self.values))
        return Prefix(keys, values, self.seen)

    def seen_with(self, tokens: int) -> Tensor | None:
        """Which keys a query sees when so many follow the prefix: [B, 1, N + tokens], or None for all."""
        return seen_with(self.seen, tokens)


def seen_with(seen_BN: Tensor | None, tokens: int) -> Tensor | None:
    """See `Prefix.seen_with`."""
    return None if seen_BN is None else torch.nn.functional.pad(seen_BN, (0, tokens), value=True)[:, None]


class PrefixEncoder(Protocol):
    """Turns captions into prefixes: the small encoder of `captions`, or a language model's tower.

    A tower must have as many layers as the network, and its heads of keys and values. It stands outside the
    renderer's own weights and is not trained by it.
    """

    def __call__(self, captions: Sequence[str]) -> Prefix:
        """The prefix of a batch of captions; "" is the caption that says nothing."""
        ...


def blank(layers: int, like: Tensor, samples: int = 1) -> Prefix:
    """The prefix of no tokens, for networks without text.

    Args:
        layers: of the network.
        like: keys or values [.., .., G, D] of the network's type.
        samples: B.
    """
    nothing = tuple(like.new_zeros(samples, 0, *like.shape[-2:]) for _ in range(layers))
    return Prefix(nothing, nothing)
