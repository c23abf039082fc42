"""Random network distillation: reward for observations unlike those seen so far."""

from __future__ import annotations

import torch
from torch import Tensor

from garten.policies.bonus import Bonus, Stretch, Transitions
from garten.policies.features import Features, mean_where
from garten.policies.policy import Observation


class RND(Bonus):
    """A predictor learns what a fixed random network says; where it errs, there is something new.

    "Exploration by Random Network Distillation" (Burda et al., 2018), section 2. With a random target f and a
    predictor g, reaching the observation x earns::

        r = mean of (g(x) - f(x))^2

    which the predictor learns to make small. The reward has a critic of its own and does not end with an
    episode (section 2.3): with values v of that critic, the advantage of step t is
    A_t = r_t + gamma * v_t+1 - v_t + gamma * gae_lambda * A_t+1, and v_t learns A_t + v_t.

    As in the published baseline on Craftax, whose observations lie between 0 and 1 or little above, neither
    observations nor rewards are normalised, and the critic shares nothing with the policy. An episode's last
    transition teaches and earns nothing: what follows it belongs to another episode.
    """

    targets: Tensor

    def __init__(
        self,
        target: Features,
        predictor: Features,
        critic: Features,
        *,
        gamma: float,
        gae_lambda: float,
        scale: float,
        distillation: float,
        value: float,
    ) -> None:
        """Put a bonus on three networks.

        Args:
            target: is left as it is.
            predictor: of as many features.
            critic: of one feature, the value.
            gamma: discount of a step.
            gae_lambda: weight of longer advantage estimates.
            scale: of the advantages beside those of the game.
            distillation: weight of the predictor's loss.
            value: weight of the critic's loss.
        """
        super().__init__()
        self.target = target.requires_grad_(False)
        self.predictor = predictor
        self.critic = critic
        self.gamma, self.gae_lambda, self.scale = gamma, gae_lambda, scale
        self.distillation, self.value = distillation, value
        self.register_buffer("targets", torch.zeros(0), persistent=False)

    @torch.no_grad()
    def reward(self, stretch: Stretch) -> Tensor:
        """How far the predictor is off; see `Bonus.reward`."""
        reached = Observation(*(part[1:] for part in stretch.observations))
        return self._error(reached) * ~stretch.ended

    @torch.no_grad()
    def advantage(self, stretch: Stretch, reward: Tensor) -> Tensor:
        """Scaled advantages by the critic; see `Bonus.advantage`."""
        values: Tensor = self.critic(stretch.observations).squeeze(-1)
        advantages = reward + self.gamma * values[1:] - values[:-1]
        for step in reversed(range(len(reward) - 1)):
            advantages[step] += self.gamma * self.gae_lambda * advantages[step + 1]
        self.targets = (advantages + values[:-1]).flatten()
        return self.scale * advantages

    def loss(self, transitions: Transitions) -> Tensor:
        """The predictor's and the critic's; see `Bonus.loss`."""
        error = mean_where(self._error(transitions.following), ~transitions.ended)
        values: Tensor = self.critic(transitions.observation).squeeze(-1)
        miss = 0.5 * (values - self.targets[transitions.place]).square().mean()
        return self.distillation * error + self.value * miss

    def _error(self, observation: Observation) -> Tensor:
        """Mean squared error of the predictor, [...] for observations [...]."""
        error: Tensor = (self.predictor(observation) - self.target(observation)).square().mean(-1)
        return error
