"""What a seed decides: where the bridge lies, how long it is, and on which side the pullouts are.

The road runs along x with its middle line at y = 0. Blue starts at its western end and red at its eastern
end; each end is the other car's goal.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from garten.worlds.one_lane_bridge import constants as c
from garten.worlds.one_lane_bridge.road import Rectangle

ROLES = ("blue", "red")
"""The cars, in the order of the rows of the state."""

GOALS = {"blue": 0.5 * c.GOAL_DISTANCE, "red": -0.5 * c.GOAL_DISTANCE}
"""Where on the middle line a car's goal disk is (x, metres); the car starts on the other one."""


@dataclass(frozen=True)
class Layout:
    """The ground of one episode, all of it axis-aligned, in metres."""

    bridge: Rectangle  # the deck
    banks: tuple[Rectangle, Rectangle]  # paved areas, west and east
    pullouts: tuple[Rectangle, ...]  # outlined areas on the banks: outer and inner, west then east

    @property
    def water(self) -> tuple[Rectangle, Rectangle]:
        """The water beside the bridge, as far out as the banks are paved: left and right of it."""
        west, east = self.bridge.west, self.bridge.east
        half = float(c.BANK_HALF_WIDTH)
        return (
            Rectangle(west, east, self.bridge.north, half),
            Rectangle(west, east, -half, self.bridge.south),
        )


def draw_layout(rng: np.random.Generator) -> Layout:
    """The layout of an episode."""
    length = rng.uniform(c.BRIDGE_LENGTH_MIN, c.BRIDGE_LENGTH_MAX)
    middle = rng.choice((-1, 1)) * rng.uniform(c.BRIDGE_SHIFT_MIN, c.BRIDGE_SHIFT_MAX)
    sides = rng.choice((-1, 1), size=4)
    bridge = Rectangle(middle - 0.5 * length, middle + 0.5 * length, -c.DECK_HALF_WIDTH, c.DECK_HALF_WIDTH)
    end, half = 0.5 * c.GOAL_DISTANCE + c.ROAD_BEYOND_GOAL, float(c.BANK_HALF_WIDTH)
    places = (
        GOALS["red"] + c.PULLOUT_FROM_GOAL,
        bridge.west - c.PULLOUT_FROM_BRIDGE,
        GOALS["blue"] - c.PULLOUT_FROM_GOAL,
        bridge.east + c.PULLOUT_FROM_BRIDGE,
    )
    return Layout(
        bridge=bridge,
        banks=(Rectangle(-end, bridge.west, -half, half), Rectangle(bridge.east, end, -half, half)),
        pullouts=tuple(_pullout(x, int(side)) for x, side in zip(places, sides, strict=True)),
    )


def _pullout(x: float, side: int) -> Rectangle:
    """The pullout whose middle lies at `x`, to the north (side 1) or south (side -1) of the lane."""
    south, north = sorted((side * c.PULLOUT_INNER_EDGE, side * c.PULLOUT_OUTER_EDGE))
    return Rectangle(x - 0.5 * c.PULLOUT_LENGTH, x + 0.5 * c.PULLOUT_LENGTH, south, north)
