"""`Kernels` in Triton: one launch each. Without gradients, for float32 and narrower types.

Runs on the GPU that is PyTorch's current one, or anywhere by Triton's interpreter (``TRITON_INTERPRET=1``
before this module is imported). Results differ from `kernels.EAGER` by the order of sums: by about 1e-7 in
float32, and now and then by the last bit in bfloat16.
"""

from __future__ import annotations

from typing import Any

from torch import Tensor
from triton import cdiv, next_power_of_2

from garten.renderer.rotary import Phases
from garten.renderer.serving.kernels import EPSILON, Heads, Slots
from garten.renderer.serving.triton_kernels import gate_rows, norm_rows, turn_heads

PART = 1024
"""Numbers of a row that one program gates."""

HOW: dict[str, Any] = {"num_warps": 8, "enable_fp_fusion": False}
"""How kernels are compiled: for rows of thousands of numbers, rounding after each product as PyTorch does."""


class Fused:
    """See the module."""

    def norm(self, x: Tensor, weight: Tensor) -> Tensor:
        """See `Kernels.norm`."""
        x = x.contiguous()
        return _norm(x, None, weight)[1]

    def added_norm(self, x: Tensor, change: Tensor, *, weight: Tensor) -> tuple[Tensor, Tensor]:
        """See `Kernels.added_norm`."""
        return _norm(x.contiguous(), change.contiguous(), weight)

    def turned(
        self, heads: Heads, phases: Phases, *, weights: tuple[Tensor, Tensor], slots: Slots | None = None
    ) -> Heads:
        """See `Kernels.turned`; writes into the slots."""
        q, k, v = heads
        samples, tokens, count, size = q.shape
        q_out = q.new_empty(q.shape)
        k_out, v_out = (k.new_empty(k.shape), v) if slots is None else slots
        cos, sin = (part.contiguous() for part in phases)
        strides = {part.stride()[:2] for part in heads}
        assert len(strides) == 1, "all three are parts of one product"
        assert slots is None or k_out.stride() == v_out.stride(), "keys and values are kept alike"
        turn_heads[(tokens, samples)](
            *(q, k, v, q_out, k_out, v_out, *weights, cos, sin),
            *(*strides.pop(), *k_out.stride()[:2]),
            cos.stride(0) if len(cos) > 1 else 0,
            *(count, k.shape[2], size // 2),
            EPSILON=EPSILON,
            COPIES=slots is not None,
            HEADS=next_power_of_2(count),
            GROUPS=next_power_of_2(k.shape[2]),
            HALF=next_power_of_2(size // 2),
            **HOW,
        )
        return Heads(q_out, k_out, v_out)

    def gated(self, gate_up: Tensor) -> Tensor:
        """See `Kernels.gated`."""
        gate_up = gate_up.contiguous()
        width = gate_up.shape[-1] // 2
        out = gate_up.new_empty(*gate_up.shape[:-1], width)
        gate_rows[(out.numel() // width, cdiv(width, PART))](gate_up, out, width, SPAN=PART, **HOW)
        return out


def _norm(x: Tensor, change: Tensor | None, weight: Tensor) -> tuple[Tensor, Tensor]:
    """The sum, or x if there is nothing to add, and its norm; all in one piece."""
    width = x.shape[-1]
    normed = x.new_empty(x.shape)
    total = x if change is None else x.new_empty(x.shape)
    norm_rows[(x.numel() // width,)](
        *(x, x if change is None else change, total, normed, weight, width),
        EPSILON=EPSILON,
        ADDS=change is not None,
        SPAN=next_power_of_2(width),
        **HOW,
    )
    return total, normed
