"""What a policy is fitted to: what it observes and how many actions it can take."""

from __future__ import annotations

from dataclasses import dataclass

from garten.errors import RunError


@dataclass(frozen=True)
class Tiles:
    """How the view's tiles are told in codes, and their features in the symbolic observation.

    Every tile has `channels` features there: blocks one-hot, things one-hot, a flag for each type of
    creature and, where tiles can be dark, whether it is lit. A dark tile has none of them.

    Attributes:
        rows: of the view.
        columns: of the view.
        blocks: kinds of block.
        things: kinds of thing, 0 if the game has none.
        creatures: types of creature, over all their kinds.
        can_be_dark: whether a tile can be dark.
    """

    rows: int
    columns: int
    blocks: int
    things: int
    creatures: int
    can_be_dark: bool

    @property
    def count(self) -> int:
        """Tiles in view."""
        return self.rows * self.columns

    @property
    def channels(self) -> int:
        """Features of a tile."""
        return self.blocks + self.things + self.creatures + self.can_be_dark

    @property
    def code_bytes(self) -> int:
        """Bytes of a tile's code: lit, block, thing and five of creatures; or block and one of creatures."""
        return 8 if self.can_be_dark else 2


@dataclass(frozen=True)
class Shape:
    """What a policy observes and can do.

    Attributes:
        tiles: how the view is told in codes, None if it is not.
        numbers: of the body, 0 with pictures.
        actions: to choose from.
        picture: (height, width) of pictures, None with codes.
        goal: achievements that a goal names, 0 if goals are not told.
    """

    tiles: Tiles | None
    numbers: int
    actions: int
    picture: tuple[int, int] | None = None
    goal: int = 0


_CODES = {
    "Craftax": Shape(Tiles(9, 11, blocks=37, things=5, creatures=40, can_be_dark=True), 51, 43),
    "Craftax-Classic": Shape(Tiles(7, 9, blocks=17, things=0, creatures=4, can_be_dark=False), 22, 17),
}

_ACHIEVEMENTS = {"Craftax": 67, "Craftax-Classic": 22}

_PICTURE_TILES = {"Craftax": (13, 11), "Craftax-Classic": (9, 9)}


def shape_of(game: str, *, tile: int = 0, tell_goal: bool = False) -> Shape:
    """What a policy meets in a game.

    Args:
        game: "Craftax" or "Craftax-Classic".
        tile: pixels along the side of a picture's tile; 0 for codes.
        tell_goal: whether the lane's goal is part of the observation.

    Raises:
        RunError: there is no such game.
    """
    if game not in _CODES:
        raise RunError(f"There is no game {game!r} to train on; choose one of {', '.join(_CODES)}.")
    codes = _CODES[game]
    goal = _ACHIEVEMENTS[game] if tell_goal else 0
    if tile:
        rows, columns = _PICTURE_TILES[game]
        return Shape(None, 0, codes.actions, picture=(rows * tile, columns * tile), goal=goal)
    return Shape(codes.tiles, codes.numbers, codes.actions, goal=goal)
