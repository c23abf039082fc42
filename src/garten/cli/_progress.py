"""Live progress of long commands, on standard error: a bar in a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from garten.runs.events import Event

_LINE_SECONDS = 30.0
"""Between plain lines."""


class RunProgress:
    """What the progress of runs of all kinds shares: a bar, and lines that stay above it."""

    def __init__(self, console: Console, *columns: ProgressColumn) -> None:
        """Show a bar of these columns where the console is a terminal."""
        self._console = console
        self._bar = Progress(*columns, console=console, disable=not console.is_terminal)
        self._line_at = time.monotonic() + _LINE_SECONDS

    def begin(self, line: str) -> None:
        """Say what is about to happen."""
        self._say(line)

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show the bar while the context lasts."""
        with self._bar:
            yield

    def _say(self, line: str) -> None:
        self._console.print(line, highlight=False)

    def _say_at_times(self, line: Callable[[], str]) -> None:
        """Say it where no bar does, unless something was said so a short while ago."""
        if not self._console.is_terminal and time.monotonic() >= self._line_at:
            self._line_at = time.monotonic() + _LINE_SECONDS
            self._say(line())


class TimeLeft(ProgressColumn):
    """The time until the steps are done or the time is up, whichever comes first."""

    max_refresh = 0.5

    def __init__(self, minutes: float | None) -> None:
        """Count from now on, if the time is bounded at all."""
        super().__init__()
        self._end = None if minutes is None else time.monotonic() + 60.0 * minutes

    def render(self, task: Task) -> Text:
        """Hours if there are any, minutes and seconds."""
        left = [] if task.time_remaining is None else [task.time_remaining]
        if self._end is not None:
            left.append(max(0.0, self._end - time.monotonic()))
        if not left:
            return Text("--:--")
        minutes, seconds = divmod(int(min(left)), 60)
        hours, minutes = divmod(minutes, 60)
        return Text(f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes:02}:{seconds:02}")


class PracticeProgress(RunProgress):
    """Shows the events of a run of practice: round, games, best and mean score, time left."""

    def __init__(self, console: Console) -> None:
        super().__init__(
            console,
            # Together no wider than a terminal of 80 columns.
            SpinnerColumn("line"),  # a sign of life while the first games are played
            TextColumn("[bold]{task.description}"),
            BarColumn(bar_width=3),
            MofNCompleteColumn(),
            TimeRemainingColumn(compact=True),
            TextColumn("left; {task.fields[scores]}"),
        )
        self._task = self._bar.add_task("practice", total=None, scores="")
        self._line_at = time.monotonic()  # the first game is told at once
        self._round, self._games = "", 0
        self._learning: list[float] = []
        self._held_out: list[float] = []
        self._errors = 0

    def __call__(self, event: Event) -> None:
        """Take in one event."""
        if event.kind == "round":
            self._begin_round(event.data["round"], event.data["of"], event.data["games"])
        elif event.kind == "game":
            self._add_game(event.data["game"])
        elif event.kind == "round-done":
            self._say(f"{self._round}: {self._scores()}")

    def writing_report(self) -> None:
        """Say that all games are played."""
        self._line_at = time.monotonic() + _LINE_SECONDS
        self._bar.reset(self._task, description="report", total=100, scores="")

    def filmed(self, share: float) -> None:
        """Say what share of the report's clips is filmed."""
        self._bar.update(self._task, completed=int(100 * share), scores="filming")
        self._say_at_times(lambda: f"report: {share:.0%} filmed")

    def _begin_round(self, number: int, of: int, games: int) -> None:
        self._round, self._games = f"round {number}/{of}", games
        self._learning, self._held_out, self._errors = [], [], 0
        self._bar.update(self._task, description=self._round, total=games * of, scores="")

    def _add_game(self, game: dict[str, object]) -> None:
        score = game["score"]
        if not isinstance(score, int | float):
            self._errors += 1
        elif game["held_out"]:
            self._held_out.append(score)
        else:
            self._learning.append(score)
        self._bar.update(self._task, advance=1, scores=self._scores())
        played = len(self._learning) + len(self._held_out) + self._errors
        self._say_at_times(lambda: f"{self._round}: {played} of {self._games} games; {self._scores()}")

    def _scores(self) -> str:
        parts = []
        if self._learning:
            parts.append(f"best {max(self._learning):.1f}, mean {_mean(self._learning):.1f}")
        if self._held_out:
            parts.append(f"held-out {_mean(self._held_out):.1f}")
        if self._errors:
            parts.append(f"errors {self._errors}")
        return ", ".join(parts)


class DreamProgress(RunProgress):
    """Shows how many of the levels asked for were written, and how many passed."""

    def __init__(self, console: Console, *, levels: int) -> None:
        super().__init__(
            console,
            TextColumn("[bold]writing"),
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TimeRemainingColumn(compact=True),
            TextColumn("left; {task.fields[passed]} passed"),
        )
        self._levels, self._written, self._passed = levels, 0, 0
        self._task = self._bar.add_task("dream", total=levels, passed=0)

    def add(self, *, passed: bool) -> None:
        """Count one level that was written."""
        self._written += 1
        self._passed += passed
        self._bar.update(self._task, completed=self._written, passed=self._passed)
        self._say_at_times(self.told)

    def told(self) -> str:
        """How far it has come, in one line."""
        return f"{self._written} of {self._levels} levels written, {self._passed} passed"


def console() -> Console:
    """Where progress goes: standard error, so that ``--json`` owns standard output."""
    return Console(file=sys.stderr, soft_wrap=True)


def passing_bar(*columns: ProgressColumn) -> Progress:
    """A bar, of rich's usual columns unless told otherwise, that leaves nothing behind when it is done."""
    screen = console()
    return Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal)


@contextmanager
def filming() -> Iterator[Callable[[float], None]]:
    """A bar while the context lasts; what it yields is told the share that is filmed."""
    with passing_bar() as progress:
        task = progress.add_task("filming", total=1.0)
        yield lambda share: progress.update(task, completed=share)


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)
