"""``garten dream``: authors write new code."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

import click

from garten.cli._llm import CALLS, author_settings, llm_options
from garten.cli._progress import DreamProgress, console
from garten.craftax.tutorial import GAMES
from garten.errors import LevelError, RunError
from garten.runs.folder import RunFolder

if TYPE_CHECKING:
    from garten.authors.build import AuthorName
    from garten.curriculum.dream import Basis, Dreamt

_log = logging.getLogger(__name__)

_TAPES = "tapes"  # folder, in that of the levels, for what a model was asked and answered


@click.group(short_help="Have new levels written.")
def dream() -> None:
    """Have new code written by an author."""


@dream.command(short_help="Write levels of Craftax.")
@click.argument("run", required=False)
@click.option(
    "--author",
    "name",
    type=click.Choice(["rules", "llm"]),
    default="rules",
    show_default=True,
    help="Who writes: rules, offline, or a language model.",
)
@click.option(
    "--count", type=click.IntRange(1, 1000), default=10, show_default=True, help="Levels to ask for."
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of all that is drawn.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("levels"),
    show_default=True,
    help="Folder for the code of the levels.",
)
@click.option("--json", "as_json", is_flag=True, help="Print what came of each as JSON.")
@llm_options(*CALLS)
def level(
    run: str | None, name: AuthorName, count: int, seed: int, out: Path, as_json: bool, **model: Any
) -> None:
    """Have levels written, and keep those that pass the checks of `garten check`.

    They grow from levels of RUN, the folder of a training run, at the frontier of what its policy can do;
    without RUN, or if it has no levels, from the seed levels. Each is saved as soon as it passes. The exit
    status is 1 if no level passes.
    """
    from garten.authors.build import make_author
    from garten.curriculum.dream import Dream, from_run, from_seeds
    from garten.levels.domain import CraftaxDomain
    from garten.levels.level import LIMITS
    from garten.sandbox import Sandbox

    folder = _training(run) if run else None
    settings = author_settings(name, model)
    progress = DreamProgress(console(), levels=count)
    with Sandbox(LIMITS) as sandbox, progress.shown():
        domain = CraftaxDomain(sandbox)
        grown = folder and from_run(folder, count, seed=seed)
        basis = grown or from_seeds(domain, count)
        dreaming = Dream(
            domain, basis, seed=seed, folder=out, watch=lambda one: progress.add(passed=one.file is not None)
        )
        author = make_author(name, domain, folder=out / _TAPES, settings=settings, answered=dreaming.take)
        _make_folder(out)
        progress.begin(
            f"Writing {count} level{'s' * (count > 1)} from {_origin(run, basis, grown=bool(grown))}."
        )
        try:
            author.write(dreaming.requests)
        except KeyboardInterrupt:
            passed = any(one.file for one in dreaming.dreamt)
            _log.info("%s%s.", progress.told(), f"; they are in {out}" if passed else "")
            raise
    written = dreaming.dreamt
    if as_json:
        click.echo(json.dumps([_told(one) for one in written], indent=2))
    else:
        click.echo("\n".join(_lines(written)))
    if not any(one.file for one in written):
        raise LevelError("No level passed; the reasons stand above.")


def _make_folder(out: Path) -> None:
    """Make the folder of the levels, and see that it can be written before an author is asked."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=out):
            pass
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise LevelError(f"The folder {out} cannot be written ({reason}); choose another --out.") from error


def _training(run: str) -> RunFolder:
    """The folder of a training run."""
    folder = RunFolder.open(run)
    if folder.manifest.kind != "train":
        raise RunError(
            f"{run} is a run of {folder.manifest.kind}, which has no levels; "
            "give one of garten train, or none to begin with the seed levels."
        )
    game = folder.manifest.asked.get("game", GAMES[0])
    if game not in GAMES:
        raise RunError(
            f"{run} is a run of {game}, whose levels are read by its own domain; give one of Craftax."
        )
    return folder


def _origin(run: str | None, basis: Basis, *, grown: bool) -> str:
    """What levels grow from, in words."""
    if grown:
        return f"the {f'{len(basis.known)} levels' if basis.known[1:] else 'one level'} of {run}"
    seeds = f"the {len(basis.known)} seed levels"
    return f"{seeds}, for {run} has none" if run else seeds


def _lines(written: Sequence[Dreamt]) -> list[str]:
    """What came of each level, and of all."""
    heads = [str(one.file) if one.file else f"refused: {one.judgement.failed}" for one in written]
    width = max(map(len, heads))
    lines = []
    for head, one in zip(heads, written, strict=True):
        goal = ", ".join(one.judgement.reading.goal) if one.judgement.reading else ""
        lines.append(f"{head:{width}}  {one.judgement.reason or goal}")
    kept = sum(one.file is not None for one in written)
    return [*lines, f"{kept} of {len(written)} levels passed."]


def _told(one: Dreamt) -> dict[str, object]:
    draft, reading = one.judgement.draft, one.judgement.reading
    return {
        "file": str(one.file) if one.file else None,
        "digest": reading.digest if reading else None,
        "parent": one.parent.name if one.parent else None,
        "goal": list(reading.goal) if reading else None,
        "description": draft.description if draft else None,
        "reasoning": draft.reasoning if draft else None,
        "failed": one.judgement.failed,
        "reason": one.judgement.reason,
        "wall_ms": round(one.judgement.wall_ms, 1),
    }


COMMAND = dream
