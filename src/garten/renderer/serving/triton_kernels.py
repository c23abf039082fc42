# mypy: ignore-errors
"""The kernels of `fused`: each element is loaded, worked on at float32 and stored once.

Rows lie in one piece. A span is as wide as the next power of two; what lies beyond the row is masked. Results
are rounded to the stored type wherever `kernels.Eager` rounds.
"""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def norm_rows(
    x, change, total, normed, weight, width, EPSILON: tl.constexpr, ADDS: tl.constexpr, SPAN: tl.constexpr
):
    """A program a row: ``normed = norm(x)``, or of ``total = x + change``."""
    row = tl.program_id(0).to(tl.int64) * width
    at = tl.arange(0, SPAN)
    inside = at < width
    y = tl.load(x + row + at, inside, 0.0).to(tl.float32)
    if ADDS:
        y += tl.load(change + row + at, inside, 0.0).to(tl.float32)
        stored = y.to(total.dtype.element_ty)
        tl.store(total + row + at, stored, inside)
        y = stored.to(tl.float32)
    y *= tl.rsqrt(tl.sum(y * y, 0) / width + EPSILON)
    y *= tl.load(weight + at, inside, 0.0).to(tl.float32)
    tl.store(normed + row + at, y.to(normed.dtype.element_ty), inside)


@triton.jit
def _turn(
    x, out, weight, cos, sin, heads, half, EPSILON: tl.constexpr, HEADS: tl.constexpr, HALF: tl.constexpr
):
    """The heads of a token, one after the other, normalised and turned."""
    pair = tl.arange(0, HALF)[None, :]
    head = tl.arange(0, HEADS)[:, None]
    at = head * 2 * half + pair
    one, inside = pair < half, (pair < half) & (head < heads)
    a = tl.load(x + at, inside, 0.0).to(tl.float32)
    b = tl.load(x + at + half, inside, 0.0).to(tl.float32)
    size = tl.rsqrt((tl.sum(a * a, 1) + tl.sum(b * b, 1)) / (2 * half) + EPSILON)[:, None]
    a = a * size * tl.load(weight + pair, one, 0.0).to(tl.float32)
    b = b * size * tl.load(weight + half + pair, one, 0.0).to(tl.float32)
    a = a.to(x.dtype.element_ty).to(tl.float32)
    b = b.to(x.dtype.element_ty).to(tl.float32)
    c, s = tl.load(cos + pair, one, 0.0), tl.load(sin + pair, one, 0.0)
    tl.store(out + at, (a * c - b * s).to(out.dtype.element_ty), inside)
    tl.store(out + at + half, (b * c + a * s).to(out.dtype.element_ty), inside)


@triton.jit
def turn_heads(
    q, k, v, q_out, k_out, v_out, q_weight, k_weight, cos, sin,
    sample_in, token_in, sample_out, token_out, phase_sample,
    heads, groups, half, EPSILON: tl.constexpr, COPIES: tl.constexpr,
    HEADS: tl.constexpr, GROUPS: tl.constexpr, HALF: tl.constexpr,
):  # fmt: skip
    """A program a token: its queries and keys turned, and its values copied to where its keys go."""
    token, sample = tl.program_id(0).to(tl.int64), tl.program_id(1).to(tl.int64)
    here = sample * sample_in + token * token_in
    there = sample * sample_out + token * token_out
    place = sample * phase_sample + token * half
    cos += place
    sin += place
    q_there = (sample * tl.num_programs(0) + token) * heads * 2 * half
    _turn(q + here, q_out + q_there, q_weight, cos, sin, heads, half, EPSILON, HEADS, HALF)
    _turn(k + here, k_out + there, k_weight, cos, sin, groups, half, EPSILON, GROUPS, HALF)
    if COPIES:
        at = tl.arange(0, 2 * GROUPS * HALF)
        inside = at < groups * 2 * half
        tl.store(v_out + there + at, tl.load(v + here + at, inside), inside)


@triton.jit
def gate_rows(gate_up, out, width, SPAN: tl.constexpr):
    """A program a part of a row: ``silu(gate) * up``."""
    row = tl.program_id(0).to(tl.int64)
    at = tl.program_id(1) * SPAN + tl.arange(0, SPAN)
    inside = at < width
    gate = tl.load(gate_up + row * 2 * width + at, inside, 0.0).to(tl.float32)
    up = tl.load(gate_up + row * 2 * width + width + at, inside, 0.0).to(tl.float32)
    shown = (gate * tl.sigmoid(gate)).to(out.dtype.element_ty).to(tl.float32)
    tl.store(out + row * width + at, (shown * up).to(out.dtype.element_ty), inside)
