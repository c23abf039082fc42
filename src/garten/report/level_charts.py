"""Charts of a curriculum of levels: how often each succeeds, cycle by cycle, and where the time goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from garten.curriculum.node import GRADES, Node
from garten.report.drawing import QUIET, chart, large_numbers, svg, whole_numbers
from garten.training.history import Phase

_NEVER = "#f0f2f5"  # where a level was not trained
_GRADES: Mapping[str, str] = {"A": "#2f855a", "B": "#7fb58f", "C": "#e0b15c", "D": "#c2571a"}
_PARTS: Mapping[str, str] = {
    "engine": "#1d6fb8",
    "inference": "#2c7a7b",
    "learning": "#8053b0",
    "levels": "#c2571a",
    "other": QUIET,
}


def successes(nodes: Sequence[Node], cycles: int) -> npt.NDArray[np.float64]:
    """Share of success of each level in each cycle, [levels, cycles]; nan where it was not trained."""
    table = np.full((len(nodes), cycles), np.nan)
    for row, node in enumerate(nodes):
        for training in node.trainings:
            if training.performance.success is not None:
                table[row, training.cycle] = training.performance.success
    return table


def success_map(nodes: Sequence[Node], cycles: int) -> str:
    """A row a level in the order in which they came, a column a cycle, coloured by success, as SVG text."""
    figure, axes = chart(height=4.6)
    axes.set_facecolor(_NEVER)
    shown = axes.imshow(
        np.ma.masked_invalid(successes(nodes, cycles)),
        cmap="RdYlGn",
        vmin=0.0,
        vmax=1.0,
        aspect="auto",
        interpolation="nearest",
    )
    figure.colorbar(
        shown, ax=axes, label="episodes that met the goal", format=lambda share, _: f"{share:.0%}"
    )
    whole_numbers(axes)
    return svg(figure, axes, xlabel="cycle", ylabel="level, oldest first", lines=False)


def grades(nodes: Sequence[Node], cycles: int) -> str:
    """How many of the levels played in each cycle have which grade, as SVG text."""
    figure, axes = chart()
    table = successes(nodes, cycles)
    bounds = [*(least for _, least in GRADES), 0.0]
    above = np.full_like(table, np.inf)
    base = np.zeros(cycles)
    for (name, colour), least in zip(_GRADES.items(), bounds, strict=True):
        count = ((table >= least) & (table < above)).sum(0)
        label = f"{name}: {least:.0%} or more" if least else f"{name}: less"
        axes.bar(np.arange(cycles), count, bottom=base, color=colour, width=1.0, label=label)
        above = np.full_like(table, least)
        base = base + count
    whole_numbers(axes)
    return svg(figure, axes, xlabel="cycle", ylabel="levels played")


def time_spent(phases: Sequence[Phase]) -> str:
    """Seconds that a thousand steps took, by what they were spent on, as SVG text."""
    figure, axes = chart()
    steps = [0, *(phase.steps for phase in phases)]
    thousands = np.diff(steps) / 1000.0
    spent = [np.array([phase.seconds.get(name, 0.0) for phase in phases]) / thousands for name in _PARTS]
    if phases:
        axes.stackplot(steps[1:], spent, labels=list(_PARTS), colors=list(_PARTS.values()))
    large_numbers(axes)
    return svg(figure, axes, xlabel="steps trained", ylabel="seconds for 1000 steps")
