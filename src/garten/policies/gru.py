"""An actor-critic with a gated recurrent unit: the memory is one vector a lane.

Shapes: T steps, B lanes, W the width.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from garten.policies.encoders.layers import tower
from garten.policies.policy import Memory, Observation, Output, Policy
from garten.policies.recurrence import Recurrence


class GRU(Policy):
    """Encoder, ReLU, GRU, and an actor and a critic with hidden layers of their own.

    The published network of Craftax's PPO-RNN has width 512 throughout (Craftax_Baselines,
    `ActorCriticRNN`). Gates are those of PyTorch; the original's differ in biases alone.
    """

    def __init__(
        self,
        encoder: nn.Module,
        actions: int,
        *,
        width: int,
        memory: int,
        hidden: tuple[int, ...],
        gain: float,
    ) -> None:
        """Put a memory, an actor and a critic on an encoder.

        Args:
            encoder: maps an `Observation` to [..., width].
            actions: to choose from.
            width: of the encoder.
            memory: width of the GRU.
            hidden: widths of the hidden layers of actor and critic each.
            gain: of those layers' weights.
        """
        super().__init__()
        self.encoder = encoder
        self.cell = nn.GRUCell(width, memory)
        for part in self.cell.weight_ih.chunk(3):
            nn.init.xavier_uniform_(part)
        for part in self.cell.weight_hh.chunk(3):
            nn.init.orthogonal_(part)
        nn.init.zeros_(self.cell.bias_ih)
        nn.init.zeros_(self.cell.bias_hh)
        self.actor = tower((memory, *hidden, actions), act="relu", gain=gain, last=0.01)
        self.critic = tower((memory, *hidden, 1), act="relu", gain=gain, last=1.0)

    def initial_memory(self, lanes: int) -> Memory:
        """Zeros."""
        return {"hidden": self.cell.weight_hh.new_zeros(lanes, self.cell.hidden_size)}

    @torch.no_grad()
    def step(self, observation: Observation, memory: Memory, begun: Tensor) -> tuple[Output, Memory]:
        """Act; see `Policy.step`."""
        hidden_BW = memory["hidden"] * ~begun[:, None]
        hidden_BW = self.cell(torch.relu(self.encoder(observation)), hidden_BW)
        return self._judge(hidden_BW), {"hidden": hidden_BW}

    def unroll(self, observations: Observation, memory: Memory, begun: Tensor) -> Output:
        """Go over a stretch; see `Policy.unroll`.

        What the observations add to the gates is worked out for all steps at once; only the recurrence itself
        goes step by step.
        """
        features_TBW = torch.relu(self.encoder(observations))
        cell = self.cell
        gates_TB3W = nn.functional.linear(features_TBW, cell.weight_ih, cell.bias_ih)
        kept_TB1 = (~begun[..., None]).to(gates_TB3W.dtype)
        hidden_TBW: Tensor = Recurrence.apply(  # type: ignore[no-untyped-call]
            gates_TB3W, kept_TB1, memory["hidden"], cell.weight_hh, cell.bias_hh
        )
        return self._judge(hidden_TBW)

    def _judge(self, hidden: Tensor) -> Output:
        return Output(self.actor(hidden), self.critic(hidden).squeeze(-1))
