"""What commands that show or measure a renderer share: which renderer, which clips."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from garten.errors import RunError
from garten.runs.folder import is_run, run_path

if TYPE_CHECKING:
    from garten.renderer.data.reader import Clips
    from garten.renderer.renderer import Renderer

SPLITS = ("layouts", "worlds", "train")
"""Which clips: of layouts or of worlds that training never showed, or those it showed."""

Command = Callable[..., Any]

renderer_argument = click.argument("renderer", type=click.Path(path_type=Path), metavar="RUN|FILE")

data_option = click.option(
    "--data",
    "places",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Clips: a run of garten render data, or a manifest.jsonl; can be repeated.",
)

steps_option = click.option(
    "--steps", type=click.IntRange(1), help="Steps of denoising.  [default: the renderer's]"
)


def placed(place: Path) -> Path:
    """A run by its path, or by its name; anything else as it is."""
    named = not place.exists() and len(place.parts) == 1 and is_run(run_path(str(place)))
    return run_path(str(place)) if named else place


def open_renderer(place: Path, *, steps: int | None) -> Renderer:
    """The renderer of a run or a file.

    Raises:
        RunError: there is none, or it does not take so many steps.
        RenderError: the file holds no whole renderer.
    """
    from garten.renderer.saved import load_renderer
    from garten.renderer.training.saved import kept_renderer

    renderer = load_renderer(kept_renderer(placed(place)))
    most = len(renderer.settings.endpoints)
    if steps is not None and steps > most:
        raise RunError(f"This renderer denoises in up to {most} steps, not {steps}; give fewer.")
    return renderer


def open_clips(places: tuple[Path, ...], renderer: Renderer, *, split: Any, frames: int | None) -> Clips:
    """Clips of one split, by default as long as the shortest of them allows.

    Raises:
        RunError: a place holds no run of clips.
        RenderError: there is no clip of that split and length.
    """
    from garten.renderer.data.reader import Clips
    from garten.renderer.quality.rollout import whole_frames

    found = [placed(place) for place in places]
    if frames is None:
        frames = Clips(found, frames=1 + renderer.settings.block_frames, split=split).shortest
    return Clips(found, frames=whole_frames(frames, renderer.settings), split=split)
