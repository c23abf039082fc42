"""Curves for TensorBoard, beside the run's own events."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

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

    def add(self, values: Mapping[str, float], *, steps: int) -> None:
        """Write values by name, reached after so many steps."""
        if self._writer is not None:
            for name, value in values.items():
                self._writer.add_scalar(name, value, steps)

    def close(self) -> None:
        """Finish writing."""
        if self._writer is not None:
            self._writer.close()
