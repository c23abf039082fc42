"""``garten craftax``: the grid worlds of survival."""

from __future__ import annotations

import click

from garten.craftax.tutorial import GAMES
from garten.craftax.tutorial import tutorial as written


@click.group(short_help="Craftax and Craftax-Classic.")
def craftax() -> None:
    """Craftax and Craftax-Classic, grid worlds of survival."""


@craftax.command(short_help="How to play.")
@click.argument("game", type=click.Choice(GAMES, case_sensitive=False), default=GAMES[0])
def tutorial(game: str) -> None:
    """Say how to play GAME, Craftax by default: actions, recipes, creatures, achievements."""
    click.echo(written(game))


COMMAND = craftax
