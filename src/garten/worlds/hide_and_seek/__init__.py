"""Hide-and-seek: hiders rearrange a walled arena and hide, seekers look for them, by real line of sight."""

from garten.worlds.hide_and_seek.world import HideAndSeek

WORLD = HideAndSeek

__all__ = ["WORLD", "HideAndSeek"]
