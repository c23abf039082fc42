"""What Dreaming in Code asks of an engine beside its domain: levels on lanes, and trials by a policy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from garten.curriculum.gate import Trial
from garten.training.sources import Counted

E_contra = TypeVar("E_contra", bound=Counted, contravariant=True)

TARGET = -1
"""In place of a level's number: the target game, which is plain and has no goal."""

Lanes = npt.NDArray[np.int64]
"""For each lane the number of its level, or `TARGET`."""

Weights = Mapping[str, npt.NDArray[Any]]
"""Of a policy, by name."""

Trials = Callable[[Weights, int], Trial]
"""The trial of levels by a policy with these weights; all luck is drawn from the seed."""


class Stage(Protocol[E_contra]):
    """An engine on whose lanes levels of a domain are put."""

    @property
    def achievements(self) -> Sequence[str]:
        """Names, in the order of `garten.training.sources.Episodes.achievements`."""

    def limit(self, env: E_contra) -> int:
        """Steps of an episode in the target game, as lanes have it that were just made."""

    def put(
        self,
        env: E_contra,
        sources: Sequence[str],
        lanes: Lanes,
        *,
        bonus: float,
        limits: npt.NDArray[np.int32],
    ) -> None:
        """Give each lane what it plays from its next world on.

        Args:
            env: the lanes.
            sources: code of levels that the domain has read.
            lanes: which of them each lane plays.
            bonus: reward of meeting a level's goal, paid once an episode.
            limits: steps of an episode at most, [lanes].
        """
