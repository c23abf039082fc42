"""Processes that train together, each on its share of the work; `torchrun` starts them.

What they find is added up, so that weights change as if one process did all the work. A process alone is a
team of one. PyTorch is loaded by whoever is in a team, not by this module.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from garten.errors import RunError

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Team:
    """A process's place among those that train together.

    Attributes:
        rank: its number; 0 writes the run.
        size: how many there are.
    """

    rank: int = 0
    size: int = 1

    def share(self, count: int, *, what: str, setting: str) -> range:
        """Which of so many things are this process's.

        Args:
            count: how many there are, numbered from 0.
            what: they are called.
            setting: that says how many.

        Raises:
            RunError: they cannot be dealt evenly.
        """
        if count % self.size:
            raise RunError(
                f"{count} {what} cannot be dealt evenly to {self.size} processes; set {setting} to a "
                f"multiple of {self.size}."
            )
        each = count // self.size
        return range(self.rank * each, (self.rank + 1) * each)

    def add_up(self, tensor: Tensor) -> Tensor:
        """The sum of this tensor over all processes, written in its place."""
        if self.size > 1:
            from torch import distributed

            distributed.all_reduce(tensor)
        return tensor

    def sum(self, value: float) -> float:
        """The sum of this number over all processes."""
        if self.size == 1:
            return value
        import torch

        return float(self.add_up(torch.tensor(value, dtype=torch.float64)))

    def meet(self) -> None:
        """Wait until all processes are here."""
        self.sum(0.0)

    def any(self, flag: bool) -> bool:
        """Whether a process says so."""
        return self.sum(float(flag)) > 0


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
    from torch import distributed

    distributed.init_process_group("gloo")
    try:
        yield Team(distributed.get_rank(), distributed.get_world_size())
    finally:
        distributed.destroy_process_group()
