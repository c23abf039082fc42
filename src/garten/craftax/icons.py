"""Icons that both games show below the view: stats, items, tools, and counts."""

from __future__ import annotations

from garten.craftax.art import sapling
from garten.craftax.canvas import (
    BONE,
    DARK,
    DIAMOND,
    FIRE,
    IRON,
    WOOD,
    Canvas,
    Color,
    Detail,
    Picture,
    darker,
    lighter,
    paint,
)

MATERIALS = {"WOOD": (164, 116, 68), "STONE": (150, 152, 158), "IRON": IRON, "DIAMOND": DIAMOND}
"""Colours of what tools are made of."""

DIGITS = ("75557", "26227", "71747", "71717", "55711", "74717", "74757", "71122", "75757", "75717")
"""The digits 0 to 9, three dots wide: five rows from the top, each an octal number."""


def heart(canvas: Canvas) -> None:
    """Health."""
    red = (220, 40, 56)
    canvas.paint(red, canvas.disc(0.3, 0.34, 0.23) | canvas.disc(0.7, 0.34, 0.23))
    canvas.paint(red, canvas.wedge(0.5, 0.38, 0.92, (0.44, 0.0)))
    canvas.paint(lighter(red, 0.6), canvas.disc(0.27, 0.3, 0.08))


def drumstick(canvas: Canvas) -> None:
    """Food."""
    canvas.paint(BONE, canvas.stroke((0.5, 0.55), (0.84, 0.88), 0.14) | canvas.disc(0.86, 0.82, 0.1))
    canvas.paint((190, 108, 52), canvas.oval(0.38, 0.4, 0.32, 0.3))
    canvas.paint((222, 150, 90), canvas.disc(0.3, 0.32, 0.1))


def drop(color: Color) -> Detail:
    """A drop of a colour."""

    def detail(canvas: Canvas) -> None:
        canvas.paint(color, canvas.disc(0.5, 0.62, 0.3) | canvas.wedge(0.5, 0.05, 0.55, (0.02, 0.28)))
        canvas.paint(lighter(color, 0.6), canvas.disc(0.4, 0.6, 0.08))

    return detail


def bolt(canvas: Canvas) -> None:
    """Energy."""
    canvas.paint(FIRE, canvas.stroke((0.62, 0.04), (0.3, 0.52), 0.2))
    canvas.paint(FIRE, canvas.box(0.26, 0.42, 0.76, 0.58))
    canvas.paint(FIRE, canvas.stroke((0.7, 0.5), (0.38, 0.96), 0.2))


STATS: dict[str, Detail] = {"health": heart, "food": drumstick, "drink": drop((80, 140, 232)), "energy": bolt}
"""Details of the stats that both games have, in order."""


def _log(canvas: Canvas) -> None:
    canvas.paint(WOOD, canvas.box(0.14, 0.32, 0.72, 0.72) | canvas.oval(0.14, 0.52, 0.1, 0.2))
    canvas.paint(darker(WOOD), canvas.box(0.1, 0.44, 0.6, 0.48) | canvas.box(0.2, 0.58, 0.66, 0.62))
    canvas.paint((206, 162, 106), canvas.oval(0.74, 0.52, 0.14, 0.2))
    canvas.paint(WOOD, canvas.oval(0.74, 0.52, 0.06, 0.09))


def _stone(color: Color) -> Detail:
    def detail(canvas: Canvas) -> None:
        canvas.paint(darker(color, 0.3), canvas.oval(0.5, 0.58, 0.42, 0.32))
        canvas.paint(color, canvas.oval(0.44, 0.5, 0.34, 0.26) | canvas.oval(0.66, 0.56, 0.22, 0.2))
        canvas.paint(lighter(color), canvas.oval(0.36, 0.42, 0.16, 0.1))

    return detail


def _ingot(canvas: Canvas) -> None:
    canvas.paint(darker(IRON), canvas.wedge(0.5, 0.48, 0.8, (0.42, 0.42)))
    canvas.paint(IRON, canvas.wedge(0.5, 0.26, 0.54, (0.26, 0.42)))
    canvas.paint(lighter(IRON, 0.5), canvas.wedge(0.5, 0.3, 0.4, (0.2, 0.26)))


def gem(color: Color) -> Detail:
    """A cut stone of a colour."""

    def detail(canvas: Canvas) -> None:
        canvas.paint(color, canvas.wedge(0.5, 0.14, 0.42, (0.24, 0.46)))
        canvas.paint(darker(color, 0.25), canvas.wedge(0.5, 0.42, 0.94, (0.46, 0.0)))
        canvas.paint(lighter(color, 0.6), canvas.wedge(0.4, 0.2, 0.42, (0.1, 0.16)))

    return detail


def pickaxe(color: Color) -> Detail:
    """A pickaxe with a head of a colour."""

    def detail(canvas: Canvas) -> None:
        canvas.paint(WOOD, canvas.stroke((0.14, 0.9), (0.66, 0.34), 0.13))
        arc = canvas.disc(0.3, 0.72, 0.66) & ~canvas.disc(0.26, 0.76, 0.52)
        canvas.paint(color, arc & (canvas.x > 0.3) & (canvas.y < 0.72))

    return detail


def sword(color: Color) -> Detail:
    """A sword with a blade of a colour."""

    def detail(canvas: Canvas) -> None:
        canvas.paint(color, canvas.stroke((0.34, 0.66), (0.86, 0.14), 0.17))
        canvas.paint(lighter(color, 0.5), canvas.stroke((0.4, 0.58), (0.84, 0.14), 0.05))
        canvas.paint(darker(WOOD), canvas.stroke((0.1, 0.9), (0.3, 0.7), 0.13))
        canvas.paint((176, 140, 60), canvas.stroke((0.18, 0.56), (0.44, 0.82), 0.11))

    return detail


ITEMS: dict[str, Detail] = {
    "WOOD": _log,
    "STONE": _stone((138, 140, 146)),
    "COAL": _stone((72, 72, 82)),
    "IRON": _ingot,
    "DIAMOND": gem(DIAMOND),
    "SAPLING": sapling,
}
"""Details of the items that both games have."""


def paint_icon(detail: Detail, size: int) -> Picture:
    """The picture of an icon on a dark ground, [size, size, 4]."""
    return paint(size, detail, ground=DARK)


def paint_item(name: str, size: int) -> Picture:
    """The picture of an item of Craftax-Classic, [size, size, 4]: a tool of a material, or one of `ITEMS`."""
    material, _, tool = name.partition("_")
    if tool:
        return paint_icon((pickaxe if tool == "PICKAXE" else sword)(MATERIALS[material]), size)
    return paint_icon(ITEMS[name], size)


def paint_digit(digit: int, size: int, *, place: int = 0) -> Picture:
    """The picture of a digit in the lower right of a clear tile, [size, size, 4].

    Args:
        digit: 0 to 9.
        size: of the tile.
        place: 0 for units, 1 for tens.
    """
    canvas = Canvas(size)
    dot = max(1, size // 10)
    left, top = size - (3 + 4 * place) * dot, size - 5 * dot
    for row, bits in enumerate(DIGITS[digit]):
        for column in range(3):
            if int(bits, 8) & (4 >> column):
                x, y = left + column * dot, top + row * dot
                canvas.picture[y : y + dot, x : x + dot] = 255
    canvas.outline()
    return canvas.picture
