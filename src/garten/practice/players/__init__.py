"""Kinds of player, one module each: a module or package here that exports ``PLAYER`` is a kind."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from garten.errors import ProgramError
from garten.records import Player


def kinds() -> tuple[str, ...]:
    """The names of all kinds of player."""
    return tuple(sorted(module.name for module in iter_modules(__path__)))


def load_player(kind: str) -> type[Player]:
    """The class of one kind of player.

    Raises:
        ProgramError: there is no such kind.
    """
    if kind not in kinds():
        raise ProgramError(f"There is no player '{kind}'; use one of {', '.join(kinds())}.")
    player: type[Player] = import_module(f"{__name__}.{kind}").PLAYER
    return player
