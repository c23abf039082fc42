"""Craftax as a stage for Dreaming in Code."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from garten.craftax.env import Env
from garten.craftax.full.tables import Achievement
from garten.curriculum.gate import Trial
from garten.curriculum.stage import Lanes, Trials, Weights
from garten.curriculum.tryout import agent_trial
from garten.levels.domain import CraftaxDomain
from garten.levels.lanes import assign
from garten.training.agents import agent_of
from garten.training.config import Config
from garten.training.saved import policy_from


class CraftaxStage:
    """A `Stage`."""

    achievements: Sequence[str] = tuple(each.name for each in Achievement)

    def __init__(self, domain: CraftaxDomain) -> None:
        """Put levels of this domain on lanes."""
        self._domain = domain

    def limit(self, env: Env) -> int:
        """See `Stage.limit`."""
        return int(env.engine.settings.read("max_timesteps").max())

    def put(
        self,
        env: Env,
        sources: Sequence[str],
        lanes: Lanes,
        *,
        bonus: float,
        limits: npt.NDArray[np.int32],
    ) -> None:
        """See `Stage.put`."""
        assign(env, [self._domain.level(source) for source in sources], lanes, bonus=bonus)
        env.set(max_timesteps=limits)


def craftax_trials(config: Config, domain: CraftaxDomain) -> Trials:
    """Trials by the policy of a run, in levels that this domain reads."""

    def trial(weights: Weights, seed: int) -> Trial:
        agent = agent_of(policy_from(weights, config), config, name="the run", steps=0)
        return agent_trial(agent, domain.level, seed=seed)

    return trial
