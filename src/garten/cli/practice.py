"""``garten practice``: players practise in a world through rounds."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from garten.cli._llm import NAMES as LLM_NAMES
from garten.cli._llm import Command, estimate, llm_options, llm_settings
from garten.cli._options import LookName, Size
from garten.cli._progress import PracticeProgress, console
from garten.cli._runs import numbered_path, path_to_resume
from garten.devices import cores
from garten.practice.players import kinds
from garten.practice.results import RoundResult, Spread
from garten.practice.rounds import KIND, Asked, asked_of, practise
from garten.runs.codec import to_json
from garten.runs.folder import RunFolder, is_run, run_path
from garten.runs.resume import begin
from garten.worlds.find import is_path, load

_log = logging.getLogger(__name__)

LLM_DEFAULTS: dict[str, Any] = {"players": 1, "games": 1, "held_out": 1, "size": (320, 180)}
"""What a language model is asked unless told otherwise, where that differs from `Asked`.

Its games cost money or minutes each; the published runs, too, played one game a round.
"""


def _count(name: str, least: int, text: str) -> Callable[[Command], Command]:
    """An option for a number of things, `least` or more."""
    key = name.removeprefix("--").replace("-", "_")
    search, llm = getattr(Asked(world=""), key), LLM_DEFAULTS[key]
    return click.option(name, type=click.IntRange(least), help=f"{text}  [default: {search}; {llm} for llm]")


@click.command(short_help="Players practise in a world through rounds.")
@click.argument("world")
@click.option(
    "--player", type=click.Choice(kinds()), default="search", show_default=True, help="Kind of player."
)
@click.option("--rounds", type=click.IntRange(1), default=4, show_default=True, help="Rounds.")
@_count("--players", 1, "Players per team and round.")
@_count("--games", 1, "Games per player and round.")
@_count("--held-out", 0, "Held-out games per round: scored, never shown to players.")
@click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of everything random."
)
@click.option(
    "--look",
    type=LookName(),
    default="raw",
    show_default=True,
    help="How frames are made: raw, photo, depth, normals, neural; photo:dusk is photo at dusk, neural:FILE "
    "by the renderer of a file.",
)
@click.option("--size", type=Size(), help="Size of the players' frames.  [default: 160x90; 320x180 for llm]")
@click.option("--name", help="Name of the run.  [default: the world's name, numbered]")
@click.option(
    "--resume", is_flag=True, help="Go on with the run called --name, or with the world's latest run."
)
@click.option("--workers", type=click.IntRange(1), help="Games played side by side.  [default: one per core]")
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object: rounds, scores, held_out, paths."
)
@click.option("--dry-run", is_flag=True, help="With --player llm: print what the run would use and stop.")
@llm_options(*LLM_NAMES)
@click.pass_context
def practice(
    context: click.Context,
    /,
    world: str,
    name: str | None,
    resume: bool,
    workers: int | None,
    as_json: bool,
    dry_run: bool,
    **options: Any,
) -> None:
    """Let players practise in WORLD through rounds, each inheriting the playbooks of those before.

    WORLD is one that `garten worlds` lists, or the path of a .py file or folder that defines one. Without
    other arguments this takes a few minutes, offline. A run can be stopped at any moment and continued with
    --resume.
    """
    path = _run_to_resume(world, name) if resume else _new_path(world, name)
    given = {key: value for key, value in options.items() if _was_given(context, key)}
    asked = _asked_then(path, world, given) if resume else _asked_now(world, options["player"], given)
    if dry_run:
        if asked.player != "llm":
            raise click.UsageError("--dry-run estimates what a language model would use; add --player llm.")
        expected = estimate(asked)
        click.echo(json.dumps(to_json(expected), indent=2) if as_json else expected)
        return
    progress = PracticeProgress(console())
    try:
        with (
            begin(path, to_json(asked), seeds=[asked.seed], kind=KIND, resume=resume) as run,
            progress.shown(),
        ):
            progress.begin(f"{'Resuming' if resume else 'Practising in'} {path}: {_line(asked)}.")
            results = practise(asked, run, workers=workers or cores(), watch=progress)
            progress.writing_report()
            from garten.report.page import write_report  # loads Matplotlib, which would delay the first line

            report = write_report(run.folder, watch=progress.filmed)
    except KeyboardInterrupt:
        if is_run(path):
            _log.info("Go on with: garten practice %s --name %s --resume", world, path.name)
        raise
    if as_json:
        click.echo(json.dumps(_summary(results, path, report), indent=2))
    else:
        click.echo(_table(results))
        click.echo(f"Report: {report}")


def _line(asked: Asked) -> str:
    """What a run is about, in one line."""
    players = f"{_counted(asked.players, f'{asked.player} player')} a round"
    games = f"{_counted(asked.games, 'game')} each, {asked.held_out} held out"
    return f"seed {asked.seed}, {_counted(asked.rounds, 'round')}, {players}, {games}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _new_path(world: str, name: str | None) -> Path:
    """Where a new run goes: under its name, or named after the world."""
    return numbered_path(load(world).spec.name) if name is None else run_path(name)


def _run_to_resume(world: str, name: str | None) -> Path:
    return path_to_resume(
        name, kind=KIND, of=world, fits=lambda run: _same_world(run.manifest.asked.get("world"), world)
    )


def _same_world(one: object, other: str) -> bool:
    """Whether two names or paths are of one world."""
    return one == other or (is_path(other) and Path(str(one)).resolve() == Path(other).resolve())


def _was_given(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE


def _asked_now(world: str, player: str, given: dict[str, Any]) -> Asked:
    """What a new run is asked: what was given, the rest by default."""
    model = {key: given.pop(key) for key in LLM_NAMES if key in given}
    if player == "llm":
        model = llm_settings(model)
    elif model:
        flag = next(iter(model)).replace("_", "-")
        raise click.UsageError(f"--{flag} is an option of the llm player; add --player llm.")
    defaults = LLM_DEFAULTS if player == "llm" else {}
    if is_path(world):
        world = str(Path(world).resolve())  # so that the run can be taken up and filmed from any folder
    return Asked(world=world, settings=model, **{**defaults, **given})


def _asked_then(path: Path, world: str, given: dict[str, Any]) -> Asked:
    """What a run was asked, with what this command line says differently, which `begin` then refuses."""
    then = asked_of(RunFolder.open(path))
    model = {key: given.pop(key) for key in LLM_NAMES if key in given}
    if _same_world(then.world, world):
        world = then.world
    return replace(then, world=world, settings={**then.settings, **model}, **given)


def _summary(results: tuple[RoundResult, ...], path: Path, report: Path) -> dict[str, Any]:
    return {
        "rounds": [result.round for result in results],
        "scores": [[game.score for game in result.games] for result in results],
        "held_out": [[game.score for game in result.held_out] for result in results],
        "paths": {
            "run": str(path),
            "report": str(report),
            "playbooks": [str(path / "rounds" / f"{result.round:02d}" / "playbooks") for result in results],
        },
    }


def _table(results: tuple[RoundResult, ...]) -> str:
    lines = ["round  games  best   mean   held-out mean ± standard error"]
    for result in results:
        games, held_out = Spread.of(result.games), Spread.of(result.held_out)
        lines.append(
            f"{result.round:5d}  {games.count:5d}  {_number(games.best)}  {_number(games.mean)}  "
            f"{_number(held_out.mean)} ± {_number(held_out.sem)}"
        )
    return "\n".join(lines)


def _number(value: float | None) -> str:
    return "    -" if value is None else f"{value:5.1f}"


COMMAND = practice
