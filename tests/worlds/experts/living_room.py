"""A living-room expert that reads the state, to show that every errand can be run.

It walks by a search over poses with the person's own moves, reaches for points that it has checked to be in
sight, opens what is shut, and carries one thing after the other.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator

import numpy as np

from garten.records import Action
from garten.worlds.living_room import LivingRoom, judge, person
from garten.worlds.living_room import constants as c
from garten.worlds.living_room.furniture import DRAWER, FRIDGE_DOOR
from garten.worlds.living_room.home import ROOM_DOOR
from garten.worlds.living_room.things import THINGS
from garten.worlds.living_room.world import SLOPE
from garten.worlds.physics.query import bounds, look_along

Pose = tuple[float, float, float]
Point = np.ndarray

CELL = 0.1  # metres, of the map of obstacles
ROOM = 0.23  # metres that the body keeps from obstacles,
CARRIED = 0.12  # and what it carries
MOVES = {"forward": (0.5, 0.0), "turn_left": (0.0, math.pi / 6), "turn_right": (0.0, -math.pi / 6)}
MOVES["backward"] = (-0.5, 0.0)
MOST = 20_000  # poses a search looks at
ARM = (0.42, 0.85)  # metres at which to stand from what is reached for
REACHES = {FRIDGE_DOOR: (0.42, 0.95), DRAWER: (0.65, 0.9)}
ASIDE = math.radians(38.0)  # how far to the side of one's front it may be
OPEN_BY = {ROOM_DOOR: 1.25, FRIDGE_DOOR: 1.3, DRAWER: 0.27}
HANDLES = {  # on the outside, and what else can be taken hold of
    ROOM_DOOR: ((0.78, 0.02, 1.0), (0.78, -0.02, 1.0)),
    FRIDGE_DOOR: ((0.06, -0.62, 1.1), (0.0, -0.62, 1.1)),
    DRAWER: ((0.217, 0.0, 0.0), (0.217, 0.2, 0.0), (0.217, -0.2, 0.0)),
}
PLACES = {"sofa": 0.45, "table": 0.75, "bed": 0.50, "counter": 0.92, "tray-red": 0.616, "tray-blue": 0.616}
EXTENTS = {
    "sofa": (-0.05, 0.35, 0.7),
    "table": (-0.45, 0.45, 0.25),
    "bed": (0.0, 0.85, 0.5),
    "counter": (-0.1, 0.15, 1.2),
    "tray-red": (-0.1, 0.1, 0.2),
    "tray-blue": (-0.1, 0.1, 0.2),
}


class Ground:
    """How far every place of the flat is from the nearest obstacle, for the body and for what it carries."""

    def __init__(self, world: LivingRoom) -> None:
        self.xs = np.arange(-6.4, 6.41, CELL)
        self.ys = np.arange(-2.5, 2.51, CELL)
        self.room = self._map(world, 0.2, 1.6)
        self.high = self._map(world, 1.0, 1.4) if world.physics.held(person.GRASP) else None

    def _map(self, world: LivingRoom, low: float, high: float) -> np.ndarray:
        """Metres from every place to the nearest obstacle between two heights."""
        physics = world.physics
        physics.pose()
        model, data = physics.model, physics.data
        gx, gy = np.meshgrid(self.xs, self.ys, indexing="ij")
        room = np.full(gx.shape, 9.0)
        apart = {physics.body(name) for name in (*THINGS, person.BODY)}
        for geom in range(model.ngeom):
            body, half = int(model.geom_bodyid[geom]), model.geom_aabb[geom][3:]
            middle, turn = data.geom_xpos[geom], data.geom_xmat[geom].reshape(3, 3)
            reach = float(np.abs(turn[2]) @ half)
            over = middle[2] - reach > high or middle[2] + reach < low
            if over or body in apart or not model.geom_contype[geom] or half[0] > 50.0:
                continue
            dx, dy = gx - middle[0], gy - middle[1]
            flat = np.abs(turn[:2]) > 0.999
            if flat.any(axis=1).all():  # along the axes, whichever way up
                hx, hy = np.abs(turn[:2]) @ half
                away_x, away_y = np.abs(dx) - hx, np.abs(dy) - hy
            else:
                away_x = np.abs(dx * turn[0, 0] + dy * turn[1, 0]) - half[0]
                away_y = np.abs(dx * turn[0, 1] + dy * turn[1, 1]) - half[1]
            room = np.minimum(room, np.hypot(np.maximum(away_x, 0), np.maximum(away_y, 0)))
        return room

    def free(self, x: float, y: float, heading: float) -> bool:
        """Whether the person can stand there, with what is carried ahead and a little to the right."""
        if not self._has(self.room, x, y, ROOM):
            return False
        right = heading + math.radians(c.CARRY_SWING)
        x, y = x + c.CARRY_OUT * math.cos(right), y + c.CARRY_OUT * math.sin(right)
        return self.high is None or self._has(self.high, x, y, CARRIED)

    def _has(self, room: np.ndarray, x: float, y: float, least: float) -> bool:
        i, j = round((x + 6.4) / CELL), round((y + 2.5) / CELL)
        inside = 0 <= i < len(self.xs) and 0 <= j < len(self.ys)
        return inside and bool(room[i, j] >= least)

    def ways(self, x: float, y: float, near: float) -> np.ndarray:
        """Metres to walk from every free cell to within `near` of a place (inf: there is no way)."""
        far = np.full(self.room.shape, np.inf)
        gx, gy = np.meshgrid(self.xs, self.ys, indexing="ij")
        goals = np.argwhere((np.hypot(gx - x, gy - y) <= near) & (self.room >= ROOM))
        queue = [(0.0, int(i), int(j)) for i, j in goals]
        for _, i, j in queue:
            far[i, j] = 0.0
        while queue:
            way, i, j = heapq.heappop(queue)
            if way > far[i, j]:
                continue
            for di, dj in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)):
                a, b = i + di, j + dj
                if 0 <= a < far.shape[0] and 0 <= b < far.shape[1] and self.room[a, b] >= ROOM:
                    then = way + CELL * math.hypot(di, dj)
                    if then < far[a, b] - 1e-9:
                        far[a, b] = then
                        heapq.heappush(queue, (then, a, b))
        return far


def search(
    start: Pose, ground: Ground, x: float, y: float, done: Callable[[Pose], bool], near: float = ARM[1]
) -> list[str] | None:
    """The moves of a short way to a pose near a place that is `done`; None if there is none."""
    far = ground.ways(x, y, near)

    def left(pose: Pose) -> float:
        i, j = round((pose[0] + 6.4) / CELL), round((pose[1] + 2.5) / CELL)
        return float(far[i, j])

    queue: list[tuple[float, int, Pose, float, int, str]] = [(0.0, 0, start, 0.0, -1, "")]
    taken: list[tuple[int, str]] = []
    seen: set[tuple[int, int, int]] = set()
    count = 0
    while queue and len(taken) < MOST:
        _, _, pose, cost, parent, move = heapq.heappop(queue)
        cell = round(pose[0] / 0.12), round(pose[1] / 0.12), round(pose[2] / (math.pi / 6)) % 12
        if cell in seen:
            continue
        seen.add(cell)
        taken.append((parent, move))
        index = len(taken) - 1
        if done(pose):
            moves = []
            while index > 0:
                parent, move = taken[index]
                moves.append(move)
                index = parent
            return moves[::-1]
        for way, (ahead, turn) in MOVES.items():
            heading = pose[2] + turn
            step = ahead * math.cos(heading), ahead * math.sin(heading)
            then = (pose[0] + step[0], pose[1] + step[1], heading)
            if not all(
                ground.free(pose[0] + share * step[0], pose[1] + share * step[1], pose[2] + share * turn)
                for share in (0.25, 0.5, 0.75, 1.0)
            ):
                continue
            if math.isinf(left(then)):
                continue
            count += 1
            price = cost + (0.75 if way == "backward" else 0.5)
            heapq.heappush(queue, (price + 1.3 * left(then), count, then, price, index, way))
    return None


class Expert:
    """Plays one episode: `act` is asked for each action."""

    def __init__(self, world: LivingRoom) -> None:
        self.world = world
        self.physics = world.physics
        self._plan = self._play()

    def act(self, observation: object = None, *, time_left: float = 0.0) -> Action:
        """The next action."""
        return next(self._plan, Action("wait"))

    # --- the errand --------------------------------------------------------------------------------

    def _play(self) -> Iterator[Action]:
        errand, starts = self.world.layout.errand, self.world.layout.starts
        goals = [goal for goal in errand.goals if goal.kind in ("on", "in drawer")]
        bedroom = {"bed", "chest", "drawer", "in drawer"}
        if any({starts[goal.thing].place, goal.place, goal.kind} & bedroom for goal in goals):
            yield from self._open(ROOM_DOOR)
        if any(starts[goal.thing].place == "fridge" for goal in goals):
            yield from self._open(FRIDGE_DOOR)
        if any("drawer" in (starts[goal.thing].place, goal.kind[3:]) for goal in goals):
            yield from self._open(DRAWER)
        for _ in range(3):
            waiting = [goal for goal in goals if not judge.met(self.physics, goal, self.world.state.taken)]
            while waiting:
                goal = min(waiting, key=lambda one: self._away(self._middle(one.thing)))
                waiting.remove(goal)
                yield from self._take(goal.thing)
                if self.physics.held(person.GRASP) == goal.thing:
                    yield from self._put(goal.place)
        if any(goal.kind == "shut in" for goal in errand.goals):
            yield from self._close_drawer()

    def _take(self, thing: str) -> Iterator[Action]:
        for _ in range(4):
            yield from self._stand_and_reach(lambda: [self._middle(thing)], thing)
            yield Action("grasp")
            if self.physics.held(person.GRASP) == thing:
                return
            yield from (Action("release"), Action("backward"))

    def _put(self, place: str) -> Iterator[Action]:
        for _ in range(4):
            if place:
                yield from self._stand_and_reach(lambda: self._free_points(place), place)
            else:
                yield from self._stand_and_reach(self._in_drawer, DRAWER)
            if not self.world.feedback("person"):
                yield from (Action("release"), Action("backward"))
                return
            yield from (Action("backward"), Action("backward"))

    def _open(self, part: str) -> Iterator[Action]:
        for _ in range(8):
            if abs(self.physics.joint(part)) >= OPEN_BY[part]:
                break
            yield from self._stand_and_reach(lambda: self._handles(part), part, *REACHES.get(part, ARM))
            for _ in range(2):
                before = abs(self.physics.joint(part))
                yield Action("open")
                if abs(self.physics.joint(part)) < before + 0.02:
                    break
        yield Action("backward")

    def _close_drawer(self) -> Iterator[Action]:
        for _ in range(4):
            if self.physics.joint(DRAWER) < c.SHUT_WAY:
                return
            yield from self._stand_and_reach(lambda: self._handles(DRAWER), DRAWER)
            yield from (Action("close"), Action("backward"))

    # --- points ------------------------------------------------------------------------------------

    def _middle(self, thing: str) -> Point:
        low, high = bounds(self.physics, thing)
        return 0.5 * (low + high)

    def _handles(self, part: str) -> list[Point]:
        return list(self.physics.points(part, HANDLES[part]))

    def _in_drawer(self) -> list[Point]:
        return list(
            self.physics.points(DRAWER, [(x, y, -0.05) for x in (0.08, 0.02) for y in (0, 0.2, -0.2)])
        )

    def _free_points(self, place: str) -> list[Point]:
        back, front, aside = EXTENTS[place]
        local = [
            (x, y, PLACES[place]) for y in np.linspace(-aside, aside, 9) for x in np.linspace(back, front, 4)
        ]
        points = self.physics.points(place, local)
        held = self.physics.held(person.GRASP)
        others = [self._middle(thing) for thing in THINGS if thing != held]

        def room(point: Point) -> float:
            return min(float(np.linalg.norm(point - other)) for other in others)

        least = 0.22 if held != "plate" else 0.30
        middle = self.physics.position(place)[:2]
        order = sorted(points, key=lambda point: self._away(point) + math.dist(point[:2], middle))
        return [point for point in order if room(point) > least] or order

    def _away(self, point: Point) -> float:
        return math.dist(point[:2], self.physics.position(person.BODY)[:2])

    # --- walking and reaching ----------------------------------------------------------------------

    def pose(self) -> Pose:
        """Where the person is."""
        x, y, _ = self.physics.position(person.BODY)
        return float(x), float(y), self.physics.heading(person.BODY)

    def _sees(self, pose: Pose, point: Point, part: str, near: float, far: float) -> bool:
        """Whether a point of a part can be reached for from a pose."""
        dx, dy = point[0] - pose[0], point[1] - pose[1]
        turn = math.remainder(math.atan2(dy, dx) - pose[2], math.tau)
        if not (near <= math.hypot(dx, dy) <= far and abs(turn) <= ASIDE):
            return False
        ahead = float(c.EYE_AHEAD)
        at = pose[0] + ahead * math.cos(pose[2]), pose[1] + ahead * math.sin(pose[2]), float(c.EYE_HEIGHT)
        held = self.physics.held(person.GRASP)
        without = (person.NAME, held) if held else (person.NAME,)
        hit = look_along(self.physics, at, point - np.array(at), most=3.0, without=without)
        return hit is not None and hit.part == part and float(np.linalg.norm(hit.point - point)) < 0.15

    def _stand_and_reach(
        self, points: Callable[[], list[Point]], part: str, near: float = ARM[0], far: float = ARM[1]
    ) -> Iterator[Action]:
        for _ in range(14):
            goals = points()

            def fit(pose: Pose, goals: list[Point] = goals) -> Point | None:
                return next((point for point in goals if self._sees(pose, point, part, near, far)), None)

            found = fit(self.pose())
            if found is not None:
                yield from self._reach(found)
                return
            way = search(
                self.pose(), Ground(self.world), *goals[0][:2], lambda pose: fit(pose) is not None, far
            )
            for name in (way or ["backward"])[:5]:
                yield Action(name)

    def _reach(self, point: Point) -> Iterator[Action]:
        for _ in range(8):
            x, y = self._in_picture(point)
            if abs(y) <= 0.9:
                break
            yield Action("look_up" if y > 0.0 else "look_down")
        yield Action("reach", {"x": float(np.clip(x, -1, 1)), "y": float(np.clip(y, -1, 1))})

    def _in_picture(self, point: Point) -> tuple[float, float]:
        ahead, left, up = (point - person.eye(self.physics)) @ self.physics.matrix(person.BODY)
        pitch = float(self.world.state.pitch[0])
        depth = math.cos(pitch) * ahead + math.sin(pitch) * up
        rise = math.cos(pitch) * up - math.sin(pitch) * ahead
        return -left / depth / (SLOPE * 16.0 / 9.0), rise / depth / SLOPE
