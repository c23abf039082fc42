"""E3B: reward for what differs from all that the episode has shown so far."""

from __future__ import annotations

import torch
from torch import Tensor

from garten.policies.bonus import Bonus, Stretch, Transitions
from garten.policies.icm import ICM


class E3B(Bonus):
    """An elliptical episodic bonus on features that tell which action was taken.

    "Exploration via Elliptical Episodic Bonuses" (Henaff et al., 2022), section 3. With the features phi of
    an `ICM` and C, the sum of phi phi^T over the episode so far plus ridge * I, reaching the state s earns::

        b(s) = phi(s)^T C^-1 phi(s)

    and phi(s) phi(s)^T is then added to C. The inverse itself is kept, and changed by the formula of Sherman
    and Morrison: C^-1 becomes C^-1 - u u^T / (1 + b), u = C^-1 phi(s). At an episode's end it begins anew,
    and nothing is earned: the observation there belongs to another episode.
    """

    inverse: Tensor

    def __init__(self, icm: ICM, size: int, *, lanes: int, ridge: float, scale: float) -> None:
        """Begin an episode in each lane.

        Args:
            icm: whose features are used, and taught.
            size: of the features.
            lanes: that experience comes from.
            ridge: what C begins with on its diagonal.
            scale: of the reward.
        """
        super().__init__()
        self.icm = icm
        self.scale = scale
        self.ridge = ridge
        self.register_buffer("inverse", torch.eye(size).repeat(lanes, 1, 1) / ridge)

    @torch.no_grad()
    def reward(self, stretch: Stretch) -> Tensor:
        """What each step's observation adds to its episode; see `Bonus.reward`."""
        reached = self.icm.features(stretch.observations)[1:]
        self._begin(stretch.begun[0])  # also lanes that were given new worlds between two rollouts
        rewards = [self._add(features, ended) for features, ended in zip(reached, stretch.ended, strict=True)]
        return self.scale * torch.stack(rewards)

    def loss(self, transitions: Transitions) -> Tensor:
        """The curiosity module's, whose features are used; see `Bonus.loss`."""
        return self.icm.loss(transitions)

    def _add(self, features: Tensor, ended: Tensor) -> Tensor:
        """Take in features [lanes, size] where no episode has ended: the bonus [lanes] that they earn."""
        u = (self.inverse @ features[..., None]).squeeze(-1)
        bonus = (features * u).sum(-1)
        self.inverse -= u[:, :, None] * (u / (1 + bonus)[:, None])[:, None]
        self._begin(ended)
        return bonus * ~ended

    def _begin(self, lanes: Tensor) -> None:
        """Begin an episode in some lanes, bool [lanes]."""
        self.inverse[lanes] = torch.eye(self.inverse.shape[-1]).to(self.inverse) / self.ridge
