"""When long training stops before its end."""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_log = logging.getLogger(__name__)


class Stop:
    """Says when to stop: the time is up, or Ctrl-C was pressed; pressed again, it interrupts at once.

    Attributes:
        pressed: whether Ctrl-C was.
    """

    def __init__(self, minutes: float | None) -> None:
        """Stop after so many minutes, if at all."""
        self.pressed = False
        self._end = None if minutes is None else time.monotonic() + 60.0 * minutes

    def __call__(self) -> bool:
        """Whether to stop now."""
        return self.pressed or (self._end is not None and time.monotonic() >= self._end)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Listen for Ctrl-C while the context lasts."""
        before = signal.getsignal(signal.SIGINT)

        def press(number: int, frame: FrameType | None) -> None:
            self.pressed = True
            signal.signal(signal.SIGINT, before)
            _log.info("Stopping after this update; Ctrl-C again stops at once.")

        signal.signal(signal.SIGINT, press)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
