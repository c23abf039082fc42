"""One page that shows a run: what it looks like depends on what made it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from garten.errors import RunError
from garten.practice.rounds import KIND
from garten.runs.folder import RunFolder

NAME = "report.html"


def write_report(run: RunFolder, *, watch: Callable[[float], None] = lambda share: None) -> Path:
    """Write ``report.html`` for a run and return its path.

    Args:
        run: of practice or of training.
        watch: is told now and then what share of the clips of a run of practice is filmed.

    Raises:
        RunError: it is neither a run of practice nor of training, is damaged or cannot be written.
        RenderError: a clip could not be made.
    """
    if run.manifest.kind == "train":
        from garten.report.training_page import training_page  # loads torch

        return run.write_text(NAME, training_page(run))
    if run.manifest.kind != KIND:
        raise RunError(
            f"The run {run.path} is of kind '{run.manifest.kind}'; "
            "give one made by garten practice or garten train."
        )
    from garten.report.practice_page import practice_page

    return run.write_text(NAME, practice_page(run, watch=watch))
