"""What every policy is: an actor-critic with a memory, which may be empty.

Rollouts ask `step`, one transition of all lanes at a time; learning asks `unroll`, a stretch of many. Both
give the same numbers for the same input.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

import torch
from torch import Tensor, nn


class Observation(NamedTuple):
    """What a batch of lanes observes, as torch tensors; leading axes [lanes] or [steps, lanes].

    Attributes:
        cells: uint8 [..., rows, columns, bytes], the engine's codes of the view; or uint8
            [..., height, width, 3], pictures, for a policy that reads pixels.
        numbers: float32 [..., numbers], the engine's numbers of the body; empty with pictures.
        goal: float32 [..., achievements], what is asked for; [..., 0] if it is not told.
    """

    cells: Tensor
    numbers: Tensor
    goal: Tensor


class Output(NamedTuple):
    """What a policy says.

    Attributes:
        logits: float32 [..., actions], unnormalised log-probabilities.
        value: float32 [...], the expected return.
    """

    logits: Tensor
    value: Tensor


Memory = dict[str, Tensor]
"""What a policy remembers of each lane, by name; axis 0 of every tensor is the lane. Empty without memory."""


class Policy(nn.Module, ABC):
    """An actor-critic. Its constructor's settings, and only they, are what rebuilds it from a checkpoint."""

    @abstractmethod
    def initial_memory(self, lanes: int) -> Memory:
        """The memory of lanes at the start of an episode."""

    @abstractmethod
    def step(self, observation: Observation, memory: Memory, begun: Tensor) -> tuple[Output, Memory]:
        """Act in one step of a rollout, without gradients.

        Args:
            observation: leading axis [lanes].
            memory: as the last step left it; not changed in place.
            begun: bool [lanes], whether this observation is the first of an episode: the memory of such a
                lane is forgotten first.

        Returns:
            The output, and the memory for the next step.
        """

    def settle(self, memory: Memory) -> Memory:
        """What is left of a memory when the weights are about to change: what does not follow from them.

        A rollout settles its memory at its end; `step` and `unroll` take it on from there. By default, all of
        it is left.
        """
        return memory

    @abstractmethod
    def unroll(self, observations: Observation, memory: Memory, begun: Tensor) -> Output:
        """Go over a stretch of steps again, with gradients.

        Args:
            observations: leading axes [steps, lanes].
            memory: as it was before the first step of the stretch.
            begun: bool [steps, lanes], as in `step`.

        Returns:
            Outputs with leading axes [steps, lanes], equal to those of `step` one after the other.
        """


def sample(logits: Tensor, generator: torch.Generator) -> Tensor:
    """Draw actions, int64 [...], from logits [..., actions]."""
    probabilities = torch.softmax(logits, -1).flatten(0, -2)
    return torch.multinomial(probabilities, 1, generator=generator).reshape(logits.shape[:-1])
