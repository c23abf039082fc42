"""``garten practice``: players practise in a world through rounds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from garten.cli._options import Size
from garten.cli._progress import PracticeProgress, console
from garten.devices import cores
from garten.errors import RunError
from garten.practice.players import kinds
from garten.practice.results import RoundResult, Spread
from garten.practice.rounds import Asked, practise
from garten.report.page import write_report
from garten.runs.codec import from_json, to_json
from garten.runs.folder import RUNS, RunFolder, is_run, run_path
from garten.runs.resume import begin
from garten.worlds.find import load

KIND = "practice"


_DEFAULT = Asked(world="")


@click.command()
@click.argument("world")
@click.option(
    "--player", type=click.Choice(kinds()), default=_DEFAULT.player, show_default=True, help="Kind of player."
)
@click.option("--rounds", type=click.IntRange(1), default=_DEFAULT.rounds, show_default=True, help="Rounds.")
@click.option(
    "--players",
    type=click.IntRange(1),
    default=_DEFAULT.players,
    show_default=True,
    help="Players per round.",
)
@click.option(
    "--games",
    type=click.IntRange(1),
    default=_DEFAULT.games,
    show_default=True,
    help="Games per player and round.",
)
@click.option(
    "--held-out",
    type=click.IntRange(0),
    default=_DEFAULT.held_out,
    show_default=True,
    help="Held-out games per round: scored, never shown to players.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=_DEFAULT.seed,
    show_default=True,
    help="Seed of everything random.",
)
@click.option(
    "--look", default=_DEFAULT.look, show_default=True, help="How frames are made: raw, depth or normals."
)
@click.option("--size", type=Size(), default="160x90", show_default=True, help="Size of the players' frames.")
@click.option("--name", help="Name of the run; by default the world's name, numbered.")
@click.option(
    "--resume", is_flag=True, help="Go on with the run called --name, or with the world's latest run."
)
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=None,
    help="Games played side by side.  [default: one per core]",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object: rounds, scores, held_out, paths."
)
@click.pass_context
def practice(
    context: click.Context,
    /,
    world: str,
    name: str | None,
    resume: bool,
    workers: int | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Let players practise in WORLD through rounds, each inheriting the playbooks of those before.

    WORLD is one that `garten worlds` lists, or the path of a .py file or folder that defines one. Without
    other arguments this takes a few minutes, offline. A run can be stopped at any moment and continued with
    --resume.
    """
    load(world)
    path = _run_to_resume(world, name) if resume else (run_path(name) if name else _free_path(world))
    asked = _asked(context, path, {"world": world, **options}) if resume else Asked(world=world, **options)
    progress = PracticeProgress(console())
    with begin(path, to_json(asked), seeds=[asked.seed], kind=KIND, resume=resume) as run, progress.shown():
        results = practise(asked, run, workers=workers or cores(), watch=progress)
        report = write_report(run.folder)
    if as_json:
        click.echo(json.dumps(_summary(results, path, report), indent=2))
    else:
        click.echo(_table(results))
        click.echo(f"Report: {report}")


def _free_path(world: str) -> Path:
    """A new run named after the world."""
    stem = load(world).spec.name
    numbered = (run_path(stem if number == 1 else f"{stem}-{number}") for number in range(1, 10_000))
    return next(path for path in numbered if not path.exists())


def _run_to_resume(world: str, name: str | None) -> Path:
    if name:
        if not is_run(run_path(name)):
            raise RunError(f"There is no run {run_path(name)} to resume; leave out --resume to begin it.")
        return run_path(name)
    runs = [RunFolder.open(path) for path in sorted(RUNS.glob("*")) if is_run(path)]
    mine = [run for run in runs if run.manifest.kind == KIND and run.manifest.asked.get("world") == world]
    if not mine:
        raise RunError(
            f"There is no run of '{world}' under {RUNS}/ to resume; leave out --resume to begin one."
        )
    return max(mine, key=lambda run: run.manifest.time).path


def _asked(context: click.Context, path: Path, options: dict[str, Any]) -> Asked:
    """What the run was asked, with what this command line says differently, which `begin` then refuses."""
    given = {
        key: value
        for key, value in options.items()
        if context.get_parameter_source(key) is ParameterSource.COMMANDLINE
    }
    return from_json(Asked, {**RunFolder.open(path).manifest.asked, **to_json(given)})


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
