"""The judge of real and generated clips: a small head on what a frozen teacher sees in them.

Both clips of a pair have the same reference, geometry, text, noise level and noise, so that they differ in
how they look and move only. Losses compare the two ("The GAN is dead", R3GAN, Huang et al., 2024, equation
2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import softplus

from garten.renderer.blocks import Attention, Clip, bidirectional_chunks, states
from garten.renderer.flow import noised
from garten.renderer.layers import Norm, attend
from garten.renderer.network import Network
from garten.renderer.prefix import Prefix


class Branch(nn.Module):
    """One learned query looks at all tokens of a layer; then a small network."""

    def __init__(self, width: int, *, heads: int) -> None:
        """A branch for states of `width` numbers."""
        super().__init__()
        self.heads = heads
        self.norm = Norm(width)
        self.token = nn.Parameter(0.02 * torch.randn(width))
        self.query = nn.Linear(width, width, bias=False)
        self.key = nn.Linear(width, width, bias=False)
        self.value = nn.Linear(width, width, bias=False)
        self.query_norm = Norm(width)
        self.key_norm = Norm(width)
        self.out = nn.Linear(width, width)
        self.network = nn.Sequential(
            Norm(width), nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)
        )

    def forward(self, x_BTW: Tensor) -> Tensor:
        """States [B, T, W] as one vector each, [B, W]."""
        seen = self.norm(x_BTW)
        q_HD = torch.unflatten(self.query_norm(self.query(self.token)), -1, (self.heads, -1))
        k_BTHD = torch.unflatten(self.key_norm(self.key(seen)), -1, (self.heads, -1))
        v_BTHD = torch.unflatten(self.value(seen), -1, (self.heads, -1))
        scores_BTH = (k_BTHD * q_HD).sum(-1) * q_HD.shape[-1] ** -0.5
        # A softmax written out: PyTorch's own cannot go back through its forward derivative.
        weights_BTH = torch.exp(scores_BTH - scores_BTH.detach().amax(1, keepdim=True))
        y_BHD = (weights_BTH[..., None] * v_BTHD).sum(1) / weights_BTH.sum(1)[..., None]
        y = self.token + self.out(y_BHD.flatten(1))
        result: Tensor = y + self.network(y)
        return result


class _LayerNorm(nn.LayerNorm):
    """Written out: PyTorch's own has a forward derivative whose gradient lacks a part."""

    def forward(self, x: Tensor) -> Tensor:
        """The usual layer norm of vectors [..., W]."""
        centred = x - x.mean(-1, keepdim=True)
        scaled = centred * torch.rsqrt(centred.square().mean(-1, keepdim=True) + self.eps)
        return scaled * self.weight + self.bias


class Head(nn.Module):
    """A branch for each tapped layer, and a logit from all of them."""

    def __init__(self, width: int, *, taps: int, heads: int) -> None:
        """A head, in float32, for states of `width` numbers after so many layers."""
        super().__init__()
        self.branches = nn.ModuleList(Branch(width, heads=heads) for _ in range(taps))
        self.norm = _LayerNorm(taps * width)
        self.logit = nn.Linear(taps * width, 1)
        for part in self.modules():
            if isinstance(part, nn.Linear):
                nn.init.xavier_uniform_(part.weight)
                if part.bias is not None:
                    nn.init.zeros_(part.bias)

    def forward(self, features: Sequence[Tensor]) -> Tensor:
        """Logits [B] of states [B, T, W] after each tapped layer.

        States are brought to the head's type first: what a pair differs in is lost in a coarser one.
        """
        dtype = self.logit.weight.dtype
        seen = [branch(x.to(dtype)) for branch, x in zip(self.branches, features, strict=True)]
        logit: Tensor = self.logit(self.norm(torch.cat(seen, -1)))[:, 0]
        return logit


def tapped_layers(layers: int) -> tuple[int, ...]:
    """The layers, counted from 1, after which a head looks: at each third, as published for 36."""
    return tuple(sorted({max(1, layers * third // 3) for third in (1, 2, 3)}))


@dataclass(frozen=True)
class Eye:
    """What a frozen network sees in clips at one noise level each; the same for both of a pair."""

    teacher: Network
    clip: Clip  # its reference and geometry
    prefix: Prefix
    level: Tensor  # [B]
    eps: Tensor  # [B, F, C, h, w]

    def features(self, x0: Tensor, attention: Attention = attend) -> list[Tensor]:
        """The states of all tokens of target frames x0 [B, F, C, h, w], after each tapped layer."""
        chunks = bidirectional_chunks(self.clip, noised(x0, self.eps, self.level), self.level)
        taps = tapped_layers(len(self.teacher.layers))
        passed = states(self.teacher, chunks, self.prefix, attention=attention)
        return [after[-1] for layer, after in enumerate(passed, 1) if layer in taps]


def judge_loss(real: Tensor, fake: Tensor) -> Tensor:
    """What the head is to lower, from logits [B] of pairs: ``softplus(-(D(real) - D(fake)))``, the mean."""
    return softplus(fake - real).mean()


def maker_loss(real: Tensor, fake: Tensor) -> Tensor:
    """What the student is to lower: the same with the roles changed."""
    return softplus(real - fake).mean()
