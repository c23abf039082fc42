"""Layers initialised as reinforcement learning wants them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from torch import nn

Activation = Literal["tanh", "relu"]

_ACTIVATIONS: dict[Activation, type[nn.Module]] = {"tanh": nn.Tanh, "relu": nn.ReLU}


def activation(name: Activation) -> nn.Module:
    """The layer of that name."""
    return _ACTIVATIONS[name]()


def linear(inputs: int, outputs: int, *, gain: float) -> nn.Linear:
    """A linear layer, its weights orthogonal times `gain`, its bias 0."""
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def tower(widths: Sequence[int], *, act: Activation, gain: float, last: float) -> nn.Sequential:
    """Linear layers with activations between them.

    Args:
        widths: of what comes in, of each hidden layer, of what comes out.
        act: activation after each hidden layer.
        gain: of the hidden layers' weights.
        last: gain of the output layer's weights; 0.01 makes a policy begin near uniform.
    """
    hidden = [linear(inputs, outputs, gain=gain) for inputs, outputs in pairwise(widths[:-1])]
    layers = [part for layer in hidden for part in (layer, activation(act))]
    return nn.Sequential(*layers, linear(widths[-2], widths[-1], gain=last))
