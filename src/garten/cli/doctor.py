"""``garten doctor``: what this machine has, and the remedy for what it lacks."""

from __future__ import annotations

import json
import sys

import click

from garten.doctor import diagnose
from garten.runs.codec import to_json

_MARKS = {True: "ok", False: "problem", None: "-"}


@click.command(short_help="What this machine has, and what it lacks.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def doctor(as_json: bool) -> None:
    """Check Python, cores, CUDA, the kernel cache, extras and endpoint settings.

    The exit status is 1 if there is a problem.
    """
    findings = diagnose()
    if as_json:
        click.echo(json.dumps(to_json(findings), indent=2))
    else:
        width = max(len(finding.name) for finding in findings)
        for finding in findings:
            click.echo(f"{_MARKS[finding.ok]:8}{finding.name:{width}}  {finding.detail}")
            if finding.remedy:
                click.echo(f"{'':8}{'':{width}}  -> {finding.remedy}")
    sys.exit(1 if any(finding.ok is False for finding in findings) else 0)


COMMAND = doctor
