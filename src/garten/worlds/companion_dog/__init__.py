"""Companion dog: win the company of a dog with preferences and a pace of its own."""

from garten.worlds.companion_dog.world import CompanionDog

WORLD = CompanionDog

__all__ = ["WORLD", "CompanionDog"]
