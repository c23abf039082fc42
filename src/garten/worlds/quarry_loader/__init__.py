"""Quarry loader: one wheel loader moves two rocks, first aside, then one of them into a bunker, and parks."""

from garten.worlds.quarry_loader.world import QuarryLoader

WORLD = QuarryLoader

__all__ = ["WORLD", "QuarryLoader"]
