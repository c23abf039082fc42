"""Charts of what policies learned: evaluations over the steps of training, with their standard errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from garten.report.drawing import chart, png, svg
from garten.training.results import Evaluation

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = ("#1d6fb8", "#c2571a", "#2f855a", "#8053b0", "#b83280", "#7b6a1e", "#2c7a7b", "#52606d")
_STEPS, _RETURN = "steps trained", "return, % of maximum"


def compare_svg(runs: Mapping[str, Sequence[Evaluation]], baseline: Evaluation) -> str:
    """Runs over each other, as SVG text.

    Args:
        runs: evaluations by name, each of one agent at several or one of its checkpoints.
        baseline: of uniform actions.
    """
    figure, axes = _compare(runs, baseline)
    return svg(figure, axes, xlabel=_STEPS, ylabel=_RETURN)


def compare_png(runs: Mapping[str, Sequence[Evaluation]], baseline: Evaluation) -> bytes:
    """The same as a picture."""
    figure, axes = _compare(runs, baseline)
    return png(figure, axes, xlabel=_STEPS, ylabel=_RETURN)


def _compare(runs: Mapping[str, Sequence[Evaluation]], baseline: Evaluation) -> tuple[Figure, Axes]:
    figure, axes = chart()
    for index, (name, evaluations) in enumerate(runs.items()):
        ordered = sorted(evaluations, key=lambda one: one.trained_steps)
        steps = [one.trained_steps for one in ordered]
        means = [one.summary.percent_of_maximum for one in ordered]
        errors = [one.summary.percent_error or 0.0 for one in ordered]
        colour = _COLOURS[index % len(_COLOURS)]
        axes.errorbar(
            steps, means, errors, color=colour, marker="o", markersize=4, capsize=3, label=f"{name} ± SE"
        )
    level = baseline.summary.percent_of_maximum
    axes.axhline(level, color="#9aa5b1", linestyle="--", label="uniform actions")
    axes.set_ylim(bottom=min(0.0, level))
    return figure, axes
