"""Tile art that both games show: blocks, creatures, the player."""

from __future__ import annotations

import numpy as np

from garten.craftax.canvas import (
    BONE,
    COAL,
    DARK,
    DIAMOND,
    FIRE,
    GRASS,
    HIDE,
    IRON,
    LAVA,
    LEAF,
    PATH,
    SAND,
    SHIRT,
    SKIN,
    STEEL,
    STONE,
    WATER,
    WOOD,
    Canvas,
    Color,
    Detail,
    Picture,
    darker,
    lighter,
    paint,
)

ZOMBIE, TROUSERS, HAIR, EARTH = (92, 158, 84), (48, 62, 120), (84, 52, 30), (112, 78, 48)


def paint_block(name: str, size: int) -> Picture:
    """The picture of a block of `BLOCKS`, [size, size, 4]."""
    ground, detail = BLOCKS[name]
    return paint(size, detail, ground=ground)


def grain(color: Color, share: float = 0.2, seed: int = 1) -> Detail:
    """Specks of a colour."""
    return lambda canvas: canvas.paint(color, canvas.specks(seed, share))


def rock(canvas: Canvas) -> None:
    """Stone, here lighter and there darker."""
    canvas.paint(lighter(STONE, 0.12), canvas.specks(7, 0.2))
    canvas.paint(darker(STONE, 0.18), canvas.specks(1, 0.2))


_LUMPS = ((0.3, 0.28), (0.7, 0.45), (0.36, 0.74))


def ore(color: Color) -> Detail:
    """Stone with three lumps of a colour."""

    def detail(canvas: Canvas) -> None:
        rock(canvas)
        for x, y in _LUMPS:
            canvas.paint(darker(color), canvas.disc(x, y, 0.17))
            canvas.paint(color, canvas.disc(x - 0.02, y - 0.02, 0.14))

    return detail


def gems(color: Color) -> Detail:
    """Stone with three cut stones of a colour."""

    def detail(canvas: Canvas) -> None:
        rock(canvas)
        for x, y in _LUMPS:
            canvas.paint(color, canvas.rhomb(x, y, 0.19, 0.23))
            canvas.paint(lighter(color, 0.6), canvas.rhomb(x - 0.03, y - 0.05, 0.07, 0.09))

    return detail


def waves(color: Color) -> Detail:
    """Crests of a colour."""
    return lambda canvas: canvas.paint(color, np.sin(18.0 * canvas.y + 4.0 * np.sin(6.0 * canvas.x)) > 0.75)


def tree(leaf: Color) -> Detail:
    """A tree with leaves of a colour."""

    def detail(canvas: Canvas) -> None:
        canvas.paint(WOOD, canvas.box(0.42, 0.6, 0.58, 1.0))
        crown = canvas.disc(0.5, 0.3, 0.27) | canvas.disc(0.3, 0.5, 0.24) | canvas.disc(0.7, 0.5, 0.24)
        canvas.paint(darker(leaf, 0.3), crown | canvas.disc(0.5, 0.56, 0.22))
        canvas.paint(leaf, canvas.disc(0.48, 0.28, 0.22) | canvas.disc(0.3, 0.46, 0.17))
        canvas.paint(leaf, canvas.disc(0.68, 0.46, 0.17))
        canvas.paint(lighter(leaf, 0.25), canvas.disc(0.42, 0.24, 0.09) | canvas.disc(0.26, 0.43, 0.06))

    return detail


def _planks(canvas: Canvas) -> None:
    canvas.paint(darker(WOOD), (canvas.y * 4.0) % 1.0 < 0.2)
    canvas.paint(darker(WOOD, 0.2), canvas.oval(0.28, 0.39, 0.1, 0.05) | canvas.oval(0.72, 0.64, 0.1, 0.05))


def bench(top: Color) -> Detail:
    """A table with a top of a colour, on legs."""

    def detail(canvas: Canvas) -> None:
        canvas.paint(darker(top, 0.5), canvas.box(0.1, 0.4, 0.25, 0.95) | canvas.box(0.75, 0.4, 0.9, 0.95))
        canvas.paint(top, canvas.box(0.04, 0.2, 0.96, 0.58))
        canvas.paint(darker(top), canvas.box(0.04, 0.5, 0.96, 0.58))

    return detail


def _table(canvas: Canvas) -> None:
    _planks(canvas)
    bench((176, 128, 76))(canvas)
    canvas.paint(WOOD, canvas.stroke((0.2, 0.44), (0.42, 0.24), 0.1))
    canvas.paint(STEEL, canvas.box(0.34, 0.12, 0.58, 0.28))
    canvas.paint(STEEL, canvas.wedge(0.74, 0.24, 0.44, (0.04, 0.14)))


def _furnace(canvas: Canvas) -> None:
    canvas.paint(lighter(STONE, 0.1), canvas.box(0.06, 0.06, 0.94, 0.3))
    canvas.paint(DARK, canvas.box(0.2, 0.4, 0.8, 0.94))
    canvas.paint(LAVA, canvas.wedge(0.5, 0.5, 0.94, (0.04, 0.26)))
    canvas.paint(FIRE, canvas.wedge(0.5, 0.66, 0.94, (0.03, 0.16)))


def sapling(canvas: Canvas) -> None:
    """A small plant."""
    canvas.paint(darker(LEAF, 0.2), canvas.box(0.45, 0.4, 0.55, 0.92))
    canvas.paint(LEAF, canvas.oval(0.32, 0.5, 0.2, 0.12) | canvas.oval(0.68, 0.4, 0.2, 0.12))
    canvas.paint(lighter(LEAF, 0.3), canvas.oval(0.5, 0.26, 0.12, 0.17))


def _plant(canvas: Canvas) -> None:
    canvas.paint(EARTH, canvas.oval(0.5, 0.86, 0.34, 0.12))
    sapling(canvas)


def _ripe_plant(canvas: Canvas) -> None:
    _plant(canvas)
    for x, y in ((0.3, 0.4), (0.7, 0.32), (0.5, 0.22)):
        canvas.paint((236, 84, 140), canvas.disc(x, y, 0.14))


BLOCKS: dict[str, tuple[Color, Detail | None]] = {
    "INVALID": ((255, 0, 255), None),
    "OUT_OF_BOUNDS": (DARK, None),
    "GRASS": (GRASS, grain((76, 132, 56))),
    "WATER": (WATER, waves((104, 150, 220))),
    "STONE": (STONE, rock),
    "TREE": (GRASS, tree(LEAF)),
    "WOOD": (WOOD, _planks),
    "PATH": (PATH, grain((164, 148, 116), 0.3)),
    "COAL": (STONE, ore(COAL)),
    "IRON": (STONE, ore(IRON)),
    "DIAMOND": (STONE, gems(DIAMOND)),
    "TABLE": (WOOD, _table),
    "FURNACE": ((92, 94, 98), _furnace),
    "SAND": (SAND, grain((206, 186, 124), 0.2, 2)),
    "LAVA": (LAVA, waves(FIRE)),
    "PLANT": (GRASS, _plant),
    "RIPE_PLANT": (GRASS, _ripe_plant),
}
"""Ground and detail of the blocks that both games have, by name."""


def eyes(canvas: Canvas, y: float, *, x: float = 0.5, apart: float = 0.22, color: Color = DARK) -> None:
    """Two eyes at a height."""
    for middle in (x - apart / 2.0, x + apart / 2.0):
        canvas.paint(color, canvas.box(middle - 0.055, y - 0.06, middle + 0.055, y + 0.06))


def body(canvas: Canvas, skin: Color, clothes: Color, legs: Color, *, neck: float = 0.48) -> None:
    """Trunk, arms and legs of somebody upright, whose head ends at a height."""
    hip = 0.5 * (neck + 1.0) + 0.06
    canvas.paint(legs, canvas.box(0.3, hip, 0.47, 0.98) | canvas.box(0.53, hip, 0.7, 0.98))
    canvas.paint(skin, canvas.box(0.16, neck + 0.04, 0.84, hip))
    canvas.paint(clothes, canvas.box(0.28, neck, 0.72, hip))


def _zombie(canvas: Canvas) -> None:
    body(canvas, ZOMBIE, (56, 108, 148), TROUSERS)
    canvas.paint(ZOMBIE, canvas.box(0.3, 0.08, 0.7, 0.48))
    canvas.paint(ZOMBIE, canvas.box(0.02, 0.5, 0.28, 0.64) | canvas.box(0.72, 0.5, 0.98, 0.64))
    eyes(canvas, 0.26)
    canvas.paint(darker(ZOMBIE, 0.5), canvas.box(0.4, 0.38, 0.6, 0.43))


def _cow(canvas: Canvas) -> None:
    canvas.paint(darker(HIDE), canvas.box(0.32, 0.7, 0.43, 0.95) | canvas.box(0.8, 0.7, 0.91, 0.95))
    canvas.paint(HIDE, canvas.box(0.26, 0.34, 0.94, 0.76) | canvas.box(0.06, 0.22, 0.38, 0.56))
    canvas.paint((240, 236, 228), canvas.disc(0.66, 0.5, 0.17) | canvas.box(0.06, 0.42, 0.3, 0.56))
    canvas.paint(BONE, canvas.box(0.06, 0.1, 0.13, 0.22) | canvas.box(0.31, 0.1, 0.38, 0.22))
    eyes(canvas, 0.34, x=0.2, apart=0.16)


def _skeleton(canvas: Canvas) -> None:
    canvas.paint(BONE, canvas.oval(0.5, 0.26, 0.22, 0.2) | canvas.box(0.38, 0.36, 0.62, 0.48))
    canvas.paint(BONE, canvas.box(0.45, 0.45, 0.55, 0.8))
    canvas.paint(BONE, canvas.box(0.26, 0.54, 0.74, 0.61) | canvas.box(0.32, 0.67, 0.68, 0.73))
    canvas.paint(BONE, canvas.stroke((0.48, 0.78), (0.34, 0.97), 0.1))
    canvas.paint(BONE, canvas.stroke((0.52, 0.78), (0.66, 0.97), 0.1))
    eyes(canvas, 0.26)
    bow_in_hand(canvas)


def bow_in_hand(canvas: Canvas) -> None:
    """A bow held at the right."""
    canvas.paint(
        WOOD, canvas.oval(0.76, 0.58, 0.2, 0.34) & ~canvas.oval(0.72, 0.58, 0.16, 0.3) & (canvas.x > 0.76)
    )


def arrow(color: Color) -> Detail:
    """An arrow with a head of a colour."""

    def detail(canvas: Canvas) -> None:
        canvas.paint(WOOD, canvas.stroke((0.16, 0.84), (0.8, 0.2), 0.11))
        canvas.paint(color, canvas.box(0.58, 0.1, 0.9, 0.42) & (canvas.x - canvas.y > 0.46))
        canvas.paint(BONE, canvas.stroke((0.1, 0.74), (0.26, 0.9), 0.16))

    return detail


_CREATURES = {"zombie": _zombie, "cow": _cow, "skeleton": _skeleton, "arrow": arrow(STEEL)}


def paint_creature(name: str, size: int) -> Picture:
    """The picture of a zombie, cow, skeleton or arrow on a clear ground, [size, size, 4]."""
    return paint(size, _CREATURES[name], outlined=True)


_LEFT, _RIGHT, _UP, _DOWN = range(4)

_HANDS = ((0.1, 0.6), (0.9, 0.6), (0.5, 0.07), (0.5, 0.93))
"""Where the player's hand is, by direction."""


def paint_players(size: int) -> list[Picture]:
    """The player facing left, right, up and down, and asleep, on a clear ground, each [size, size, 4]."""
    facing = [paint(size, _player(direction), outlined=True) for direction in (_LEFT, _RIGHT, _UP, _DOWN)]
    return [*facing, paint(size, _sleeper, outlined=True)]


def _player(direction: int) -> Detail:
    def detail(canvas: Canvas) -> None:
        body(canvas, SKIN, SHIRT, TROUSERS)
        canvas.paint(SKIN, canvas.disc(0.5, 0.3, 0.22))
        canvas.paint(HAIR, canvas.disc(0.5, 0.3, 0.22) & (canvas.y < 0.2))
        if direction == _UP:
            canvas.paint(HAIR, canvas.disc(0.5, 0.3, 0.22) & (canvas.y < 0.42))
        elif direction == _DOWN:
            eyes(canvas, 0.32)
        else:
            ahead = -0.14 if direction == _LEFT else 0.14
            canvas.paint(HAIR, canvas.disc(0.5, 0.3, 0.22) & ((canvas.x - 0.5) / ahead < -0.6))
            eyes(canvas, 0.32, x=0.5 + ahead, apart=0.0)
        canvas.paint(STEEL, canvas.disc(*_HANDS[direction], 0.12))

    return detail


def _sleeper(canvas: Canvas) -> None:
    canvas.paint(SKIN, canvas.disc(0.5, 0.3, 0.22))
    canvas.paint(HAIR, canvas.disc(0.5, 0.3, 0.22) & (canvas.y < 0.2))
    canvas.paint(DARK, canvas.box(0.32, 0.31, 0.45, 0.36) | canvas.box(0.55, 0.31, 0.68, 0.36))
    canvas.paint((86, 112, 176), canvas.box(0.16, 0.48, 0.84, 0.96))
    canvas.paint(lighter((86, 112, 176)), canvas.box(0.16, 0.48, 0.84, 0.58))
