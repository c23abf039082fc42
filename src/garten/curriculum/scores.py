"""How much a policy may still learn from a level, judged by how it went there.

Arrays are [steps, lanes], what happened in a window of several rollouts that begins with a new episode in
each lane. Only episodes that ended within it count; a lane without one scores minus infinity.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating[Any]]
Bools = npt.NDArray[np.bool_]


def episode_means(values: Floats, ended: Bools) -> npt.NDArray[np.float64]:
    """For each lane, the mean over its finished episodes of the mean over an episode's steps, [lanes].

    Args:
        values: what is averaged.
        ended: whether a step was the last of its episode.
    """
    totals, lengths = _of_episodes(values, ended), _of_episodes(np.ones_like(values), ended)
    means = np.divide(totals, lengths, out=np.zeros_like(totals), where=lengths > 0)
    episodes = ended.sum(0)
    return np.where(episodes > 0, means.sum(0) / np.maximum(episodes, 1), -np.inf)


def best_returns(rewards: Floats, ended: Bools, before: Floats) -> npt.NDArray[np.float64]:
    """The greatest return of each lane's finished episodes and of those `before`, [lanes]."""
    returns = np.where(ended, _of_episodes(rewards, ended), -np.inf)
    best: npt.NDArray[np.float64] = np.maximum(returns.max(0, initial=-np.inf), before)
    return best


def max_mc(values: Floats, ended: Bools, best: Floats) -> npt.NDArray[np.float64]:
    """How far the critic's estimates lie below the best return so far (Jiang et al. 2021b, MaxMC), [lanes].

    Args:
        values: the critic's estimates.
        ended: whether a step was the last of its episode.
        best: the greatest return of each lane's level so far, as `best_returns` says.
    """
    return episode_means(np.where(np.isfinite(best), best, 0.0) - values, ended)


def positive_value_loss(advantages: Floats, ended: Bools) -> npt.NDArray[np.float64]:
    """The mean advantage, those below 0 counted as 0 (Jiang et al. 2021b, PVL), [lanes]."""
    return episode_means(np.maximum(advantages, 0.0), ended)


def learnability(successes: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """How uncertain success is: p (1 - p), summed over what can succeed (Rutherford et al. 2024), [levels].

    A level with a goal has one thing that can succeed; the plain game has its achievements.

    Args:
        successes: [attempts, levels, things].
    """
    chance = successes.mean(0)
    total: npt.NDArray[np.float64] = (chance * (1.0 - chance)).sum(-1)
    return total


def released_learnability(returns: Floats) -> npt.NDArray[np.float64]:
    """What released code computes in place of `learnability`, [levels].

    The standard error of a level's mean return, times the normal density of that mean among all levels' (the
    usual more than the extreme), and a little for the return itself.

    Args:
        returns: [attempts, levels].
    """
    attempts, means = len(returns), returns.mean(0)
    error = returns.std(0) / np.sqrt(attempts)
    spread = max(float(means.std()), 1e-6)
    density = np.exp(-0.5 * ((means - means.mean()) / spread) ** 2) / (np.sqrt(2.0 * np.pi) * spread)
    score: npt.NDArray[np.float64] = error * density + 1e-4 * means
    return score


def _of_episodes(values: Floats, ended: Bools) -> npt.NDArray[np.float64]:
    """Where an episode ends, the sum of its values; 0 elsewhere; [steps, lanes]."""
    sums = np.cumsum(values, 0, dtype=np.float64)
    before = np.maximum.accumulate(np.where(ended, np.arange(1, len(ended) + 1)[:, None], 0), 0)
    since = np.concatenate([np.zeros_like(before[:1]), before[:-1]])  # where the episode of a step begins
    padded = np.concatenate([np.zeros_like(sums[:1]), sums])
    return np.where(ended, sums - np.take_along_axis(padded, since, 0), 0.0)
