"""Herding: two dogs bring four sheep into a pen."""

from garten.worlds.herding.world import Herding

WORLD = Herding

__all__ = ["WORLD", "Herding"]
