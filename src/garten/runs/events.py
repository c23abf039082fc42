"""The append-only log of a run: one line of JSON for each event, in the order in which they happened."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from garten.errors import RunError
from garten.runs.codec import dump_line, from_json, timeless, to_json
from garten.runs.folder import now
from garten.runs.storage import explained

EVENTS = "events.jsonl"


@dataclass(frozen=True)
class Event:
    """One thing that happened."""

    number: int  # 0, 1, 2 ...
    kind: str
    data: dict[str, Any]  # JSON types
    time: str  # when, ISO 8601 in UTC


def read_events(run: Path) -> Iterator[Event]:
    """The events of a run, also while it is being written; a torn last line is left out.

    Raises:
        RunError: the log cannot be read, or a line of it is damaged.
    """
    log = run / EVENTS
    yield from parse_events(log, complete_lines(log), first=0)


def complete_lines(log: Path) -> bytes:
    """What a log holds up to its last newline; what follows it is a line still being written, or torn.

    Raises:
        RunError: the log cannot be read.
    """
    with explained(log, "read"):
        content = log.read_bytes() if log.exists() else b""
    return content[: content.rfind(b"\n") + 1]


def parse_events(log: Path, lines: bytes, *, first: int) -> Iterator[Event]:
    """The events in complete lines of a log, the first of which must have the number `first`.

    Raises:
        RunError: a line is damaged; the message names it, counting from 1.
    """
    # bytes.splitlines would also split at a carriage return.
    for number, line in enumerate(lines.split(b"\n")[:-1], start=first):
        try:
            event = from_json(Event, json.loads(line))
            if event.number != number:
                raise ValueError(f"event {event.number} stands where {number} belongs")
        except (ValueError, RecursionError) as error:
            raise RunError(
                f"Line {number + 1} of {log} is damaged; restore the file from a copy or start a new run."
            ) from error
        yield event


class EventLog:
    """The log, open for writing; it belongs to the one process that holds the run's lock.

    A resumed run says again what it said before it was killed. `append` takes such an event as read, and
    refuses one that differs: the run would not be the run that was begun.
    """

    def __init__(self, run: Path) -> None:
        """Open the log, dropping a torn last line.

        Raises:
            RunError: a line is damaged, or the log cannot be written.
        """
        self._path = run / EVENTS
        lines = complete_lines(self._path)
        self._known = list(parse_events(self._path, lines, first=0))
        self._next = 0
        self._size = len(lines)
        with explained(self._path):
            self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
            os.ftruncate(self._descriptor, self._size)

    def append(self, kind: str, data: dict[str, Any]) -> Event:
        """Put an event on the log, or find it there.

        Raises:
            RunError: the disk is full (the log then ends with the event before), or a resumed run differs
                from what it was.
        """
        event = Event(self._next, kind, to_json(data), now())
        if self._next < len(self._known):
            event = self._recall(event)
        else:
            self._write(dump_line(event))
        self._next += 1
        return event

    @property
    def said(self) -> int:
        """How many events were appended, or found there."""
        return self._next

    def skip(self, count: int) -> None:
        """Take the first `count` events as said.

        Raises:
            RunError: the log has fewer.
        """
        if count > len(self._known):
            raise RunError(
                f"{self._path} ends before its checkpoint; restore the file from a copy or start a new run."
            )
        self._next = count

    def forget(self) -> None:
        """Take back the events on the log that were neither skipped nor said again.

        Raises:
            RunError: the log cannot be read or written.
        """
        lines = complete_lines(self._path).split(b"\n")[: self._next]
        with explained(self._path):
            self._size = sum(len(line) + 1 for line in lines)
            os.ftruncate(self._descriptor, self._size)
        del self._known[self._next :]

    def sync(self) -> None:
        """Have the disk hold every event so far."""
        with explained(self._path):
            os.fsync(self._descriptor)

    def close(self) -> None:
        """Have the disk hold every event, and close the log."""
        try:
            self.sync()
        finally:
            os.close(self._descriptor)

    def _recall(self, event: Event) -> Event:
        known = self._known[event.number]
        if (known.kind, timeless(known.data)) != (event.kind, timeless(event.data)):
            raise RunError(
                f"Event {event.number} of {self._path.parent} comes out differently than before; resume with "
                "the settings and the garten version it began with, or start a new run."
            )
        return known

    def _write(self, line: bytes) -> None:
        with explained(self._path):
            written = os.write(self._descriptor, line)
            if written < len(line):
                # Part of a line is worse than none: take it back before saying so.
                os.ftruncate(self._descriptor, self._size)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._size += written
