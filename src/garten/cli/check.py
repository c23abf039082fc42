"""``garten check``: does a world keep the contract, and is a level sound?"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from garten.errors import WorldError
from garten.levels import find as levels
from garten.runs.codec import to_json

_STARTS = 16
"""Starts of a level for each seed."""


@click.command(short_help="Does a world keep the contract, is a level sound?")
@click.argument("subject")
@click.option(
    "--seeds",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help=f"Layouts to try; of a level {_STARTS} times as many.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def check(subject: str, seeds: int, as_json: bool) -> None:
    """Check SUBJECT: a world, or a level of Craftax.

    A world is a name or the path of a .py file or folder; a level is level:NAME or the path of its code. The
    exit status is 1 if a check fails.
    """
    results = _check_level(subject, seeds) if levels.is_level(subject) else _check_world(subject, seeds)
    if as_json:
        click.echo(json.dumps(to_json(results), indent=2))
    else:
        width = max(len(result.name) for result in results)
        for result in results:
            line = f"{'ok' if result.passed else 'FAILED':8}{result.name:{width}}  {result.detail}"
            click.echo(line.rstrip())
    sys.exit(0 if all(result.passed for result in results) else 1)


def _check_world(name: str, seeds: int) -> Sequence[Any]:
    from garten.worlds.check import check as conformance
    from garten.worlds.find import NoWorldError, is_path, load

    path = Path(name)
    if is_path(name) and not path.exists():
        raise WorldError(f"There is no world or level at {name}; give the path of one.")
    try:
        world = load(name)
    except NoWorldError as error:
        raise WorldError(
            f"{name} looks like neither a level nor a world; a level defines objective, description and "
            "relevant_achievements, a world assigns its class to WORLD."
        ) from error
    return conformance(world, seeds=range(seeds))


def _check_level(name: str, seeds: int) -> Sequence[Any]:
    from garten.levels.check import check_level, make_env
    from garten.levels.level import LIMITS
    from garten.sandbox import Sandbox

    with Sandbox(LIMITS) as sandbox:
        return check_level(levels.source_of(name), sandbox, make_env(_STARTS * seeds))[1]


COMMAND = check
