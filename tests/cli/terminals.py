"""A command of ``garten`` in a pseudo-terminal, as a person at it meets it."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from pathlib import Path

from support import command

PATIENCE = 60.0  # seconds until something that must happen counts as missing


class Person:
    """Types into a terminal in which a command runs, and reads what it shows.

    Attributes:
        process: of the command.
        seen: all that the terminal was sent.
    """

    def __init__(self, *words: object, size: tuple[int, int] = (80, 24), cwd: Path, **variables: str) -> None:
        self.master, self._slave = pty.openpty()
        self.resize(*size)
        self.modes = termios.tcgetattr(self._slave)
        self.seen = ""
        self.process = subprocess.Popen(
            command(*words),
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            cwd=cwd,
            env={**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
            | variables,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # Ctrl-C and hanging up reach it
        )

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def type(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def sees(self, pattern: str) -> str:
        """Wait until the terminal shows something new that matches, and return all that came until then."""
        begin, patience = len(self.seen), time.monotonic() + PATIENCE
        while not re.search(pattern, plain(self.seen[begin:])):
            assert time.monotonic() < patience, f"no {pattern!r} in {plain(self.seen[begin:])!r}"
            self._read(0.1)
        return plain(self.seen[begin:])

    def hang_up(self) -> None:
        """Close the terminal's window."""
        os.close(self._slave)
        os.close(self.master)
        self.master = -1

    def leaves(self) -> int:
        """Wait for the end and return the exit status."""
        patience = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < patience, "it does not end"
            self._read(0.1)
        self._read(0.1)
        return self.process.returncode

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        if self.master >= 0:
            self.hang_up()

    def _read(self, seconds: float) -> None:
        if self.master < 0:
            time.sleep(seconds)
        elif select.select([self.master], [], [], seconds)[0]:
            self.seen += os.read(self.master, 1 << 16).decode(errors="replace")


def plain(text: str) -> str:
    """What a terminal shows, without the codes that colour and place it."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)
