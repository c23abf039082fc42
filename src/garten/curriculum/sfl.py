"""Sampling for learnability: lanes play the levels at which the policy sometimes succeeds.

(Rutherford et al. 2024.) Every so many periods the policy, as it is then, tries many new levels outside its
training; those whose success is the least certain are kept until the next search.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from garten import seeds
from garten.craftax.env import Env
from garten.curriculum.periods import NOWHERE, Batch, L, Levels, Periodic
from garten.curriculum.scores import learnability, released_learnability
from garten.curriculum.trials import Trials, try_levels
from garten.policies.policy import Policy
from garten.runs.codec import to_json
from garten.training.agents import Agent
from garten.training.curricula import SFLSettings


class LearnableLevels(Periodic[L]):
    """Levels found by trying.

    Attributes:
        found: those that the last search kept, the most learnable first.
        scores: float64 [found], theirs.
    """

    def __init__(
        self,
        levels: Levels[L],
        settings: SFLSettings,
        *,
        agent_of: Callable[[Policy], Agent],
        seed: int,
    ) -> None:
        """Search when first asked.

        Args:
            levels: the kind of level.
            settings: how.
            agent_of: makes of the policy one that can play.
            seed: of everything drawn.
        """
        super().__init__(levels, rollouts=settings.rollouts, seed=seed)
        self._settings, self._agent_of = settings, agent_of
        self.found: list[L] = []
        self.scores = np.zeros(0)
        self._trial_steps = 0

    def choose(self, random: np.random.Generator, count: int, *, period: int, policy: Policy) -> Batch[L]:
        """Levels found, each as likely as another, for most lanes; new ones for the others."""
        if period % self._settings.refresh == 0:
            self._search(random, period, self._agent_of(policy))
        levels = self.propose(random, count)
        for lane in range(round(self._settings.share * count)):
            levels[lane] = self.found[random.integers(len(self.found))]
        return Batch(tuple(levels), "found", learn=True, places=NOWHERE)

    def told(self) -> dict[str, float]:
        """How learnable the levels were when they were found, and what all searches cost in steps."""
        return {"learnability": float(self.scores.mean()), "trial_steps": float(self._trial_steps)}

    def state(self) -> dict[str, Any]:
        """See `LevelSource.state`."""
        found = {"found": to_json(self.found), "found_scores": self.scores}
        return super().state() | found | {"trial_steps": self._trial_steps}

    def restore(self, state: dict[str, Any], env: Env) -> None:
        """See `LevelSource.restore`."""
        super().restore(state, env)
        self.found, self.scores = self.levels_from(state["found"]), np.array(state["found_scores"])
        self._trial_steps = state["trial_steps"]

    def _search(self, random: np.random.Generator, period: int, agent: Agent) -> None:
        """Try new levels and keep the most learnable."""
        settings = self._settings
        candidates = self.propose(random, settings.candidates)
        trials = try_levels(
            agent,
            self._levels,
            candidates,
            attempts=settings.attempts,
            steps=settings.attempt_steps,
            seed=seeds.derive(self._seed, "search", period),
        )
        scores = self._scores(trials)
        best = np.argsort(-scores, kind="stable")[: settings.kept]
        self.found, self.scores = [candidates[place] for place in best], scores[best]
        self._trial_steps += trials.steps

    def _scores(self, trials: Trials) -> npt.NDArray[np.float64]:
        if self._settings.score == "released":
            return released_learnability(trials.returns)
        return learnability(trials.successes)
