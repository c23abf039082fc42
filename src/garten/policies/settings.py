"""Which network a policy is: one frozen class of settings for each kind, and `build`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from garten.policies.encoders.codes import CodeEncoder
from garten.policies.encoders.layers import Activation
from garten.policies.encoders.pixels import PixelEncoder
from garten.policies.gru import GRU
from garten.policies.gtrxl import GTrXL, SecondGate
from garten.policies.mlp import MLP
from garten.policies.policy import Policy
from garten.policies.shape import Shape


@dataclass(frozen=True)
class MLPSettings:
    """An actor-critic without memory on codes."""

    kind: Literal["mlp"] = "mlp"
    width: int = 256
    """Of the first layer."""
    hidden: tuple[int, ...] = (256,)
    """Widths of the further hidden layers of actor and critic each."""
    activation: Activation = "tanh"
    shared: bool = True
    """Whether actor and critic share the first layer."""


@dataclass(frozen=True)
class GRUSettings:
    """An actor-critic with a GRU on codes."""

    kind: Literal["gru"] = "gru"
    width: int = 256
    """Of the first layer."""
    memory: int = 256
    """Width of the GRU."""
    hidden: tuple[int, ...] = (256,)
    """Widths of the hidden layers of actor and critic each."""


@dataclass(frozen=True)
class CNNSettings:
    """An actor-critic without memory on pictures."""

    kind: Literal["cnn"] = "cnn"
    width: int = 256
    """Of the layer after the convolutions."""
    hidden: tuple[int, ...] = (256,)
    """Widths of the further hidden layers of actor and critic each."""


@dataclass(frozen=True)
class GTrXLSettings:
    """An actor-critic with a gated transformer on codes; by default the published one."""

    kind: Literal["gtrxl"] = "gtrxl"
    width: int = 256
    """Of the first and all other layers."""
    layers: int = 2
    """Of the transformer."""
    heads: int = 8
    """Of each layer's attention; the width is an even multiple of them."""
    span: int = 128
    """Steps that a layer sees back."""
    window: int = 64
    """Steps over which gradients flow."""
    hidden: tuple[int, ...] = (256, 256)
    """Widths of the hidden layers of actor and critic each."""
    gate_bias: float = 2.0
    """How far the gates begin towards letting the stream through."""
    second_gate: SecondGate = "paper"
    """Which way round the second gate of a layer is: as in the paper, or as in the code behind the published
    results."""


Settings = MLPSettings | GRUSettings | CNNSettings | GTrXLSettings


def build(settings: Settings, shape: Shape) -> Policy:
    """The policy of these settings for what is observed, its weights drawn from torch's generator.

    Raises:
        RunError: it reads pictures, and there are none.
    """
    match settings:
        case MLPSettings(width=width, hidden=hidden, activation=act, shared=shared):
            encoder = CodeEncoder(shape, width if shared else 2 * width)
            return MLP(
                encoder, shape.actions, width=width, hidden=hidden, act=act, gain=2**0.5, shared=shared
            )
        case GRUSettings(width=width, memory=memory, hidden=hidden):
            encoder = CodeEncoder(shape, width)
            return GRU(encoder, shape.actions, width=width, memory=memory, hidden=hidden, gain=2.0)
        case CNNSettings(width=width, hidden=hidden):
            pictures = PixelEncoder(shape, width)
            return MLP(pictures, shape.actions, width=width, hidden=hidden, act="relu", gain=2.0, shared=True)
        case GTrXLSettings():
            return GTrXL(
                CodeEncoder(shape, settings.width, gain=1.0),
                shape.actions,
                width=settings.width,
                layers=settings.layers,
                heads=settings.heads,
                span=settings.span,
                window=settings.window,
                hidden=settings.hidden,
                gate_bias=settings.gate_bias,
                second_gate=settings.second_gate,
            )
