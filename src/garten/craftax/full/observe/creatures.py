"""Pictures of the full game's creatures and projectiles, beside those that both games have."""

from __future__ import annotations

from garten.craftax import art
from garten.craftax.canvas import (
    BONE,
    DARK,
    FIRE,
    IRON,
    LAVA,
    LEAF,
    SKIN,
    STEEL,
    STONE,
    WOOD,
    Canvas,
    Color,
    Detail,
    Picture,
    darker,
    lighter,
    paint,
)
from garten.craftax.full.observe.art import (
    ASH,
    BLUE,
    DEEP,
    GOLD,
    ICE,
    MOSS,
    ORC,
    PINK,
    RED,
    ROBE,
    SLIME,
    SNOW,
    TROLL,
)


def paint_creature(name: str, size: int) -> Picture:
    """The picture of a creature or projectile on a clear ground, [size, size, 4]."""
    if name in _CREATURES:
        return paint(size, _CREATURES[name], outlined=True)
    if name:
        return art.paint_creature(name, size)
    return paint(size, lambda canvas: canvas.paint(PINK, canvas.disc(0.5, 0.5, 0.36)))


def _all(*details: Detail) -> Detail:
    """Details one upon the other."""

    def detail(canvas: Canvas) -> None:
        for each in details:
            each(canvas)

    return detail


def _somebody(skin: Color, clothes: Color, legs: Color, *, top: float = 0.08) -> Detail:
    """Somebody on two legs; `top` is where the head begins, lower for the small."""

    def detail(canvas: Canvas) -> None:
        neck = top + 0.38
        art.body(canvas, skin, clothes, legs, neck=neck)
        canvas.paint(skin, canvas.box(0.32, top, 0.68, neck))
        art.eyes(canvas, top + 0.2, apart=0.2)

    return detail


def _hat(color: Color, top: float) -> Detail:
    """A pointed hat whose brim is at a height."""
    return lambda canvas: canvas.paint(color, canvas.wedge(0.5, top - 0.26, top + 0.08, (0.02, 0.28)))


def _club(canvas: Canvas) -> None:
    canvas.paint(WOOD, canvas.stroke((0.86, 0.86), (0.92, 0.4), 0.12))


def _blade(canvas: Canvas) -> None:
    canvas.paint(STEEL, canvas.box(0.87, 0.26, 0.95, 0.7))
    canvas.paint(WOOD, canvas.box(0.8, 0.68, 1.0, 0.76))


def _helmet(canvas: Canvas) -> None:
    canvas.paint(STEEL, canvas.oval(0.5, 0.26, 0.24, 0.22))
    canvas.paint(DARK, canvas.box(0.34, 0.24, 0.66, 0.31) | canvas.box(0.47, 0.24, 0.53, 0.42))


def _shield(canvas: Canvas) -> None:
    canvas.paint(BLUE, canvas.box(0.02, 0.5, 0.32, 0.7) | canvas.wedge(0.17, 0.7, 0.9, (0.15, 0.0)))
    canvas.paint(GOLD, canvas.box(0.14, 0.5, 0.2, 0.82))


def _tusks(canvas: Canvas) -> None:
    canvas.paint(BONE, canvas.box(0.36, 0.36, 0.42, 0.48) | canvas.box(0.58, 0.36, 0.64, 0.48))


def _robe(canvas: Canvas) -> None:
    canvas.paint(ROBE, canvas.wedge(0.5, 0.44, 0.98, (0.2, 0.4)))
    canvas.paint(ROBE, canvas.wedge(0.5, 0.0, 0.2, (0.06, 0.26)))
    canvas.paint(WOOD, canvas.box(0.86, 0.3, 0.93, 0.95))
    canvas.paint(LAVA, canvas.disc(0.895, 0.22, 0.1))


def _snout(canvas: Canvas) -> None:
    canvas.paint(darker(PINK, 0.25), canvas.oval(0.5, 0.38, 0.14, 0.08))
    canvas.paint(PINK, canvas.wedge(0.32, 0.0, 0.14, (0.0, 0.1)) | canvas.wedge(0.68, 0.0, 0.14, (0.0, 0.1)))


def _ears(canvas: Canvas) -> None:
    canvas.paint(RED, canvas.wedge(0.3, 0.02, 0.3, (0.0, 0.12)) | canvas.wedge(0.7, 0.02, 0.3, (0.0, 0.12)))


def _giant(skin: Color, clothes: Color) -> Detail:
    """Somebody who fills the tile."""

    def detail(canvas: Canvas) -> None:
        canvas.paint(darker(skin), canvas.box(0.24, 0.8, 0.45, 1.0) | canvas.box(0.55, 0.8, 0.76, 1.0))
        canvas.paint(skin, canvas.oval(0.5, 0.56, 0.46, 0.34))
        canvas.paint(skin, canvas.box(0.04, 0.5, 0.2, 0.9) | canvas.box(0.8, 0.5, 0.96, 0.9))
        canvas.paint(skin, canvas.oval(0.5, 0.2, 0.22, 0.2))
        canvas.paint(clothes, canvas.box(0.24, 0.68, 0.76, 0.84))
        art.eyes(canvas, 0.18, apart=0.2)
        canvas.paint(lighter(skin, 0.4), canvas.disc(0.5, 0.28, 0.07))

    return detail


def _bat(canvas: Canvas) -> None:
    for side in (-1.0, 1.0):
        wing = canvas.oval(0.5 + side * 0.28, 0.42, 0.24, 0.22)
        canvas.paint((84, 66, 98), wing & ~canvas.disc(0.5 + side * 0.24, 0.66, 0.13))
    canvas.paint(DARK, canvas.disc(0.5, 0.5, 0.17))
    canvas.paint(
        DARK, canvas.wedge(0.42, 0.24, 0.42, (0.0, 0.07)) | canvas.wedge(0.58, 0.24, 0.42, (0.0, 0.07))
    )
    art.eyes(canvas, 0.48, apart=0.16, color=RED)


def _snail(canvas: Canvas) -> None:
    canvas.paint(SKIN, canvas.box(0.1, 0.7, 0.92, 0.88) | canvas.box(0.1, 0.4, 0.24, 0.8))
    canvas.paint(SKIN, canvas.box(0.06, 0.26, 0.12, 0.44) | canvas.box(0.22, 0.26, 0.28, 0.44))
    canvas.paint((150, 96, 60), canvas.disc(0.6, 0.52, 0.28))
    canvas.paint((206, 150, 104), canvas.disc(0.6, 0.54, 0.17))
    canvas.paint((150, 96, 60), canvas.disc(0.62, 0.55, 0.09))


def _lizard(canvas: Canvas) -> None:
    canvas.paint(MOSS, canvas.oval(0.48, 0.54, 0.3, 0.17) | canvas.oval(0.8, 0.42, 0.18, 0.14))
    canvas.paint(MOSS, canvas.stroke((0.3, 0.56), (0.05, 0.8), 0.1))
    canvas.paint(darker(MOSS), canvas.box(0.26, 0.64, 0.36, 0.88) | canvas.box(0.6, 0.64, 0.7, 0.88))
    canvas.paint(lighter(MOSS, 0.4), canvas.oval(0.48, 0.62, 0.22, 0.06))
    canvas.paint(GOLD, canvas.disc(0.82, 0.38, 0.06))


def _deep_thing(canvas: Canvas) -> None:
    canvas.paint(DEEP, canvas.oval(0.5, 0.4, 0.36, 0.34))
    canvas.paint(DEEP, canvas.box(0.12, 0.55, 0.92, 0.96) & (canvas.x * 5 % 1 < 0.55))
    canvas.paint(GOLD, canvas.disc(0.5, 0.38, 0.16))
    canvas.paint(DARK, canvas.oval(0.5, 0.38, 0.05, 0.12))


def _fire_elemental(canvas: Canvas) -> None:
    canvas.paint(RED, canvas.disc(0.5, 0.62, 0.34) | canvas.wedge(0.5, 0.0, 0.55, (0.0, 0.3)))
    canvas.paint(RED, canvas.wedge(0.24, 0.24, 0.6, (0.0, 0.1)) | canvas.wedge(0.76, 0.24, 0.6, (0.0, 0.1)))
    canvas.paint(LAVA, canvas.disc(0.5, 0.64, 0.26) | canvas.wedge(0.5, 0.2, 0.55, (0.0, 0.22)))
    canvas.paint(FIRE, canvas.disc(0.5, 0.7, 0.18))
    art.eyes(canvas, 0.62)


def _ice_elemental(canvas: Canvas) -> None:
    canvas.paint(darker(ICE, 0.2), canvas.rhomb(0.26, 0.6, 0.2, 0.34) | canvas.rhomb(0.74, 0.6, 0.2, 0.34))
    canvas.paint(ICE, canvas.rhomb(0.5, 0.5, 0.3, 0.48))
    canvas.paint(SNOW, canvas.rhomb(0.44, 0.36, 0.12, 0.26))
    art.eyes(canvas, 0.54)


def ball(outer: Color, inner: Color, radius: float) -> Detail:
    """A glowing ball."""

    def detail(canvas: Canvas) -> None:
        canvas.paint(outer, canvas.disc(0.5, 0.5, radius))
        canvas.paint(inner, canvas.disc(0.5, 0.5, radius * 0.5))

    return detail


def _dagger(canvas: Canvas) -> None:
    canvas.paint(STEEL, canvas.stroke((0.4, 0.6), (0.74, 0.26), 0.16))
    canvas.paint(WOOD, canvas.stroke((0.24, 0.76), (0.38, 0.62), 0.14))


_CREATURES: dict[str, Detail] = {
    "bat": _bat,
    "snail": _snail,
    "gnome warrior": _all(_somebody(SKIN, BLUE, WOOD, top=0.32), _hat(RED, 0.34), _blade),
    "orc soldier": _all(_somebody(ORC, WOOD, DARK), _tusks, _club),
    "lizard": _lizard,
    "knight": _all(_somebody(STEEL, STEEL, STONE), _helmet, _shield, _blade),
    "troll": _giant(TROLL, WOOD),
    "pigman": _all(_somebody(PINK, ASH, DARK), _snout, _blade),
    "frost troll": _giant(lighter(ICE, 0.4), BLUE),
    "gnome archer": _all(_somebody(SKIN, BLUE, WOOD, top=0.32), _hat(LEAF, 0.34), art.bow_in_hand),
    "orc mage": _all(_somebody(ORC, ROBE, ROBE), _robe, _tusks),
    "kobold": _all(_somebody(RED, IRON, WOOD, top=0.2), _ears),
    "knight archer": _all(_somebody(STEEL, LEAF, STONE), _helmet, art.bow_in_hand),
    "deep thing": _deep_thing,
    "fire elemental": _fire_elemental,
    "ice elemental": _ice_elemental,
    "dagger": _dagger,
    "fireball": ball(LAVA, FIRE, 0.28),
    "iceball": ball(ICE, SNOW, 0.28),
    "strong arrow": art.arrow(GOLD),
    "slimeball": ball(SLIME, MOSS, 0.28),
    "strong fireball": ball(RED, FIRE, 0.42),
    "strong iceball": ball(BLUE, SNOW, 0.42),
}
