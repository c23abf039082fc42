"""The view drawn in letters, for terminals without colours: each tile two lines of three characters.

The ground has a texture; what stands out has the first letters of its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

_GROUND = {
    "out of bounds": "   ",
    "dark": "   ",
    "darkness": "   ",
    "path": "   ",
    "grass": " . ",
    "sand": " : ",
    "gravel": ".:.",
    "fire grass": " ' ",
    "ice grass": " * ",
    "water": "~~~",
    "lava": "^^^",
    "stone": "###",
    "wall": "[=]",
    "wall moss": "[%]",
}
"""The textures of blocks."""

_NAMES = {
    "fire tree": "ftr",
    "ice shrub": "shr",
    "fire table": "fta",
    "ice table": "ita",
    "ripe plant": "RIP",
    "necromancer vulnerable": "NEC",
    "ladder down": "dwn",
    "ladder up": "up!",
    "ladder down blocked": "shu",
    "fireball": "fib",
    "iceball": "icb",
    "strong arrow": "ARR",
    "strong fireball": "FIB",
    "strong iceball": "ICB",
    "gnome archer": "gna",
    "orc mage": "orm",
    "knight archer": "kna",
}
"""Where the first letters would not do."""

_LOOKS = {"left": "<--", "right": "-->", "up": " ^ ", "down": " v "}


def lines(tiles: Sequence[Sequence[str]], facing: str) -> list[str]:
    """The view as text, two lines for each row of tiles, four characters for each tile.

    Args:
        tiles: what is on each tile, as in `Game.tiles`.
        facing: the direction that the player in the middle faces.
    """
    drawn = [[_tile(words) for words in row] for row in tiles]
    drawn[len(tiles) // 2][len(tiles[0]) // 2] = ("you", _LOOKS[facing])
    return [" ".join(tile[part] for tile in row) + " " for row in drawn for part in (0, 1)]


def legend() -> list[str]:
    """What the signs of `lines` mean, as text."""
    signs = [f"{sign.strip()} {name}" for name, sign in (_GROUND | _NAMES).items() if sign.strip()]
    told = ", ".join([*signs, "blank dark or path"])
    return [
        "Each tile is what stands there over the ground, by the first letters of its name, but for",
        *wrap(f"{told}.", 100),
    ]


def _tile(words: str) -> tuple[str, str]:
    """The two lines of a tile: what stands there, or else the block; the ground."""
    there, _, block = words.rpartition(" on ")
    ground = _GROUND.get(block)
    if there:
        return _name(there.split(" and ")[0]), ground or _name(block)
    return (ground, ground) if ground else (_name(block), "   ")


def _name(words: str) -> str:
    words = words.removeprefix("own ")
    return _NAMES.get(words, words[:3])
