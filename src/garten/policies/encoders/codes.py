"""The first layer on the engine's codes."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from garten.policies.encoders.gather import gather_rows
from garten.policies.policy import Observation
from garten.policies.shape import Shape


class CodeEncoder(nn.Module):
    """A linear layer on the symbolic observation (and the goal), computed from the codes.

    Its weights are those of the dense layer on [tiles' features, numbers, goal], a row for each feature:
    `tiles` [features of the tiles, width], `rest` [numbers and goal, width] and `bias` [width].
    """

    def __init__(self, shape: Shape, width: int, *, gain: float = 2**0.5) -> None:
        """Draw the weights orthogonal, as one matrix, times `gain`; the bias is 0."""
        super().__init__()
        self.shape = shape
        features = shape.tiles.count * shape.tiles.channels if shape.tiles else 0
        rest = shape.numbers + shape.goal
        weights = nn.init.orthogonal_(torch.empty(features + rest, width), gain)
        self.tiles = nn.Parameter(weights[:features].clone())
        self.rest = nn.Parameter(weights[features:].clone())
        self.bias = nn.Parameter(torch.zeros(width))

    def forward(self, observation: Observation) -> Tensor:
        """Features [..., width] of observations with any leading axes."""
        rest = observation.numbers
        if self.shape.goal:
            rest = torch.cat([rest, observation.goal], -1)
        result = torch.nn.functional.linear(rest, self.rest.T, self.bias)
        tiles = self.shape.tiles
        if tiles is None:
            return result
        codes = observation.cells.reshape(-1, tiles.count * tiles.code_bytes).contiguous()
        gathered: Tensor = gather_rows(codes, self.tiles, tiles)
        return result + gathered.view(result.shape)
