"""Actors and critics without memory, on codes or on pictures."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from garten.policies.encoders.layers import Activation, activation, tower
from garten.policies.policy import Memory, Observation, Output, Policy


class MLP(Policy):
    """An encoder, and an actor and a critic on what it makes of the observation.

    The published network of Craftax's PPO has no layer in common: actor and critic are three hidden layers of
    512 each (Craftax_Baselines, `ActorCritic`). With `shared` false the encoder makes both first layers, side
    by side, and each goes on from its own half; so one pass over the codes serves both.
    """

    def __init__(
        self,
        encoder: nn.Module,
        actions: int,
        *,
        width: int,
        hidden: tuple[int, ...],
        act: Activation,
        gain: float,
        shared: bool,
    ) -> None:
        """Put actor and critic on an encoder.

        Args:
            encoder: maps an `Observation` to [..., width], or [..., 2 * width] if nothing is shared.
            actions: to choose from.
            width: of the first layer.
            hidden: widths of the further hidden layers of actor and critic each.
            act: activation of all layers.
            gain: of the hidden layers' weights.
            shared: whether actor and critic share the first layer.
        """
        super().__init__()
        self.encoder = encoder
        self.activation = activation(act)
        self.actor = tower((width, *hidden, actions), act=act, gain=gain, last=0.01)
        self.critic = tower((width, *hidden, 1), act=act, gain=gain, last=1.0)
        self.shared = shared

    def initial_memory(self, lanes: int) -> Memory:
        """There is none."""
        return {}

    @torch.no_grad()
    def step(self, observation: Observation, memory: Memory, begun: Tensor) -> tuple[Output, Memory]:
        """Act; see `Policy.step`."""
        return self._judge(observation), memory

    def unroll(self, observations: Observation, memory: Memory, begun: Tensor) -> Output:
        """Go over a stretch; see `Policy.unroll`."""
        return self._judge(observations)

    def _judge(self, observation: Observation) -> Output:
        features = self.activation(self.encoder(observation))
        for_actor, for_critic = (features, features) if self.shared else features.chunk(2, -1)
        return Output(self.actor(for_actor), self.critic(for_critic).squeeze(-1))
