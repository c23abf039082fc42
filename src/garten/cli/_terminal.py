"""The terminal of a game: keys one by one without a busy loop, whole screens, everything restored at the end.

Signals that end the program come as `KeyboardInterrupt`, so that what is open can be finished.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType

import click

from garten.craftax.keyboard import ARROWS

try:
    import termios
    import tty
except ImportError:  # Windows
    _HAS_TERMINALS = False
else:
    _HAS_TERMINALS = True

_ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l"  # other screen, no cursor, no wrapping
_LEAVE = "\x1b[?7h\x1b[?25h\x1b[?1049l"


def require() -> None:
    """See that there is a terminal to play in.

    Raises:
        click.ClickException: there is none.
    """
    streams = sys.stdin.isatty() and sys.stdout.isatty()
    if not (_HAS_TERMINALS and streams and os.environ.get("TERM", "dumb") != "dumb"):
        raise click.ClickException(
            "There is no terminal to play in (standard input and output, on Linux or macOS); use one, or "
            "give the keys by --keys."
        )


class Terminal:
    """A context in which the terminal belongs to the game."""

    def __enter__(self) -> Terminal:
        """Take the terminal over."""
        self._input = sys.stdin.fileno()
        self._rest = ""
        self._woken, self._wake = os.pipe()
        self._handlers = {
            signal.SIGTERM: signal.signal(signal.SIGTERM, signal.default_int_handler),
            signal.SIGHUP: signal.signal(signal.SIGHUP, self._hung_up),
            signal.SIGWINCH: signal.signal(signal.SIGWINCH, self._resized),
        }
        self._modes = termios.tcgetattr(self._input)
        tty.setcbreak(self._input)
        modes = termios.tcgetattr(self._input)
        modes[6][termios.VSUSP] = b"\0"  # a suspended game would leave its screen behind
        termios.tcsetattr(self._input, termios.TCSADRAIN, modes)
        self._write(_ENTER)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give it back as it was."""
        with suppress(OSError, termios.error):  # the terminal may be gone
            termios.tcsetattr(self._input, termios.TCSAFLUSH, self._modes)
            self._write(_LEAVE)
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        os.close(self._woken)
        os.close(self._wake)

    @property
    def size(self) -> tuple[int, int]:
        """Columns and lines; 80 x 24 where the terminal does not know."""
        columns, lines = os.get_terminal_size(self._input)
        return (columns, lines) if columns and lines else (80, 24)

    def show(self, lines: Sequence[str]) -> None:
        """Replace what the screen shows."""
        self._write("\x1b[H" + "".join(f"{line}\x1b[K\r\n" for line in lines[:-1]) + f"{lines[-1]}\x1b[J")

    def read(self, *, seconds: float | None = None) -> str:
        """Wait for keys and return those pressed since, none if the terminal has another size now.

        Args:
            seconds: to wait for at most; for ever by default.

        Raises:
            KeyboardInterrupt: the terminal is gone.
        """
        ready, _, _ = select.select([self._input, self._woken], [], [], seconds)
        if self._woken in ready:
            os.read(self._woken, 1024)
        if self._input not in ready:
            return ""
        try:
            given = os.read(self._input, 1024)
        except OSError:
            given = b""
        if not given:
            raise KeyboardInterrupt
        keys, self._rest = decode(self._rest + given.decode("latin-1"))
        return keys

    def _resized(self, *_: object) -> None:
        os.write(self._wake, b"\0")

    def _hung_up(self, *_: object) -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # shells tell it again, while there is work to finish
        del self._handlers[signal.SIGHUP]
        raise KeyboardInterrupt

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()


def decode(given: str) -> tuple[str, str]:
    """The keys in what a terminal sent, and the beginning of an arrow key whose rest is still to come.

    Arrow keys are told as the keys they stand for; other sequences, and what is no printable ASCII, are left
    out.
    """
    keys: list[str] = []
    while given:
        if given in ("\x1b", "\x1b[", "\x1bO"):
            return "".join(keys), given
        if given[:2] in ("\x1b[", "\x1bO"):
            end = next((place for place, sign in enumerate(given[2:], 2) if "@" <= sign <= "~"), None)
            if end is None:
                return "".join(keys), given
            keys.append(ARROWS.get(given[end], "") if end == 2 else "")
            given = given[end + 1 :]
        else:
            keys.append(given[0] if " " <= given[0] <= "~" else "")
            given = given[1:]
    return "".join(keys), ""
