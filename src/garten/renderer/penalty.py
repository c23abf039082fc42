"""Exact gradient penalties of a judge, without differentiating twice through what it looks with.

For D(x) = h(B(x)) with B frozen, let z = B(x), A = dB/dx, u = dh/dz. One pass back gives g = A^T u and the
penalty R = |g|^2; one pass forward gives v = A g. As B does not depend on the head's weights phi, ``dR/dphi =
d/dphi [2 u(phi)^T v]`` with v held constant, and ``s = 2 u^T v`` is twice the derivative of h at z along v: a
forward pass of the head alone. What is returned has R's value and s's gradient.

Forward-mode differentiation is not thread-safe: one penalty at a time in a process.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn
from torch.autograd import forward_ad

from garten.renderer.blocks import Attention
from garten.renderer.discriminator import Head
from garten.renderer.layers import attend
from garten.renderer.tangent import attend_with_tangent, prepare_forward_mode

WEIGHT = 0.075
"""Gamma: 30 * 0.05 ** 2, which weighs as much as the published finite differences. [code]"""

Features = Callable[[Tensor, Attention], Sequence[Tensor]]
"""B: what a frozen network sees in x, by a given form of attention."""


def exact_penalty(frozen: nn.Module, features: Features, head: Head, x: Tensor) -> Tensor:
    """|dD/dx|^2 of each sample, [B], with its exact gradient to the head's weights.

    R1 if x is real, R2 if x is generated.

    Args:
        frozen: the network behind `features`.
        features: B.
        head: h.
        x: samples, which get no gradient from here.

    Raises:
        ValueError: a weight of `frozen` is learned: the gradient would lack a part.
    """
    if any(part.requires_grad for part in frozen.parameters()):
        raise ValueError("The penalty is exact for a frozen network only; call requires_grad_(False) on it.")
    prepare_forward_mode()
    leaf = x.detach().requires_grad_()
    with torch.enable_grad():
        z = features(leaf, attend)
        (g,) = torch.autograd.grad(head(z).sum(), leaf)
    value = g.square().flatten(1).sum(1)
    with torch.no_grad(), forward_ad.dual_level():
        moving = features(_dual(x.detach(), g), attend_with_tangent)
        v = [_tangent(part) for part in moving]
    with forward_ad.dual_level():
        pairs = zip(z, v, strict=True)
        s = 2 * _tangent(head([_dual(part.detach(), along) for part, along in pairs]))
    result: Tensor = value + s - s.detach()
    return result


def difference_penalty(
    features: Features, head: Head, x: Tensor, *, sigma: float, generator: torch.Generator
) -> Tensor:
    """(D(x + sigma eps) - D(x))^2 / sigma^2 of each sample, [B]: an estimate of the same for small sigma.

    Args:
        features: B.
        head: h.
        x: samples.
        sigma: size of the step; 0.05 as published.
        generator: of eps, on the CPU.
    """
    eps = torch.randn(x.shape, generator=generator, dtype=x.dtype).to(x.device)
    with torch.no_grad():
        here, there = features(x, attend), features(x + sigma * eps, attend)
    slope: Tensor = (head(there) - head(here)) / sigma
    return slope.square()


def _dual(primal: Tensor, tangent: Tensor) -> Tensor:
    dual: Tensor = forward_ad.make_dual(primal, tangent)  # type: ignore[no-untyped-call]
    return dual


def _tangent(dual: Tensor) -> Tensor:
    tangent: Tensor = forward_ad.unpack_dual(dual).tangent  # type: ignore[no-untyped-call]
    return tangent
