"""What a seed decides: which way round the flat is, where furniture and things are, and the errand.

The flat is laid out once, living room in the middle, kitchen to the east, bedroom to the west, and mirrored
along either axis for an episode.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np

from garten.worlds.living_room import errand as errands
from garten.worlds.living_room.errand import Errand
from garten.worlds.living_room.things import THINGS

Point = tuple[float, float]
"""x and y, metres."""

EAST, WEST, NORTH = 6.4, 6.4, 2.45  # metres from the origin to the middle lines of the outer walls
INNER = 3.0  # to those between the rooms
DOORWAY, DOOR = 1.1, 0.95  # widths of the way to the kitchen and of the door to the bedroom, metres

DRAWER_FLOOR = 0.63
SHELVES = (0.62, 1.16)
TOPS = {"table": 0.75, "sofa": 0.45, "bed": 0.50, "chest": 0.84, "counter": 0.92, "sideboard": 0.60}
"""Heights of the surfaces of furniture, metres."""

SPOTS: dict[str, tuple[tuple[float, float, float], ...]] = {
    "table": tuple((x, 0.18, TOPS["table"]) for x in (-0.45, 0.0, 0.45)),
    "sofa": tuple((0.12, y, TOPS["sofa"]) for y in (-0.55, 0.0, 0.55)),
    "bed": ((0.75, -0.40, TOPS["bed"]), (0.72, 0.20, TOPS["bed"]), (0.20, -0.45, TOPS["bed"])),
    "chest": tuple((0.04, y, TOPS["chest"]) for y in (-0.22, 0.22)),
    "counter": tuple((0.06, y, TOPS["counter"]) for y in (-1.15, -0.75, 1.1)),
    "fridge": tuple((0.08, y, height) for height in SHELVES for y in (-0.14, 0.14)),
    "drawer": ((0.05, -0.15, DRAWER_FLOOR), (0.05, 0.15, DRAWER_FLOOR)),
    "floor": ((-1.6, 0.9, 0.0), (4.4, 0.7, 0.0), (-0.4, -1.2, 0.0), (3.9, -1.1, 0.0)),
}
"""Where things may start: x, y, height in the frame of the furniture, or the flat for the floor, metres."""


@dataclass(frozen=True)
class Pose:
    """Where something stands on the floor: metres, and the heading of its front in radians."""

    x: float
    y: float
    heading: float

    def point(self, x: float, y: float) -> Point:
        """A point of its frame in the flat's."""
        cos, sin = math.cos(self.heading), math.sin(self.heading)
        return self.x + cos * x - sin * y, self.y + sin * x + cos * y


@dataclass(frozen=True)
class Start:
    """Where a thing starts."""

    place: str  # a key of `SPOTS`
    at: tuple[float, float, float]  # its underside, metres
    heading: float  # radians


@dataclass(frozen=True)
class Layout:
    """One flat and one errand."""

    mirror: Point  # 1 or -1 along x and y
    doorway: float  # y of the middle of the way to the kitchen, before mirroring, metres
    door: float  # y of the middle of the bedroom's door, likewise
    poses: dict[str, Pose]  # of the furniture, mirrored
    starts: dict[str, Start]  # of the things
    person: Pose
    errand: Errand
    look: int  # which colours walls and sofa have

    def mirrored(self, x: float, y: float) -> Point:
        """A point of the plan in the flat as it is."""
        return self.mirror[0] * x, self.mirror[1] * y


def draw(rng: np.random.Generator) -> Layout:
    """The layout of an episode."""
    mirror = (float(rng.choice((-1.0, 1.0))), float(rng.choice((-1.0, 1.0))))
    plan = _plan(rng)
    errand = errands.draw(rng)
    poses = {name: _mirrored(pose, mirror) for name, pose in plan.items()}
    heading = float(rng.uniform(0.0, math.tau))
    person = Pose(float(rng.uniform(-1.3, -0.7)), float(rng.uniform(0.0, 0.5)), heading)
    return Layout(
        mirror=mirror,
        doorway=float(rng.uniform(-0.3, 0.9)),
        door=float(rng.uniform(1.1, 1.3)),
        poses=poses,
        starts=_starts(rng, errand, plan, mirror),
        person=_mirrored(person, mirror),
        errand=errand,
        look=int(rng.integers(4)),
    )


def _plan(rng: np.random.Generator) -> dict[str, Pose]:
    """Where furniture stands before the flat is mirrored."""

    def about(middle: float, most: float) -> float:
        return middle + float(rng.uniform(-most, most))

    table = Pose(about(1.1, 0.15), about(-1.0, 0.08), 0.0)
    sideboard = Pose(-2.72, about(-1.2, 0.15), 0.0)
    sides = rng.permutation((-0.4, 0.4)).tolist()
    place = partial(_stands_on, sideboard)
    return {
        "sofa": Pose(about(0.3, 0.45), 1.93, -0.5 * math.pi),
        "table": table,
        "chair-left": Pose(table.x - 0.33, table.y - 0.50, 0.5 * math.pi),
        "chair-right": Pose(table.x + 0.33, table.y - 0.50, 0.5 * math.pi),
        "sideboard": sideboard,
        "tray-red": place(sides[0]),
        "tray-blue": place(sides[1]),
        "lamp": Pose(2.62, 2.05, 0.0),
        "bed": Pose(-5.33, about(1.35, 0.1), 0.0),
        "chest": Pose(about(-4.9, 0.35), -2.16, 0.5 * math.pi),
        "plant": Pose(-6.0, -2.05, 0.0),
        "counter": Pose(6.04, -0.88, math.pi),
        "fridge": Pose(6.01, about(1.5, 0.12), math.pi),
        "bin": Pose(3.35, -2.1, 0.0),
    }


def _stands_on(sideboard: Pose, aside: float) -> Pose:
    return Pose(*sideboard.point(0.0, aside), sideboard.heading)


def _mirrored(pose: Pose, mirror: Point) -> Pose:
    heading = math.atan2(mirror[1] * math.sin(pose.heading), mirror[0] * math.cos(pose.heading))
    return Pose(mirror[0] * pose.x, mirror[1] * pose.y, heading)


def _starts(
    rng: np.random.Generator, errand: Errand, plan: dict[str, Pose], mirror: Point
) -> dict[str, Start]:
    """A free spot for every thing: those of the errand where it wants them, the others anywhere in sight."""
    free = {place: list(rng.permutation(len(spots))) for place, spots in SPOTS.items()}
    starts = {}
    for thing in sorted(THINGS, key=lambda name: name not in errand.starts):
        places = [place for place in errand.starts.get(thing, errands.OPEN) if free[place]]
        place = places[int(rng.integers(len(places)))]
        x, y, height = SPOTS[place][free[place].pop()]
        if place != "floor":
            x, y = plan["chest" if place == "drawer" else place].point(x, y)
        at = (mirror[0] * x, mirror[1] * y, height + 0.002)
        starts[thing] = Start(place, at, float(rng.uniform(-math.pi, math.pi)))
    return starts
