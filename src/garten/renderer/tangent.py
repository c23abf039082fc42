"""Attention that forward-mode differentiation can go through, which the fused form cannot.

With E = Q K^T / sqrt D, P = softmax(E) and Y = P V, and a dash for tangents::

    E' = (Q' K^T + Q K'^T) / sqrt D,    P' = P * (E' - rowsum(P * E')),    Y' = P' V + P V'
"""

from __future__ import annotations

import functools
import importlib
import warnings
from typing import Any

import torch
from torch import Tensor

from garten.renderer.layers import attend

ROWS = 128
"""Queries whose weights are in memory at one time, so that memory grows with the length and not its
square."""


@functools.cache
def prepare_forward_mode() -> None:
    """Load what PyTorch loads at the first forward derivative, without its warning about its own old ways."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        importlib.import_module("torch._decomp.decompositions_for_jvp")


def attention_tangent(
    primal: tuple[Tensor, Tensor, Tensor], tangent: tuple[Tensor, Tensor, Tensor], seen: Tensor | None = None
) -> Tensor:
    """Y', [B, T, H, D].

    Args:
        primal: queries [B, T, H, D], keys and values [B, N, G, D]; G divides H.
        tangent: theirs, of the same shapes.
        seen: true where a query sees a key, [B or 1, T or 1, N]; None if it sees all of them. A query that
            sees nothing takes nothing, whatever moves.
    """
    q, dq = (part.transpose(1, 2) for part in (primal[0], tangent[0]))
    groups = q.shape[1] // primal[1].shape[2]
    k, v, dk, dv = (part.transpose(1, 2).repeat_interleave(groups, 1) for part in (*primal[1:], *tangent[1:]))
    scale = q.shape[-1] ** -0.5
    done = []
    for first in range(0, q.shape[2], ROWS):
        rows = slice(first, first + ROWS)
        e = scale * q[:, :, rows] @ k.mT
        de = scale * (dq[:, :, rows] @ k.mT + q[:, :, rows] @ dk.mT)
        if seen is not None:
            hidden = ~(seen[:, rows] if seen.shape[1] > 1 else seen)[:, None]
            e = e.masked_fill(hidden, -torch.inf)
        p = torch.softmax(e, -1).nan_to_num(0.0)  # a row without keys has no weights
        dp = p * (de - (p * de).sum(-1, keepdim=True))
        done.append(dp @ v + p @ dv)
    return torch.cat(done, 2).transpose(1, 2)


class _Attention(torch.autograd.Function):
    """The fused attention with a forward derivative; backward is not asked of it."""

    @staticmethod
    def forward(q: Tensor, k: Tensor, v: Tensor, seen: Tensor | None) -> Tensor:
        # A copy: the value of a function with a forward derivative must be no view.
        return attend(q, k, v, seen).clone(memory_format=torch.contiguous_format)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        q, k, v, ctx.seen = inputs
        ctx.save_for_forward(q, k, v)

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Tensor:
        return attention_tangent(ctx.saved_tensors, tangents[:3], ctx.seen).contiguous()


def attend_with_tangent(q_BTHD: Tensor, k_BNGD: Tensor, v_BNGD: Tensor, seen: Tensor | None = None) -> Tensor:
    """`layers.attend` for forward-mode differentiation."""
    y: Tensor = _Attention.apply(q_BTHD, k_BNGD, v_BNGD, seen)  # type: ignore[no-untyped-call]
    return y


def attend_plainly(q_BTHD: Tensor, k_BNGD: Tensor, v_BNGD: Tensor, seen: Tensor | None = None) -> Tensor:
    """`layers.attend` written out, to be differentiated in any way and any number of times."""
    groups = q_BTHD.shape[2] // k_BNGD.shape[2]
    q = q_BTHD.transpose(1, 2)
    k, v = (part.transpose(1, 2).repeat_interleave(groups, 1) for part in (k_BNGD, v_BNGD))
    e = q @ k.mT * q.shape[-1] ** -0.5
    if seen is not None:
        e = e.masked_fill(~seen[:, None], -torch.inf)
    return (torch.softmax(e, -1) @ v).transpose(1, 2)
