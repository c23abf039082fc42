"""Which run a command begins or goes on with."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from garten.errors import RunError
from garten.runs.folder import RUNS, RunFolder, is_run, run_path

_log = logging.getLogger(__name__)


def numbered_path(stem: str) -> Path:
    """Where a new run goes that was given no name: called `stem`, with a number from the second on.

    Raises:
        RunError: the stem is no plain folder name.
    """
    numbered = (run_path(stem if number == 1 else f"{stem}-{number}") for number in range(1, 10_000))
    return next(path for path in numbered if not path.exists())


def path_to_resume(name: str | None, *, kind: str, of: str, fits: Callable[[RunFolder], bool]) -> Path:
    """The run called `name`, or the latest one of its kind that fits.

    Args:
        name: as given, or None.
        kind: of the run.
        of: what the runs are of, for the message that there are none.
        fits: whether a run of that kind may be meant.

    Raises:
        RunError: there is none.
    """
    if name is not None:
        if not is_run(run_path(name)):
            raise RunError(f"There is no run {run_path(name)} to resume; leave out --resume to begin it.")
        return run_path(name)
    runs = [run for path in sorted(RUNS.glob("*")) if is_run(path) and (run := _readable(path))]
    mine = [run for run in runs if run.manifest.kind == kind and fits(run)]
    if not mine:
        raise RunError(f"There is no run of '{of}' under {RUNS}/ to resume; leave out --resume to begin one.")
    return max(mine, key=lambda run: run.manifest.time).path


def _readable(path: Path) -> RunFolder | None:
    """The run at `path`; None, with a warning, if it cannot be read."""
    try:
        return RunFolder.open(path)
    except RunError as error:
        _log.warning("Left out: %s", error)
        return None
