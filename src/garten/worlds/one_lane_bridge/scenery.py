"""The scene of an episode: ground, bridge, pullouts, goals and trees, which stand still, and two cars.

Ground and water are flat; what lies on the ground is stacked in steps of a few centimetres, enough for a
camera to tell the layers apart at the far end of the road.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from garten.scene import Color, Kind, Light, Scene, SceneBuilder, turn_y
from garten.worlds.one_lane_bridge import constants as c
from garten.worlds.one_lane_bridge.car import add_car, place
from garten.worlds.one_lane_bridge.layout import GOALS, ROLES, Layout
from garten.worlds.one_lane_bridge.road import Rectangle

GRASS: Color = (0.30, 0.55, 0.20)
WATER: Color = (0.20, 0.44, 0.60)
ASPHALT: Color = (0.42, 0.42, 0.44)
DECK: Color = (0.62, 0.47, 0.32)
RAIL: Color = (0.40, 0.26, 0.16)
LINE: Color = (0.96, 0.96, 0.94)
TRUNK: Color = (0.36, 0.25, 0.16)
CROWN: Color = (0.10, 0.33, 0.14)
GOAL: dict[str, Color] = {"blue": (0.05, 0.85, 0.88), "red": (1.00, 0.58, 0.05)}

NOON = Light(sun=(0.1, -0.6, 0.8), ambient=0.55)  # from the side: both ends of the road are lit alike

FAR = 1500.0  # how far the meadows reach, metres: to the horizon
LAYER = 0.03  # metres between what lies on the ground and the ground
WATER_LEVEL = -0.8
LINE_WIDTH = 0.25
RAIL_HEIGHT = 0.55
BOARD_BEYOND_ROAD = 1.5  # a goal's board stands on the grass beyond the end of the road
BOARD_HALF = (0.12, 2.6, 1.3)
BOARD_RAISED = 0.9
BOARD_LEANS = math.radians(35.0)  # back, so that it is lit as its disk is
TREES = 8


class Scenery:
    """Builds the shapes of an episode once and gives the scene for any poses of the cars."""

    def __init__(self, layout: Layout, rng: np.random.Generator) -> None:
        builder = SceneBuilder(NOON)
        _add_ground(builder, layout)
        _add_bridge(builder, layout.bridge)
        for pullout in layout.pullouts:
            _add_outline(builder, pullout)
        for role in ROLES:
            _add_goal(builder, role)
        _add_trees(builder, layout, rng)
        rows = [add_car(builder, role) for role in ROLES]
        self._cars = slice(rows[0].start, rows[-1].stop)
        self._base = builder.build()

    def scene(self, poses: NDArray[np.float64]) -> Scene:
        """The scene with the cars at `poses` [2, 3] (x, y in metres, heading in radians)."""
        positions, rotations = self._base.positions.copy(), self._base.rotations.copy()
        positions[self._cars], rotations[self._cars] = place(poses)
        return self._base.moved(positions, rotations)


def _add_slab(
    builder: SceneBuilder, area: Rectangle, *, top: float, thick: float, color: Color, surface: str
) -> None:
    """A flat box over an area whose upper face lies at `top`."""
    builder.add(
        Kind.BOX,
        (*area.half, 0.5 * thick),
        position=(*area.middle, top - 0.5 * thick),
        material=builder.material(color, surface),
    )


def _add_ground(builder: SceneBuilder, layout: Layout) -> None:
    builder.add(Kind.PLANE, position=(0.0, 0.0, WATER_LEVEL), material=builder.material(WATER, "water"))
    west, east = layout.bridge.west, layout.bridge.east
    for meadow in (Rectangle(-FAR, west, -FAR, FAR), Rectangle(east, FAR, -FAR, FAR)):
        _add_slab(builder, meadow, top=-LAYER, thick=1.0, color=GRASS, surface="grass")
    for bank in layout.banks:
        _add_slab(builder, bank, top=0.0, thick=0.5, color=ASPHALT, surface="asphalt")


def _add_bridge(builder: SceneBuilder, bridge: Rectangle) -> None:
    _add_slab(builder, bridge, top=0.0, thick=0.3, color=DECK, surface="wood")
    material = builder.material(RAIL, "wood")
    for side, edge in ((1, bridge.north), (-1, bridge.south)):
        y = edge + side * 0.08
        for z in (0.5 * RAIL_HEIGHT, RAIL_HEIGHT):
            builder.add(
                Kind.BOX, (bridge.half[0], 0.05, 0.05), position=(bridge.middle[0], y, z), material=material
            )
        for x in np.linspace(bridge.west, bridge.east, 3):
            builder.add(
                Kind.BOX,
                (0.08, 0.08, 0.5 * RAIL_HEIGHT + 0.1),
                position=(float(x), y, 0.5 * RAIL_HEIGHT),
                material=material,
            )


def _add_outline(builder: SceneBuilder, area: Rectangle) -> None:
    """White lines along the four sides of an area, one thing."""
    west, east, south, north = area
    sides = (
        Rectangle(west, east, south, south + LINE_WIDTH),
        Rectangle(west, east, north - LINE_WIDTH, north),
        Rectangle(west, west + LINE_WIDTH, south, north),
        Rectangle(east - LINE_WIDTH, east, south, north),
    )
    for side in sides:
        _add_slab(builder, side, top=LAYER, thick=2 * LAYER, color=LINE, surface="paint")


def _add_goal(builder: SceneBuilder, role: str) -> None:
    """A disk on the road and, beyond the road's end, a board of the same colour that is seen from afar."""
    x, material = GOALS[role], builder.material(GOAL[role], "paint")
    builder.add(Kind.CYLINDER, (c.GOAL_RADIUS, LAYER), position=(x, 0.0, 0.0), material=material)
    outward = 1.0 if x > 0.0 else -1.0
    builder.add(
        Kind.BOX,
        BOARD_HALF,
        position=(
            x + outward * (c.ROAD_BEYOND_GOAL + BOARD_BEYOND_ROAD),
            0.0,
            BOARD_RAISED + BOARD_HALF[2],
        ),
        rotation=tuple(turn_y(outward * BOARD_LEANS)),
        material=material,
    )


def _add_trees(builder: SceneBuilder, layout: Layout, rng: np.random.Generator) -> None:
    """Trees on the meadows beside the road, as many on one bank as on the other."""
    trunk, crown = builder.material(TRUNK, "bark"), builder.material(CROWN, "leaves")
    for number in range(TREES):
        bank = layout.banks[number % 2]
        side = 1.0 if number % 4 < 2 else -1.0
        x = rng.uniform(bank.west + 2.0, bank.east - 2.0)
        y = side * (c.BANK_HALF_WIDTH + rng.uniform(3.0, 14.0))
        tall = rng.uniform(1.6, 2.8)
        builder.add(Kind.CYLINDER, (0.25, 1.0), position=(x, y, 1.0), material=trunk)
        builder.add(Kind.CONE, (0.6 * tall, tall), position=(x, y, 1.4 + tall), material=crown)
