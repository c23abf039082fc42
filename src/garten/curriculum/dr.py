"""Domain randomisation: new levels for each period; nothing is kept."""

from __future__ import annotations

import numpy as np

from garten.curriculum.periods import NOWHERE, Batch, L, Periodic
from garten.policies.policy import Policy


class DomainRandomisation(Periodic[L]):
    """Every period all lanes get new levels (Tobin et al. 2017; in jaxued, replay with a chance of 0)."""

    def choose(self, random: np.random.Generator, count: int, *, period: int, policy: Policy) -> Batch[L]:
        """New levels."""
        return Batch(tuple(self.propose(random, count)), "new", learn=True, places=NOWHERE)
