"""One renderer for many sessions: blocks wait in bounded queues and are rendered in batches.

The rule for what is late: every block is rendered, in order, since later ones build on it; none is skipped. A
block is due one block's duration after it was offered. If it comes later, its frames come with the number of
seconds they are late, and whoever shows them holds the last frame meanwhile. A world that runs ahead finds
its queue full and is refused, before it runs ahead further.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from garten.errors import RenderError
from garten.renderer.session import Session, advance_together
from garten.scene import Condition


@dataclass(frozen=True)
class Served:
    """A rendered block."""

    name: Hashable  # of the session
    frames: NDArray[np.uint8]  # [n, H, W, 3]
    wall_late: float  # seconds after it was due; 0 if it was in time


@dataclass
class _Seat:
    session: Session
    waiting: deque[tuple[Sequence[Condition], float]]  # geometry, and when it was offered


class Server:
    """Sessions by name, each with its own queue; whoever has it calls `serve` in a loop, in one thread."""

    def __init__(
        self, *, queue: int = 2, batch: int = 16, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """A server without sessions.

        Args:
            queue: blocks of a session that may wait.
            batch: sessions that are rendered at once, at most.
            clock: tells seconds.
        """
        self._queue, self._batch, self._clock = queue, batch, clock
        self._seats: dict[Hashable, _Seat] = {}

    def join(self, name: Hashable, session: Session) -> None:
        """Serve a session that has started; all are of one renderer.

        Raises:
            RenderError: the name is taken, or the session is another renderer's or has not started.
        """
        if not session.started:
            raise RenderError("The session has no reference frame yet; start it before it joins.")
        if name in self._seats:
            raise RenderError(f"A session {name!r} is served already; choose another name.")
        if any(seat.session.renderer is not session.renderer for seat in self._seats.values()):
            raise RenderError("A server has one renderer; start another server for this session's.")
        self._seats[name] = _Seat(session, deque())

    def leave(self, name: Hashable) -> None:
        """Serve a session no longer; what waits of it is dropped."""
        del self._seats[name]

    def waiting(self, name: Hashable) -> int:
        """How many blocks of a session wait."""
        return len(self._seats[name].waiting)

    def offer(self, name: Hashable, conditions: Sequence[Condition]) -> bool:
        """Hand in the geometry of a session's next block; false, and nothing happened, if its queue is full.

        Raises:
            RenderError: an image has another size, or these are not the frames of a block.
        """
        seat = self._seats[name]
        seat.session.check_block(conditions)
        if len(seat.waiting) >= self._queue:
            return False
        seat.waiting.append((conditions, self._clock()))
        return True

    def serve(self) -> list[Served]:
        """Render the next block of the sessions that have waited longest, one of each, as one batch."""
        ready = [item for item in self._seats.items() if item[1].waiting]
        ready.sort(key=lambda item: item[1].waiting[0][1])
        chosen = ready[: self._batch]
        if not chosen:
            return []
        blocks = [seat.waiting.popleft() for _, seat in chosen]
        frames = advance_together([seat.session for _, seat in chosen], [block for block, _ in blocks])
        now = self._clock()
        return [
            Served(name, made, max(0.0, now - offered - seat.session.settings.block_seconds))
            for (name, seat), made, (_, offered) in zip(chosen, frames, blocks, strict=True)
        ]
