"""``garten render data``: clips for training."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

from garten.cli._options import Size
from garten.cli._progress import passing_bar
from garten.cli._runs import numbered_path, path_to_resume
from garten.errors import RunError
from garten.runs.codec import from_json, to_json
from garten.runs.folder import RunFolder, is_run, run_path
from garten.runs.resume import begin

if TYPE_CHECKING:
    from garten.renderer.data.clip import About
    from garten.renderer.data.recipe import Recipe
    from garten.renderer.data.videos import VideoRecipe

STEM = "clips"
"""How runs of clips are named unless told otherwise."""

_log = logging.getLogger(__name__)


@click.command(short_help="Make clips to train on.")
@click.argument("worlds", nargs=-1)
@click.option("--held-out", multiple=True, metavar="WORLD", help="A world kept for testing; can be repeated.")
@click.option("--clips", type=click.IntRange(1), help="How many clips.  [default: 200]")
@click.option("--frames", type=click.IntRange(2), help="Frames of each clip.  [default: 33]")
@click.option("--size", type=Size(), help="Size of the frames.  [default: 160x96]")
@click.option("--seed", type=click.IntRange(0), help="Seed of everything random.  [default: 0]")
@click.option(
    "--video",
    type=click.Path(path_type=Path),
    help="Make clips from the videos of this folder instead, with --depth-by.",
)
@click.option("--depth-by", metavar="MODULE:CLASS", help="Of --video: the estimator of depth.")
@click.option(
    "--normals-by",
    metavar="MODULE:CLASS",
    help="Of --video: the estimator of normals.  [default: from depth]",
)
@click.option("--caption", help="Of --video: what all its clips are called.")
@click.option(
    "--manifest",
    type=click.Path(path_type=Path),
    help="Write the clips in the published form as well: videos, arrays, manifest.jsonl in this folder.",
)
@click.option("--name", help="Name of the run.  [default: clips, numbered]")
@click.option("--resume", is_flag=True, help="Go on with the run called --name, or with the latest one.")
@click.option(
    "--workers", type=click.IntRange(1), default=1, show_default=True, help="Threads that make clips."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: run, clips, splits, manifest.")
@click.pass_context
def data(
    context: click.Context,
    /,
    manifest: Path | None,
    name: str | None,
    resume: bool,
    workers: int,
    as_json: bool,
    **options: Any,
) -> None:
    """Make clips of WORLDS, all worlds that come along by default, as the `photo` look shows them.

    Every clip has its own layout, camera, style and colours. Its shard holds frames, depth, normals, ids and
    exact motion. One clip in ten is of a layout kept for testing, and one in ten of a --held-out world. A run
    can be stopped at any moment and continued with --resume; the same settings make the same bytes.
    """
    from garten.renderer.data import manifest as published
    from garten.renderer.data import shards
    from garten.renderer.data.recipe import KIND, plan
    from garten.renderer.data.shoot import shoot
    from garten.renderer.data.videos import VideoRecipe, Videos

    given = {key: value for key, value in options.items() if _was_given(context, key)}
    path = path_to_resume(name, kind=KIND, of=STEM, fits=lambda _: True) if resume else _new_path(name)
    recipe = _asked_then(path, given) if resume else _asked_now(given)
    if isinstance(recipe, VideoRecipe):
        videos = Videos(recipe)
        count, maker, workers, seed = len(videos), videos.clip, 1, 0  # one thread reads each video through
    else:
        known = recipe
        count, maker, seed = recipe.clips, lambda number: shoot(plan(known, number)), recipe.seed
    columns = [TextColumn("clips"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()]
    try:
        with (
            begin(path, to_json(recipe), seeds=[seed], kind=KIND, resume=resume) as run,
            passing_bar(*columns) as bar,
        ):
            task = bar.add_task("clips", total=count)
            made = shards.make(maker, count, run, workers=workers, watch=lambda _: bar.advance(task))
        if manifest is not None:
            manifest = published.write((load() for _, load in shards.read(path)), manifest)
    except KeyboardInterrupt:
        if is_run(path):
            _log.info("Go on with: garten render data --name %s --resume", path.name)
        raise
    summary = _summary(path, made, manifest)
    click.echo(json.dumps(summary, indent=2) if as_json else _lines(summary))


def _new_path(name: str | None) -> Path:
    return numbered_path(STEM) if name is None else run_path(name)


def _was_given(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE


def _asked_now(given: Mapping[str, Any]) -> Recipe | VideoRecipe:
    """What a new run is asked: what was given, the rest by default."""
    from garten.renderer.data.recipe import Recipe
    from garten.renderer.data.videos import VideoRecipe
    from garten.worlds import find

    if "video" in given:
        _refuse(given, ("worlds", "held_out", "clips", "seed"), "does not fit --video; leave it out")
        if "depth_by" not in given:
            raise click.UsageError("--video needs an estimator of depth; name one by --depth-by.")
        return VideoRecipe(**{**given, "video": str(given["video"].resolve())})
    _refuse(given, ("depth_by", "normals_by", "caption"), "is an option of --video; add --video")
    held_out = given.get("held_out", ())
    worlds = given.get("worlds") or [name for name in find.names() if name not in held_out]
    return Recipe(**{**given, "worlds": _placed(worlds), "held_out": _placed(held_out)})


def _placed(worlds: Iterable[str]) -> tuple[str, ...]:
    """Worlds by name or whole path, so that the run can be gone on with from any folder.

    Raises:
        WorldError: there is no such world.
    """
    from garten.worlds import find

    return tuple(find.origin(find.load(world)) for world in worlds)


def _refuse(given: Mapping[str, Any], names: tuple[str, ...], why: str) -> None:
    for name in names:
        if name in given:
            flag = "WORLDS" if name == "worlds" else f"--{name.replace('_', '-')}"
            raise click.UsageError(f"{flag} {why}.")


def _asked_then(path: Path, given: Mapping[str, Any]) -> Recipe | VideoRecipe:
    """What a run was asked, with what this command line says differently, which `begin` then refuses."""
    from garten.renderer.data.recipe import Recipe
    from garten.renderer.data.videos import VideoRecipe

    then = RunFolder.open(path).manifest.asked
    kind: type[Recipe] | type[VideoRecipe] = VideoRecipe if "video" in then else Recipe
    try:
        recipe = from_json(kind, dict(then))
    except ValueError as error:
        raise RunError(f"{path} was begun by another version of garten; begin a new run.") from error
    changes = {
        key: _placed(value) if key in ("worlds", "held_out") else value for key, value in given.items()
    }
    strange = [key for key in changes if key not in then]
    if strange:
        raise click.UsageError(f"--{strange[0].replace('_', '-')} does not fit the run {path}; leave it out.")
    changed: Recipe | VideoRecipe = replace(recipe, **changes)  # type: ignore[arg-type]  # of either
    return changed


def _summary(path: Path, made: list[About], manifest: Path | None) -> dict[str, Any]:
    splits = sorted({about.split for about in made})
    return {
        "run": str(path),
        "clips": len(made),
        "frames": sum(about.frames for about in made),
        "splits": {split: sum(about.split == split for about in made) for split in splits},
        "manifest": str(manifest) if manifest else None,
    }


def _lines(summary: Mapping[str, Any]) -> str:
    splits = ", ".join(f"{count} {split}" for split, count in summary["splits"].items())
    lines = [f"{summary['clips']} clips, {summary['frames']} frames ({splits}): {summary['run']}"]
    if summary["manifest"]:
        lines.append(f"Manifest: {summary['manifest']}")
    return "\n".join(lines)
