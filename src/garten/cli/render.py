"""``garten render``: the neural renderer, from its data on."""

from __future__ import annotations

import click

from garten.cli._render_data import data
from garten.cli._render_eval import evaluate
from garten.cli._render_sample import sample
from garten.cli._render_train import train


@click.group(short_help="The neural renderer: make its data, train it, look at it.")
def render() -> None:
    """The neural renderer, which makes frames from geometry."""


render.add_command(data)
render.add_command(train)
render.add_command(sample)
render.add_command(evaluate)

COMMAND = render
