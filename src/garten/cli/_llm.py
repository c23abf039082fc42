"""The options of commands that may ask a language model."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from garten.errors import ModelError

if TYPE_CHECKING:
    from garten.practice.players.llm.forecast import Forecast
    from garten.practice.rounds import Asked

Command = TypeVar("Command", bound=Callable[..., Any])

_FLAGS: dict[str, dict[str, Any]] = {
    "--base-url": {"help": "Address of the endpoint.  [default: GARTEN_LLM_BASE_URL]"},
    "--model": {"help": "Name of the model.  [default: GARTEN_LLM_MODEL]"},
    "--text-frames": {
        "is_flag": True,
        "default": None,
        "help": "Describe frames in words, for models that do not see.",
    },
    "--frames": {"type": int, "help": "Most frames shown for one program."},
    "--programs": {"type": int, "help": "Most programs one seat hands in in one game."},
    "--reply-tokens": {"type": int, "help": "Longest reply of the model."},
    "--timeout": {"type": float, "help": "Seconds for one attempt of a call."},
    "--tokens": {"type": int, "help": "Budget of the whole run, in tokens."},
    "--cost": {"type": float, "help": "Budget of the whole run, in the currency of the prices."},
    "--price-in": {"type": float, "help": "Price of a million prompt tokens."},
    "--price-out": {"type": float, "help": "Price of a million completion tokens."},
    "--playback": {
        "is_flag": True,
        "default": None,
        "help": "Answer from the run's tapes only, asking no endpoint.",
    },
}
NAMES = tuple(flag.removeprefix("--").replace("-", "_") for flag in _FLAGS)
"""The settings of a player, each with a flag of its name."""

CALLS = ("base_url", "model", "tokens", "cost", "price_in", "price_out", "playback")
"""Those of whoever else asks a model."""


def llm_options(*names: str) -> Callable[[Command], Command]:
    """Add options to a command; each arrives under its setting's name, None where it was not given."""

    def add(command: Command) -> Command:
        for name in reversed(names):
            flag = f"--{name.replace('_', '-')}"
            command = click.option(flag, **_FLAGS[flag])(command)
        return command

    return add


def author_settings(author: str | None, options: dict[str, Any]) -> dict[str, Any]:
    """The settings in `CALLS` that were given for the author of levels.

    Raises:
        ModelError: there are some, and the author is no language model.
    """
    given = {name: value for name, value in options.items() if value is not None}
    if given and author != "llm":
        raise ModelError("The options of a language model go with --author llm; leave them out or add it.")
    return given


def llm_settings(given: dict[str, Any]) -> dict[str, Any]:
    """The settings a run is kept with: those given, the rest by default, the endpoint from the environment.

    Raises:
        ModelError: a value is out of range, no endpoint is set, or the extra ``llm`` is not installed.
    """
    # These load SciPy and the SDK's neighbours, which no other kind of player needs.
    from garten.llm.client import require_sdk
    from garten.practice.players.llm.settings import Settings

    require_sdk()
    return Settings.of(given).resolved()


def estimate(asked: Asked) -> Forecast:
    """What a run would use."""
    from garten.practice.players.llm.forecast import forecast
    from garten.practice.players.llm.settings import Settings
    from garten.practice.rounds import task_for
    from garten.worlds.find import load

    spec = load(asked.world).spec
    tasks = [task_for(spec, role.name, size=asked.size) for role in spec.roles]
    return forecast(
        tasks,
        Settings.of(asked.settings),
        rounds=asked.rounds,
        players=asked.players,
        games=asked.games,
        held_out=asked.held_out,
    )
