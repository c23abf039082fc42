"""Runs of ``garten practice`` as processes that are stopped from outside."""

import json
import os
import secrets
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from support import LANTERN, command

PATIENCE = 60.0  # seconds until something that must happen counts as missing
LEAVING = 5.0  # seconds in which the helpers of a killed process are gone
MARK = "GARTEN_TEST_MARK"
COUNTS = ("--rounds", 2, "--players", 2, "--games", 2, "--held-out", 1, "--size", "96x54", "--workers", 2)

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


class Practice:
    """A process of the run called "run" under `place`; it and its helpers are told by a mark."""

    def __init__(self, place: Path, *words: object) -> None:
        self.run = place / "runs" / "run"
        self.mark = secrets.token_hex(8)
        self.process = subprocess.Popen(
            command("practice", LANTERN, "--name", "run", "--json", *COUNTS, *words),
            cwd=place,
            env={**os.environ, MARK: self.mark},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,  # a process group of its own, as in a terminal
        )

    def wait_for_lock(self) -> bool:
        """Wait until the process writes the run; False if it ended first."""
        return self.wait_until(lambda: self.process.pid == _holder(self.run))

    def wait_until(self, there) -> bool:
        """Wait until something is there; False if the process ended first."""
        patience = time.monotonic() + PATIENCE
        while not there():
            if self.process.poll() is not None:
                return False
            assert time.monotonic() < patience, "the process neither works nor ends"
            time.sleep(0.01)
        return True

    def sleep(self, seconds: float) -> None:
        """Let the process work for so long, or until it ends."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)

    def interrupt(self) -> None:
        """Ctrl-C, as a terminal sends it: to every process of the group."""
        os.killpg(self.process.pid, signal.SIGINT)

    def end(self) -> tuple[int, str, str]:
        """Exit status and what was printed, once neither the process nor any helper is left."""
        out, err = self.process.communicate(timeout=PATIENCE)
        patience = time.monotonic() + LEAVING
        while left := self.helpers():
            assert time.monotonic() < patience, f"left behind: {left}"
            time.sleep(0.02)
        return self.process.returncode, out, err

    def helpers(self) -> list[int]:
        """Ids of the processes, other than the first, that bear the mark."""
        found = []
        for entry in Path("/proc").iterdir():
            try:
                if (
                    entry.name.isdigit()
                    and f"{MARK}={self.mark}".encode() in (entry / "environ").read_bytes()
                ):
                    found.append(int(entry.name))
            except OSError:  # it just ended, or belongs to somebody else
                continue
        return [pid for pid in found if pid != self.process.pid]

    def players(self) -> list[int]:
        """Ids of the helpers that play games."""
        commands = {pid: Path(f"/proc/{pid}/cmdline") for pid in self.helpers()}
        return [pid for pid, path in commands.items() if b"spawn_main" in path.read_bytes()]


def _holder(run: Path) -> int | None:
    try:
        pid: int = json.loads((run / ".lock.json").read_bytes())["host"]["pid"]
    except (OSError, ValueError):
        return None
    return pid
