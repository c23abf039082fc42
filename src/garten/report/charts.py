"""Charts as SVG text; the same numbers give the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

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


def scores_by_round(results: Sequence[RoundResult]) -> str:
    """Every learning game's score as a dot, the held-out mean with its standard error as a line."""
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(6.4, 3.4), layout="constrained")
        axes = figure.subplots()
        for result in results:
            scores = [game.score for game in result.games if game.score is not None]
            # Spread the dots sideways in the order of play, so that equal scores stay visible.
            places = [
                result.round + 0.3 * (index / max(1, len(scores) - 1) - 0.5) for index in range(len(scores))
            ]
            label = "games learned from" if result is results[0] else None
            axes.plot(places, scores, ".", color=_LEARNED, markersize=5, label=label)
        spreads = [(result.round, Spread.of(result.held_out)) for result in results]
        known = [
            (number, spread.mean, spread.sem or 0.0) for number, spread in spreads if spread.mean is not None
        ]
        if known:
            rounds, means, errors = zip(*known, strict=True)
            axes.errorbar(
                rounds,
                means,
                errors,
                color=_HELD_OUT,
                marker="o",
                capsize=4,
                label="held-out, mean ± standard error",
            )
        axes.set_ylim(-4, 104)
        axes.set_ylabel("score of 100")
        _finish(axes, results)
        return _svg(figure)


def measure_by_round(results: Sequence[RoundResult], spec: WorldSpec) -> str:
    """The world's published measure by round: ours on held-out games, beside the published figures."""
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(6.4, 3.4), layout="constrained")
        axes = figure.subplots()
        rounds = [result.round for result in results]
        measured = [
            [game.measure for game in result.held_out if game.measure is not None] for result in results
        ]
        for number, values in zip(rounds, measured, strict=True):
            axes.plot([number] * len(values), values, ".", color=_LEARNED, markersize=5)
        means = [
            (number, sum(values) / len(values))
            for number, values in zip(rounds, measured, strict=True)
            if values
        ]
        if means:
            axes.plot(*zip(*means, strict=True), color=_HELD_OUT, marker="o", label="held-out, mean")
        if spec.published:
            places = range(1, len(spec.published) + 1)
            axes.plot(
                places,
                spec.published,
                color=_PUBLISHED,
                marker="s",
                linestyle="--",
                label="published (one episode a round)",
            )
        axes.set_ylabel(f"{spec.measure.name}, {spec.measure.unit} ({spec.measure.better} is better)")
        _finish(axes, results)
        return _svg(figure)


def _finish(axes: mpl.axes.Axes, results: Sequence[RoundResult]) -> None:
    axes.set_xlabel("round")
    axes.set_xticks([result.round for result in results])
    axes.grid(axis="y", color="#e4e7eb", linewidth=0.8)
    axes.set_axisbelow(True)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(frameon=False, fontsize="small")


def _svg(figure: Figure) -> str:
    text = StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None})
    drawn = text.getvalue()
    return drawn[drawn.index("<svg") :]
