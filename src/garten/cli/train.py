"""``garten train``: a policy learns to play."""

from __future__ import annotations

import json
import logging
from contextlib import closing
from dataclasses import replace
from typing import Any

import click
from click.core import ParameterSource

from garten.cli._llm import CALLS, author_settings, llm_options
from garten.cli._progress import console
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
from garten.cli._training import TrainingProgress
from garten.craftax.tutorial import GAMES
from garten.errors import RunError
from garten.runs.folder import RunFolder, run_path
from garten.runs.resume import begin
from garten.training import names

_log = logging.getLogger(__name__)


@click.command(short_help="A policy learns to play.")
@click.argument("world", type=click.Choice(["craftax"]))
@click.option(
    "--game",
    type=click.Choice(GAMES, case_sensitive=False),
    default=GAMES[0].lower(),  # as the choices are shown
    show_default=True,
    help="Which game.",
)
@click.option(
    "--policy",
    type=click.Choice(names.POLICIES),
    default="mlp",
    show_default=True,
    help="Kind of network.",
)
@click.option(
    "--bonus",
    type=click.Choice(names.BONUSES),
    default="none",
    show_default=True,
    help="Exploration bonus.",
)
@click.option(
    "--curriculum",
    type=click.Choice(names.CURRICULA),
    default="none",
    show_default=True,
    help="Which worlds to play: a new one each episode, or as a curriculum chooses.",
)
@click.option(
    "--author",
    type=click.Choice(names.AUTHORS),
    help="Who writes the levels of dicode: rules, offline, or a language model.  [default: rules]",
)
@click.option(
    "--levels",
    type=click.Path(file_okay=False),
    help="Folder of level files to play in place of worlds, or for dicode to begin with.",
)
@click.option(
    "--preset",
    type=click.Choice(names.PRESETS),
    default="laptop",
    show_default=True,
    help="Settings to start from: for two cores, or the published ones for a billion or a million steps.",
)
@click.option("--steps", type=click.IntRange(1), help="Steps of all lanes together.  [default: the preset's]")
@minutes_option
@seed_option
@set_option
@click.option("--name", help="Name of the run.  [default: game and policy, numbered]")
@resume_option
@device_option
@threads_option
@json_option
@llm_options(*CALLS)
@click.pass_context
def train(
    context: click.Context,
    /,
    world: str,
    game: str,
    policy: str,
    bonus: str,
    curriculum: str,
    author: str | None,
    levels: str | None,
    preset: str,
    steps: int | None,
    minutes: float | None,
    seed: int,
    changes: tuple[str, ...],
    name: str | None,
    resume: bool,
    device: str,
    threads: int,
    as_json: bool,
    **model: Any,
) -> None:
    """Let a policy learn to play WORLD.

    Settings come from a preset; --set changes any of them, for example --set ppo.learning_rate=3e-4. Ctrl-C
    stops after the update at hand and loses nothing: --resume goes on with the settings the run began with.

    On the way it is evaluated ten times in held-out worlds, or once per 100,000 steps in shorter runs;
    --set evaluations=N says how often, 0 leaves it out.
    """
    if resume:
        path = path_to_resume(
            name, kind=names.KIND, of=world, fits=lambda run: run.manifest.asked.get("game") in GAMES
        )
        _refuse_settings(context)
    require_device("Training", device)
    from garten.curriculum.build import build, require_levels
    from garten.runs import team as teams
    from garten.training import config as settings
    from garten.training.stored import config_of
    from garten.training.train import asked, assist, require_fit
    from garten.training.train import train as run_training

    if teams.started_size() > 1 and (resume or device == "cuda"):
        raise RunError("Processes that torchrun starts neither resume a run nor use CUDA; leave that out.")
    if resume:
        config = settings.checked(config_of(RunFolder.open(path)))
        require_fit(config, teams.Team())
    else:
        chosen = settings.preset(preset, policy, bonus=bonus, curriculum=curriculum)
        config = replace(chosen, seed=seed, game=game)
        llm = _model_settings(author, model)
        config = settings.with_levels(config, author=author, llm=llm, folder=levels)
        config = settings.with_steps(config, config.steps if steps is None else steps)
        config = settings.override(config, changes)
        require_fit(config, teams.Team(size=teams.started_size()))
        require_levels(config)
        path = numbered_path(f"{game}-{policy}".lower()) if name is None else run_path(name)

    progress, stop = TrainingProgress(console(), steps=config.steps, minutes=minutes), Stop(minutes)
    with teams.joined() as team, stop.listening():
        if team.rank > 0:
            assist(config, team, threads=threads, stop=stop)
            return
        with (
            begin(path, asked(config), seeds=[config.seed], kind=names.KIND, resume=resume) as run,
            closing(build(config, run)) as source,
            progress.shown(),
        ):
            progress.begin(f"{'Resuming' if resume else 'Training'} {path}: {_line(config)}.")
            finished = run_training(
                config,
                run,
                source=source,
                device=device,
                threads=threads,
                watch=progress,
                stop=stop,
                team=team,
            )
    # A run that was done before makes no update.
    done = progress.steps or config.updates * config.rollout.lanes * config.rollout.steps
    if as_json:
        click.echo(json.dumps({"run": str(path), "finished": finished, "steps": done}, indent=2))
    else:
        told = progress.told() if progress.steps else f"{done:,} steps, all of them before"
        click.echo(f"{'Trained' if finished else 'Stopped'}: {path}, {told}")
    if not finished and team.size == 1:
        _log.info("Go on with: garten train %s --name %s --resume", world, path.name)
    if stop.pressed and not finished:
        raise KeyboardInterrupt


def _model_settings(author: str | None, model: dict[str, Any]) -> dict[str, Any]:
    """The settings of the language model that a run is kept with; none for another author."""
    given = author_settings(author, model)
    if author != "llm":
        return {}
    from garten.authors.settings import AuthorSettings
    from garten.llm.client import require_sdk

    require_sdk()
    return AuthorSettings.of(given).resolved()


def _refuse_settings(context: click.Context) -> None:
    """Refuse options that a run taken up again would not follow."""
    asked = ("game", "policy", "bonus", "curriculum", "author", "levels", "preset", *CALLS)
    for name in (*asked, "steps", "seed", "changes"):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = "set" if name == "changes" else name.replace("_", "-")
            raise click.UsageError(
                f"A resumed run keeps its settings; leave out --{option}, or begin a new one."
            )


def _line(config: Any) -> str:
    """What a run is about, in one line."""
    rollout = config.rollout
    return (
        f"{config.game}, {config.network.kind}, seed {config.seed}, {config.steps:,} steps "
        f"in {rollout.lanes} lanes, {config.updates:,} update{'s' * (config.updates != 1)}"
    )


COMMAND = train
