"""``garten evaluate``: how well agents do in worlds that no training sees."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

from garten.cli._evaluations import families, page
from garten.cli._options import Checkpoint
from garten.cli._progress import passing_bar
from garten.cli._torch import require_torch
from garten.craftax.tutorial import GAMES
from garten.errors import RunError
from garten.runs.codec import to_json
from garten.runs.folder import RunFolder
from garten.runs.storage import write_atomic
from garten.training.results import PROTOCOLS, Evaluation, Protocol, Standing, standings

RANDOM = "random"

Families = Mapping[str, Sequence[Sequence[Evaluation]]]
"""Runs that differ in nothing but their seed, by name; of each run its evaluations."""

Track = Callable[[str], Callable[[int], None]]
"""Begins the progress of an agent of this name; what it returns is told the episodes played."""


@click.command(short_help="Evaluate agents on held-out worlds.")
@click.argument("runs", nargs=-1, required=True)
@click.option(
    "--protocol",
    type=click.Choice(list(PROTOCOLS)),
    default="published",
    show_default=True,
    help="published: 1,024 worlds, 8,192 steps at most. quick: the first 128 of them, 1,024 steps.",
)
@click.option("--checkpoint", type=Checkpoint(), help="Steps of training, or all.  [default: the latest]")
@click.option(
    "--game",
    type=click.Choice(GAMES, case_sensitive=False),
    default=GAMES[0].lower(),  # as the choices are shown
    show_default=True,
    help="What random plays.",
)
@click.option(
    "--chart", type=click.Path(dir_okay=False, path_type=Path), help="Chart to write: .png, .svg or .html."
)
@click.option("--json", "as_json", is_flag=True, help="Print the evaluations as JSON, without the episodes.")
def evaluate(
    runs: tuple[str, ...],
    protocol: str,
    checkpoint: int | str | None,
    game: str,
    chart: Path | None,
    as_json: bool,
) -> None:
    """Evaluate the agents of RUNS, folders of training runs, side by side; `random` is the baseline alone.

    Each agent plays one episode in each of the protocol's worlds, which are the same for all and which no
    training sees. Results are kept in the run, under evaluations/, and read from there the next time.
    """
    if chart is not None and chart.suffix not in (".png", ".svg", ".html"):
        raise RunError(f"'{chart.name}' is no kind of chart; let its name end in .png, .svg or .html.")
    with _tracked(PROTOCOLS[protocol].worlds) as track:
        # A run that is named twice is no other seed.
        folders = {Path(run).resolve(): RunFolder.open(run) for run in runs if run != RANDOM}
        baseline, found = _evaluate(
            list(folders.values()), PROTOCOLS[protocol], checkpoint, game=game, track=track
        )
    lines = {name: standings(family) for name, family in found.items()}
    if chart is not None:
        _draw(chart, lines, baseline)
    everything = [baseline, *(one for family in found.values() for run in family for one in run)]
    if as_json:
        click.echo(json.dumps([_told(one) for one in everything], indent=2))
    else:
        click.echo("\n\n".join(filter(None, [page(everything), families(lines)])))


def _evaluate(
    folders: Sequence[RunFolder],
    protocol: Protocol,
    checkpoint: int | str | None,
    *,
    game: str,
    track: Track,
) -> tuple[Evaluation, Families]:
    """The baseline, and what each run's agents do."""
    require_torch("Evaluation")
    from garten.training import stored  # loads torch
    from garten.training.evaluate import evaluate
    from garten.training.saved import chosen_steps

    if not folders:
        return evaluate(stored.random_agent(game), protocol, watch=track(RANDOM)), {}
    configs = [stored.config_of(folder) for folder in folders]
    games = {config.game for config in configs}
    if len(games) > 1:
        raise RunError(f"The runs play {' and '.join(sorted(games))}; evaluate them apart.")
    chosen = [chosen_steps(folder, checkpoint) for folder in folders]
    baseline = stored.evaluate_random(folders[0], protocol, game=games.pop(), watch=track(RANDOM))
    families: dict[Any, list[tuple[RunFolder, list[Evaluation]]]] = {}
    for folder, config, kept in zip(folders, configs, chosen, strict=True):
        tracks = {steps: track(f"{folder.path.name} @{steps:,}") for steps in kept}
        run = [
            stored.evaluate_run(folder, protocol, steps=steps, watch=watch) for steps, watch in tracks.items()
        ]
        families.setdefault(replace(config, seed=0), []).append((folder, run))
    return baseline, {
        _name([folder for folder, _ in family]): [run for _, run in family] for family in families.values()
    }


def _name(family: Sequence[RunFolder]) -> str:
    """The path of the first run, and how many more there are."""
    more = len(family) - 1
    return str(family[0].path) + (f" and {more} more seed{'s' if more > 1 else ''}" if more else "")


@contextmanager
def _tracked(worlds: int) -> Iterator[Track]:
    """Progress bars while the context lasts."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TimeRemainingColumn(compact=True),
    )
    with passing_bar(*columns) as progress:

        def track(name: str) -> Callable[[int], None]:
            task = progress.add_task(name, total=worlds)
            return lambda done: progress.update(task, completed=done)

        yield track


def _draw(path: Path, lines: Mapping[str, Sequence[Standing]], baseline: Evaluation) -> None:
    from garten.report.curves import compare_png, compare_svg  # loads Matplotlib

    content = compare_png(lines, baseline) if path.suffix == ".png" else compare_svg(lines, baseline).encode()
    if path.suffix == ".html":
        content = b"<!doctype html><meta charset=utf-8><title>Evaluations</title>" + content
    write_atomic(path, content)


def _told(evaluation: Evaluation) -> dict[str, Any]:
    told: dict[str, Any] = to_json(evaluation)
    del told["episodes"]
    return told


COMMAND = evaluate
