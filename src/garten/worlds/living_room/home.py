"""The flat: rooms, doors and what decorates them; and the simulation of all that is in it."""

from __future__ import annotations

import math

from garten.scene import Color, Kind, Light
from garten.worlds.living_room import constants as c
from garten.worlds.living_room import furniture, person, things
from garten.worlds.living_room.layout import DOOR, DOORWAY, EAST, INNER, NORTH, WEST, Layout
from garten.worlds.living_room.things import AHEAD, ASIDE
from garten.worlds.physics import kit
from garten.worlds.physics.build import Blueprint
from garten.worlds.physics.part import Part
from garten.worlds.physics.simulation import Physics

ROOM_DOOR = "door/panel"
LATCHES = {ROOM_DOOR: "latch-door", furniture.FRIDGE_DOOR: "latch-fridge"}
"""The doors that latch when shut, each with the grip that holds it."""

MOVABLE = (ROOM_DOOR, furniture.FRIDGE_DOOR, furniture.DRAWER)
"""What can be opened and closed."""

LAWN: Color = (0.45, 0.60, 0.34)
BOARDS: Color = (0.66, 0.49, 0.33)
TILES: Color = (0.78, 0.76, 0.72)
CARPET: Color = (0.50, 0.56, 0.50)
SKIRTING: Color = (0.95, 0.94, 0.92)
FRAME: Color = (0.96, 0.95, 0.93)
PANEL: Color = (0.78, 0.58, 0.38)
BRASS: Color = (0.85, 0.66, 0.22)
PANE: Color = (0.66, 0.84, 0.96)
RUG: Color = (0.62, 0.22, 0.24)
FRINGE: Color = (0.90, 0.80, 0.62)
WALLS: tuple[Color, ...] = ((0.86, 0.84, 0.76), (0.80, 0.86, 0.84), (0.88, 0.82, 0.80), (0.82, 0.84, 0.90))
PICTURE: tuple[Color, ...] = ((0.45, 0.70, 0.88), (0.35, 0.58, 0.28), (0.96, 0.82, 0.30))

SURFACES = (
    furniture.SURFACES
    | things.SURFACES
    | {
        LAWN: "grass",
        BOARDS: "wood",
        PANEL: "wood",
        TILES: "tiles",
        CARPET: "wool",
        RUG: "wool",
        BRASS: "metal",
    }
    | dict.fromkeys(WALLS, "plaster")
    | {person.SLEEVE: "cloth", person.TROUSERS: "cloth"}
)
LIGHT = Light(sun=(-0.42, 0.32, 0.85), ambient=0.62)

HEIGHT, THICKNESS, LINTEL = 2.4, 0.1, 2.05  # of walls and ways through them, metres
GAP = 0.03  # metres between a door and its posts


def build(layout: Layout) -> Physics:
    """The simulation of a flat, its doors shut and latched."""
    blueprint = Blueprint(light=LIGHT, surfaces=SURFACES)
    kit.ground(blueprint, LAWN)
    person.add_person(blueprint, layout.person)
    for name in things.THINGS:
        start = layout.starts[name]
        things.add_thing(blueprint, name, start.at, start.heading)
    furniture.add_furniture(blueprint, layout.poses, layout.look)
    _walls(blueprint, layout)
    _door(blueprint, layout)
    _decorate(blueprint, layout)
    for latch in LATCHES.values():
        blueprint.grip(latch)
    person.add_grips(blueprint)
    physics = blueprint.build()
    for panel, latch in LATCHES.items():
        physics.grab(latch, panel)
    return physics


def latch(physics: Physics, opened: str) -> None:
    """Latch the doors that are shut, but for one that is being opened."""
    for panel, grip in LATCHES.items():
        shut = abs(physics.joint(panel)) < math.radians(c.SHUT_ANGLE)
        if shut and panel != opened and not physics.held(grip):
            physics.grab(grip, panel)


def _walls(blueprint: Blueprint, layout: Layout) -> None:
    """The outer walls, and those between the rooms with a lintel over each way through."""
    color = WALLS[layout.look]
    corners = [(-WEST, -NORTH), (EAST, -NORTH), (EAST, NORTH), (-WEST, NORTH), (-WEST, -NORTH)]
    size = {"height": HEIGHT, "thickness": THICKNESS}
    kit.wall(blueprint, "outside", corners, color=color, **size)
    for side, name, middle, width in (
        (1.0, "kitchen", layout.doorway, DOORWAY),
        (-1.0, "bedroom", layout.door, DOOR),
    ):
        half = 0.5 * (width + THICKNESS)
        x = side * INNER
        ends = ((-NORTH, middle - half), (middle + half, NORTH))
        for number, (low, high) in enumerate(ends):
            stretch = [layout.mirrored(x, low), layout.mirrored(x, high)]
            kit.wall(blueprint, f"{name}-wall-{number}", stretch, color=color, **size)
        place = layout.mirrored(x, middle)
        lintel = blueprint.fixed(f"{name}-lintel", (*place, 0.0))
        over = 0.5 * (HEIGHT - LINTEL)
        lintel.add(Kind.BOX, (0.5 * THICKNESS, 0.5 * width, over), at=(0, 0, HEIGHT - over), color=color)
        _posts(lintel, width)


def _posts(lintel: Part, width: float) -> None:
    """A white frame around a way through a wall, for the eye only."""
    half = 0.5 * THICKNESS + 0.012
    for side in (-1.0, 1.0):
        lintel.paint(
            Kind.BOX,
            (half, 0.03, 0.5 * LINTEL),
            at=(0.0, side * (0.5 * width + 0.03), 0.5 * LINTEL),
            color=FRAME,
        )
    lintel.paint(Kind.BOX, (half, 0.5 * width + 0.06, 0.03), at=(0.0, 0.0, LINTEL), color=FRAME)


def _door(blueprint: Blueprint, layout: Layout) -> None:
    """The bedroom's door; it opens into the bedroom."""
    hinge = layout.mirrored(-INNER, layout.door + 0.5 * DOOR - GAP)
    along = layout.mirror[1] * -0.5 * math.pi
    frame = blueprint.fixed("door", (*hinge, 0.02), along)
    turn = -layout.mirror[0] * layout.mirror[1] * math.radians(90.0)
    width, height = DOOR - 2 * GAP, LINTEL - 0.05
    panel = kit.door(
        frame,
        "panel",
        at=(0.0, 0.0, 0.0),
        width=width,
        height=height,
        opens=turn,
        color=PANEL,
        thickness=0.04,
        mass=10.0,
    )
    for side in (-1.0, 1.0):
        for low, high in ((0.15, 0.85), (1.05, 1.85)):
            size = (0.5 * width - 0.14, 0.004, 0.5 * (high - low))
            panel.paint(
                Kind.BOX, size, at=(0.5 * width, side * 0.02, 0.5 * (low + high)), color=furniture.OAK
            )
        panel.paint(
            Kind.CYLINDER, (0.014, 0.025), at=(width - 0.07, side * 0.04, 1.0), rotation=ASIDE, color=BRASS
        )
        panel.paint(
            Kind.CAPSULE, (0.013, 0.05), at=(width - 0.12, side * 0.06, 1.0), rotation=AHEAD, color=BRASS
        )


def _decorate(blueprint: Blueprint, layout: Layout) -> None:
    """Floors, skirting, windows, a rug and a picture: for the eye only."""
    floors = blueprint.fixed("floors")
    for x, east, color in ((-INNER, INNER, BOARDS), (INNER, EAST, TILES), (-WEST, -INNER, CARPET)):
        at = (*layout.mirrored(0.5 * (x + east), 0.0), 0.0)
        floors.paint(Kind.BOX, (0.5 * (east - x), NORTH, 0.003), at=at, color=color)
    rug = blueprint.fixed("rug", (*layout.mirrored(-0.2, 0.55), 0.0))
    rug.paint(Kind.BOX, (1.0, 0.62, 0.005), color=FRINGE)
    rug.paint(Kind.BOX, (0.93, 0.62, 0.007), color=RUG)
    trim = blueprint.fixed("skirting")
    for side in (-1.0, 1.0):
        trim.paint(Kind.BOX, (EAST, 0.065, 0.05), at=(0.0, side * NORTH, 0.05), color=SKIRTING)
        trim.paint(Kind.BOX, (0.065, NORTH, 0.05), at=(side * EAST, 0.0, 0.05), color=SKIRTING)
    inside = NORTH - 0.5 * THICKNESS
    for name, x in (("window-living", -0.6), ("window-kitchen", 4.6), ("window-bedroom", -5.6)):
        _window(blueprint, name, layout.mirrored(x, -inside))
    picture = blueprint.fixed("picture", (*layout.mirrored(0.3, inside), 1.5))
    picture.paint(Kind.BOX, (0.45, 0.02, 0.30), color=furniture.WALNUT)
    sky, hills, sun = PICTURE
    picture.paint(Kind.BOX, (0.41, 0.024, 0.26), color=sky)
    picture.paint(Kind.BOX, (0.41, 0.026, 0.09), at=(0.0, 0.0, -0.17), color=hills)
    picture.paint(Kind.SPHERE, (0.06,), at=(0.2, 0.0, 0.10), color=sun)


def _window(blueprint: Blueprint, name: str, at: tuple[float, float]) -> None:
    window = blueprint.fixed(name, (*at, 1.45))
    window.paint(Kind.BOX, (0.55, 0.03, 0.45), color=FRAME)
    for side in (-1.0, 1.0):
        window.paint(Kind.BOX, (0.24, 0.035, 0.40), at=(side * 0.265, 0.0, 0.0), color=PANE)
