"""How a run of training went: its updates, drawn together into phases."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from garten.runs.events import read_events
from garten.runs.folder import RunFolder

TARGET_EPISODES, TARGET_RETURN = "target_episodes", "target_return"
"""What a curriculum that has other levels beside the target game tells of episodes in that alone."""


@dataclass(frozen=True)
class Phase:
    """Some updates, one after the other.

    Attributes:
        steps: of training at their end.
        episodes: that finished in them, in the target game if lanes play other things too.
        mean_return: of those; None without any.
        steps_per_second: of wall time.
        seconds: of wall time, by what they were spent on: "engine", "inference", "learning", "levels" (what
            chooses them, waiting for new ones included), "other".
    """

    steps: int
    episodes: int
    mean_return: float | None
    steps_per_second: float
    seconds: Mapping[str, float]


def history(run: RunFolder, *, phases: int = 100) -> list[Phase]:
    """A run's updates so far as at most so many phases of equal numbers of updates.

    Raises:
        RunError: the log cannot be read.
    """
    updates = [event.data for event in read_events(run.path) if event.kind == "update"]
    count = min(phases, len(updates))
    parts = [
        updates[part[0] : part[-1] + 1]
        for part in np.array_split(np.arange(len(updates)), count or 1)
        if len(part)
    ]
    begun = [0, *(part[-1]["steps"] for part in parts)]
    return [_phase(part, after=start) for part, start in zip(parts, begun, strict=False)]


def target_return(update: Mapping[str, Any]) -> tuple[int, float]:
    """How many episodes of the target game finished in an update, by its event, and their mean return."""
    levels = update.get("levels", {})
    if TARGET_EPISODES in levels:
        return int(levels[TARGET_EPISODES]), levels.get(TARGET_RETURN, 0.0)
    return update["episodes"], update.get("return", 0.0)


def _phase(updates: Sequence[dict[str, Any]], *, after: int) -> Phase:
    """Draw updates together that begin after so many steps."""
    returns = [target_return(update) for update in updates]
    episodes = sum(count for count, _ in returns)
    total = sum(count * mean for count, mean in returns)
    steps = int(updates[-1]["steps"])
    seconds = sum(update["wall_seconds"] for update in updates)
    parts: defaultdict[str, float] = defaultdict(float)
    for update in updates:
        for name, spent in update.get("wall_parts", {}).items():
            parts[name] += spent
    return Phase(
        steps,
        episodes,
        total / episodes if episodes else None,
        (steps - after) / max(seconds, 1e-9),
        {**parts, "other": seconds - sum(parts.values())},
    )
