"""What happens in a layer between its matrices and attention, as four operations.

Done in one go, each reads its numbers once and writes them once, which is what counts on a GPU. `EAGER` is
what the network computes with, in training and wherever nothing else is asked for; `fused` has the same four
as kernels.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import torch
from torch import Tensor, nn

from garten.renderer.rotary import Phases, full, rotate

EPSILON = 1e-6
"""Of all root-mean-square norms. [code]"""


class Heads(NamedTuple):
    """What a layer makes of tokens for attention."""

    queries: Tensor  # [B, T, H, D]
    keys: Tensor  # [B, T, G, D]
    values: Tensor  # [B, T, G, D]


class Slots(NamedTuple):
    """Where a memory keeps the keys and values of a chunk, [B, T, G, D] each."""

    keys: Tensor
    values: Tensor


class Kernels(Protocol):
    """The four operations; whatever computes them rounds to the type of its input where `Eager` does."""

    def norm(self, x: Tensor, weight: Tensor) -> Tensor:
        """Vectors [..., W] divided by their root mean square, times weights [W].

        "RMSNorm" (Zhang and Sennrich, 2019), at full precision inside.
        """
        ...

    def added_norm(self, x: Tensor, change: Tensor, *, weight: Tensor) -> tuple[Tensor, Tensor]:
        """``x + change``, and the norm of that."""
        ...

    def turned(
        self, heads: Heads, phases: Phases, *, weights: tuple[Tensor, Tensor], slots: Slots | None = None
    ) -> Heads:
        """Queries and keys normalised a head at a time and turned to their places.

        Args:
            heads: of all three, the last dimension lies in one piece.
            phases: where their tokens stand.
            weights: of the norms of queries and of keys, [D] each.
            slots: where keys and values will lie; who writes them there at once gives the slots back.
        """
        ...

    def gated(self, gate_up: Tensor) -> Tensor:
        """``silu(gate) * up`` of both side by side, [..., 2 W]: the middle of "SwiGLU" (Shazeer, 2020)."""
        ...


class Eager:
    """`Kernels` by PyTorch, with gradients, on any device."""

    def norm(self, x: Tensor, weight: Tensor) -> Tensor:
        """See `Kernels.norm`; at full precision inside."""
        y = full(x)
        y = y * torch.rsqrt(y.square().mean(-1, keepdim=True) + EPSILON)
        return (y * full(weight)).to(x.dtype)

    def added_norm(self, x: Tensor, change: Tensor, *, weight: Tensor) -> tuple[Tensor, Tensor]:
        """See `Kernels.added_norm`."""
        x = x + change
        return x, self.norm(x, weight)

    def turned(
        self, heads: Heads, phases: Phases, *, weights: tuple[Tensor, Tensor], slots: Slots | None = None
    ) -> Heads:
        """See `Kernels.turned`; leaves the slots to the memory."""
        q, k = (self.norm(part, weight) for part, weight in zip(heads[:2], weights, strict=True))
        return Heads(rotate(q, phases), rotate(k, phases), heads.values)

    def gated(self, gate_up: Tensor) -> Tensor:
        """See `Kernels.gated`."""
        gate, up = gate_up.chunk(2, -1)
        return nn.functional.silu(gate) * up


EAGER: Kernels = Eager()
"""The code of the network itself."""
