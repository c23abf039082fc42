"""The intrinsic curiosity module: reward for what one's own forward model did not foresee."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from garten.policies.bonus import Bonus, Stretch, Transitions
from garten.policies.encoders.layers import tower
from garten.policies.features import Features, mean_where


class ICM(Bonus):
    """Curiosity in a space of features that tell which action was taken.

    "Curiosity-driven Exploration by Self-supervised Prediction" (Pathak et al., 2017), section 2.2. With
    features phi, an inverse model g and a forward model f::

        L_I = cross entropy of g(phi(s_t), phi(s_t+1)) with a_t         (equations 2 and 3)
        L_F = mean of (f(phi(s_t), a_t) - phi(s_t+1))^2                 (equations 4 and 5)
        r_t = scale * mean of (f(phi(s_t), a_t) - phi(s_t+1))^2         (equation 6)

    As in the published baseline on Craftax, the features learn from the inverse model alone, both losses have
    the weight 1, and means take the place of halved sums. An episode's last transition teaches and earns
    nothing: what follows it belongs to another episode.
    """

    def __init__(self, features: Features, size: int, actions: int, *, width: int, scale: float) -> None:
        """Put the two models on features.

        Args:
            features: phi, of `size` numbers.
            size: of the features.
            actions: there are to take.
            width: of the models' three hidden layers.
            scale: of the reward.
        """
        super().__init__()
        self.features = features
        self.actions = actions
        self.scale = scale
        hidden = (width, width, width)
        self.forward_model = tower((size + actions, *hidden, size), act="relu", gain=2**0.5, last=1.0)
        self.inverse_model = tower((2 * size, *hidden, actions), act="relu", gain=2**0.5, last=1.0)

    @torch.no_grad()
    def reward(self, stretch: Stretch) -> Tensor:
        """How far the features after each step are from those foreseen; see `Bonus.reward`."""
        features = self.features(stretch.observations)
        return self.scale * self._surprise(features[:-1], stretch.actions, features[1:]) * ~stretch.ended

    def loss(self, transitions: Transitions) -> Tensor:
        """The inverse model's and the forward model's; see `Bonus.loss`."""
        before, after = self.features(transitions.observation), self.features(transitions.following)
        logits = self.inverse_model(torch.cat([before, after], -1))
        inverse = nn.functional.cross_entropy(logits, transitions.action, reduction="none")
        forward = self._surprise(before.detach(), transitions.action, after.detach())
        return mean_where(inverse + forward, ~transitions.ended)

    def _surprise(self, before: Tensor, action: Tensor, after: Tensor) -> Tensor:
        """Mean squared error of the forward model, [...] for features [..., size]."""
        one_hot = nn.functional.one_hot(action, self.actions).to(before.dtype)
        foreseen: Tensor = self.forward_model(torch.cat([before, one_hot], -1))
        return (foreseen - after).square().mean(-1)
