"""Where a policy trains: an engine as training sees it; Craftax is the one that comes along.

Another engine trains by the same loop, networks, runs and curricula once it has these two: lanes that can be
begun anew, and what there is to know of them before the first step. ``docs/domains.md`` makes one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from garten.policies.policy import Policy
from garten.policies.shape import Shape
from garten.runs.events import Event
from garten.runs.resume import RunWriter
from garten.runs.team import Team
from garten.training.config import Config
from garten.training.lanes import Lanes

E_co = TypeVar("E_co", covariant=True)


class EngineLanes(Lanes, Protocol[E_co]):
    """Lanes whose worlds sources of levels choose."""

    @property
    def env(self) -> E_co:
        """What a `LevelSource` sets."""

    def reset(self, lanes: npt.NDArray[np.bool_], *, seed: int) -> None:
        """Begin new worlds, drawn from a seed, in some lanes, bool [lanes]."""


class Arena(Protocol[E_co]):
    """An engine."""

    def shape(self, config: Config) -> Shape:
        """What a policy observes and can do.

        Raises:
            RunError: the engine has no such game.
        """

    def achievements(self, config: Config) -> Sequence[str]:
        """Names, in the order of `Episodes.achievements`."""

    def begin(self, config: Config, *, device: str, threads: int, team: Team) -> EngineLanes[E_co]:
        """This process's share of the lanes, in worlds drawn from the run's seed.

        Raises:
            RunError: the lanes cannot be shared so.
        """

    def evaluate(self, run: RunWriter, policy: Policy, config: Config, *, steps: int, threads: int) -> Event:
        """Evaluate a policy that was trained for so many steps, and tell the run of it.

        Raises:
            RunError: the policy gives what is no number, or the run cannot be written.
        """
