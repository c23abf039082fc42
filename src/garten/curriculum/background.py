"""Work beside training: one piece at a time, in a thread, whose result is fetched where it is due.

What goes wrong in the thread comes back as the error it raised and stops nobody. A piece that takes too long
is left behind: its result is dropped, and none is begun before it ends.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, NoReturn, TypeVar

R = TypeVar("R")


@dataclass(frozen=True)
class Fetched(Generic[R]):
    """What came of a piece of work.

    Attributes:
        result: of it; None if there is none.
        problem: why there is none, in a sentence; empty if there is one.
        waited: seconds spent waiting for it.
    """

    result: R | None
    problem: str
    waited: float


class Background(Generic[R]):
    """A thread beside the one that trains."""

    def __init__(self) -> None:
        """Rest."""
        self._work: _Work[R] | None = None
        self._left_behind: _Work[R] | None = None

    def begin(self, work: Callable[[], R]) -> None:
        """Begin a piece of work; the result of the one before must have been fetched."""
        assert self._work is None, "one piece of work at a time"
        behind = self._left_behind
        self._work = _Work(work if behind is None or behind.over else _still_busy)
        self._work.start()

    def fetch(self, *, patience: float) -> Fetched[R]:
        """Wait for the work at hand, at most so many seconds, and have what came of it."""
        work, began = self._work, time.perf_counter()
        assert work is not None, "there is no work to wait for"
        work.join(patience)
        self._work = None
        waited = time.perf_counter() - began
        if not work.over:
            self._left_behind = work
            return Fetched(None, f"Nothing was ready after {patience:g} s of waiting.", waited)
        if work.error is not None:
            return Fetched(None, f"{type(work.error).__name__}: {work.error}", waited)
        return Fetched(work.result, "", waited)

    def close(self, *, patience: float) -> None:
        """Wait for the work at hand to end, at most so many seconds, and drop what comes of it."""
        if self._work is not None:
            self._work.join(patience)
            self._work = None


class _Work(threading.Thread, Generic[R]):
    """One piece of work; a daemon, so that one that hangs does not keep the program from ending."""

    def __init__(self, work: Callable[[], R]) -> None:
        super().__init__(name="garten-background", daemon=True)
        self._call = work
        self.result: R | None = None
        self.error: BaseException | None = None

    @property
    def over(self) -> bool:
        return not self.is_alive()

    def run(self) -> None:
        try:
            self.result = self._call()
        except BaseException as error:  # whatever it is, it must not stop training
            self.error = error


def _still_busy() -> NoReturn:
    raise RuntimeError("The work begun before is not over yet.")
