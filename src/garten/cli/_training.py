"""Live progress of training, on standard error: a bar in a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections import deque

from rich.console import Console
from rich.progress import BarColumn, TaskProgressColumn, TextColumn

from garten.cli._progress import RunProgress, TimeLeft
from garten.runs.events import Event
from garten.training.history import target_return

_RECENT = 200
"""Episodes over which returns and achievements are averaged."""


class TrainingProgress(RunProgress):
    """Shows the updates of a run: steps a second, the return of recent episodes, what was achieved.

    Where lanes play levels beside the target game, the return is that of the target game.

    Attributes:
        steps: done so far.
    """

    def __init__(self, console: Console, *, steps: int, minutes: float | None = None) -> None:
        """Show the way to so many steps, or until the time is up."""
        super().__init__(
            console,
            TextColumn("[bold]{task.fields[rate]}"),
            BarColumn(bar_width=10),
            TaskProgressColumn(),
            TimeLeft(minutes),
            TextColumn("left; {task.fields[told]}"),
        )
        self.steps = 0
        self._task = self._bar.add_task("train", total=steps, rate="", told="")
        self._recent: deque[tuple[int, float, dict[str, float]]] = deque()
        self._rates: deque[tuple[int, float]] = deque(maxlen=20)

    def __call__(self, event: Event) -> None:
        """Take in one event."""
        data = event.data
        if event.kind == "evaluation":
            held_out = f"{data['return']:.2f} ± {data['standard_error']:.2f}"
            self._say(f"{data['steps']:,} steps: held-out return {held_out}")
        if event.kind != "update":
            return
        self._rates.append((data["steps"], data["wall_seconds"]))
        episodes, mean = target_return(data)
        if episodes:
            self._recent.append((episodes, mean, data["achievements"]))
            while sum(count for count, _, _ in self._recent) - self._recent[0][0] >= _RECENT:
                self._recent.popleft()
        self.steps = data["steps"]
        self._bar.update(self._task, completed=self.steps, rate=self._rate(), told=self._told())
        self._say_at_times(self.told)

    def told(self) -> str:
        """How far the run has come, in one line, after an update at least."""
        rate = f", {self._rate()}" if len(self._rates) > 1 else ""
        return f"{self.steps:,} steps{rate}; {self._told()}"

    def _rate(self) -> str:
        steps = self._rates[-1][0] - self._rates[0][0]
        seconds = sum(seconds for _, seconds in list(self._rates)[1:])
        return f"{steps / seconds:,.0f} steps/s" if seconds else "measuring"

    def _told(self) -> str:
        episodes = sum(count for count, _, _ in self._recent)
        if not episodes:
            return "no episode has ended yet"
        mean = sum(count * value for count, value, _ in self._recent) / episodes
        shares: dict[str, float] = {}
        for count, _, achieved in self._recent:
            for name, share in achieved.items():
                shares[name] = shares.get(name, 0.0) + count * share / episodes
        rarest = sorted((share, name) for name, share in shares.items() if share >= 0.05)[:2]
        told = ", ".join(f"{name.replace('_', ' ')} {share:.0%}" for share, name in rarest)
        return f"return {mean:.2f}; {told}" if told else f"return {mean:.2f}"
