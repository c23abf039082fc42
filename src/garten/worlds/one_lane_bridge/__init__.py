"""One-lane bridge: two cars swap ends of a bridge that only one of them fits on at a time."""

from garten.worlds.one_lane_bridge.world import OneLaneBridge

WORLD = OneLaneBridge

__all__ = ["WORLD", "OneLaneBridge"]
