"""``garten check``: does a world keep the contract, and is a level sound?"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from garten.cli._agents import agent_called
from garten.craftax.tutorial import GAMES
from garten.errors import RunError, WorldError
from garten.levels import find as levels
from garten.runs.codec import to_json

if TYPE_CHECKING:
    from garten.levels.check import Result
    from garten.levels.level import Level
    from garten.training.agents import Agent

_STARTS = 16
"""Starts of a level for each seed."""

_AGENT_STEPS = 300
"""Of an episode that an agent plays in a level; those of training are as long."""


@click.command(short_help="Does a world keep the contract, is a level sound?")
@click.argument("subject")
@click.option(
    "--seeds",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help=f"Layouts to try; of a level {_STARTS} times as many.",
)
@click.option(
    "--agent", help="Let an agent play the level too: a run of training, an exported file, or default."
)
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def check(subject: str, seeds: int, agent: str | None, as_json: bool) -> None:
    """Check SUBJECT: a world, or a level of Craftax.

    A world is a name or the path of a .py file or folder; a level is level:NAME or the path of its code. The
    exit status is 1 if a check fails.
    """
    if levels.is_level(subject):
        results = _check_level(subject, seeds, agent)
    elif agent is not None:
        raise click.UsageError("--agent plays levels only; leave it out.")
    else:
        results = _check_world(subject, seeds)
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


def _check_level(name: str, seeds: int, agent: str | None) -> Sequence[Result]:
    source, player = levels.source_of(name), agent_called(agent) if agent else None
    if player is not None and player.game != GAMES[0]:
        raise RunError(
            f"{player.name} plays {player.game}, which has no levels; give an agent of {GAMES[0]}."
        )
    from garten.levels.check import check_level, make_env
    from garten.levels.level import LIMITS
    from garten.sandbox import Sandbox

    starts = _STARTS * seeds
    with Sandbox(LIMITS) as sandbox:
        level, results = check_level(source, sandbox, make_env(starts))
    if player is None or level is None or not all(result.passed for result in results):
        return results
    return [*results, _played(player, level, starts)]


def _played(agent: Agent, level: Level, starts: int) -> Result:
    """What an agent makes of a level that is sound."""
    from garten.curriculum.tryout import played
    from garten.levels.check import Result

    ((met, dead),) = played(agent, [level], seed=0, lanes=starts, steps=_AGENT_STEPS)
    told = f"{_AGENT_STEPS} steps at most; goal met in {met} of {starts} starts, dead in {dead}"
    return Result("agent", True, told, "An agent plays; how well it does is told, and fails nothing.")


COMMAND = check
