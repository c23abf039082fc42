"""Charts of a run of practice, as SVG text."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from garten.practice.results import RoundResult, Spread
from garten.records import WorldSpec
from garten.report.drawing import OURS, PUBLISHED, QUIET, chart, svg, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def scores_by_round(results: Sequence[RoundResult], spec: WorldSpec) -> str:
    """Every learning game's score as a dot, the held-out mean with its standard error as a line.

    Where a world was published in its score, the published figures stand beside ours.
    """
    figure, axes = chart()
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
        axes.errorbar(rounds, means, errors, color=OURS, marker="o", capsize=4, label=label)
    if published_as_score(spec):
        _published(axes, spec.published)
    axes.set_ylim(-4, 104)
    whole_numbers(axes)
    return svg(figure, axes, xlabel="round", ylabel="score of 100")


def measure_by_round(results: Sequence[RoundResult], spec: WorldSpec) -> str:
    """The world's published measure by round: ours on held-out games, beside the published figures."""
    figure, axes = chart()
    means: list[tuple[int, float]] = []
    for result in results:
        values = [game.measure for game in result.held_out if game.measure is not None]
        label = "held-out games" if result is results[0] else None
        _dots(axes, [result.round] * len(values), values, label=label)
        means += [(result.round, fmean(values))] if values else []
    if means:
        axes.plot(*zip(*means, strict=True), color=OURS, marker="o", label="held-out, mean")
    _published(axes, spec.published)
    ylabel = f"{spec.measure.name}\n{spec.measure.unit}, {spec.measure.better} is better"
    whole_numbers(axes)
    return svg(figure, axes, xlabel="round", ylabel=ylabel)


def published_as_score(spec: WorldSpec) -> bool:
    """Whether a world's measure is its score."""
    return spec.measure.name == "score"


def _dots(axes: Axes, places: Sequence[float], values: Sequence[float], *, label: str | None) -> None:
    axes.plot(places, values, ".", color=QUIET, markersize=7, label=label)


def _published(axes: Axes, figures: Sequence[float]) -> None:
    if figures:
        rounds = range(1, len(figures) + 1)
        label = "published, one episode a round"
        axes.plot(rounds, figures, color=PUBLISHED, marker="s", markersize=4, linestyle="--", label=label)
