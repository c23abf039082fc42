"""``garten reshoot``: a recorded episode seen anew."""

from __future__ import annotations

from pathlib import Path

import click
from rich.progress import Progress

from garten.cli._options import Size
from garten.cli._progress import console
from garten.episodes.reshoot import reshoot as film
from garten.errors import RunError
from garten.practice.rounds import asked_of
from garten.records import Episode
from garten.runs.folder import RunFolder
from garten.sight.looks import look as look_named
from garten.worlds.find import load


@click.command(short_help="Film a recorded game again.")
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("game")
@click.option(
    "--out", type=click.Path(path_type=Path), help="Video to write: .mp4, .webp or .gif.  [default: GAME.mp4]"
)
@click.option("--camera", default="overview", show_default=True, help="A role, chase-ROLE, overview or top.")
@click.option("--look", default="raw", show_default=True, help="How frames are made: raw, depth or normals.")
@click.option("--size", type=Size(), default="640x360", show_default=True, help="Size of the video.")
@click.option(
    "--fps",
    type=click.IntRange(1),
    help="Frames per second; divides the world's frame rate.  [default: that rate]",
)
@click.option(
    "--speed", type=click.IntRange(1), default=1, show_default=True, help="How much faster than world time."
)
def reshoot(
    run: Path,
    game: str,
    out: Path | None,
    camera: str,
    look: str,
    size: tuple[int, int],
    fps: int | None,
    speed: int,
) -> None:
    """Film GAME of RUN again from any camera, in any look and size.

    RUN is the folder of a run, GAME the id of one of its games, e.g. r01-p1-g00. The events stay as they
    were: the final state is checked against the recorded hash.
    """
    folder = RunFolder.open(run)
    found = [
        path for path in folder.path.glob("rounds/*/episodes/*/episode.json") if path.parent.name == game
    ]
    if not found:
        raise RunError(
            f"The run {run} has no game '{game}'; its games are the folders in {run}/rounds/*/episodes."
        )
    episode = folder.read_record(Episode, found[0].relative_to(folder.path).as_posix())
    world = load(asked_of(folder).world)()
    screen = console()
    with Progress(console=screen, transient=True, disable=not screen.is_terminal) as progress:
        task = progress.add_task("filming", total=1.0)
        film(
            episode,
            out := out or Path(f"{game}.mp4"),
            camera=camera,
            look=look_named(look),
            size=size,
            fps=fps,
            speed=speed,
            world=world,
            watch=lambda share: progress.update(task, completed=share),
        )
    click.echo(out)


COMMAND = reshoot
