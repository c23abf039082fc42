"""Charts as SVG text; the same numbers give the same bytes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from io import StringIO
from statistics import fmean
from typing import Any

from garten.devices import cache_folder

# Unless told of another place, Matplotlib writes a list of fonts into the home folder, and takes settings
# from there that would change the charts. It reads this when it is imported.
os.environ["MPLCONFIGDIR"] = str(cache_folder() / "matplotlib")

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from garten.practice.results import RoundResult, Spread
from garten.records import WorldSpec

_LEARNED, _HELD_OUT, _PUBLISHED = "#9aa5b1", "#1d6fb8", "#c2571a"
_STYLE: Any = {  # matplotlib types its keys as one long literal
    "svg.hashsalt": "garten",  # ids inside the file depend on this instead of a random number
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": "medium",
}


def scores_by_round(results: Sequence[RoundResult], spec: WorldSpec) -> str:
    """Every learning game's score as a dot, the held-out mean with its standard error as a line.

    Where a world was published in its score, the published figures stand beside ours.
    """
    figure, axes = _chart()
    for result in results:
        scores = [game.score for game in result.games if game.score is not None]
        # Spread the dots sideways in the order of play, so that equal scores stay visible.
        width = max(1, len(scores) - 1)
        places = [result.round + 0.3 * (index / width - 0.5) for index in range(len(scores))]
        _dots(axes, places, scores, label="games learned from" if result is results[0] else None)
    spreads = [(result.round, Spread.of(result.held_out)) for result in results]
    known = [
        (number, spread.mean, spread.sem or 0.0) for number, spread in spreads if spread.mean is not None
    ]
    if known:
        rounds, means, errors = zip(*known, strict=True)
        label = "held-out, mean ± standard error"
        axes.errorbar(rounds, means, errors, color=_HELD_OUT, marker="o", capsize=4, label=label)
    if published_as_score(spec):
        _published(axes, spec.published)
    axes.set_ylim(-4, 104)
    return _svg(figure, axes, ylabel="score of 100")


def measure_by_round(results: Sequence[RoundResult], spec: WorldSpec) -> str:
    """The world's published measure by round: ours on held-out games, beside the published figures."""
    figure, axes = _chart()
    means: list[tuple[int, float]] = []
    for result in results:
        values = [game.measure for game in result.held_out if game.measure is not None]
        label = "held-out games" if result is results[0] else None
        _dots(axes, [result.round] * len(values), values, label=label)
        means += [(result.round, fmean(values))] if values else []
    if means:
        axes.plot(*zip(*means, strict=True), color=_HELD_OUT, marker="o", label="held-out, mean")
    _published(axes, spec.published)
    ylabel = f"{spec.measure.name}\n{spec.measure.unit}, {spec.measure.better} is better"
    return _svg(figure, axes, ylabel=ylabel)


def published_as_score(spec: WorldSpec) -> bool:
    """Whether a world's measure is its score."""
    return spec.measure.name == "score"


def _chart() -> tuple[Figure, Axes]:
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(7.2, 3.4), layout="constrained")
        return figure, figure.subplots()


def _dots(axes: Axes, places: Sequence[float], values: Sequence[float], *, label: str | None) -> None:
    axes.plot(places, values, ".", color=_LEARNED, markersize=7, label=label)


def _published(axes: Axes, figures: Sequence[float]) -> None:
    if figures:
        rounds = range(1, len(figures) + 1)
        label = "published, one episode a round"
        axes.plot(rounds, figures, color=_PUBLISHED, marker="s", markersize=4, linestyle="--", label=label)


def _svg(figure: Figure, axes: Axes, *, ylabel: str) -> str:
    with mpl.rc_context(_STYLE):
        axes.set_ylabel(ylabel)
        axes.set_xlabel("round")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(axis="y", color="#e4e7eb", linewidth=0.8)
        axes.set_axisbelow(True)
        figure.legend(loc="outside upper left", ncols=3, frameon=False, fontsize="small")
        text = StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
    drawn = text.getvalue()
    return drawn[drawn.index("<svg") :]
