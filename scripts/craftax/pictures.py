"""Makes the pictures of the pages on Craftax: one moment of each game, reached by keys.

python scripts/craftax/pictures.py docs/craftax
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

from garten.craftax.play import Game
from garten.craftax.session import Session

TILE = 32

MOMENTS = {
    "full.webp": (
        {"name": "Craftax", "seed": 1, "god_mode": True},
        ">>>ddddddddwwwwddwddddsssdddddwwwwddaaa",
    ),
    "classic.webp": ({"name": "Craftax-Classic", "seed": 41}, "aaddddddddddddsssdd"),
}
"""A game and the keys that lead to the moment, by name of the picture."""


def main(folder: Path) -> None:
    """Write the pictures into a folder."""
    for file, (options, keys) in MOMENTS.items():
        session = Session(Game(**options, tile=TILE))
        for key in keys:
            session.press(key)
        path = folder / file
        Image.fromarray(session.game.picture()).save(path, lossless=True)
        print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
