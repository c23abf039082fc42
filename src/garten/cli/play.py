"""``garten play``: a person at the keys, or an agent."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource
from rich.console import Console

from garten.cli import _terminal
from garten.cli._agents import agent_called
from garten.cli._options import FiniteRange
from garten.craftax.host_keys import SEEDS
from garten.craftax.keyboard import LEAVE
from garten.craftax.tutorial import GAMES

if TYPE_CHECKING:
    from garten.cli._pilot import Pilot
    from garten.cli._recording import Recording
    from garten.craftax.session import Session

_COLOURS = {"truecolor": 2**24, "256": 256}


@click.group(short_help="Play yourself, or watch an agent.")
def play() -> None:
    """Play yourself in a terminal, or watch an agent play."""


@play.command(short_help="Craftax and Craftax-Classic.")
@click.option(
    "--game",
    type=click.Choice(GAMES, case_sensitive=False),
    default=GAMES[0].lower(),  # as the choices are shown
    show_default=True,
    help="Which of the two games.",
)
@click.option(
    "--seed", type=click.IntRange(0, SEEDS - 1), help="Seed of everything random.  [default: a fresh one]"
)
@click.option(
    "--record",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Video to write: .mp4, .webp or .gif.",
)
@click.option(
    "--tile",
    type=click.IntRange(4, 128),
    default=32,
    show_default=True,
    help="Pixels along the side of a tile in the video.",
)
@click.option("--god-mode", is_flag=True, help="Have everything and never die; Craftax only.")
@click.option("--keys", help="Play these keys, without a terminal.")
@click.option("--agent", help="Watch an agent play: a run of training, an exported file, or default.")
@click.option(
    "--speed",
    type=FiniteRange(0.1, 1000),
    default=8.0,
    show_default=True,
    help="Steps a second of the agent.",
)
@click.pass_context
def craftax(
    context: click.Context,
    /,
    game: str,
    seed: int | None,
    record: Path | None,
    tile: int,
    god_mode: bool,
    keys: str | None,
    agent: str | None,
    speed: float,
) -> None:
    """Play Craftax in this terminal; each key is one step.

    The screen shows the keys. Equal seeds and equal keys give equal games. With --agent, an agent presses
    them, in its own game.
    """
    from garten.craftax.play import Game
    from garten.craftax.session import Session

    if agent is not None and keys is not None:
        raise click.UsageError("--keys are played by nobody else; leave out --agent.")
    pilot = None
    if agent is not None:
        given = context.get_parameter_source("game") is ParameterSource.COMMANDLINE
        pilot, game = _pilot(agent, game if given else None)
    if god_mode and game != GAMES[0]:
        raise click.UsageError(f"--god-mode is an option of {GAMES[0]}; leave it out.")
    if keys is None:
        _terminal.require()
    seed = secrets.randbelow(SEEDS) if seed is None else seed
    recording = _recording(record) if record else None
    session = Session(Game(game, seed=seed, god_mode=god_mode))
    if keys is not None:
        if odd := set(keys) - session.keys:
            raise click.UsageError(f"{min(odd)!r} in --keys is no key of {game}; leave it out.")
        for key in keys:
            session.press(key)
    elif recording:
        words = ["--game", game, "--seed", str(seed), "--record", str(record), "--tile", str(tile)]
        with recording.kept(["garten", "play", "craftax", *words, *["--god-mode"] * god_mode]) as keep:
            _play(session, keep, pilot, speed)
    else:
        _play(session, lambda _: None, pilot, speed)
    if recording:
        recording.write(session, Game(game, seed=seed, tile=tile, god_mode=god_mode))
    for line in _summary(session):
        click.echo(line)
    if recording:
        click.echo(record)


def _recording(path: Path) -> Recording:
    from garten.cli._recording import Recording  # loads what videos need

    return Recording(path)


def _pilot(name: str, asked: str | None) -> tuple[Pilot, str]:
    """The agent of this name at the keys, and its game.

    Raises:
        click.UsageError: it plays another game than what is asked.
        RunError: there is no such agent.
    """
    agent = agent_called(name)
    from garten.cli._pilot import Pilot  # loads torch
    from garten.policies.shape import shape_of

    if asked not in (None, agent.game):
        raise click.UsageError(f"{agent.name} plays {agent.game}; leave out --game.")
    return Pilot(agent, actions=shape_of(agent.game).actions), agent.game


def _play(session: Session, keep: Callable[[str], None], pilot: Pilot | None, speed: float) -> None:
    """Play until the player leaves, by a key or by ending the program.

    An agent makes so many steps a second; the person beside it may leave, and begin the next game.
    """
    from garten.cli._screen import draw

    colours = _colours()
    with _terminal.Terminal() as terminal, suppress(KeyboardInterrupt):
        while not session.left:
            terminal.show(draw(session, terminal.size, colours=colours))
            if pilot is None or session.game.over or session.asking:
                keys = terminal.read()
            elif LEAVE in (pressed := terminal.read(seconds=1.0 / speed)):
                keys = LEAVE
            else:
                keys = "" if pressed else pilot.key(session.game)
            for key in filter(session.keys.__contains__, keys):
                keep(key)
                session.press(key)


def _colours() -> int:
    """How many colours the terminal shows pictures in, 0 if it shows none."""
    screen = Console()
    if screen.no_color or not screen.encoding.startswith("utf"):
        return 0
    return _COLOURS.get(screen.color_system or "", 0)


def _summary(session: Session) -> list[str]:
    """A line for each game."""
    name, most = session.game.name, session.game.num_achievements
    return [
        f"{name}, seed {played.seed}: {len(played.actions)} steps, return {played.total:.1f}, "
        f"{len(played.achieved)} of {most} achievements" + "".join(f", {one}" for one in played.achieved)
        for played in session.played
    ]


COMMAND = play
