"""``garten check``: does a world keep the contract?"""

from __future__ import annotations

import json
import sys

import click

from garten.runs.codec import to_json
from garten.worlds.check import check as conformance
from garten.worlds.find import load


@click.command(short_help="Does a world keep the contract?")
@click.argument("world")
@click.option("--seeds", type=click.IntRange(1), default=3, show_default=True, help="Layouts to try.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def check(world: str, seeds: int, as_json: bool) -> None:
    """Run the conformance suite on WORLD, a name or the path of a .py file or folder.

    The exit status is 1 if a check fails.
    """
    results = conformance(load(world), seeds=range(seeds))
    if as_json:
        click.echo(json.dumps(to_json(results), indent=2))
    else:
        width = max(len(result.name) for result in results)
        for result in results:
            click.echo(f"{'ok' if result.passed else 'FAILED':8}{result.name:{width}}  {result.detail}")
    sys.exit(0 if all(result.passed for result in results) else 1)


COMMAND = check
