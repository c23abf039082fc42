"""``garten levels``: what levels there are, and what one changes."""

from __future__ import annotations

import click

from garten.levels import find


@click.group(short_help="What levels there are, what one changes.", invoke_without_command=True)
@click.pass_context
def levels(context: click.Context) -> None:
    """List the levels of Craftax that come along, or show one."""
    if context.invoked_subcommand is None:
        for name in find.names():
            click.echo(f"{find.PREFIX}{name}")


@levels.command(short_help="Draw starts of a level, list what it changes.")
@click.argument("level")
@click.option("--starts", type=click.IntRange(0, 64), default=1, show_default=True, help="How many to draw.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the starts.")
def show(level: str, starts: int, seed: int) -> None:
    """Show LEVEL: what it changes of the plain game, and starts drawn in letters.

    LEVEL is level:NAME or the path of its code.
    """
    from garten.craftax import glyphs
    from garten.craftax.env import make
    from garten.levels import show as shown
    from garten.levels.level import LIMITS, read_level
    from garten.sandbox import Sandbox

    with Sandbox(LIMITS) as sandbox:
        read = read_level(find.source_of(level), sandbox)
    click.echo("\n".join([read.objective, read.description, "", *shown.differences(read), *read.notes]))
    if starts:
        for lines in shown.starts(read, make("Craftax", num_envs=starts), seed=seed):
            click.echo("\n".join(["", *(line.rstrip() for line in lines)]))
        click.echo("\n".join(["", *glyphs.legend()]))


COMMAND = levels
