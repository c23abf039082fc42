"""How charts are drawn: one style, SVG text or pictures; the same numbers give the same bytes."""

from __future__ import annotations

import os
from io import BytesIO, StringIO
from typing import Any

from garten.devices import cache_folder

# Unless told of another place, Matplotlib writes a list of fonts into the home folder, and takes settings
# from there that would change the charts. It reads this when it is imported.
os.environ["MPLCONFIGDIR"] = str(cache_folder() / "matplotlib")

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, MaxNLocator

QUIET, OURS, PUBLISHED = "#9aa5b1", "#1d6fb8", "#c2571a"
"""Colours of what stands in the background, of our results, of published ones."""

_STYLE: Any = {  # matplotlib types its keys as one long literal
    "svg.hashsalt": "garten",  # ids inside the file depend on this instead of a random number
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": "medium",
}


def chart(*, height: float = 3.4) -> tuple[Figure, Axes]:
    """An empty chart, so many inches high."""
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(7.2, height), layout="constrained")
        return figure, figure.subplots()


def whole_numbers(axes: Axes) -> None:
    """Only whole numbers stand along the bottom."""
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def large_numbers(axes: Axes) -> None:
    """Along the bottom stand numbers from 0 on, thousands as k and millions as M."""
    axes.set_xlim(left=0)
    axes.xaxis.set_major_formatter(EngFormatter(sep=""))


def svg(figure: Figure, axes: Axes, *, xlabel: str, ylabel: str, lines: bool = True) -> str:
    """The finished chart as SVG text; `lines` says whether values are ruled across it."""
    with mpl.rc_context(_STYLE):
        _finish(figure, axes, xlabel, ylabel, lines=lines)
        text = StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
    drawn = text.getvalue()
    return drawn[drawn.index("<svg") :]


def png(figure: Figure, axes: Axes, *, xlabel: str, ylabel: str) -> bytes:
    """The finished chart as a PNG."""
    with mpl.rc_context(_STYLE):
        _finish(figure, axes, xlabel, ylabel, lines=True)
        content = BytesIO()
        figure.savefig(content, format="png", dpi=160, metadata={"Software": None})
    return content.getvalue()


def _finish(figure: Figure, axes: Axes, xlabel: str, ylabel: str, *, lines: bool) -> None:
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    if lines:
        axes.grid(axis="y", color="#e4e7eb", linewidth=0.8)
    axes.set_axisbelow(True)
    if axes.get_legend_handles_labels()[0]:
        figure.legend(loc="outside upper left", ncols=3, frameon=False, fontsize="small")
