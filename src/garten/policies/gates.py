"""The gate that takes the place of a residual connection in GTrXL."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Gate(nn.Module):
    """Lets a stream x through, changed by y as a gated recurrent unit would be.

    "Stabilizing Transformers for Reinforcement Learning" (Parisotto et al., 2020), section 3.2, "Gated
    Recurrent Unit type gating"::

        r = sigmoid(W_r y + U_r x)
        z = sigmoid(W_z y + U_z x - bias)
        h = tanh(W_g y + U_g (r * x))
        g(x, y) = (1 - z) * x + z * h

    With a bias above 0 the gate begins close to the identity of x. Matrices that meet the same input are kept
    side by side, to be multiplied at once.
    """

    def __init__(self, width: int, *, bias: float) -> None:
        """A gate over vectors of `width` numbers, whose learned bias begins at `bias`."""
        super().__init__()
        self.of_y = nn.Linear(width, 3 * width, bias=False)
        self.of_x = nn.Linear(width, 2 * width, bias=False)
        self.of_reset_x = nn.Linear(width, width, bias=False)
        self.bias = nn.Parameter(torch.full((width,), bias))

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        """g(x, y), all [..., width]."""
        y_r, y_z, y_h = self.of_y(y).chunk(3, -1)
        x_r, x_z = self.of_x(x).chunk(2, -1)
        r = torch.sigmoid(y_r + x_r)
        z = torch.sigmoid(y_z + x_z - self.bias)
        h = torch.tanh(y_h + self.of_reset_x(r * x))
        return torch.lerp(x, h, z)
