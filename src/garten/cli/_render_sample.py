"""``garten render sample``: what a renderer makes, as a video beside geometry and truth."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from garten.cli._progress import filming
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

if TYPE_CHECKING:
    from garten.renderer.data.clip import Clip
    from garten.renderer.renderer import Renderer

FRAMES = 65
"""Of a clip that is made on the way."""


@click.command(short_help="A video of geometry, truth and what a renderer makes.")
@renderer_argument
@click.argument("world", required=False)
@data_option
@click.option(
    "--split",
    type=click.Choice(SPLITS),
    help="With --data: which clips.  [default: layouts]",
)
@click.option("--clip", "number", type=click.IntRange(0), help="With --data: which of them.  [default: 0]")
@click.option("--frames", type=click.IntRange(2), help="Frames.  [default: the clip's; 65 of a world]")
@click.option("--caption", help="Text and style.  [default: the clip's]")
@click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of noise, and of a world."
)
@steps_option
@click.option(
    "--zoom",
    type=click.IntRange(1, 16),
    default=3,
    show_default=True,
    help="Pixels of the video along the side of one of a frame.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("sample.mp4"),
    show_default=True,
    help="Video to write: .mp4, .webp or .gif.",
)
@threads_option
def sample(
    renderer: Path,
    world: str | None,
    places: tuple[Path, ...],
    split: str | None,
    number: int | None,
    frames: int | None,
    caption: str | None,
    seed: int,
    steps: int | None,
    zoom: int,
    out: Path,
    threads: int,
) -> None:
    """Let a renderer, the latest of a RUN or that of a FILE, make the frames of a clip.

    The clip is one of --data, or one of WORLD that is made on the way, in a layout that training never shows.
    The video has depth, the clip's own frames and the renderer's, left to right.
    """
    require_torch("Rendering")
    from garten.renderer.quality.film import side_by_side
    from garten.renderer.quality.rollout import roll
    from garten.sight import video

    if (world is None) == (not places):
        raise click.UsageError("Give either a WORLD or clips by --data.")
    if world is not None and (split is not None or number is not None):
        raise click.UsageError("--split and --clip go with --data; leave them out.")
    video.format_of(out)
    with torch_threads(threads):
        loaded = open_renderer(renderer, steps=steps)
        if world is not None:
            clip = _of_world(world, loaded, frames=frames or FRAMES, seed=seed)
        else:
            clips = open_clips(places, loaded, split=split or SPLITS[0], frames=frames)
            if (number or 0) >= len(clips):
                raise click.UsageError(
                    f"--clip goes from 0 to {len(clips) - 1} in --split {split or SPLITS[0]}; "
                    f"give one of these, or another of {', '.join(SPLITS)}."
                )
            clip = clips.clip(number or 0)
        made = roll(loaded, clip, seed=seed, steps=steps, caption=caption)
    with filming():
        click.echo(video.write(out, side_by_side(clip, made, zoom=zoom), fps=clip.about.fps))


def _of_world(world: str, renderer: Renderer, *, frames: int, seed: int) -> Clip:
    """A clip of a world in a layout that training never shows."""
    from garten.renderer.data.recipe import HELD_OUT, Recipe, plan
    from garten.renderer.data.shoot import shoot
    from garten.renderer.quality.rollout import whole_frames

    settings = renderer.settings
    count = whole_frames(frames, settings)
    recipe = Recipe((world,), frames=count, size=(settings.width, settings.height), seed=seed)
    return shoot(plan(recipe, HELD_OUT - 1))
