"""What every exploration bonus is: a second reward that training adds to that of the game.

After a rollout, training asks `reward` for all of it at once, in order; then it goes over the transitions in
minibatches, and minimises `loss` with an optimiser of the bonus's own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

from torch import Tensor, nn

from garten.policies.policy import Observation


class Stretch(NamedTuple):
    """What happened in a rollout, as a bonus may see it.

    Attributes:
        observations: leading axes [steps + 1, lanes]; the last one follows the last step.
        actions: int64 [steps, lanes], each taken on the observation of the same index.
        begun: bool [steps + 1, lanes], whether an observation is the first of its episode.
    """

    observations: Observation
    actions: Tensor
    begun: Tensor

    @property
    def ended(self) -> Tensor:
        """Whether each transition was the last of its episode, bool [steps, lanes].

        The observation after it is then the first of another one.
        """
        return self.begun[1:]


class Transitions(NamedTuple):
    """A minibatch of transitions, in any order.

    Attributes:
        observation: leading axis [n].
        action: int64 [n].
        following: leading axis [n], the observation after it, of another episode where `ended`.
        ended: bool [n].
        place: int64 [n], where each lies in the rollout: step * lanes + lane.
    """

    observation: Observation
    action: Tensor
    following: Observation
    ended: Tensor
    place: Tensor


class Bonus(nn.Module, ABC):
    """An exploration bonus.

    What it must keep from rollout to rollout (running statistics, what each lane has seen of its episode)
    lives in buffers, so that checkpoints hold it.
    """

    @abstractmethod
    def reward(self, stretch: Stretch) -> Tensor:
        """The bonus of each transition, float32 [steps, lanes], without gradients, scaled ready to be added.

        Called once for each rollout, in order.
        """

    @abstractmethod
    def loss(self, transitions: Transitions) -> Tensor:
        """What the bonus's own networks minimise: a scalar."""

    def advantage(self, stretch: Stretch, reward: Tensor) -> Tensor | None:
        """Advantages [steps, lanes] by a critic of the bonus's own, which are added to those of the game.

        Called after `reward`, with what it returned. None, the default, adds the reward to that of the game
        instead. A bonus with a critic keeps the targets until the next rollout; its `loss` finds them by
        `Transitions.place`.
        """
        return None
