"""``garten render train``: a renderer learns, stage by stage."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from rich.progress import BarColumn, TaskProgressColumn, TextColumn

from garten.cli._progress import RunProgress, TimeLeft, console
from garten.cli._render_clips import data_option, placed
from garten.cli._runs import numbered_path, path_to_resume
from garten.cli._stop import Stop
from garten.cli._torch import require_device
from garten.cli._train_options import (
    device_option,
    json_option,
    minutes_option,
    resume_option,
    seed_option,
    set_option,
    threads_option,
)
from garten.errors import RunError
from garten.renderer.training.config import STAGES, Config, Stage, checked
from garten.renderer.training.presets import PRESETS, preset
from garten.runs import team as teams
from garten.runs.changes import changed
from garten.runs.codec import to_json
from garten.runs.events import Event
from garten.runs.folder import RunFolder, run_path
from garten.runs.resume import begin

_log = logging.getLogger(__name__)


@click.command(short_help="A renderer learns, stage by stage.")
@click.option("--stage", type=click.Choice(STAGES), help="What is learned.  [default: ae]")
@click.option(
    "--preset",
    type=click.Choice(PRESETS),
    default="xs",
    show_default=True,
    help="Size of the renderer, and settings to train it with.",
)
@data_option
@click.option(
    "--from",
    "origin",
    type=click.Path(path_type=Path),
    metavar="RUN|FILE",
    help="Renderer to begin from: of the stage before.",
)
@click.option(
    "--teacher",
    type=click.Path(path_type=Path),
    metavar="RUN|FILE",
    help="Of stage adversarial: a renderer of stage bidirectional.",
)
@click.option("--steps", type=click.IntRange(1), help="Steps of learning.  [default: the preset's]")
@minutes_option
@seed_option
@set_option
@click.option("--name", help="Name of the run.  [default: render-STAGE, numbered]")
@resume_option
@device_option
@threads_option
@json_option
@click.pass_context
def train(
    context: click.Context,
    /,
    minutes: float | None,
    name: str | None,
    resume: bool,
    device: str,
    threads: int,
    as_json: bool,
    **options: Any,
) -> None:
    """Train a renderer in one stage, on clips that `garten render data` made.

    The stages follow each other: ae trains the autoencoder; bidirectional, whole clips at once, and causal,
    block by block, begin from it or from each other; adversarial lets a causal renderer learn from its own
    frames, with a bidirectional one for its teacher; resolve, the last, blends frames that exact motion
    carries along into those that are decoded.

    Settings come from a preset; --set changes any of them, for example --set learning.rate=1e-3. Ctrl-C stops
    after the step at hand and loses nothing: --resume goes on with the settings the run began with.
    """
    require_device("Training", device)
    from garten.renderer.training.batches import find_clips, shared_parts
    from garten.renderer.training.origin import check_origin, check_teacher
    from garten.renderer.training.saved import KIND, kept_renderer
    from garten.renderer.training.train import assist, require_whole
    from garten.renderer.training.train import train as run_training

    if teams.started_size() > 1 and device == "cuda":
        raise RunError("Processes that torchrun starts use no CUDA here; leave --device out.")
    asked_team = teams.Team(size=teams.started_size())
    if resume:
        path = path_to_resume(name, kind=KIND, of="render train", fits=lambda run: True)
        _refuse_settings(context)
        config = checked(RunFolder.open(path).asked(Config, kind=KIND, by="garten render train"))
        shared_parts(config, asked_team)
        require_whole(config, asked_team)
    else:
        config = _asked(**options)
        # What is refused here begins no run, so that its name stays free.
        shared_parts(config, asked_team)
        find_clips(config)
        check_origin(config)
        check_teacher(config)
        path = numbered_path(f"render-{config.stage}") if name is None else run_path(name)
    progress, stop = RenderProgress(steps=config.steps, minutes=minutes), Stop(minutes)
    with teams.joined() as team, stop.listening():
        if team.rank > 0:
            assist(config, team, threads=threads, stop=stop, resumed=RunFolder.open(path) if resume else None)
            return
        with (
            begin(path, to_json(config), seeds=[config.seed], kind=KIND, resume=resume) as run,
            progress.shown(),
        ):
            progress.begin(f"{'Resuming' if resume else 'Training'} {path}: {_line(config)}.")
            finished = run_training(
                config, run, device=device, threads=threads, watch=progress, stop=stop, team=team
            )
    if as_json:
        summary = {"run": str(path), "finished": finished}
        summary["steps"] = config.steps if finished else progress.steps  # one that was done takes no step
        summary |= {"renderer": str(kept_renderer(path)), "metrics": progress.metrics}
        click.echo(json.dumps(summary, indent=2))
    else:
        click.echo(f"{'Trained' if finished else 'Stopped'}: {path}, {progress.told()}")
    if not finished and not (config.learning.deal and team.size > 1):
        _log.info("Go on with: garten render train --name %s --resume", path.name)
    if stop.pressed and not finished:
        raise KeyboardInterrupt


def _asked(
    *,
    stage: Stage | None,
    preset: str,
    places: tuple[Path, ...],
    origin: Path | None,
    teacher: Path | None,
    steps: int | None,
    seed: int,
    changes: tuple[str, ...],
) -> Config:
    """The settings of a new run."""
    from garten.renderer.training.origin import settled, source_of

    if not places:
        raise RunError(
            "There is nothing to learn from; make clips by garten render data, name them by --data."
        )
    config = _preset(preset, stage or STAGES[0])
    config = replace(
        config,
        seed=seed,
        steps=config.steps if steps is None else steps,
        origin=None if origin is None else source_of(placed(origin)),
        teacher=None if teacher is None else source_of(placed(teacher)),
        data=replace(config.data, places=tuple(str(placed(place).resolve()) for place in places)),
    )
    return checked(changed(settled(config), changes))


_preset = preset  # the option of that name hides it


def _refuse_settings(context: click.Context) -> None:
    """Refuse options that a run taken up again would not follow."""
    asked = {"places": "data", "origin": "from", "changes": "set"}
    for name in ("stage", "preset", "places", "origin", "teacher", "steps", "seed", "changes"):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(
                f"A resumed run keeps its settings; leave out --{asked.get(name, name)}, or begin a new one."
            )


def _line(config: Config) -> str:
    """What a run is about, in one line."""
    data = config.data
    return (
        f"stage {config.stage}, seed {config.seed}, {config.steps:,} steps of {data.batch * data.accumulate} "
        f"clips of {1 + (config.clip_frames - 1) * config.renderer.codec.step} frames"
    )


class RenderProgress(RunProgress):
    """Shows the steps of a run, and what they tell.

    Attributes:
        steps: done so far.
        metrics: of the last step.
    """

    def __init__(self, *, steps: int, minutes: float | None) -> None:
        """Show the way to so many steps, or until the time is up."""
        super().__init__(
            console(),
            TextColumn("[bold]{task.fields[rate]}"),
            BarColumn(bar_width=10),
            TaskProgressColumn(),
            TimeLeft(minutes),
            TextColumn("left; {task.fields[told]}"),
        )
        self.steps, self.metrics = 0, dict[str, float]()
        self._task = self._bar.add_task("train", total=steps, rate="", told="")
        self._seconds = 0.0

    def __call__(self, event: Event) -> None:
        """Take in one event."""
        first = not self.metrics
        self.steps, self.metrics = event.data["steps"], event.data["metrics"]
        seconds = event.data["wall_seconds"]
        self._seconds = seconds if first else 0.95 * self._seconds + 0.05 * seconds
        self._bar.update(self._task, completed=self.steps, rate=self._rate(), told=self._told())
        self._say_at_times(self.told)

    def told(self) -> str:
        """How far the run has come, in one line."""
        return f"{self.steps:,} steps, {self._rate()}; {self._told()}" if self.metrics else "no step taken"

    def _rate(self) -> str:
        return f"{1.0 / max(self._seconds, 1e-9):.2g} steps/s"

    def _told(self) -> str:
        return ", ".join(f"{name.replace('_', ' ')} {value:.3g}" for name, value in self.metrics.items())
