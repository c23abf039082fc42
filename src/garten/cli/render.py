"""``garten render``: the neural renderer, from its data on."""

from __future__ import annotations

import click

from garten.cli._render_data import data


@click.group(short_help="The neural renderer: make its data.")
def render() -> None:
    """The neural renderer, which makes frames from geometry."""


render.add_command(data)

COMMAND = render
