"""A quarry expert that reads the state, to show that the world can be played well.

It searches for ways with the loader's own moves (A* over poses), scoops a rock up, carries it, tips it out.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator

import numpy as np

from garten.records import Action
from garten.worlds.quarry_loader import QuarryLoader, loader
from garten.worlds.quarry_loader import constants as c
from garten.worlds.quarry_loader.layout import BAY, PADS, Area
from garten.worlds.quarry_loader.yard import ROCKS

Pose = tuple[float, float, float]  # x, y of the chassis's middle in metres, heading in radians

CELL = 0.25  # metres, of the map of obstacles
BODY = ((-0.85, 1.05), (0.35, 1.05), (1.6, 0.95), (2.7, 1.0))  # discs along the loader: ahead, radius
PULL = 6.0  # metres a second squared by which the loader changes its speed
MOST = 3_000  # poses a search looks at
REAR = 0.5 * c.WHEELBASE  # metres from the middle of the chassis back to what its bends go round
MOVES = {
    "forward": (float(c.FORWARD_SPEED), 0.0),
    "turn_left": (float(c.ARC_SPEED), 1.0 / c.ARC_RADIUS),
    "turn_right": (float(c.ARC_SPEED), -1.0 / c.ARC_RADIUS),
    "backward": (-float(c.BACKWARD_SPEED), 0.0),
    "reverse_left": (-float(c.ARC_SPEED), 1.0 / c.ARC_RADIUS),
    "reverse_right": (-float(c.ARC_SPEED), -1.0 / c.ARC_RADIUS),
}
SCOOPED = 2.95  # metres ahead of the chassis: a rock nearer than this is in the scoop
DROP = 3.3  # metres ahead of the chassis at which a rock lands


def moved(pose: Pose, move: str, before: str) -> Pose:
    """Where a second of a move brings the loader, after another move or from rest ("")."""
    speed, bend = MOVES[move]
    change = speed - MOVES[before][0] if before in MOVES else speed
    speed -= 0.5 * change * abs(change) / PULL  # the way it lacks while it changes its speed
    x, y, heading = pose
    x, y = x - REAR * math.cos(heading), y - REAR * math.sin(heading)
    turn = speed * bend
    if turn:
        x += (math.sin(heading + turn) - math.sin(heading)) / bend
        y -= (math.cos(heading + turn) - math.cos(heading)) / bend
    else:
        x, y = x + speed * math.cos(heading), y + speed * math.sin(heading)
    heading += turn
    return x + REAR * math.cos(heading), y + REAR * math.sin(heading), heading


class Ground:
    """How far every place of the yard is from the nearest obstacle."""

    def __init__(self, world: QuarryLoader, rocks: list[str]) -> None:
        self.x0, self.y0 = -c.HALF_WIDTH, float(c.SOUTH)
        xs = np.arange(self.x0, c.HALF_WIDTH + CELL, CELL)
        ys = np.arange(self.y0, c.NORTH + CELL, CELL)
        gx, gy = np.meshgrid(xs, ys, indexing="ij")
        room = (
            np.minimum(
                np.minimum(gx + c.HALF_WIDTH, c.HALF_WIDTH - gx), np.minimum(gy - c.SOUTH, c.NORTH - gy)
            )
            - 0.3
        )
        for x, y, half_x, half_y in self._boxes(world):
            away = np.hypot(np.maximum(np.abs(gx - x) - half_x, 0), np.maximum(np.abs(gy - y) - half_y, 0))
            room = np.minimum(room, away)
        for rock in rocks:
            x, y, _ = world.physics.position(rock)
            room = np.minimum(room, np.hypot(gx - x, gy - y) - 0.55)
        self.room = room

    @staticmethod
    def _boxes(world: QuarryLoader) -> Iterator[tuple[float, float, float, float]]:
        end, y = world.layout.wall_end
        far = -world.layout.open_side * c.HALF_WIDTH
        yield 0.5 * (end + far), y, 0.5 * abs(end - far) + 0.4, 0.5 * c.WALL_THICKNESS + 0.1
        floor, thin = world.layout.bunker, 0.5 * c.BUNKER_THICKNESS
        reach = floor.half_x + thin
        yield floor.x - world.layout.open_side * reach, floor.y, thin, reach
        for side in (-1.0, 1.0):
            yield floor.x, floor.y + side * reach, reach, thin
            out, middle = side * (BAY.half_x + 0.15), 0.5 * (c.BAY_MOUTH + c.SOUTH)
            yield out, middle, 0.17, 0.5 * (c.BAY_MOUTH - c.SOUTH) + 0.16

    def free(self, pose: Pose) -> bool:
        """Whether the loader can stand there."""
        x, y, heading = pose
        cos, sin = math.cos(heading), math.sin(heading)
        for ahead, radius in BODY:
            i = round((x + ahead * cos - self.x0) / CELL)
            j = round((y + ahead * sin - self.y0) / CELL)
            if not (0 <= i < self.room.shape[0] and 0 <= j < self.room.shape[1]):
                return False
            if self.room[i, j] < radius:
                return False
        return True


def search(
    start: Pose,
    before: str,
    ground: Ground,
    done: Callable[[Pose], bool],
    left: Callable[[Pose], float],
) -> list[str]:
    """The moves of a short way to a pose that is `done`, or to the nearest one found.

    `left` is about how many seconds a pose is away.
    """
    queue: list[tuple[float, int, Pose, str, int]] = [(left(start), 0, start, before, -1)]
    taken: list[tuple[Pose, str, int, float]] = []
    costs = {0: 0.0}
    seen: set[tuple[int, int, int]] = set()
    count = nearest = 0
    while queue and len(taken) < MOST:
        _, number, pose, move, parent = heapq.heappop(queue)
        cell = round(pose[0] / 0.4), round(pose[1] / 0.4), round(pose[2] / 0.35) % 18
        if cell in seen and number:
            continue
        seen.add(cell)
        taken.append((pose, move, parent, costs[number]))
        index = len(taken) - 1
        if done(pose):
            nearest = index
            break
        if left(pose) < left(taken[nearest][0]):
            nearest = index
        for way in MOVES:
            then = moved(pose, way, move)
            half = tuple(0.5 * (a + b) for a, b in zip(pose, then, strict=True))
            if not (ground.free(then) and ground.free(half)):
                continue
            count += 1
            change = move in MOVES and (MOVES[way][0] > 0) != (MOVES[move][0] > 0)
            costs[count] = costs[number] + 1.0 + 1.0 * change
            heapq.heappush(queue, (costs[count] + 1.2 * left(then), count, then, way, index))
    moves = []
    while taken[nearest][2] >= 0:
        moves.append(taken[nearest][1])
        nearest = taken[nearest][2]
    return moves[::-1]


class Expert:
    """Plays one episode: `act` is asked for each action."""

    def __init__(self, world: QuarryLoader) -> None:
        self.world = world
        self._last = ""
        self._plan = self._play()

    def act(self, observation: object = None, *, time_left: float = 0.0) -> Action | None:
        """The next action."""
        name = next(self._plan, None)
        self._last = name or ""
        return None if name is None else Action(name)

    # --- what it knows -----------------------------------------------------------------------------

    def pose(self) -> Pose:
        """Where the loader is."""
        x, y, _ = self.world.physics.position(loader.NAME)
        return float(x), float(y), self.world.physics.heading(loader.NAME)

    def local(self, rock: str) -> np.ndarray:
        """Where a rock is in the loader's frame."""
        physics = self.world.physics
        return (physics.position(rock) - physics.position(loader.NAME)) @ physics.matrix(loader.NAME)

    # --- what it does ------------------------------------------------------------------------------

    def _play(self) -> Iterator[str]:
        world = self.world
        for _ in range(6):
            waiting = [pair for pair in self._pairs() if not world.lies_in(*pair)]
            if world.state.staged or not waiting:
                break
            yield from self._bring(*waiting[0], facing=None)
        side = world.layout.open_side
        for _ in range(4):
            if world.bunkered:
                break
            near = min(
                ROCKS,
                key=lambda rock: world.layout.way(world.physics.position(rock), world.layout.bunker.middle),
            )
            yield from self._bring(near, world.layout.bunker, facing=0.0 if side < 0 else math.pi)
        yield from self._park()

    def _pairs(self) -> list[tuple[str, Area]]:
        """Each rock with its pad, the nearer ones."""
        at = {rock: self.world.physics.position(rock)[:2] for rock in ROCKS}
        ways = [list(zip(ROCKS, pads, strict=True)) for pads in (PADS, PADS[::-1])]
        return min(ways, key=lambda way: sum(math.dist(at[rock], pad.middle) for rock, pad in way))

    def _bring(self, rock: str, area: Area, facing: float | None) -> Iterator[str]:
        yield from self._fetch(rock)
        if self.local(rock)[0] > SCOOPED + 0.3:
            return
        x, y = area.middle

        def done(pose: Pose) -> bool:
            tip = pose[0] + DROP * math.cos(pose[2]), pose[1] + DROP * math.sin(pose[2])
            turned = facing is None or abs(math.remainder(pose[2] - facing, math.tau)) < 0.3
            return turned and math.dist(tip, (x, y)) < 0.6

        def left(pose: Pose) -> float:
            tip = pose[0] + DROP * math.cos(pose[2]), pose[1] + DROP * math.sin(pose[2])
            return self._way(tip, (x, y)) / c.FORWARD_SPEED

        yield from self._go(done, left, rocks=[other for other in ROCKS if other != rock])
        yield from ("raise_arm", "raise_arm", *["tip"] * 5, "wait")
        yield from ("backward", "backward", "backward")

    def _level(self) -> Iterator[str]:
        """Bring the scoop low and level."""
        state = self.world.state
        while abs(state.pitch) > math.radians(0.5 * c.CURL_RATE):
            yield "curl" if state.pitch < 0.0 else "tip"
        while state.arm > math.radians(c.ARM_LOW + 1.0):
            yield "lower_arm"

    def _fetch(self, rock: str) -> Iterator[str]:
        """Get a rock into the scoop."""
        for _ in range(4):
            yield from self._level()
            yield from self._approach(rock)
            for _ in range(7):
                if self.local(rock)[0] < SCOOPED:
                    break
                yield "forward"
            yield from ("curl", "curl")
            if self.local(rock)[0] < SCOOPED + 0.3:
                yield "raise_arm"
                return
            yield from ("backward", "backward")

    def _approach(self, rock: str) -> Iterator[str]:
        """Stand before a rock, facing it, if it can be done with free ground behind it."""
        x, y, _ = self.world.physics.position(rock)

        def free_behind(pose: Pose) -> bool:
            beyond = x + 4.0 * math.cos(pose[2]), y + 4.0 * math.sin(pose[2])
            return self._room(*beyond, 0.8) and done(pose)

        def done(pose: Pose) -> bool:
            dx, dy = x - pose[0], y - pose[1]
            ahead = dx * math.cos(pose[2]) + dy * math.sin(pose[2])
            aside = dy * math.cos(pose[2]) - dx * math.sin(pose[2])
            return 3.8 < ahead < 5.2 and abs(aside) < 0.25

        def left(pose: Pose) -> float:
            return max(0.0, self._way(pose[:2], (x, y)) - 5.0) / c.FORWARD_SPEED

        yield from self._go(free_behind, left, rocks=list(ROCKS), tries=3)
        yield from self._go(done, left, rocks=list(ROCKS))

    def _room(self, x: float, y: float, least: float) -> bool:
        """Whether a place is at least so far from the walls of its part of the yard."""
        south, north = (c.SOUTH, c.WALL_Y) if y < c.WALL_Y else (c.WALL_Y, c.NORTH)
        return min(x + c.HALF_WIDTH, c.HALF_WIDTH - x, y - south, north - y) >= least

    def _park(self) -> Iterator[str]:
        def done(pose: Pose) -> bool:
            x, y, heading = pose
            turn = np.array([[math.cos(heading), -math.sin(heading)], [math.sin(heading), math.cos(heading)]])
            inside = Area(BAY.x, BAY.y, BAY.half_x - 0.15, BAY.half_y - 0.15)
            return inside.holds(loader.FOOTPRINT[:, :2] @ turn.T + (x, y))

        def left(pose: Pose) -> float:
            return max(0.0, self._way(pose[:2], BAY.middle) - 1.0) / c.FORWARD_SPEED

        for _ in range(5):
            yield from self._go(done, left, rocks=list(ROCKS))
            yield from ("wait", "wait")

    def _way(self, start: tuple[float, float], end: tuple[float, float]) -> float:
        return self.world.layout.way(start, end)

    def _go(
        self,
        done: Callable[[Pose], bool],
        left: Callable[[Pose], float],
        rocks: list[str],
        *,
        tries: int = 12,
    ) -> Iterator[str]:
        """Drive until done; look again every few seconds, for bodies slip and searches are rough."""
        for _ in range(tries):
            if done(self.pose()):
                return
            moves = search(self.pose(), self._last, Ground(self.world, rocks), done, left)
            yield from moves[:6] or ["backward"]
