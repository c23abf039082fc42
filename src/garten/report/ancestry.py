"""The lineage of levels as a picture: who was written from whom, and when.

From left to right go the cycles in which levels came; each family of parent and children keeps together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D

from garten.curriculum.node import Node
from garten.report.drawing import QUIET, chart, svg, whole_numbers
from garten.report.families import COLOURS, family

_SHADES = (0.12, 1.0)
"""How much of its family's colour a level has that never succeeds, and one that always does."""

_ROOM = 0.11  # inches of height for a level
_SIZE = 46.0  # of a level's dot, in square points


def rows(nodes: Iterable[Node]) -> dict[str, float]:
    """The height of each level in the picture: leaves one below the other, parents amid their children."""
    listed = list(nodes)
    known = {node.digest for node in listed}
    children: Mapping[str | None, list[Node]] = defaultdict(list)
    for node in listed:
        children[node.parent if node.parent in known else None].append(node)
    heights: dict[str, float] = {}
    leaves = 0
    # Children are written after their parents, so parents are placed once all their children are.
    stack = [(node, False) for node in reversed(children[None])]
    while stack:
        node, seen = stack.pop()
        own = children[node.digest]
        if not own:
            heights[node.digest] = float(leaves)
            leaves += 1
        elif seen:
            heights[node.digest] = sum(heights[child.digest] for child in own) / len(own)
        else:
            stack.append((node, True))
            stack += [(child, False) for child in reversed(own)]
    return heights


def ancestry(nodes: Sequence[Node]) -> str:
    """Levels that were admitted, each with a line to its parent, as SVG text; at least one level."""
    heights = rows(nodes)
    figure, axes = chart(height=max(3.4, _ROOM * (max(heights.values()) + 8)))
    places = {node.digest: (node.born, heights[node.digest]) for node in nodes}
    for node in nodes:
        if node.parent in places:
            (from_x, from_y), (to_x, to_y) = places[node.parent], places[node.digest]
            middle = (from_x + to_x) / 2
            bend = [from_x, middle, middle, to_x], [from_y, from_y, to_y, to_y]
            axes.plot(*bend, color=QUIET, linewidth=0.6, zorder=1)
    axes.scatter(
        [places[node.digest][0] for node in nodes],
        [places[node.digest][1] for node in nodes],
        s=_SIZE,
        c=[_shade(node) for node in nodes],
        edgecolors=[COLOURS[family(node.goal)] for node in nodes],
        zorder=2,
    )
    there = {family(node.goal) for node in nodes}
    for name in (name for name in COLOURS if name in there):
        dot = Line2D([], [], marker="o", linestyle="", color=COLOURS[name], label=name)
        axes.add_line(dot)
    axes.invert_yaxis()
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    whole_numbers(axes)
    return svg(figure, axes, xlabel="cycle in which a level came", ylabel="")


def _shade(node: Node) -> tuple[float, float, float]:
    """The family's colour, paler the less often the last training succeeded; white if there was none."""
    success = node.last.evidence.success if node.last else None
    if success is None:
        return (1.0, 1.0, 1.0)
    share = _SHADES[0] + (_SHADES[1] - _SHADES[0]) * success
    red, green, blue = (1.0 - share * (1.0 - part) for part in to_rgb(COLOURS[family(node.goal)]))
    return (red, green, blue)
