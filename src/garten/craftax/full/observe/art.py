"""Tile art of the full game, beside what `garten.craftax.art` paints for both."""

from __future__ import annotations

from garten.craftax import art
from garten.craftax.art import (
    BONE,
    DARK,
    FIRE,
    GRASS,
    IRON,
    LEAF,
    SKIN,
    STEEL,
    STONE,
    WOOD,
    Canvas,
    Color,
    Detail,
    Picture,
)
from garten.craftax.full.tables import Block, Thing

WALL, MOSS, ASH, SNOW = (84, 78, 92), (70, 110, 64), (98, 52, 40), (206, 224, 236)
RUBY, SAPPHIRE, ICE, GOLD = (222, 36, 72), (52, 84, 232), (130, 200, 250), (232, 190, 70)
ROBE, PINK, TROLL, SLIME, ORC = (112, 52, 140), (236, 150, 160), (120, 108, 88), (120, 210, 70), (84, 140, 50)
DEEP, BLUE, RED = (32, 60, 110), (60, 90, 200), (180, 40, 40)


def paint_block(block: Block, size: int) -> Picture:
    """The picture of a block, [size, size, 4]."""
    if block.name in art.BLOCKS:
        return art.paint_block(block.name, size)
    ground, detail = _BLOCKS[block]
    return art.paint(size, detail, ground=ground)


def _bricks(canvas: Canvas) -> None:
    shift = (canvas.y * 3.0).astype(int) % 2 * 0.25
    joints = ((canvas.y * 3.0) % 1.0 < 0.25) | (((canvas.x + shift) * 2.0) % 1.0 < 0.15)
    canvas.paint((56, 50, 62), joints)


def _mossy(canvas: Canvas) -> None:
    _bricks(canvas)
    canvas.paint(MOSS, canvas.specks(3, 0.35))


def _stalagmite(canvas: Canvas) -> None:
    canvas.paint(STONE, (abs(canvas.x - 0.5) < 0.4 * canvas.y) & canvas.box(0.0, 0.15, 1.0, 0.95))


def _chest(canvas: Canvas) -> None:
    canvas.paint(WOOD, canvas.box(0.1, 0.25, 0.9, 0.85))
    canvas.paint(GOLD, canvas.box(0.1, 0.45, 0.9, 0.55) | canvas.box(0.42, 0.4, 0.58, 0.68))


def _fountain(canvas: Canvas) -> None:
    canvas.paint(STONE, canvas.disc(0.5, 0.5, 0.45))
    canvas.paint(art.WATER, canvas.disc(0.5, 0.5, 0.32))
    canvas.paint(SNOW, canvas.disc(0.5, 0.5, 0.12))


def _shrub(canvas: Canvas) -> None:
    canvas.paint(ICE, canvas.disc(0.35, 0.6, 0.22) | canvas.disc(0.65, 0.55, 0.24))


def _grave(width: float) -> Detail:
    def detail(canvas: Canvas) -> None:
        canvas.paint(STONE, canvas.box(0.5 - width, 0.3, 0.5 + width, 0.95) | canvas.disc(0.5, 0.35, width))
        canvas.paint(DARK, canvas.box(0.45, 0.35, 0.55, 0.7))

    return detail


def _necromancer(eyes: Color) -> Detail:
    def detail(canvas: Canvas) -> None:
        canvas.paint(ROBE, (abs(canvas.x - 0.5) < 0.1 + 0.35 * canvas.y) & canvas.box(0.0, 0.1, 1.0, 1.0))
        canvas.paint(DARK, canvas.disc(0.5, 0.38, 0.2))
        canvas.paint(eyes, canvas.box(0.35, 0.3, 0.46, 0.42) | canvas.box(0.54, 0.3, 0.65, 0.42))

    return detail


_BLOCKS: dict[Block, tuple[Color, Detail | None]] = {
    Block.WALL: (WALL, _bricks),
    Block.DARKNESS: ((8, 6, 10), None),
    Block.WALL_MOSS: (WALL, _mossy),
    Block.STALAGMITE: (art.PATH, _stalagmite),
    Block.SAPPHIRE: (STONE, art.ore(SAPPHIRE)),
    Block.RUBY: (STONE, art.ore(RUBY)),
    Block.CHEST: (art.PATH, _chest),
    Block.FOUNTAIN: (art.PATH, _fountain),
    Block.FIRE_GRASS: (ASH, art.grain((150, 72, 36))),
    Block.ICE_GRASS: (SNOW, art.grain((176, 204, 226))),
    Block.GRAVEL: ((140, 132, 124), art.grain((104, 98, 92), 0.4, 5)),
    Block.FIRE_TREE: (ASH, art.tree((206, 74, 30))),
    Block.ICE_SHRUB: (SNOW, _shrub),
    Block.FIRE_TABLE: (ASH, art.table),
    Block.ICE_TABLE: (ICE, art.table),
    Block.NECROMANCER: (art.PATH, _necromancer(RED)),
    Block.GRAVE: (GRASS, _grave(0.34)),
    Block.GRAVE_2: (GRASS, _grave(0.26)),
    Block.GRAVE_3: (GRASS, _grave(0.18)),
    Block.NECROMANCER_VULNERABLE: (art.PATH, _necromancer(FIRE)),
}


def paint_thing(thing: Thing, size: int) -> Picture:
    """The picture of what lies on a tile, on a clear ground, [size, size, 4]."""
    return art.paint(size, _THINGS[thing])


def torch(canvas: Canvas) -> None:
    """A burning torch."""
    canvas.paint(WOOD, canvas.box(0.43, 0.4, 0.57, 0.95))
    canvas.paint(FIRE, canvas.disc(0.5, 0.3, 0.2))


def _ladder(ground: Color, rung: Color) -> Detail:
    def detail(canvas: Canvas) -> None:
        canvas.paint(ground, canvas.box(0.1, 0.05, 0.9, 0.95))
        canvas.paint(rung, canvas.box(0.2, 0.05, 0.32, 0.95) | canvas.box(0.68, 0.05, 0.8, 0.95))
        canvas.paint(rung, canvas.box(0.2, 0.0, 0.8, 1.0) & ((canvas.y * 4.0) % 1.0 < 0.45))

    return detail


_THINGS: dict[Thing, Detail | None] = {
    Thing.NONE: None,
    Thing.TORCH: torch,
    Thing.LADDER_DOWN: _ladder(DARK, WOOD),
    Thing.LADDER_UP: _ladder(SNOW, WOOD),
    Thing.LADDER_DOWN_BLOCKED: _ladder(DARK, RED),
}


def paint_creature(name: str, size: int) -> Picture:
    """The picture of a creature or projectile on a clear ground, [size, size, 4]."""
    if name in ("zombie", "cow", "skeleton", "arrow"):
        return art.paint_creature(name, size)
    return art.paint(size, _CREATURES.get(name, art.lump(PINK)))


def _fighter(body: Color, legs: Color, head: Color, *, top: float = 0.08, bow: bool = False) -> Detail:
    """Somebody on two legs; `top` is where the head begins, smaller for the tall."""

    def detail(canvas: Canvas) -> None:
        neck = top + 0.32
        canvas.paint(body, canvas.box(0.22, neck, 0.78, 0.95))
        canvas.paint(legs, canvas.box(0.22, 0.72, 0.78, 0.95))
        canvas.paint(head, canvas.box(0.3, top, 0.7, neck))
        canvas.paint(DARK, canvas.box(0.35, top + 0.1, 0.45, neck) | canvas.box(0.55, top + 0.1, 0.65, neck))
        if bow:
            canvas.paint(WOOD, canvas.box(0.82, 0.2, 0.94, 0.9))

    return detail


def _bat(canvas: Canvas) -> None:
    canvas.paint((70, 56, 80), canvas.disc(0.2, 0.4, 0.2) | canvas.disc(0.8, 0.4, 0.2))
    canvas.paint(DARK, canvas.disc(0.5, 0.5, 0.2))


def _snail(canvas: Canvas) -> None:
    canvas.paint(SKIN, canvas.box(0.1, 0.7, 0.9, 0.88) | canvas.box(0.1, 0.45, 0.22, 0.8))
    canvas.paint((150, 96, 60), canvas.disc(0.58, 0.5, 0.28))


def _lizard(canvas: Canvas) -> None:
    canvas.paint(MOSS, canvas.box(0.05, 0.4, 0.7, 0.65) | canvas.disc(0.75, 0.45, 0.2))
    canvas.paint(MOSS, canvas.box(0.15, 0.6, 0.25, 0.85) | canvas.box(0.5, 0.6, 0.6, 0.85))
    canvas.paint(GOLD, canvas.disc(0.8, 0.4, 0.08))


def _deep_thing(canvas: Canvas) -> None:
    canvas.paint(
        DEEP, canvas.disc(0.5, 0.4, 0.34) | (canvas.box(0.1, 0.5, 0.9, 0.95) & (canvas.x * 5 % 1 < 0.5))
    )
    canvas.paint(GOLD, canvas.disc(0.5, 0.38, 0.12))


def _elemental(outer: Color, inner: Color) -> Detail:
    def detail(canvas: Canvas) -> None:
        canvas.paint(outer, abs(canvas.x - 0.5) + abs(canvas.y - 0.5) < 0.48)
        canvas.paint(inner, canvas.disc(0.5, 0.55, 0.2))

    return detail


def ball(outer: Color, inner: Color, radius: float) -> Detail:
    """A glowing ball."""

    def detail(canvas: Canvas) -> None:
        canvas.paint(outer, canvas.disc(0.5, 0.5, radius))
        canvas.paint(inner, canvas.disc(0.5, 0.5, radius * 0.5))

    return detail


def _blade(color: Color, width: float) -> Detail:
    return lambda canvas: canvas.paint(color, canvas.diagonal(width) & canvas.box(0.2, 0.2, 0.8, 0.8))


_CREATURES: dict[str, Detail] = {
    "bat": _bat,
    "snail": _snail,
    "gnome warrior": _fighter(BLUE, WOOD, RED, top=0.3),
    "orc soldier": _fighter(WOOD, DARK, ORC),
    "lizard": _lizard,
    "knight": _fighter(STEEL, STEEL, STONE),
    "troll": _fighter(TROLL, WOOD, TROLL, top=0.0),
    "pigman": _fighter(ASH, DARK, PINK),
    "frost troll": _fighter(ICE, SNOW, ICE, top=0.0),
    "gnome archer": _fighter(BLUE, WOOD, LEAF, top=0.3, bow=True),
    "orc mage": _fighter(ROBE, ROBE, ORC),
    "kobold": _fighter(IRON, WOOD, RED, top=0.2),
    "knight archer": _fighter(STEEL, STEEL, STONE, bow=True),
    "deep thing": _deep_thing,
    "fire elemental": _elemental(art.LAVA, FIRE),
    "ice elemental": _elemental(ICE, SNOW),
    "dagger": _blade(STEEL, 0.16),
    "fireball": ball(art.LAVA, FIRE, 0.28),
    "iceball": ball(ICE, SNOW, 0.28),
    "strong arrow": _blade(GOLD, 0.3),
    "slimeball": ball(SLIME, MOSS, 0.28),
    "strong fireball": ball(RED, FIRE, 0.42),
    "strong iceball": ball(BLUE, SNOW, 0.42),
}


def _bow(canvas: Canvas) -> None:
    ring = canvas.disc(0.3, 0.5, 0.45) & ~canvas.disc(0.2, 0.5, 0.42)
    canvas.paint(WOOD, ring)
    canvas.paint(BONE, canvas.box(0.25, 0.1, 0.35, 0.9))


def _book(canvas: Canvas) -> None:
    canvas.paint(ROBE, canvas.box(0.2, 0.1, 0.8, 0.9))
    canvas.paint(BONE, canvas.box(0.7, 0.15, 0.8, 0.85))


def _potion(color: Color) -> Detail:
    def detail(canvas: Canvas) -> None:
        canvas.paint(STEEL, canvas.box(0.4, 0.05, 0.6, 0.4))
        canvas.paint(color, canvas.disc(0.5, 0.62, 0.32))

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

    return detail


def _mark(color: Color) -> Detail:
    return lambda canvas: canvas.paint(color, canvas.box(0.0, 0.0, 0.4, 0.3))


STATS: tuple[Detail, ...] = (
    *(art.lump(color) for color in art.STATS.values()),
    *(art.lump(color) for color in (BLUE, SLIME)),  # mana, experience
    *(ball(color, DARK, 0.4) for color in (LEAF, RED, ROBE)),  # dexterity, strength, intelligence
    _ladder(STONE, WOOD),  # floor
)
"""Details of the stats, in the order of the slots."""

COUNTED: tuple[Detail, ...] = (
    *(art.lump(color) for color in (WOOD, STONE, (70, 70, 78), IRON, art.DIAMOND, SAPPHIRE, RUBY)),
    *(art.sapling, torch, _blade(BONE, 0.14), _book),
)
"""Of the counted items, in the order of the slots."""

TOOLS: tuple[Detail, ...] = (
    *(art.pickaxe(color) for color in art.MATERIALS.values()),
    *(art.sword(color) for color in art.MATERIALS.values()),
    _bow,
    *(_armour(piece, color) for piece in range(4) for color in (IRON, art.DIAMOND)),
    *(ball(art.LAVA, FIRE, 0.4), ball(ICE, SNOW, 0.4)),
)
"""Pickaxes and swords by level, the bow, pieces of armour by level, spells."""

POTIONS = tuple(_potion(color) for color in (RED, ORC, BLUE, (250, 110, 190), (60, 210, 220), (240, 220, 60)))
"""Of the potions, by colour."""

MARKS: tuple[Detail, ...] = (_mark(art.LAVA), _mark(ICE))
"""Marks of fire and ice on what is enchanted, on a clear ground."""
