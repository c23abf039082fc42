"""Curves for TensorBoard, beside the run's own events."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from garten.training.learner import Update

FOLDER = "tensorboard"
"""Of a run."""

_log = logging.getLogger(__name__)


class Board:
    """Writes scalars where TensorBoard finds them; does nothing where it is not installed."""

    def __init__(self, run: Path, *, steps: int) -> None:
        """Write into a run's folder from so many steps on; later values of an earlier attempt are dropped."""
        self._writer: Any = None
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:
            _log.debug("TensorBoard is not installed; there will be no curves for it.")
            return
        self._writer = SummaryWriter(str(run / FOLDER), purge_step=steps)

    def add(self, values: dict[str, float], *, steps: int) -> None:
        """Write values by name, reached after so many steps."""
        if self._writer is not None:
            for name, value in values.items():
                self._writer.add_scalar(name, value, steps)

    def close(self) -> None:
        """Finish writing."""
        if self._writer is not None:
            self._writer.close()


def curves(update: Update, levels: Mapping[str, float]) -> dict[str, float]:
    """What an update and what was said of its levels have to show."""
    episodes = update.report.episodes
    shown = {f"learning/{name}": value for name, value in update.metrics.items()}
    shown |= {f"levels/{name}": value for name, value in levels.items()}
    if len(episodes.lane):
        shown["episodes/return"] = float(episodes.episode_return.mean())
        shown["episodes/length"] = float(episodes.length.mean())
        shown["episodes/achievements"] = float(episodes.achievements.sum(1).mean())
    return shown
