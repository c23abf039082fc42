"""The alley: lane, gutters, pit, pins and ball, built for the physics; its frame begins at the foul line.

The bowler looks along +x, so that their right is at -y.
"""

from __future__ import annotations

import math

from garten.scene import Color, Kind, Light, turn_y
from garten.worlds.bowling import constants as c
from garten.worlds.physics.build import Blueprint
from garten.worlds.physics.part import Part
from garten.worlds.physics.simulation import Physics

WOOD: Color = (0.86, 0.68, 0.42)
OILED: Color = (0.80, 0.60, 0.34)
DECK: Color = (0.92, 0.80, 0.58)
GUTTER: Color = (0.26, 0.27, 0.30)
FLOOR: Color = (0.50, 0.30, 0.22)
CARPET: Color = (0.22, 0.24, 0.42)
WALL: Color = (0.16, 0.20, 0.42)
MASK: Color = (0.92, 0.35, 0.30)
STAR: Color = (0.98, 0.82, 0.25)
PIT: Color = (0.09, 0.09, 0.10)
MARKS: Color = (0.30, 0.18, 0.10)
PIN: Color = (0.97, 0.96, 0.93)
STRIPE: Color = (0.85, 0.08, 0.10)
BALL: Color = (0.10, 0.22, 0.75)
HOLES: Color = (0.03, 0.03, 0.05)

SURFACES = {GUTTER: "metal", CARPET: "wool", WALL: "plaster"} | dict.fromkeys(
    (WOOD, OILED, DECK, FLOOR), "wood"
)
"""What colours are made of, for looks that draw surfaces; the others are paint."""

LIGHT = Light(sun=(-0.05, 0.18, 0.98), ambient=0.6, sky=(0.30, 0.32, 0.45), horizon=(0.30, 0.32, 0.45))

LENGTH, HALF, RADIUS = float(c.LANE_LENGTH), float(c.LANE_HALF_WIDTH), float(c.BALL_RADIUS)
ROW = float(c.PIN_SPACING) * math.sqrt(0.75)  # metres from one row of pins to the next
DECK_END = LENGTH + 3.0 * ROW + 0.30
BACK = DECK_END + 1.1  # the cushion at the end of the pit
PIN_HEIGHT = 0.38
PIN_FRICTION = 0.35
ACROSS = tuple(turn_y(0.5 * math.pi).tolist())


def pin_spots() -> list[tuple[float, float]]:
    """Where the ten pins stand, x and y in metres: 1 in front, then 2 and 3, 4 to 6, 7 to 10."""
    spots = []
    for row in range(4):
        for place in range(row + 1):
            spots.append((LENGTH + row * ROW, float(c.PIN_SPACING) * (place - 0.5 * row)))
    return spots


def pin_name(number: int) -> str:
    """The name of a pin's part."""
    return f"pin-{number + 1}"


def build(*, oil: float, grip: float) -> Physics:
    """The alley with all pins standing and the ball on the foul line; `oil` in metres, `grip` of dry wood."""
    blueprint = Blueprint(step=float(c.STEP), light=LIGHT, surfaces=SURFACES)
    _add_lane(blueprint.fixed("lane"), oil, grip)
    _add_sides(blueprint.fixed("sides"))
    _add_pit(blueprint.fixed("pit"))
    _add_hall(blueprint.fixed("hall"))
    for number, (x, y) in enumerate(pin_spots()):
        _add_pin(blueprint.free(pin_name(number), (x, y, 0.0005)))
    _add_ball(blueprint.free("ball", (0.0, 0.0, RADIUS + 0.0005)))
    return blueprint.build()


def _add_lane(lane: Part, oil: float, grip: float) -> None:
    """The boards: oiled at first, then dry, then the deck of the pins; dots and arrows to aim by."""
    stretches = (
        (-0.6, oil, OILED, float(c.OIL_FRICTION)),
        (oil, LENGTH - 0.5, WOOD, grip),
        (LENGTH - 0.5, DECK_END, DECK, grip),
    )
    for start, end, color, friction in stretches:
        size, at = (0.5 * (end - start), HALF, 0.05), (0.5 * (start + end), 0.0, -0.05)
        lane.add(Kind.BOX, size, at=at, color=color, friction=friction, overrules=True)
    lane.paint(Kind.BOX, (0.02, HALF, 0.001), at=(0.0, 0.0, 0.001), color=MARKS)
    for number in range(-3, 4):
        y = 0.14 * number
        lane.paint(Kind.CYLINDER, (0.018, 0.001), at=(1.2, y, 0.001), color=MARKS)
        lane.paint(Kind.BOX, (0.11, 0.014, 0.001), at=(3.6 - 0.18 * abs(number), y, 0.001), color=MARKS)


def _add_sides(sides: Part) -> None:
    """Gutters, the dividers beside them, the walls of the pit."""
    width, depth = float(c.GUTTER_WIDTH), float(c.GUTTER_DEPTH)
    gutter, long = 0.5 * (DECK_END + 0.6), 0.5 * (BACK + 0.6)
    for side in (-1.0, 1.0):
        y = side * (HALF + 0.5 * width)
        at = (gutter - 0.6, y, -depth - 0.03)
        sides.add(Kind.BOX, (gutter, 0.5 * width, 0.03), at=at, color=GUTTER, friction=0.1, overrules=True)
        y = side * (HALF + width + 0.10)
        at = (long - 0.6, y, -0.5 * depth)
        sides.add(Kind.BOX, (long, 0.10, 0.5 * depth + 0.05), at=at, color=FLOOR)
        at = (0.5 * (LENGTH - 0.6 + BACK), y, 0.30)
        sides.add(Kind.BOX, (0.5 * (BACK - LENGTH + 0.6), 0.10, 0.30), at=at, color=WALL)


def _add_pit(pit: Part) -> None:
    """Where balls and pins end: deep carpet and a cushion keep a ball on the side where it came in."""
    depth, half = float(c.GUTTER_DEPTH), HALF + float(c.GUTTER_WIDTH)
    long = 0.5 * (BACK - DECK_END)
    for size, at in (
        ((long, half, 0.03), (DECK_END + long, 0.0, -depth - 0.03)),
        ((0.1, half, 0.5), (BACK + 0.1, 0.0, 0.3)),
    ):
        pit.add(Kind.BOX, size, at=at, color=PIT, friction=0.9, rolling=float(c.PIT_ROLLING), overrules=True)


def _add_hall(hall: Part) -> None:
    """What is seen around the lane, and the rack behind it where pins wait that were cleared away."""
    wide = 4.0
    edge = HALF + float(c.GUTTER_WIDTH) + 0.2
    for side in (-1.0, 1.0):
        y = side * (edge + 0.5 * wide)
        hall.paint(Kind.BOX, (8.0, 0.5 * wide, 0.02), at=(6.0, y, 0.0), color=CARPET)
        for lane in (0.9, 2.6):
            y = side * (edge + lane)
            hall.paint(Kind.BOX, (0.5 * LENGTH + 0.4, 0.5, 0.01), at=(0.5 * LENGTH, y, 0.02), color=WOOD)
    hall.paint(Kind.BOX, (1.5, wide + edge, 0.05), at=(-2.1, 0.0, -0.05), color=FLOOR)
    hall.paint(Kind.BOX, (0.05, wide + edge, 0.95), at=(LENGTH - 0.7, 0.0, 2.05), color=MASK)
    for number in range(-3, 4):
        at = (LENGTH - 0.76, 1.35 * number, 1.75)
        hall.paint(Kind.CYLINDER, (0.30, 0.01), at=at, rotation=ACROSS, color=STAR)
    hall.add(Kind.BOX, (0.5, 2.0, 0.05), at=rack_spot(0, height=-0.05, aside=0.0), color=PIT)
    hall.paint(Kind.BOX, (0.1, wide + edge, 1.5), at=(BACK + 0.9, 0.0, 1.3), color=WALL)


def rack_spot(
    number: int, *, height: float = 0.0005, aside: float | None = None
) -> tuple[float, float, float]:
    """Where a pin waits that was cleared away: behind the wall at the end."""
    return BACK + 1.8, 0.3 * number - 1.35 if aside is None else aside, height


def _add_pin(pin: Part) -> None:
    """A pin of regulation height, its middle of mass low; the part's frame is at its foot."""
    mass = float(c.PIN_MASS)
    shapes = (
        (Kind.CYLINDER, (0.034, 0.030), 0.030, 0.22 * mass),
        (Kind.CAPSULE, (0.058, 0.025), 0.118, 0.50 * mass),
        (Kind.CAPSULE, (0.029, 0.050), 0.235, 0.16 * mass),
        (Kind.SPHERE, (0.034,), PIN_HEIGHT - 0.034, 0.12 * mass),
    )
    for kind, size, height, share in shapes:
        pin.add(kind, size, at=(0.0, 0.0, height), color=PIN, mass=share, friction=PIN_FRICTION)
    for height in (0.240, 0.275):
        pin.paint(Kind.CYLINDER, (0.031, 0.007), at=(0.0, 0.0, height), color=STRIPE)


def _add_ball(ball: Part) -> None:
    """A blue ball with three holes, by which its turning can be seen."""
    ball.add(Kind.SPHERE, (RADIUS,), color=BALL, mass=float(c.BALL_MASS), friction=0.1, rolling=0.0002)
    for x, y in ((0.02, 0.0), (-0.02, 0.016), (-0.02, -0.016)):
        z = math.sqrt(RADIUS**2 - x * x - y * y) - 0.008
        ball.paint(Kind.SPHERE, (0.013,), at=(x, y, z), color=HOLES)
