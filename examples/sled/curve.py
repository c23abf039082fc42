"""Draw the evaluations of runs: ``python -m sled.curve runs/sled-* --out curve.svg``."""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure

from garten.errors import GartenError, RunError
from garten.runs.events import read_events
from garten.runs.folder import RunFolder
from sled.game import BEST, NAME

Curve = npt.NDArray[np.float64]
"""Steps of training and mean return, [evaluations, 2]."""

_COLOURS = {"none": "#777777", "goals": "#b8660b", "dicode": "#0b7a4b"}
_WORDS = {"none": "the plain world", "goals": "goals only", "dicode": "Dreaming in Code, rules author"}


def curve_of(run: RunFolder) -> tuple[str, Curve]:
    """The kind of curriculum of a run, and how its evaluations went.

    Raises:
        RunError: it is no run of the sled, or was not evaluated yet.
    """
    if run.manifest.asked.get("game") != NAME:
        raise RunError(f"{run.path} is no run of the sled; give one that python -m sled made.")
    told = [event.data for event in read_events(run.path) if event.kind == "evaluation"]
    if not told:
        raise RunError(f"{run.path} was not evaluated yet; train it further, or leave it out.")
    chosen = run.manifest.asked["curriculum"] or {"kind": "none"}
    kind = "goals" if chosen.get("goals_only") else chosen["kind"]
    return kind, np.array([(data["steps"], data["return"]) for data in told])


def draw(runs: Iterable[RunFolder], out: Path) -> None:
    """Draw each run as a thin line and their mean by curriculum as a thick one, with its standard error.

    Raises:
        RunError: a run cannot be drawn, or runs of one curriculum were not evaluated at the same steps.
    """
    found: dict[str, list[Curve]] = defaultdict(list)
    for run in runs:
        kind, curve = curve_of(run)
        found[kind].append(curve)
    for kind, curves in found.items():
        if len({tuple(curve[:, 0]) for curve in curves}) > 1:
            raise RunError(
                f"The runs with {_WORDS[kind]} were evaluated at different steps; finish them, or draw fewer."
            )
    mpl.rcParams |= {"svg.hashsalt": "sled", "svg.fonttype": "none", "font.size": 10}
    figure = Figure(figsize=(6.4, 3.6), layout="constrained")
    axes = figure.subplots()
    for kind, curves in sorted(found.items()):
        _draw_kind(axes, curves, label=f"{_WORDS[kind]} ({len(curves)} seeds)", colour=_COLOURS[kind])
    axes.set_xlabel("steps of training")
    axes.set_ylabel(f"return in held-out worlds, of {BEST:g}")
    axes.set_ylim(bottom=0.0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="upper left")
    figure.savefig(out, metadata={"Date": None})


def _draw_kind(axes: mpl.axes.Axes, curves: Sequence[Curve], *, label: str, colour: str) -> None:
    for curve in curves:
        axes.plot(*curve.T, color=colour, alpha=0.35, linewidth=0.8)
    steps, returns = curves[0][:, 0], np.stack([curve[:, 1] for curve in curves])
    mean = returns.mean(0)
    axes.plot(steps, mean, color=colour, linewidth=2.2, label=label)
    if len(curves) > 1:
        error = returns.std(0, ddof=1) / len(curves) ** 0.5
        axes.fill_between(steps, mean - error, mean + error, color=colour, alpha=0.15, linewidth=0.0)


def main() -> None:
    """Parse and draw."""
    parser = argparse.ArgumentParser(prog="python -m sled.curve", description=__doc__)
    parser.add_argument("runs", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=Path("curve.svg"))
    given = parser.parse_args()
    try:
        draw((RunFolder.open(path) for path in given.runs), given.out)
    except GartenError as error:
        parser.exit(1, f"Error: {error}\n")
    print(given.out)


if __name__ == "__main__":
    main()
