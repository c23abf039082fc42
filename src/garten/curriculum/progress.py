"""Learning progress: is success on a level changing, or is it a matter of luck?

Learnability p (1 - p) is greatest where half of the episodes succeed, whether the policy is on its way or the
level is a coin flip that nobody can learn. Telling them apart takes more than one look: what is learnable
changes from cycle to cycle (Oudeyer et al. 2007; Kanitscheider et al. 2021; forgetting counts too).
"""

from __future__ import annotations

from collections.abc import Sequence

from garten.domain import Performance

ERRORS = 2.0
"""A change of success counts as far as it exceeds so many standard errors."""

WINDOW = 3
"""Earlier trainings that the last one is compared with."""


def progress_score(history: Sequence[Performance]) -> float:
    """Learnability by the last training, shrunk to the share of its change that is not luck.

    With c the change of success from up to `WINDOW` trainings before to the last one, and s its standard
    error, the score is p (1 - p) max(0, 1 - (`ERRORS` s / c) ** 2). A level with nothing to compare keeps its
    whole learnability: it gets the benefit of the doubt.

    Args:
        history: how the level went, in the order of cycles, at least once.
    """
    last, earlier = history[-1], [each for each in history[:-1] if each.success is not None][-WINDOW:]
    if last.success is None or not earlier:
        return last.learnability
    before = _pooled(earlier)
    now = last.success, last.episodes
    change = now[0] - before[0]
    if change == 0.0:
        return 0.0
    luck = _variance(*now) + _variance(*before)
    return last.learnability * max(0.0, 1.0 - ERRORS**2 * luck / change**2)


def _pooled(performances: Sequence[Performance]) -> tuple[float, int]:
    """Share of success and number of episodes over several trainings."""
    episodes = sum(each.episodes for each in performances)
    met = sum((each.success or 0.0) * each.episodes for each in performances)
    return met / episodes, episodes


def _variance(success: float, episodes: int) -> float:
    """Of a share that was measured on so many episodes.

    Agresti and Coull's estimate, for a share of 0 or 1 of few episodes is not certain.
    """
    share = (success * episodes + 2.0) / (episodes + 4.0)
    return share * (1.0 - share) / (episodes + 4.0)
