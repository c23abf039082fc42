"""Living room: one person in a flat of three rooms runs an errand with eight things."""

from garten.worlds.living_room.world import LivingRoom

WORLD = LivingRoom

__all__ = ["WORLD", "LivingRoom"]
