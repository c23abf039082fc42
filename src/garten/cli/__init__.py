"""The command line: one file a command, each of which parses, wires, calls and prints.

A module here that defines `COMMAND` (a click command) is a command of that name. It is imported only when it
is asked for or listed, so that ``garten worlds`` does not wait for what ``garten practice`` needs.
"""

from __future__ import annotations

import logging
import os
import sys
from importlib import import_module
from pkgutil import iter_modules
from typing import TextIO

import click

from garten import __version__
from garten.errors import GartenError


class _StandardError(logging.StreamHandler[TextIO]):
    """Writes to what is standard error now: a progress bar takes its place, to stay the last line."""

    def emit(self, record: logging.LogRecord) -> None:
        self.setStream(sys.stderr)
        super().emit(record)


class _Commands(click.Group):
    """A group that finds its commands among the modules of this package."""

    def list_commands(self, context: click.Context) -> list[str]:
        return sorted(module.name for module in iter_modules(__path__) if not module.name.startswith("_"))

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in self.list_commands(context):
            return None
        command: click.Command = import_module(f"{__name__}.{name}").COMMAND
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="garten")
@click.option("--debug", is_flag=True, help="Show tracebacks and debug messages.")
@click.pass_context
def garten(context: click.Context, debug: bool) -> None:
    """Agents that get better by acting in code worlds.

    Start with `garten practice herding`: players practise, offline, and a report shows how they got better.
    """
    context.obj = debug
    # Libraries speak only when something is wrong.
    logging.basicConfig(level=logging.WARNING, format="%(message)s", handlers=[_StandardError()], force=True)
    logging.getLogger("garten").setLevel(logging.DEBUG if debug else logging.INFO)


def main() -> None:
    """Run the command line; errors are one sentence on standard error and a non-zero exit status.

    ``--debug`` counts wherever it stands, and shows tracebacks.
    """
    _open_standard_streams()
    arguments = [argument for argument in sys.argv[1:] if argument != "--debug"]
    debug = arguments != sys.argv[1:]
    try:
        garten(["--debug"] * debug + arguments, prog_name="garten", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("Stopped.", err=True)
        sys.exit(130)
    except Exception as error:
        if debug:
            raise
        click.echo(f"Error: {_sentence(error)}", err=True)
        sys.exit(1)


def _open_standard_streams() -> None:
    """Let closed standard streams lead nowhere: else a file of a run would take a stream's number."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), "r" if name == "stdin" else "w"))


def _sentence(error: Exception) -> str:
    """What went wrong; errors that Garten did not foresee come from a mistake in it or in a world's code."""
    if isinstance(error, GartenError):
        return str(error)
    return f"{type(error).__name__}: {str(error) or 'no reason given'}; --debug shows where it comes from."
