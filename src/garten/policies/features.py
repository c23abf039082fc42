"""Features of observations for an exploration bonus: a network of its own."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from garten.policies.encoders.layers import tower
from garten.policies.policy import Observation


class Features(nn.Module):
    """An encoder, then hidden layers with ReLU, then a linear layer."""

    def __init__(self, encoder: nn.Module, widths: tuple[int, ...]) -> None:
        """Put layers on an encoder.

        Args:
            encoder: maps an `Observation` to [..., widths[0]].
            widths: of the encoder, of each hidden layer, of the features.
        """
        super().__init__()
        self.encoder = encoder
        self.layers = tower(widths, act="relu", gain=2**0.5, last=1.0)

    def forward(self, observation: Observation) -> Tensor:
        """Features [..., widths[-1]] of observations with any leading axes."""
        result: Tensor = self.layers(torch.relu(self.encoder(observation)))
        return result


def mean_where(values: Tensor, chosen: Tensor) -> Tensor:
    """The mean of the values [n] where chosen, bool [n]; 0 if none is."""
    return (values * chosen).sum() / chosen.sum().clamp(min=1)
