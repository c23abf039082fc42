"""Experts at hide-and-seek that read the state: a hider shuts itself in, a seeker goes straight to it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from garten.records import Action
from garten.worlds.hide_and_seek import HideAndSeek, ground
from garten.worlds.hide_and_seek import constants as c
from garten.worlds.hide_and_seek.plan import Door

STAY = Action("step", {"steps": 1})
BEFORE = (
    0.25 + 0.5 * c.PANEL_THICKNESS + c.BODY_RADIUS
)  # metres from a panel's middle where its carrier stands
FLUSH = (
    0.5 * (c.WALL_THICKNESS + c.PANEL_THICKNESS) + 0.03
)  # metres from a door's middle to that of its panel
ROOM = 0.04  # metres that ways keep from walls and things, beside the body


class Walker:
    """Goes where it is told, around what stands in the way."""

    def __init__(self, world: HideAndSeek, role: str) -> None:
        self.world = world
        self.role = role

    @property
    def pose(self) -> np.ndarray:
        """Its place and heading, [3]."""
        return np.array([self.world.physics.joint(f"{self.role}/{axis}") for axis in ("x", "y", "turn")])

    def walk(
        self, goal: tuple[float, float], face: float | None = None, *, within: float = 0.1
    ) -> Action | None:
        """A step on the way to a place, facing the way or as told; None once there."""
        x, y, _ = self.pose
        if math.dist((x, y), goal) < within and (face is None or self._off(face) < 0.06):
            return None
        ahead = self._next_place(goal)
        if face is None or math.dist((x, y), goal) > 1.0:
            face = math.atan2(ahead[1] - y, ahead[0] - x)
        return self.shift(ahead, face, fast=float(c.SPEED))

    def shift(self, goal: tuple[float, float], face: float, *, fast: float) -> Action:
        """A step straight towards a place while turning to a heading."""
        x, y, heading = self.pose
        way = np.array(goal) - (x, y)
        speed = min(fast, float(np.linalg.norm(way)) / c.BEAT) / max(1e-6, float(np.linalg.norm(way)))
        ahead = way[0] * math.cos(heading) + way[1] * math.sin(heading)
        right = way[0] * math.sin(heading) - way[1] * math.cos(heading)
        turn = -math.remainder(face - heading, math.tau) / (math.radians(c.TURN_RATE) * c.BEAT)
        moves = {"forward": ahead * speed / c.SPEED, "strafe": right * speed / c.SPEED, "turn": turn}
        return Action("step", {name: min(max(value, -1.0), 1.0) for name, value in moves.items()})

    def _off(self, face: float) -> float:
        return abs(math.remainder(face - self.pose[2], math.tau))

    def _next_place(self, goal: tuple[float, float]) -> tuple[float, float]:
        """The farthest place on the shortest way that can be gone to straight.

        Where things close every way, the way leads through those that are not locked: they can be pushed.
        """
        owners = self.world.state.owners.tolist()
        locked = [thing for thing, owner in zip(self.world.things, owners, strict=True) if owner]
        return self._way_past(self.world.things, goal) or self._way_past(locked, goal) or goal

    def _way_past(self, things: Sequence[str], goal: tuple[float, float]) -> tuple[float, float] | None:
        """The farthest place straight ahead on the shortest way round these things, None if there is none."""
        radius = c.BODY_RADIUS + ROOM
        free = ground.walls_free(self.world.layout.plan, radius)
        free &= ground.things_free(self.world.physics, things, radius)
        return next_place(free, self.pose[:2], goal)


def next_place(
    free: np.ndarray, start: Sequence[float], goal: tuple[float, float]
) -> tuple[float, float] | None:
    """The farthest place straight ahead on the shortest way over free cells, None if there is none."""
    here, there = ground.nearest(free, *start), ground.nearest(free, *goal)
    away = distances(free, there)
    if not math.isfinite(away[here]):
        return None
    way = [here]
    while way[-1] != there and len(way) < 30:
        column, row = way[-1]
        way.append(min(neighbours(column, row), key=lambda one: away[one]))
    for target in reversed(way[1:]):
        if is_straight(free, here, target):
            return goal if target == there else ground.place(target)
    return ground.place(way[min(1, len(way) - 1)])


def neighbours(column: int, row: int) -> list[tuple[int, int]]:
    """The cells around a cell."""
    steps = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]
    cells = [(column + a, row + b) for a, b in steps]
    return [one for one in cells if 0 <= one[0] < ground.CELLS and 0 <= one[1] < ground.CELLS]


def distances(free: np.ndarray, goal: tuple[int, int]) -> np.ndarray:
    """Cells to walk, one side or the other at a time, from everywhere to a goal, [CELLS, CELLS]."""
    away, front, steps = np.full(free.shape, np.inf), np.zeros_like(free), 0
    front[goal] = True
    while front.any():
        away[front] = steps
        steps += 1
        near = np.zeros_like(front)
        near[1:] |= front[:-1]
        near[:-1] |= front[1:]
        near[:, 1:] |= front[:, :-1]
        near[:, :-1] |= front[:, 1:]
        front = near & free & np.isinf(away)
    return away


def is_straight(free: np.ndarray, start: tuple[int, int], end: tuple[int, int]) -> bool:
    """Whether all cells between two are free."""
    count = 2 * max(abs(end[0] - start[0]), abs(end[1] - start[1])) + 1
    columns = np.rint(np.linspace(start[0], end[0], count)).astype(int)
    rows = np.rint(np.linspace(start[1], end[1], count)).astype(int)
    return bool(free[columns, rows].all())


class Seeker:
    """Goes straight to the nearest hider."""

    def __init__(self, world: HideAndSeek, role: str) -> None:
        self.world, self._walker = world, Walker(world, role)

    def action(self) -> Action:
        """Its next action."""
        world, me = self.world, self._walker.pose
        places = [[world.physics.joint(f"{hider}/{axis}") for axis in ("x", "y")] for hider in world.hiders]
        x, y = min(places, key=lambda place: math.dist(place, me[:2]))
        return self._walker.walk((x, y), within=0.05) or STAY


@dataclass
class Job:
    """A panel to be put before a door."""

    panel: str
    door: Door
    inward: float  # heading from the door into the refuge


class Hider:
    """Goes to the refuge, shuts each of its doors with a panel, locks them, and waits in a corner."""

    def __init__(self, world: HideAndSeek, role: str) -> None:
        self.world, self.role, self._walker = world, role, Walker(world, role)
        self._jobs = self._plan()
        self._stage = 0
        self._left = 0  # beats that the present stage may still take

    def action(self) -> Action:
        """Its next action."""
        while self._jobs:
            action = self._work(self._jobs[0])
            if action is not None:
                return action
        return self._walker.walk(self._corner()) or STAY

    def _plan(self) -> list[Job]:
        plan = self.world.layout.plan
        refuge = plan.rooms[plan.refuge]
        middle = 0.5 * (refuge.west + refuge.east), 0.5 * (refuge.south + refuge.north)
        free = [f"panel-{number}" for number in (1, 2)]
        jobs = []
        for door in plan.doors_of(refuge):
            side = min((-1.0, 1.0), key=lambda side: math.dist(door.beside(side), middle))
            inside = door.beside(side)
            inner = [name for name in free if refuge.holds(*self._place(name))]
            panel = min(inner, key=lambda name: math.dist(self._place(name), inside))
            free.remove(panel)
            jobs.append(Job(panel, door, math.atan2(inside[1] - door.y, inside[0] - door.x)))
        return jobs

    def _place(self, name: str) -> tuple[float, float]:
        return self.world.physics.joint(f"{name}/x"), self.world.physics.joint(f"{name}/y")

    def _work(self, job: Job) -> Action | None:
        """The next action of a job; None when a stage is done, and the job is gone when all are."""
        stages = (self._go_to, self._grab, self._carry, self._put, self._lock)
        if self._stage == len(stages):
            self._jobs.pop(0)
            self._stage = 0
            return None
        action = stages[self._stage](job)
        if action is None:
            self._stage += 1
            self._left = 60
        return action

    def _go_to(self, job: Job) -> Action | None:
        x, y, heading = self._grip_pose(job)
        return self._walker.walk((x, y), heading, within=0.08)

    def _grab(self, job: Job) -> Action | None:
        return None if self.world.hands.holds(self.role) == job.panel else Action("pull", {"on": 1})

    def _carry(self, job: Job) -> Action | None:
        return self._bring(job, 1.0, near=0.25)

    def _put(self, job: Job) -> Action | None:
        return self._bring(job, FLUSH, near=0.03)

    def _bring(self, job: Job, away: float, *, near: float) -> Action | None:
        """Bring the panel so far before its door; None once there, or when it takes too long."""
        self._left -= 1
        physics, me = self.world.physics, self._walker.pose
        panel = np.array([physics.joint(f"{job.panel}/{axis}") for axis in ("x", "y", "turn")])
        aim = np.array([job.door.x + away * math.cos(job.inward), job.door.y + away * math.sin(job.inward)])
        turn = math.remainder(job.door.heading - panel[2], math.pi)
        if self._left < 0 or (np.linalg.norm(aim - panel[:2]) < near and abs(turn) < 0.05):
            return None
        offset = me[:2] - panel[:2]
        cos, sin = math.cos(turn), math.sin(turn)
        goal = aim[0] + cos * offset[0] - sin * offset[1], aim[1] + sin * offset[0] + cos * offset[1]
        return self._walker.shift(goal, me[2] + turn, fast=1.2)

    def _lock(self, job: Job) -> Action | None:
        row = self.world.things.index(job.panel)
        return None if self.world.state.owners[row] else Action("lock", {"on": 1})

    def _grip_pose(self, job: Job) -> tuple[float, float, float]:
        """Where to stand to grab the panel from the side that will be inside."""
        physics = self.world.physics
        x, y, heading = (physics.joint(f"{job.panel}/{axis}") for axis in ("x", "y", "turn"))
        sides = [heading + 0.5 * math.pi, heading - 0.5 * math.pi]
        side = min(sides, key=lambda way: abs(math.remainder(job.inward - way, math.tau)))
        place = x + BEFORE * math.cos(side), y + BEFORE * math.sin(side)
        return *place, side + math.pi

    def _corner(self) -> tuple[float, float]:
        """The corner of the refuge that is farthest from its doors."""
        plan = self.world.layout.plan
        room = plan.rooms[plan.refuge]
        corners = [
            (x, y) for x in (room.west + 0.7, room.east - 0.7) for y in (room.south + 0.7, room.north - 0.7)
        ]
        doors = plan.doors_of(room)
        return max(corners, key=lambda one: min(math.dist(one, (door.x, door.y)) for door in doors))
