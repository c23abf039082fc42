"""``garten render eval``: how good a renderer is on clips it was not trained on."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from garten.cli._progress import passing_bar
from garten.cli._render_clips import (
    SPLITS,
    data_option,
    open_clips,
    open_renderer,
    renderer_argument,
    steps_option,
)
from garten.cli._torch import require_torch
from garten.cli._train_options import threads_option
from garten.devices import torch_threads
from garten.errors import RenderError, RunError
from garten.runs.codec import to_json

if TYPE_CHECKING:
    from garten.renderer.quality.evaluate import Measured, Quality
    from garten.renderer.renderer import Renderer


@click.command("eval", short_help="Measure a renderer on clips.")
@renderer_argument
@data_option
@click.option(
    "--split",
    "splits",
    multiple=True,
    type=click.Choice(SPLITS),
    help="Which clips; can be repeated.  [default: layouts and worlds that were held out]",
)
@click.option(
    "--clips", "count", type=click.IntRange(1), help="At most so many of each split.  [default: all]"
)
@click.option("--by-world", is_flag=True, help="Tell of each world too.")
@click.option("--frames", type=click.IntRange(2), help="Of each clip.  [default: of the shortest]")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of noise.")
@steps_option
@threads_option
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object: by split, measures and targets met."
)
def evaluate(
    renderer: Path,
    places: tuple[Path, ...],
    splits: tuple[str, ...],
    count: int | None,
    by_world: bool,
    frames: int | None,
    seed: int,
    steps: int | None,
    threads: int,
    as_json: bool,
) -> None:
    """Measure a renderer, the latest of a RUN or that of a FILE, on clips of --data.

    Each clip is streamed from its first frame, as in use, and compared with its own frames: see the page on
    training for what is measured and what is wanted.
    """
    require_torch("Rendering")
    if not places:
        raise RunError(
            "There is nothing to measure on; make clips by garten render data, name them by --data."
        )
    with torch_threads(threads):
        loaded = open_renderer(renderer, steps=steps)
        measured = _measured(loaded, places, splits, count=count, frames=frames, seed=seed, steps=steps)
    found = _means(measured, by_world=by_world)
    click.echo(json.dumps(_told(found), indent=2) if as_json else _table(found))


def _measured(
    renderer: Renderer,
    places: tuple[Path, ...],
    splits: tuple[str, ...],
    *,
    count: int | None,
    frames: int | None,
    seed: int,
    steps: int | None,
) -> dict[str, list[Measured]]:
    """What was measured by split; without a choice, of whichever held-out clips there are."""
    from garten.renderer.quality.evaluate import measure

    found, missing = {}, None
    for split in splits or SPLITS[:2]:
        try:
            clips = open_clips(places, renderer, split=split, frames=frames)
        except RenderError as error:
            if splits:
                raise
            missing = error
            continue
        chosen = min(len(clips), count or len(clips))
        with passing_bar() as bar:
            task = bar.add_task(split, total=chosen)
            found[split] = measure(
                renderer,
                islice(clips, chosen),
                seed=seed,
                steps=steps,
                watch=lambda done, bar=bar, task=task: bar.update(task, completed=done),  # type: ignore[misc]
            )
    if not found and missing is not None:
        raise missing
    return found


def _means(measured: dict[str, list[Measured]], *, by_world: bool) -> dict[str, Quality]:
    """The quality by split, and by world where that is asked for."""
    from garten.renderer.quality.evaluate import mean_of

    found = {}
    for split, clips in measured.items():
        found[split] = mean_of(clips)
        for world in sorted({clip.source for clip in clips} if by_world else ()):
            found[f"{split}: {world}"] = mean_of([clip for clip in clips if clip.source == world])
    return found


def _told(found: dict[str, Quality]) -> dict[str, Any]:
    from garten.renderer.quality.evaluate import verdicts

    return {
        split: {"measures": to_json(quality), "targets_met": verdicts(quality)}
        for split, quality in found.items()
    }


def _table(found: dict[str, Quality]) -> str:
    """Measures by row, splits by column, and what is wanted."""
    from garten.renderer.quality.evaluate import TARGETS, verdicts

    met = {split: verdicts(quality) for split, quality in found.items()}
    rows = [["", *found, "wanted"]]
    for name in to_json(next(iter(found.values()))):
        cells = [_cell(getattr(quality, name), met[split].get(name)) for split, quality in found.items()]
        rows.append([name.replace("_", " "), *cells, _range(TARGETS.get(name))])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def _cell(value: float | int | None, met: bool | None) -> str:
    if value is None:
        return "-"
    told = str(value) if isinstance(value, int) else f"{value:.3g}"
    return told if met is None else f"{told} {'yes' if met else 'no'}"


def _range(target: tuple[float, float] | None) -> str:
    if target is None:
        return ""
    low, high = target
    if high == float("inf"):
        return f">= {low:g}"
    return f"<= {high:g}" if low == 0.0 else f"{low:g} to {high:g}"
