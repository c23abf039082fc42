"""Garten: agents that get better by acting in code worlds.

The usual way in is the command line (``garten --help``) or a package: `garten.worlds` for worlds,
`garten.episodes` to play them, `garten.practice` for players that learn through rounds.
"""

from importlib.metadata import version

__version__ = version("garten")

__all__ = ["__version__"]
