"""An expert seeker that reads the state: it carries a ramp to the refuge and climbs in over the wall."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from garten.records import Action
from garten.worlds.hide_and_seek import HideAndSeek, ground
from garten.worlds.hide_and_seek import constants as c
from worlds.experts.hide_and_seek import Seeker, Walker, distances, next_place

BEHIND = 0.5 * c.RAMP_LENGTH + c.BODY_RADIUS + 0.2  # metres from a ramp's middle back to its carrier's
CENTRE = 0.5 * (BEHIND + 0.5 * c.RAMP_LENGTH - c.BODY_RADIUS)  # from the carrier to the middle of both
ROUND = 1.05  # metres, radius of the disc that holds a carrier and its ramp, and some room
START = 0.5 * c.WALL_THICKNESS + ROUND + 0.15  # metres from a wall to where both turn to it
LANDING = 0.75  # metres behind a wall
FROM_DOORS = 1.6  # metres: a panel that shuts a door is no place to land


@dataclass
class Crossing:
    """A ramp, and where to carry it."""

    ramp: str
    start: tuple[float, float]  # where the middle of carrier and ramp turns to the wall
    inward: float  # heading from there into the refuge


class Climber:
    """Walks to the hider if it can; else climbs into the refuge."""

    def __init__(self, world: HideAndSeek, role: str) -> None:
        self.world, self.role = world, role
        self._walker, self._seeker = Walker(world, role), Seeker(world, role)
        self._crossing: Crossing | None = None
        self._stage = 0
        self._left = 0  # beats that the present stage may still take
        self._hopeless = False

    def action(self) -> Action:
        """Its next action."""
        if self._hopeless or self._is_open():
            return self._seeker.action()
        stages = (self._go_to, self._grab, self._carry, self._push, self._let_go, self._climb)
        for _ in stages:
            self._crossing = self._crossing or self._plan()
            if self._crossing is None:
                self._hopeless = True
                break
            action = stages[self._stage](self._crossing)
            if action is not None:
                return action
            self._stage, self._left = self._stage + 1, 40
            if self._stage == len(stages):  # it has not come over: all anew
                self._stage, self._crossing = 0, None
        return self._seeker.action()

    def _is_open(self) -> bool:
        """Whether it stands on the ground and can walk to the hider."""
        world = self.world
        if world.physics.joint(f"{self.role}/z") > 0.1:
            return False
        free = ground.walkable(world.physics, world.layout.plan, world.things)
        hider = [world.physics.joint(f"{world.hiders[0]}/{axis}") for axis in ("x", "y")]
        return bool(ground.reached(free, *self._walker.pose[:2])[ground.nearest(free, *hider)])

    def _ramp(self, name: str) -> np.ndarray:
        return np.array([self.world.physics.joint(f"{name}/{axis}") for axis in ("x", "y", "turn")])

    def _plan(self) -> Crossing | None:
        """The crossing with the shortest way to its ramp and on to its wall."""
        world, (x, y, _) = self.world, self._walker.pose
        body = c.BODY_RADIUS + 0.04
        free = ground.walls_free(world.layout.plan, body) & ground.things_free(
            world.physics, world.things, body
        )
        afoot = distances(free, ground.nearest(free, x, y))
        found = []
        for ramp in (name for name in world.things if name.startswith("ramp")):
            grip = behind(self._ramp(ramp))
            others = [name for name in world.things if name != ramp]
            room = self._room(others)
            carried = distances(room, ground.nearest(room, *ahead(grip, CENTRE)))
            for start, inward, landing in self._places():
                cost = afoot[ground.cell(*grip[:2])] + carried[ground.cell(*start)]
                if free[ground.cell(*landing)] and math.isfinite(cost):
                    found.append((cost, ramp, start, inward))
        return Crossing(*min(found)[1:]) if found else None

    def _room(self, things: list[str]) -> np.ndarray:
        """Where carrier and ramp can be and turn."""
        return ground.walls_free(self.world.layout.plan, ROUND) & ground.things_free(
            self.world.physics, things, ROUND
        )

    def _places(self) -> list[tuple[tuple[float, float], float, tuple[float, float]]]:
        """Where the refuge's walls can be crossed: the start, the heading inward, the landing."""
        plan = self.world.layout.plan
        refuge = plan.rooms[plan.refuge]
        middle = 0.5 * (refuge.west + refuge.east), 0.5 * (refuge.south + refuge.north)
        places = []
        for a, b in plan.walls:
            along = math.atan2(b[1] - a[1], b[0] - a[0])
            for metres in np.arange(0.6, math.dist(a, b) - 0.6, 0.2).tolist():
                foot = np.array([a[0] + metres * math.cos(along), a[1] + metres * math.sin(along)])
                inward = min(
                    (along + side * 0.5 * math.pi for side in (-1.0, 1.0)),
                    key=lambda way: math.dist(ahead((*foot, way), LANDING), middle),
                )
                landing = ahead((*foot, inward), LANDING)
                clear = all(math.dist(foot, (door.x, door.y)) > FROM_DOORS for door in plan.doors)
                if clear and refuge.holds(*landing) and not refuge.holds(*ahead((*foot, inward), -LANDING)):
                    places.append((ahead((*foot, inward), -START), inward, landing))
        return places

    # --- stages: the next action, or None when done --------------------------------------------------

    def _go_to(self, crossing: Crossing) -> Action | None:
        x, y, heading = behind(self._ramp(crossing.ramp))
        return self._walker.walk((x, y), heading, within=0.06)

    def _grab(self, crossing: Crossing) -> Action | None:
        return None if self.world.hands.holds(self.role) else Action("pull", {"on": 1})

    def _carry(self, crossing: Crossing) -> Action | None:
        """Carrier and ramp to the start, turning on the way."""
        self._left -= 1
        me = self._walker.pose
        middle = ahead(me, CENTRE)
        turn = math.remainder(crossing.inward - me[2], math.tau)
        if self._left < 0 or (math.dist(middle, crossing.start) < 0.1 and abs(turn) < 0.05):
            return None
        room = self._room([name for name in self.world.things if name != crossing.ramp])
        goal = np.array(next_place(room, middle, crossing.start) or crossing.start)
        way = goal - middle
        moved = middle + way * min(1.0, 0.4 / max(1e-6, float(np.linalg.norm(way))))
        heading = me[2] + min(max(turn, -0.25), 0.25)
        return self._walker.shift(ahead((*moved, heading), -CENTRE), heading, fast=2.0)

    def _push(self, crossing: Crossing) -> Action | None:
        """On until the wall stops the ramp."""
        self._left -= 8
        pushed = self._left < 24 and self.world.feedback(self.role) != ""
        return None if pushed or self._left < 0 else Action("step", {"forward": 0.5, "steps": 4})

    def _let_go(self, crossing: Crossing) -> Action | None:
        return Action("pull", {"on": 0}) if self.world.hands.holds(self.role) else None

    def _climb(self, crossing: Crossing) -> Action | None:
        self._left -= 8
        return None if self._left < 0 else Action("step", {"forward": 1.0, "steps": 4})


def ahead(pose: tuple[float, float, float] | np.ndarray, metres: float) -> tuple[float, float]:
    """The place so far ahead of a pose."""
    x, y, heading = map(float, pose)
    return x + metres * math.cos(heading), y + metres * math.sin(heading)


def behind(ramp: np.ndarray) -> tuple[float, float, float]:
    """Where to stand to carry a ramp before oneself."""
    return *ahead(ramp, -BEHIND), float(ramp[2])
