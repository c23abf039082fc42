"""Racing: two cars on a closed walled track, three laps, each seen from its own cockpit."""

from garten.worlds.racing.world import Racing

WORLD = Racing

__all__ = ["WORLD", "Racing"]
