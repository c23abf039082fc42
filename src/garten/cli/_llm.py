"""The options of ``garten practice`` that only a language-model player has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from garten.practice.players.llm.forecast import forecast
from garten.practice.players.llm.settings import Settings
from garten.practice.rounds import Asked, task_for
from garten.worlds.find import load

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--base-url", help="Address of the endpoint.  [default: GARTEN_LLM_BASE_URL]"),
    click.option("--model", help="Name of the model.  [default: GARTEN_LLM_MODEL]"),
    click.option(
        "--text-frames",
        is_flag=True,
        default=None,
        help="Describe frames in words, for models that do not see.",
    ),
    click.option("--frames", type=int, help="Most frames shown for one program."),
    click.option("--programs", type=int, help="Most programs one seat hands in in one game."),
    click.option("--reply-tokens", type=int, help="Longest reply of the model."),
    click.option("--timeout", type=float, help="Seconds for one attempt of a call."),
    click.option("--tokens", type=int, help="Budget of the whole run, in tokens."),
    click.option("--cost", type=float, help="Budget of the whole run, in the currency of the prices."),
    click.option("--price-in", type=float, help="Price of a million prompt tokens."),
    click.option("--price-out", type=float, help="Price of a million completion tokens."),
    click.option(
        "--playback", is_flag=True, default=None, help="Answer from the run's tapes only, asking no endpoint."
    ),
)
NAMES = tuple(field for field in Settings.__dataclass_fields__)


def llm_options(command: Command) -> Command:
    """Add the options to a command; each arrives under its setting's name, None where it was not given."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def llm_settings(given: dict[str, Any]) -> dict[str, Any]:
    """The settings a run is kept with: those given, the rest by default, the endpoint from the environment.

    Raises:
        ModelError: a value is out of range, or no endpoint is set.
    """
    return Settings.of(given).resolved()


def estimate(asked: Asked) -> str:
    """One line on what a run would use."""
    spec = load(asked.world).spec
    tasks = [task_for(spec, role.name, size=asked.size) for role in spec.roles]
    return str(
        forecast(
            tasks,
            Settings.of(asked.settings),
            rounds=asked.rounds,
            players=asked.players,
            games=asked.games,
            held_out=asked.held_out,
        )
    )
