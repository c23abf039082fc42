"""One exception class for each boundary a failure can cross.

    GartenError
    ├── WorldError     a world could not be found, or broke its contract
    ├── LevelError     a level could not be read, or asks for what the engine does not have
    ├── ProgramError   what a player wrote, a program or a lesson, was refused or failed; its text is feedback
    ├── ModelError     a language-model endpoint failed, or was used beyond its budget
    ├── RenderError    a camera, look or video could not make a frame
    └── RunError       a run folder could not be made, read, locked or resumed

Each message is one sentence that ends in the remedy. The command line prints it and exits with status 1; a
traceback appears only with ``--debug``. A failed episode is data: whoever plays it catches these, writes them
on the record and goes on. Wrong arguments in Python code raise ``ValueError`` or ``TypeError`` as usual.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


class GartenError(Exception):
    """Base of all errors raised on purpose by Garten."""


class WorldError(GartenError):
    """A world could not be found or loaded, or broke its contract."""


class LevelError(GartenError):
    """A level could not be read, or asks for what the engine does not have."""


class ProgramError(GartenError):
    """What a player wrote, a program or a lesson, was refused, failed or ran past a limit."""


class ModelError(GartenError):
    """A language-model endpoint failed, answered with garbage, or would exceed its budget."""


class RenderError(GartenError):
    """A camera, look or video could not make a frame."""


class RunError(GartenError):
    """A run folder could not be made, read, locked, written or resumed."""


@contextmanager
def without_traceback() -> Iterator[None]:
    """Let a `GartenError` end the process as in the command line: by its sentence and status 1."""
    try:
        yield
    except GartenError as error:
        sys.exit(f"Error: {error}")
