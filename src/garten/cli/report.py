"""``garten report``: the page of a run, made again."""

from __future__ import annotations

from pathlib import Path

import click

from garten.cli._progress import filming
from garten.cli._torch import require_torch
from garten.runs.folder import RunFolder


@click.command(short_help="Make a run's report again.")
@click.argument("run", type=click.Path(path_type=Path))
def report(run: Path) -> None:
    """Write report.html for RUN, the folder of a run; a run under way gets what there is of it."""
    folder = RunFolder.open(run)
    if folder.manifest.kind == "train":
        require_torch("The report of training")
    with filming() as watch:
        from garten.report.page import write_report  # loads Matplotlib

        written = write_report(folder, watch=watch)
    click.echo(written)


COMMAND = report
