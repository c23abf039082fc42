"""A layer of the transformer, in the two halves between which attention happens."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from garten.renderer.rotary import Phases, full
from garten.renderer.serving.kernels import EAGER, Heads, Kernels, Slots
from garten.renderer.settings import NetworkSettings


class Norm(nn.Module):
    """Divides by the root mean square and scales, see `Kernels.norm`."""

    def __init__(self, width: int) -> None:
        """A norm of vectors of `width` numbers."""
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: Tensor) -> Tensor:
        """Like x, of its type."""
        return EAGER.norm(x, self.weight)


class Layer(nn.Module):
    """Attention, then a gated network ("SwiGLU", Shazeer, 2020), each normalised before and added.

    Queries and keys are normalised a head at a time. Matrices that meet the same input are kept side by side.
    """

    def __init__(self, settings: NetworkSettings) -> None:
        """A layer with random weights."""
        super().__init__()
        width, head = settings.width, settings.head
        self.head = head
        self.parts = (settings.heads * head, settings.kv_heads * head, settings.kv_heads * head)
        self.attention_norm = Norm(width)
        self.queries_keys_values = nn.Linear(width, sum(self.parts), bias=False)
        self.query_norm = Norm(head)
        self.key_norm = Norm(head)
        self.attention_out = nn.Linear(self.parts[0], width, bias=False)
        self.network_norm = Norm(width)
        self.gate_up = nn.Linear(width, 2 * settings.hidden, bias=False)
        self.down = nn.Linear(settings.hidden, width, bias=False)
        for linear in (self.queries_keys_values, self.gate_up):
            nn.init.normal_(linear.weight, std=width**-0.5)
        for linear in (self.attention_out, self.down):  # the sum over layers keeps its size
            nn.init.normal_(linear.weight, std=(2 * settings.layers * linear.in_features) ** -0.5)

    def project(
        self, x_BTW: Tensor, phases: Phases, *, kernels: Kernels = EAGER, slots: Slots | None = None
    ) -> Heads:
        """Queries, keys and values; the latter two lie in the slots if the kernels write them there."""
        x = kernels.norm(x_BTW, self.attention_norm.weight)
        parts = self.queries_keys_values(x).split(self.parts, -1)
        heads = Heads(*(part.unflatten(-1, (-1, self.head)) for part in parts))
        weights = self.query_norm.weight, self.key_norm.weight
        return kernels.turned(heads, phases, weights=weights, slots=slots)

    def finish(self, x_BTW: Tensor, y_BTHD: Tensor, *, kernels: Kernels = EAGER) -> Tensor:
        """The layer's output, from its input and what attention brought."""
        brought = self.attention_out(y_BTHD.flatten(2))
        x, normed = kernels.added_norm(x_BTW, brought, weight=self.network_norm.weight)
        result: Tensor = x + self.down(kernels.gated(self.gate_up(normed)))
        return result


def attend(q_BTHD: Tensor, k_BNGD: Tensor, v_BNGD: Tensor, seen: Tensor | None = None) -> Tensor:
    """What each query takes from the values: [B, T, H, D].

    Args:
        q_BTHD: queries.
        k_BNGD: keys; G divides H.
        v_BNGD: values.
        seen: true where a query sees a key, [B or 1, T or 1, N]; None if it sees all of them.
    """
    y = nn.functional.scaled_dot_product_attention(
        q_BTHD.transpose(1, 2),
        k_BNGD.transpose(1, 2),
        v_BNGD.transpose(1, 2),
        attn_mask=None if seen is None else seen[:, None],
        enable_gqa=q_BTHD.shape[2] != k_BNGD.shape[2],
    )
    return y.transpose(1, 2)


class LevelEmbedding(nn.Module):
    """A noise level as a vector: sinusoids, then two linear maps, all at full precision."""

    def __init__(self, width: int, *, scale: float = 1000.0, sinusoids: int = 256) -> None:
        """Vectors of `width` numbers; levels are multiplied by `scale`; `sinusoids` as published."""
        super().__init__()
        self.scale = scale
        self.first = nn.Linear(sinusoids, width)
        self.second = nn.Linear(width, width)

    def forward(self, level: Tensor) -> Tensor:
        """Levels [...] in [0, 1] as vectors [..., W], at full precision."""
        half = self.first.in_features // 2
        frequency = torch.exp(-math.log(10_000.0) / half * torch.arange(half, device=level.device))
        angle = self.scale * level.float()[..., None] * frequency
        x = torch.cat([angle.cos(), angle.sin()], -1)
        x = nn.functional.silu(_linear(self.first, x))
        return _linear(self.second, x)


def _linear(layer: nn.Linear, x: Tensor) -> Tensor:
    """A linear map at full precision."""
    weight = full(layer.weight)
    return nn.functional.linear(x.to(weight.dtype), weight, full(layer.bias))
