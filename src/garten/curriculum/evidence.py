"""What is known of a level: how its last trainings went, the later the more they count.

A cycle on a laptop finishes a handful of episodes of a level. One look at three of them says little about
success, and the policy of long ago was another one: what lies between is a mean that forgets.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from garten.domain import Performance


def pooled(history: Sequence[tuple[int, Performance]], *, keep: float) -> Performance:
    """One performance from those of several cycles, each weighted by its episodes.

    Args:
        history: cycles and how the level went in them, in their order, at least one.
        keep: weight of an episode for each cycle that has passed since; 0 for the last cycle alone.

    Returns:
        The weighted means; its number of episodes is the sum of the weights, rounded. If nothing that counts
        finished, the last performance.
    """
    now, last = history[-1]
    weights = [keep ** (now - cycle) * went.episodes for cycle, went in history]
    counted = [(weight, went) for weight, (_, went) in zip(weights, history, strict=True) if weight]
    total = sum(weights)
    if not counted:
        return last

    def mean(values: Iterable[float | None]) -> float:
        return (
            sum(weight * (value or 0.0) for (weight, _), value in zip(counted, values, strict=True)) / total
        )

    names = sorted({name for _, went in counted for name in went.achievements})
    return Performance(
        success=mean(went.success for _, went in counted),
        achievements={name: mean(went.achievements.get(name) for _, went in counted) for name in names},
        episodes=max(1, round(total)),
        mean_length=mean(went.mean_length for _, went in counted),
        mean_return=mean(went.mean_return for _, went in counted),
    )
