"""Charts of what policies learned: evaluations over the steps of training, with their standard errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from garten.report.drawing import OURS, QUIET, chart, large_numbers, png, svg
from garten.training.history import Phase
from garten.training.results import Evaluation, Standing, achievement_rewards, standings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = (OURS, "#c2571a", "#2f855a", "#8053b0", "#b83280", "#7b6a1e", "#2c7a7b", "#52606d")
_STEPS, _RETURN = "steps trained", "return, % of maximum"


def compare_svg(lines: Mapping[str, Sequence[Standing]], baseline: Evaluation) -> str:
    """Runs, or families of them, over each other, as SVG text.

    Args:
        lines: by name, how well each does after more and more steps; one point will do.
        baseline: of uniform actions.
    """
    figure, axes = _compare(lines, baseline)
    return svg(figure, axes, xlabel=_STEPS, ylabel=_RETURN)


def compare_png(lines: Mapping[str, Sequence[Standing]], baseline: Evaluation) -> bytes:
    """The same as a picture."""
    figure, axes = _compare(lines, baseline)
    return png(figure, axes, xlabel=_STEPS, ylabel=_RETURN)


def learning(phases: Sequence[Phase], evaluations: Sequence[Evaluation], game: str) -> str:
    """The returns of training over its steps, with evaluations of what was learned, as SVG text."""
    figure, axes = chart()
    percent = 100.0 / sum(achievement_rewards(game).values())
    curve = [(part.steps, part.mean_return * percent) for part in phases if part.mean_return is not None]
    if curve:
        axes.plot(*zip(*curve, strict=True), color=QUIET, label="episodes of training")
    if evaluations:
        _line(
            axes,
            standings([evaluations]),
            colour=OURS,
            label=f"{evaluations[0].protocol.name} evaluation ± SE",
        )
    large_numbers(axes)
    return svg(figure, axes, xlabel=_STEPS, ylabel=_RETURN)


def speed(phases: Sequence[Phase]) -> str:
    """Steps a second over the steps of training, as SVG text."""
    figure, axes = chart()
    axes.plot([part.steps for part in phases], [part.steps_per_second for part in phases], color=OURS)
    axes.set_ylim(bottom=0.0)
    large_numbers(axes)
    return svg(figure, axes, xlabel=_STEPS, ylabel="steps a second")


def _line(axes: Axes, line: Sequence[Standing], *, colour: str, label: str) -> None:
    """How well somebody does after more and more steps, with standard errors."""
    axes.errorbar(
        [one.trained_steps for one in line],
        [one.percent_of_maximum for one in line],
        [one.percent_error for one in line],
        color=colour,
        marker="o",
        markersize=4,
        capsize=3,
        label=label,
    )


def _compare(lines: Mapping[str, Sequence[Standing]], baseline: Evaluation) -> tuple[Figure, Axes]:
    figure, axes = chart()
    for index, (name, line) in enumerate(lines.items()):
        _line(axes, line, colour=_COLOURS[index % len(_COLOURS)], label=f"{name} ± SE")
    level = baseline.summary.percent_of_maximum
    axes.axhline(level, color=QUIET, linestyle="--", label="uniform actions")
    axes.set_ylim(bottom=min(0.0, level))
    large_numbers(axes)
    return figure, axes
