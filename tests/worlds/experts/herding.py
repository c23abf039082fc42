"""A herding expert that reads the state, to show that the world can be played well.

Each dog pushes one sheep: it goes round to the far side of it, seen from where the sheep should go, and walks
at it. One dog takes the sheep with the longest way to the gate, the other the next one outside.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from garten.records import Action
from garten.worlds.herding import Herding
from garten.worlds.herding.constants import PEN_HALF

Point = tuple[float, float]

STAND_OFF = 4.0  # metres from the sheep while going round it
BEHIND = math.radians(35.0)  # how far off the pushing line a dog may be when it walks at its sheep
FACING = math.radians(16.0)  # how far off a direction a dog may face when it walks
CLEAR = 1.1  # metres from the fence at which a dog goes round the pen


def actions(world: Herding) -> Mapping[str, Action]:
    """The next action of each idle dog."""
    roles = [role.name for role in world.spec.roles]
    return {role: Action(_choose(world, roles.index(role))) for role in world.idle}


def _choose(world: Herding, dog: int) -> str:
    outside = [(x, y) for x, y, _ in world.state.sheep.tolist() if not world.pen.contains(x, y)]
    if not outside:
        return "wait"
    outside.sort(key=lambda sheep: -world.pen.way_in(*sheep))
    sheep = outside[min(_rank(world, dog, outside[0]), len(outside) - 1)]
    x, y, heading = world.state.dogs[dog].tolist()
    return _steer((x, y), heading, _way_round(world, (x, y), _push(world, (x, y), sheep)))


def _rank(world: Herding, dog: int, sheep: Point) -> int:
    """0 for the dog nearer to a sheep, 1 for the other."""
    gaps = [math.dist((x, y), sheep) for x, y, _ in world.state.dogs.tolist()]
    return int(gaps[dog] > gaps[1 - dog] or (gaps[dog] == gaps[1 - dog] and dog == 1))


def _push(world: Herding, here: Point, sheep: Point) -> Point:
    """Where to walk to push a sheep towards the gate: at it from behind, otherwise round it."""
    goal = _goal(world, sheep)
    wanted = math.atan2(sheep[1] - goal[1], sheep[0] - goal[0])
    angle = math.atan2(here[1] - sheep[1], here[0] - sheep[0])
    off = math.remainder(wanted - angle, math.tau)
    if abs(off) < BEHIND:
        return sheep
    stand = _around(sheep, wanted, STAND_OFF)
    if _gap(here, stand, sheep) > 0.8 * STAND_OFF:
        return stand
    reach = min(max(math.dist(here, sheep), STAND_OFF), STAND_OFF + 1.0)
    return _around(sheep, angle + min(max(off, -0.7), 0.7), reach)


def _around(middle: Point, angle: float, distance: float) -> Point:
    return middle[0] + distance * math.cos(angle), middle[1] + distance * math.sin(angle)


def _gap(start: Point, end: Point, point: Point) -> float:
    """How near the straight way from start to end passes to a point."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy or 1.0
    share = min(max(((point[0] - start[0]) * dx + (point[1] - start[1]) * dy) / length, 0.0), 1.0)
    return math.dist((start[0] + share * dx, start[1] + share * dy), point)


def _goal(world: Herding, sheep: Point) -> Point:
    """Where a sheep should go next: into the pen, or first past the corner that is in its way."""
    ahead, aside = world.pen.local(*sheep)
    if ahead > PEN_HALF:
        return world.pen.place(PEN_HALF - 1.0, 0.0)
    return world.pen.place(PEN_HALF + 2.0, math.copysign(PEN_HALF, aside))


def _way_round(world: Herding, here: Point, target: Point) -> Point:
    """The target, or a corner of the pen to pass on the way to it."""
    reach = PEN_HALF + CLEAR
    if not _crosses(world, here, target, reach - 0.2):
        return target
    corners = [world.pen.place(a * reach, b * reach) for a in (-1, 1) for b in (-1, 1)]
    open_to = [corner for corner in corners if not _crosses(world, here, corner, reach - 0.2)]
    return min(open_to or corners, key=lambda c: math.dist(here, c) + math.dist(c, target))


def _crosses(world: Herding, start: Point, end: Point, reach: float) -> bool:
    """Whether the straight way passes nearer to the pen's middle than `reach` on both axes."""
    steps = max(1, round(math.dist(start, end) / 0.2))
    for step in range(1, steps + 1):
        share = step / steps
        x = start[0] + share * (end[0] - start[0])
        y = start[1] + share * (end[1] - start[1])
        if abs(x - world.pen.x) < reach and abs(y - world.pen.y) < reach:
            return True
    return False


def _steer(here: Point, heading: float, target: Point) -> str:
    off = math.remainder(math.atan2(target[1] - here[1], target[0] - here[0]) - heading, math.tau)
    if off > FACING:
        return "turn_left"
    return "turn_right" if off < -FACING else "forward"
