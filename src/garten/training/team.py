"""Processes that train one policy together, each with its share of the lanes; `torchrun` starts them.

No experience changes hands. All processes deal the joint rollout to the same minibatches, each works out the
part of a minibatch that lies in its own lanes, and what they find is added up, so that the policy changes as
if one process had all lanes. A process alone is a team of one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import Tensor, distributed

from garten.errors import RunError


@dataclass(frozen=True)
class Team:
    """A process's place among those that train together.

    Attributes:
        rank: its number; 0 writes the run.
        size: how many there are.
    """

    rank: int = 0
    size: int = 1

    def share(self, lanes: int) -> range:
        """Which of so many lanes are this process's.

        Raises:
            RunError: they cannot be dealt evenly.
        """
        if lanes % self.size:
            raise RunError(
                f"{lanes} lanes cannot be dealt evenly to {self.size} processes; set rollout.lanes to a "
                f"multiple of {self.size}."
            )
        each = lanes // self.size
        return range(self.rank * each, (self.rank + 1) * each)

    def add_up(self, tensor: Tensor) -> Tensor:
        """The sum of this tensor over all processes, written in its place."""
        if self.size > 1:
            distributed.all_reduce(tensor)
        return tensor

    def any(self, flag: bool) -> bool:
        """Whether a process says so."""
        return bool(self.add_up(torch.tensor(int(flag))) > 0)


ALONE = Team()


def started_size() -> int:
    """How many processes `torchrun` started together; 1 without it."""
    return int(os.environ.get("WORLD_SIZE", "1"))


@contextmanager
def joined() -> Iterator[Team]:
    """Meet the processes that `torchrun` started with this one."""
    if started_size() == 1:
        yield ALONE
        return
    distributed.init_process_group("gloo")
    try:
        yield Team(distributed.get_rank(), distributed.get_world_size())
    finally:
        distributed.destroy_process_group()
