"""Options that all commands share whose runs train something."""

from __future__ import annotations

import click

from garten.cli._options import FiniteRange

minutes_option = click.option(
    "--minutes", type=FiniteRange(0, min_open=True), help="Stop after so long; --resume goes on."
)

seed_option = click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of everything random."
)

set_option = click.option(
    "--set", "changes", multiple=True, metavar="PATH=VALUE", help="Change a setting; can be repeated."
)

resume_option = click.option(
    "--resume", is_flag=True, help="Go on with the run called --name, or with the latest."
)

device_option = click.option(
    "--device", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True, help="Where to compute."
)

threads_option = click.option(
    "--threads",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="CPU threads; the last bits of sums depend on them.",
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end.")
