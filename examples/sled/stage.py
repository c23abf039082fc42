"""Levels of the sled on lanes, tried by a policy, and all parts of Dreaming in Code put together."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

import numpy as np
import numpy.typing as npt
import torch

from garten.authors.rules import RulesAuthor
from garten.curriculum.dicode import DreamingInCode
from garten.curriculum.gate import Trial
from garten.curriculum.stage import Lanes, Trials, Weights
from garten.curriculum.workshop import Workshop
from garten.domain import Author, Finding, Reading
from garten.policies.settings import build
from garten.runs.resume import RunWriter
from garten.sandbox import Sandbox
from garten.training.config import Config
from garten.training.curricula import DiCodeSettings
from sled.arena import SledArena
from sled.domain import SledDomain
from sled.env import SledEnv
from sled.game import NAMES
from sled.kit import SledKit
from sled.level import LIMITS
from sled.play import play_once

TRIED, STEPS = 2, 20
"""Starts of each level that a policy tries, and for how many steps at most."""


class SledStage:
    """A `garten.curriculum.stage.Stage`."""

    achievements: Sequence[str] = NAMES

    def __init__(self, domain: SledDomain) -> None:
        """Put levels of this domain on lanes."""
        self._domain = domain

    def limit(self, env: SledEnv) -> int:
        """See `Stage.limit`."""
        return int(env.lanes["limit"].max())

    def put(
        self,
        env: SledEnv,
        sources: Sequence[str],
        lanes: Lanes,
        *,
        bonus: float,
        limits: npt.NDArray[np.int32],
    ) -> None:
        """See `Stage.put`."""
        env.put([self._domain.level(source) for source in sources], lanes, bonus=bonus, limits=limits)


def sled_trials(config: Config, domain: SledDomain) -> Trials:
    """Trials by the policy of a run: how often it met the goal is told, and nothing refused."""

    def trials(weights: Weights, seed: int) -> Trial:
        policy = build(config.network, SledArena().shape(config))
        policy.load_state_dict({name: torch.from_numpy(np.array(part)) for name, part in weights.items()})

        def trial(readings: Sequence[Reading]) -> list[Finding]:
            env = SledEnv(TRIED * len(readings), limit=STEPS)
            levels = [domain.level(reading.source) for reading in readings]
            env.put(levels, np.repeat(np.arange(len(levels)), TRIED), bonus=0.0)
            met = play_once(policy, env, seed=seed, told_goal=config.tell_goal)["success"]
            counts = met.reshape(-1, TRIED).sum(1)
            return [Finding("trial", True, f"goal met {count} times in {TRIED} starts") for count in counts]

        return trial

    return trials


def dreaming(config: Config, run: RunWriter, *, author: Author | None = None) -> DreamingInCode[SledEnv]:
    """Dreaming in Code for a run; close it when training is over.

    Args:
        config: of the run, with settings of Dreaming in Code.
        run: that is being written.
        author: of new levels; the rules with this domain's kit by default.
    """
    settings = config.curriculum
    assert isinstance(settings, DiCodeSettings)
    with ExitStack() as held:
        domain, beside = (SledDomain(held.enter_context(Sandbox(LIMITS))) for _ in range(2))
        workshop = Workshop(
            author or RulesAuthor(beside, SledKit()),
            beside,
            sled_trials(config, beside),
            goals_only=settings.goals_only,
        )
        bare = settings.simple_seeds or settings.goals_only
        return DreamingInCode(
            settings,
            config,
            run,
            seeds=domain.bare_seeds if bare else domain.seeds,
            domain=domain,
            stage=SledStage(domain),
            workshop=workshop,
            held=held.pop_all(),
        )
