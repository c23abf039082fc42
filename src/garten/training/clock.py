"""Where the time goes: seconds by what they were spent on."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Clock:
    """A clock that reads differently for each thing it times.

    Attributes:
        seconds: spent so far, by name.
    """

    def __init__(self, now: Callable[[], float] = time.perf_counter) -> None:
        """Read the time by `now`; benchmarks give `time.process_time`."""
        self._now = now
        self.seconds: defaultdict[str, float] = defaultdict(float)

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """Count what passes within the context as spent on `name`."""
        start = self._now()
        try:
            yield
        finally:
            self.seconds[name] += self._now() - start
