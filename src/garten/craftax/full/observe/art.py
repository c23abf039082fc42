"""Tile art of the full game, beside what `garten.craftax.art` paints for both."""

from __future__ import annotations

from garten.craftax import art
from garten.craftax.canvas import (
    DARK,
    FIRE,
    GRASS,
    LAVA,
    PATH,
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
from garten.craftax.full.tables import Block, Thing

WALL, MOSS, ASH, SNOW = (84, 78, 92), (70, 110, 64), (98, 52, 40), (206, 224, 236)
RUBY, SAPPHIRE, ICE, GOLD = (222, 36, 72), (52, 84, 232), (130, 200, 250), (232, 190, 70)
ROBE, PINK, TROLL, SLIME, ORC = (112, 52, 140), (236, 150, 160), (120, 108, 88), (120, 210, 70), (98, 156, 60)
DEEP, BLUE, RED = (32, 60, 110), (60, 90, 200), (180, 40, 40)


def paint_block(block: Block, size: int) -> Picture:
    """The picture of a block, [size, size, 4]."""
    if block.name in art.BLOCKS:
        return art.paint_block(block.name, size)
    ground, detail = _BLOCKS[block]
    return paint(size, detail, ground=ground)


def _bricks(canvas: Canvas) -> None:
    shift = (canvas.y * 3.0).astype(int) % 2 * 0.25
    joints = ((canvas.y * 3.0) % 1.0 < 0.25) | (((canvas.x + shift) * 2.0) % 1.0 < 0.15)
    canvas.paint((56, 50, 62), joints)


def _mossy(canvas: Canvas) -> None:
    canvas.paint(MOSS, canvas.specks(3, 0.35))
    canvas.paint(lighter(MOSS, 0.2), canvas.specks(4, 0.1))
    _bricks(canvas)
    canvas.paint(darker(MOSS), canvas.specks(6, 0.25))


def _stalagmite(canvas: Canvas) -> None:
    canvas.paint(darker(STONE), canvas.wedge(0.5, 0.08, 0.95, (0.02, 0.4)))
    canvas.paint(lighter(STONE, 0.15), canvas.wedge(0.44, 0.16, 0.95, (0.0, 0.24)))


def _chest(canvas: Canvas) -> None:
    canvas.paint(WOOD, canvas.box(0.1, 0.25, 0.9, 0.88))
    canvas.paint(lighter(WOOD, 0.2), canvas.box(0.1, 0.25, 0.9, 0.45))
    canvas.paint(GOLD, canvas.box(0.1, 0.45, 0.9, 0.55) | canvas.box(0.42, 0.4, 0.58, 0.68))


def _fountain(canvas: Canvas) -> None:
    canvas.paint(STONE, canvas.disc(0.5, 0.5, 0.46))
    canvas.paint(WATER, canvas.disc(0.5, 0.5, 0.34))
    canvas.paint(lighter(WATER, 0.4), canvas.disc(0.5, 0.5, 0.22))
    canvas.paint(SNOW, canvas.disc(0.5, 0.5, 0.12))


def _shrub(canvas: Canvas) -> None:
    canvas.paint(darker(ICE, 0.25), canvas.disc(0.35, 0.64, 0.24) | canvas.disc(0.66, 0.6, 0.26))
    canvas.paint(
        ICE, canvas.disc(0.34, 0.58, 0.18) | canvas.disc(0.64, 0.52, 0.2) | canvas.disc(0.5, 0.4, 0.16)
    )


def _fire_table(canvas: Canvas) -> None:
    art.bench((150, 70, 56))(canvas)
    canvas.paint(LAVA, canvas.disc(0.5, 0.32, 0.18) | canvas.wedge(0.5, 0.0, 0.3, (0.0, 0.16)))
    canvas.paint(FIRE, canvas.disc(0.5, 0.36, 0.1))


def _ice_table(canvas: Canvas) -> None:
    art.bench((96, 132, 190))(canvas)
    canvas.paint(SNOW, canvas.rhomb(0.5, 0.26, 0.2, 0.26))
    canvas.paint(lighter(ICE, 0.1), canvas.rhomb(0.5, 0.28, 0.1, 0.16))


def _grave(width: float) -> Detail:
    def detail(canvas: Canvas) -> None:
        stone = canvas.box(0.5 - width, 0.34, 0.5 + width, 0.95) | canvas.disc(0.5, 0.38, width)
        canvas.paint(STONE, stone)
        canvas.paint(
            darker(STONE, 0.55), canvas.box(0.46, 0.3, 0.54, 0.7) | canvas.box(0.36, 0.4, 0.64, 0.48)
        )

    return detail


def _necromancer(eyes: Color) -> Detail:
    def detail(canvas: Canvas) -> None:
        canvas.paint(ROBE, canvas.wedge(0.5, 0.06, 1.0, (0.12, 0.46)))
        canvas.paint(DARK, canvas.disc(0.5, 0.38, 0.2))
        art.eyes(canvas, 0.36, color=eyes)

    return detail


_BLOCKS: dict[Block, tuple[Color, Detail | None]] = {
    Block.WALL: (WALL, _bricks),
    Block.DARKNESS: ((8, 6, 10), None),
    Block.WALL_MOSS: (WALL, _mossy),
    Block.STALAGMITE: (PATH, _stalagmite),
    Block.SAPPHIRE: (STONE, art.gems(SAPPHIRE)),
    Block.RUBY: (STONE, art.gems(RUBY)),
    Block.CHEST: (PATH, _chest),
    Block.FOUNTAIN: (PATH, _fountain),
    Block.FIRE_GRASS: (ASH, art.grain((150, 72, 36))),
    Block.ICE_GRASS: (SNOW, art.grain((176, 204, 226))),
    Block.GRAVEL: ((140, 132, 124), art.grain((104, 98, 92), 0.4, 5)),
    Block.FIRE_TREE: (ASH, art.tree((206, 74, 30))),
    Block.ICE_SHRUB: (SNOW, _shrub),
    Block.FIRE_TABLE: (ASH, _fire_table),
    Block.ICE_TABLE: (SNOW, _ice_table),
    Block.NECROMANCER: (PATH, _necromancer(RED)),
    Block.GRAVE: (GRASS, _grave(0.34)),
    Block.GRAVE_2: (GRASS, _grave(0.27)),
    Block.GRAVE_3: (GRASS, _grave(0.2)),
    Block.NECROMANCER_VULNERABLE: (PATH, _necromancer(FIRE)),
}


def paint_thing(thing: Thing, size: int) -> Picture:
    """The picture of what lies on a tile, on a clear ground, [size, size, 4]."""
    return paint(size, _THINGS[thing])


def torch(canvas: Canvas) -> None:
    """A burning torch."""
    canvas.paint(WOOD, canvas.box(0.43, 0.4, 0.57, 0.95))
    canvas.paint(LAVA, canvas.disc(0.5, 0.32, 0.2) | canvas.wedge(0.5, 0.04, 0.3, (0.0, 0.18)))
    canvas.paint(FIRE, canvas.disc(0.5, 0.34, 0.13))


def ladder(ground: Color, rung: Color) -> Detail:
    """A ladder before a ground."""

    def detail(canvas: Canvas) -> None:
        canvas.paint(ground, canvas.box(0.1, 0.05, 0.9, 0.95))
        canvas.paint(rung, canvas.box(0.2, 0.05, 0.32, 0.95) | canvas.box(0.68, 0.05, 0.8, 0.95))
        canvas.paint(rung, canvas.box(0.2, 0.0, 0.8, 1.0) & ((canvas.y * 4.0) % 1.0 < 0.45))

    return detail


def _blocked(canvas: Canvas) -> None:
    ladder(DARK, darker(WOOD, 0.2))(canvas)
    canvas.paint(RED, canvas.stroke((0.15, 0.1), (0.85, 0.9), 0.14))
    canvas.paint(RED, canvas.stroke((0.85, 0.1), (0.15, 0.9), 0.14))


_THINGS: dict[Thing, Detail | None] = {
    Thing.NONE: None,
    Thing.TORCH: torch,
    Thing.LADDER_DOWN: ladder(DARK, lighter(WOOD, 0.15)),
    Thing.LADDER_UP: ladder(SNOW, WOOD),
    Thing.LADDER_DOWN_BLOCKED: _blocked,
}
