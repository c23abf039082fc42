"""How a run of training went: its updates, drawn together into phases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from garten.runs.events import read_events
from garten.runs.folder import RunFolder


@dataclass(frozen=True)
class Phase:
    """Some updates, one after the other.

    Attributes:
        steps: of training at their end.
        episodes: that finished in them.
        mean_return: of those; None without any.
        steps_per_second: of wall time.
    """

    steps: int
    episodes: int
    mean_return: float | None
    steps_per_second: float


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


def _phase(updates: Sequence[dict[str, Any]], *, after: int) -> Phase:
    """Draw updates together that begin after so many steps."""
    episodes = sum(update["episodes"] for update in updates)
    total = sum(update["episodes"] * update["return"] for update in updates if update["episodes"])
    steps = int(updates[-1]["steps"])
    seconds = sum(update["wall_seconds"] for update in updates)
    return Phase(
        steps, episodes, total / episodes if episodes else None, (steps - after) / max(seconds, 1e-9)
    )
