"""ACCEL: levels just played again are edited, so that what is kept grows harder bit by bit.

(Parker-Holder et al. 2022.) The policy learns from new levels and from those played again, and never from
fresh edits: these are only scored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from garten.curriculum.periods import NOWHERE, Batch, L, Levels
from garten.curriculum.plr import LevelReplay
from garten.policies.policy import Policy
from garten.training.curricula import BufferSettings

Edit = Callable[[Sequence[L], np.random.Generator], list[L]]
"""Makes of each level another one that differs from it a little."""


class EditedReplay(LevelReplay[L]):
    """Level replay in which a period of edits follows each period of replay."""

    def __init__(
        self,
        levels: Levels[L],
        *,
        edit: Edit[L],
        rollouts: int,
        replay: float,
        score: Literal["max_mc", "pvl"],
        buffer: BufferSettings,
        seed: int,
    ) -> None:
        """Keep nothing yet; the settings are those of `ACCELSettings`."""
        super().__init__(
            levels, rollouts=rollouts, replay=replay, learn_new=True, score=score, buffer=buffer, seed=seed
        )
        self._edit = edit

    def choose(self, random: np.random.Generator, count: int, *, period: int, policy: Policy) -> Batch[L]:
        """Edits of what was just played again; else kept levels or new ones."""
        if self._batch is not None and self._batch.origin == "replayed":
            edits = self._edit(self._batch.levels, random)
            return Batch(tuple(edits), "edited", learn=False, places=NOWHERE)
        return super().choose(random, count, period=period, policy=policy)
