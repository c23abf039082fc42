"""Icons of the full game below the view, beside those that both games have."""

from __future__ import annotations

from garten.craftax import art, icons
from garten.craftax.canvas import (
    BONE,
    DIAMOND,
    FIRE,
    IRON,
    LAVA,
    LEAF,
    STEEL,
    WOOD,
    Canvas,
    Color,
    Detail,
    lighter,
)
from garten.craftax.full.observe.art import (
    BLUE,
    ICE,
    ORC,
    RED,
    ROBE,
    RUBY,
    SAPPHIRE,
    SLIME,
    SNOW,
    ladder,
    torch,
)
from garten.craftax.full.observe.creatures import ball
from garten.craftax.icons import gem

_POTION_COLOURS: tuple[Color, ...] = (RED, ORC, BLUE, (250, 110, 190), (60, 210, 220), (240, 220, 60))


def _mana(canvas: Canvas) -> None:
    for x, y, size in ((0.44, 0.5, 0.42), (0.8, 0.2, 0.18), (0.82, 0.8, 0.14)):
        star = abs(canvas.x - x) ** 0.5 + abs(canvas.y - y) ** 0.5 < size**0.5
        canvas.paint(lighter(BLUE, 0.3), star)


def _experience(canvas: Canvas) -> None:
    canvas.paint(SLIME, canvas.disc(0.5, 0.5, 0.36))
    canvas.paint(lighter(SLIME, 0.7), canvas.disc(0.38, 0.38, 0.12))


def _boot(canvas: Canvas) -> None:
    canvas.paint(LEAF, canvas.box(0.26, 0.12, 0.58, 0.66) | canvas.box(0.26, 0.56, 0.8, 0.84))
    canvas.paint(lighter(LEAF, 0.4), canvas.box(0.26, 0.12, 0.58, 0.24))
    canvas.paint(WOOD, canvas.box(0.22, 0.8, 0.86, 0.9))


def _weight(canvas: Canvas) -> None:
    canvas.paint(STEEL, canvas.box(0.2, 0.44, 0.8, 0.56))
    canvas.paint(RED, canvas.box(0.08, 0.24, 0.28, 0.76) | canvas.box(0.72, 0.24, 0.92, 0.76))


def _eye(canvas: Canvas) -> None:
    canvas.paint(BONE, canvas.oval(0.5, 0.5, 0.46, 0.28))
    canvas.paint(ROBE, canvas.disc(0.5, 0.5, 0.2))
    canvas.paint(SNOW, canvas.disc(0.44, 0.44, 0.06))


def _bow(canvas: Canvas) -> None:
    canvas.paint(WOOD, canvas.disc(0.3, 0.5, 0.45) & ~canvas.disc(0.2, 0.5, 0.42))
    canvas.paint(BONE, canvas.box(0.25, 0.1, 0.32, 0.9))


def _book(canvas: Canvas) -> None:
    canvas.paint(ROBE, canvas.box(0.18, 0.1, 0.82, 0.9))
    canvas.paint(BONE, canvas.box(0.72, 0.15, 0.82, 0.85))
    canvas.paint((232, 190, 70), canvas.rhomb(0.44, 0.42, 0.16, 0.2))


def _potion(color: Color) -> Detail:
    def detail(canvas: Canvas) -> None:
        canvas.paint(STEEL, canvas.box(0.4, 0.12, 0.6, 0.4) | canvas.disc(0.5, 0.62, 0.34))
        canvas.paint(WOOD, canvas.box(0.38, 0.02, 0.62, 0.14))
        canvas.paint(color, canvas.disc(0.5, 0.62, 0.28))
        canvas.paint(lighter(color, 0.6), canvas.disc(0.4, 0.54, 0.08))

    return detail


def _armour(piece: int, color: Color) -> Detail:
    def detail(canvas: Canvas) -> None:
        shapes = (
            canvas.disc(0.5, 0.5, 0.38) & ~canvas.box(0.3, 0.5, 0.7, 1.0),
            canvas.box(0.1, 0.15, 0.9, 0.4) | canvas.box(0.25, 0.15, 0.75, 0.9),
            canvas.box(0.2, 0.1, 0.8, 0.3)
            | canvas.box(0.2, 0.1, 0.42, 0.9)
            | canvas.box(0.58, 0.1, 0.8, 0.9),
            canvas.box(0.1, 0.5, 0.42, 0.9) | canvas.box(0.58, 0.5, 0.9, 0.9),
        )
        canvas.paint(color, shapes[piece])
        canvas.paint(lighter(color, 0.5), shapes[piece] & canvas.stroke((0.3, 0.2), (0.3, 0.8), 0.1))

    return detail


def _mark(color: Color) -> Detail:
    return lambda canvas: canvas.paint(color, canvas.box(0.0, 0.0, 0.4, 0.3))


STATS: tuple[Detail, ...] = (
    *icons.STATS.values(),
    *(_mana, _experience, _boot, _weight, _eye),  # the last three: dexterity, strength, intelligence
    ladder((60, 60, 66), WOOD),  # floor
)
"""Details of the stats, in the order of the slots."""

COUNTED: tuple[Detail, ...] = (
    *(icons.ITEMS[name] for name in ("WOOD", "STONE", "COAL", "IRON", "DIAMOND")),
    *(gem(SAPPHIRE), gem(RUBY), art.sapling, torch, art.arrow(STEEL), _book),
)
"""Of the counted items, in the order of the slots."""

TOOLS: tuple[Detail, ...] = (
    *(icons.pickaxe(color) for color in icons.MATERIALS.values()),
    *(icons.sword(color) for color in icons.MATERIALS.values()),
    _bow,
    *(_armour(piece, color) for piece in range(4) for color in (IRON, DIAMOND)),
    *(ball(LAVA, FIRE, 0.4), ball(ICE, SNOW, 0.4)),
)
"""Pickaxes and swords by level, the bow, pieces of armour by level, spells."""

POTIONS = tuple(_potion(color) for color in _POTION_COLOURS)
"""Of the potions, by colour."""

MARKS: tuple[Detail, ...] = (_mark(LAVA), _mark(ICE))
"""Marks of fire and ice on what is enchanted, on a clear ground."""
