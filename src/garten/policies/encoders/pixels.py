"""The first layers on pictures."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from garten.errors import RunError
from garten.policies.encoders.layers import linear
from garten.policies.policy import Observation
from garten.policies.shape import Shape


class PixelEncoder(nn.Module):
    """Two convolutions and a linear layer, as in the original's baseline for pixels.

    The published one has 16 filters of 8 x 8 at stride 4 and 32 of 4 x 4 at stride 2 (Craftax_Baselines,
    `ActorCriticConv`); pictures are scaled to 0..1.
    """

    def __init__(self, shape: Shape, width: int) -> None:
        """Fit it to pictures of the shape's size.

        Raises:
            RunError: there are none.
        """
        super().__init__()
        if shape.picture is None:
            raise RunError("A cnn reads pictures, and here are none; choose the policy mlp, gru or gtrxl.")
        self.convolutions = nn.Sequential(
            nn.Conv2d(3, 16, 8, stride=4), nn.ReLU(), nn.Conv2d(16, 32, 4, stride=2), nn.ReLU(), nn.Flatten()
        )
        with torch.no_grad():
            features = self.convolutions(torch.zeros(1, 3, *shape.picture)).shape[1]
        self.out = linear(features + shape.goal, width, gain=2.0)
        self.goal = shape.goal

    def forward(self, observation: Observation) -> Tensor:
        """Features [..., width] of pictures with any leading axes."""
        pictures = observation.cells
        leading = pictures.shape[:-3]
        scaled = pictures.reshape(-1, *pictures.shape[-3:]).permute(0, 3, 1, 2).float() / 255.0
        features: Tensor = self.convolutions(scaled).reshape(*leading, -1)
        if self.goal:
            features = torch.cat([features, observation.goal], -1)
        result: Tensor = self.out(features)
        return result
