from garten.craftax import glyphs
from garten.craftax.classic.observe.legend import CREATURES as CLASSIC_CREATURES
from garten.craftax.full.observe.legend import CREATURES
from garten.craftax.full.tables import Block, Thing
from garten.craftax.words import plain

ALIKE = {"out of bounds", "dark", "darkness", "path", "invalid"} | {"grave", "grave 2", "grave 3"}
"""Blocks that need not be told apart, for nobody is to do different things with them."""


def drawn(words: str) -> tuple[str, str]:
    """The two lines of a tile at the left of the player."""
    upper, lower = glyphs.lines([[words, "grass", "grass"]], "up")
    return upper[:3], lower[:3]


def test_what_is_different_looks_different():
    blocks = [plain(block) for block in Block if plain(block) not in ALIKE]
    assert len({drawn(block) for block in blocks}) == len(blocks)
    things = [plain(thing) for thing in Thing if thing]
    creatures = [name for kind in CREATURES[:4] for name in kind if "unused" not in name]
    assert set(CLASSIC_CREATURES) <= set(creatures)
    named = {drawn(f"{name} on grass") for name in (*things, *creatures)}
    assert len(named) == len(things) + len(creatures)


def test_each_tile_has_two_lines_of_four_ascii_characters():
    tiles = [["grass", "zombie and torch on sand", "own arrow on fire grass"]] * 3
    lines = glyphs.lines(tiles, "left")
    assert [len(line) for line in lines] == [12] * 6
    assert all(line.isascii() for line in lines)
    assert lines[:2] == [" .  zom arr ", " .   :   '  "]
    assert lines[2:4] == [" .  you arr ", " .  <--  '  "]
