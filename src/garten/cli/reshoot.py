"""``garten reshoot``: what happened, as a video: a recorded game seen anew, or a trained agent at play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from garten.cli._options import LookName, Size
from garten.cli._progress import filming
from garten.cli._torch import require_torch
from garten.errors import RunError
from garten.runs.folder import RunFolder

if TYPE_CHECKING:
    from garten.records import Frame

TRAINED: dict[str, Any] = {"seed": 0, "checkpoint": None, "tile": 32}
"""Options of films of trained agents, and their defaults."""

PLAYED: dict[str, Any] = {"camera": "overview", "look": "raw", "size": (640, 360), "speed": 1}
"""Options of films of recorded games, likewise."""

AGENT_FPS = 10


@click.command(short_help="Film a recorded game again, or a trained agent.")
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("game", required=False)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Video to write: .mp4, .webp or .gif.  [default: GAME.mp4, or RUN-world-GAME.mp4]",
)
@click.option("--camera", help="Practice: a role, chase-ROLE, overview or top.  [default: overview]")
@click.option(
    "--look",
    type=LookName(),
    help="Practice: how frames are made, raw, photo, depth, normals, neural.  [default: raw]",
)
@click.option("--size", type=Size(), help="Practice: size of the video.  [default: 640x360]")
@click.option(
    "--speed", type=click.IntRange(1), help="Practice: how much faster than world time.  [default: 1]"
)
@click.option("--seed", type=click.IntRange(0), help="Training: seed of worlds and luck.  [default: 0]")
@click.option("--checkpoint", type=click.IntRange(0), help="Training: steps.  [default: the latest kept]")
@click.option("--tile", type=click.IntRange(4, 128), help="Training: pixels along a tile.  [default: 32]")
@click.option(
    "--fps",
    type=click.IntRange(1),
    help="Frames per second; of practice it divides the world's frame rate.  [default: that rate, or 10]",
)
@click.pass_context
def reshoot(
    context: click.Context, /, run: Path, game: str | None, out: Path | None, fps: int | None, **options: Any
) -> None:
    """Film GAME of RUN, the folder of a run.

    Of practice, GAME is the id of one of its games, e.g. r01-p1-g00. It is seen again from any camera, in any
    look and size; the events stay as they were: the final state is checked against the recorded hash.

    Of training, GAME is the number of a held-out world, 0 by default: the agent plays the episode by which
    it is evaluated there. Other seeds are other worlds.
    """
    folder = RunFolder.open(run)
    trained = folder.manifest.kind == "train"
    theirs, others = (TRAINED, PLAYED) if trained else (PLAYED, TRAINED)
    for name in others:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name} does not fit a run of {folder.manifest.kind}; leave it out.")
    chosen = {name: default if options[name] is None else options[name] for name, default in theirs.items()}
    if trained:
        click.echo(_film_agent(folder, game or "0", out, fps=fps or AGENT_FPS, **chosen))
    elif game is None:
        raise click.UsageError("Missing argument 'GAME'.")
    else:
        click.echo(_film_game(folder, game, out or Path(f"{game}.mp4"), fps=fps, **chosen))


def _film_game(
    folder: RunFolder,
    game: str,
    out: Path,
    *,
    fps: int | None,
    camera: str,
    look: str,
    size: tuple[int, int],
    speed: int,
) -> Path:
    """Film a game of practice."""
    from garten.episodes.looks import look as look_named
    from garten.episodes.reshoot import reshoot as film
    from garten.practice.rounds import asked_of
    from garten.records import Episode
    from garten.worlds.find import load

    found = [
        path for path in folder.path.glob("rounds/*/episodes/*/episode.json") if path.parent.name == game
    ]
    if not found:
        raise RunError(
            f"The run {folder.path} has no game '{game}'; "
            f"its games are the folders in {folder.path}/rounds/*/episodes."
        )
    episode = folder.read_record(Episode, found[0].relative_to(folder.path).as_posix())
    world = load(asked_of(folder).world)()
    with filming() as watch:
        film(
            episode,
            out,
            camera=camera,
            look=look_named(look),
            size=size,
            fps=fps,
            speed=speed,
            world=world,
            watch=watch,
        )
    return out


def _film_agent(
    folder: RunFolder,
    game: str,
    out: Path | None,
    *,
    fps: int,
    seed: int,
    checkpoint: int | None,
    tile: int,
) -> Path:
    """Film the agent of a run of training."""
    from garten.training.results import PUBLISHED

    protocol = replace(PUBLISHED, seed=seed)
    if not game.isdecimal() or int(game) >= protocol.worlds:
        raise RunError(f"There is no world '{game}'; give a number from 0 to {protocol.worlds - 1}.")
    require_torch("Filming an agent")
    from garten.sight import video
    from garten.training.film import frames
    from garten.training.stored import load_agent

    agent = load_agent(folder, steps=checkpoint)
    out = out or Path(f"{folder.path.name}-world-{game}.mp4")
    with filming() as watch:
        shown = _watched(frames(agent, protocol, int(game), tile=tile), watch, most=protocol.steps)
        return video.write(out, shown, fps=fps)


def _watched(frames: Iterator[Frame], watch: Callable[[float], None], *, most: int) -> Iterator[Frame]:
    """The frames, of at most so many; each is told of."""
    for number, frame in enumerate(frames):
        watch(number / most)
        yield frame


COMMAND = reshoot
