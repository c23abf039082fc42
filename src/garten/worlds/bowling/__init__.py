"""Bowling: three frames, real pins."""

from garten.worlds.bowling.world import Bowling

WORLD = Bowling

__all__ = ["WORLD", "Bowling"]
