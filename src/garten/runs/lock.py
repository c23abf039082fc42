"""One writer at a time; the kernel lets go of the lock when its holder dies, however it dies."""

from __future__ import annotations

import json
import os
import platform
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

from garten.errors import RunError
from garten.runs.codec import dump
from garten.runs.folder import LOCK_FILES
from garten.runs.storage import explained, write_atomic


class RunLock:
    """The right to write to a run; readers need none.

    Worker processes forked by the holder do not share the lock, so they cannot keep it when the holder dies.
    """

    def __init__(self, run: Path) -> None:
        """Take the lock at once.

        Raises:
            RunError: the run has a writer, or its folder cannot be written.
        """
        lock, holder = (run / name for name in LOCK_FILES)
        self._lock = FileLock(lock, timeout=0)
        with explained(run):
            try:
                self._lock.acquire()
            except Timeout as error:
                user = _describe(holder)
                raise RunError(
                    f"The run {run} is in use by {user}; wait until it ends or choose another --name."
                ) from error
        try:
            # Who holds it, for the sentence above; the lock itself is the kernel's.
            write_atomic(holder, dump({"host": {"name": platform.node(), "pid": os.getpid()}}))
        except BaseException:
            self._lock.release()
            raise

    def release(self) -> None:
        """Let go of the lock."""
        self._lock.release()


def _describe(holder: Path) -> str:
    with suppress(OSError, ValueError, KeyError, TypeError):
        host = json.loads(holder.read_bytes())["host"]
        return f"process {host['pid']} on {host['name']}"
    return "another process"
