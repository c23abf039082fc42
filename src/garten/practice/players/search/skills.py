"""Skills over coloured things: each turns what the map knows into the next few moves.

A skill is data, a dict of JSON types with the name of what to `do` and its parameters, so that it can be
searched over, varied, written into a lesson and read back. Colours are sRGB triples and lengths are strides.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from garten.practice.mapping import EgoMap, Track, middle, surest
from garten.practice.percepts import Palette
from garten.practice.players.search.effects import ROWS
from garten.practice.players.search.motor import Motor, Move
from garten.practice.players.search.tuning import Grip

Skill = Mapping[str, Any]
Point = tuple[float, float]

MOST_MOVES = 3
"""Moves in one program of a skill: more would be walking blind."""

_ARRIVED = 0.7  # strides; nearer than this to a place counts as there
_CLEAR = 0.8  # strides to keep from places that could not be walked through
_TOGETHER = 4.0  # strides within which things of one colour make up one place
_GROWN = 1.4  # times as much of a colour, from which it has come nearer
_STALE = 25.0  # seconds after which a thing out of sight may be anywhere


@dataclass
class Sense:
    """All a skill can go by."""

    map: EgoMap
    palette: Palette
    motor: Motor
    told: str = ""  # what was said after the last action
    side: int = 1  # 1 or -1: so that mates with the same skill go to different sides
    now: float = 0.0  # seconds since the start
    searched: float = 0.0  # radians turned in search since something was last found
    memory: dict[str, Any] = field(default_factory=dict)  # of the running skill, emptied when it changes
    grip: Grip = field(default_factory=Grip)  # on actions with numbers
    asides: NDArray[np.float64] | None = None  # by colour and `ROWS`: how far aside it is seen now
    areas: Mapping[int, int] = field(default_factory=dict)  # by colour: pixels of its largest region now

    def known(self, color: Sequence[float], *, fresh: float = math.inf) -> list[Track]:
        """Things of a colour seen within the last `fresh` seconds."""
        index = self.palette.nearest(color)
        return [t for t in self.map.things(-1 if index is None else index) if self.now - t.seen <= fresh]

    def aside(self, color: Sequence[float], rows: str) -> float | None:
        """How far aside a colour is seen, things or not, in widths of the picture; None if it is not."""
        index = self.palette.nearest(color, backdrop=True)
        if index is None or self.asides is None:
            return None
        off = float(self.asides[index, list(ROWS).index(rows)])
        return None if math.isnan(off) else off

    def nearest(self, color: Sequence[float]) -> Track | None:
        """The nearest known thing of a colour."""
        return min(self.known(color), key=lambda t: self.map.distance_to(t.x, t.y), default=None)


def next_moves(skill: Skill, sense: Sense) -> list[Move]:
    """The next 1 to `MOST_MOVES` moves (a look round may take more) of a skill."""
    sense.memory.setdefault("areas", sense.areas)
    if (used := sense.grip.unjudged) is not None:
        sense.grip.judge(sense.aside(used["by"], used["rows"]))
    searched = sense.searched
    moves = _SKILLS[skill["do"]](skill, sense)
    if sense.searched == searched:
        sense.searched = 0.0
    return moves or [sense.motor.pause]


def until_met(until: Mapping[str, Any], sense: Sense, *, since: float) -> bool:
    """Whether a condition that ends a skill holds; `since` is when the skill began, seconds."""
    if sense.now - since >= until.get("seconds", math.inf):
        return True
    if "told" in until:
        return sense.now > since and sense.told == until["told"]
    if "near" in until:
        thing = sense.nearest(until["near"])
        return thing is not None and sense.map.distance_to(thing.x, thing.y) < 2.0
    if "sees" in until:
        return bool(sense.known(until["sees"], fresh=0.0))
    if "lost" in until:
        return sense.now - since > 2.0 and not sense.known(until["lost"], fresh=0.0)
    if "grows" in until:
        return _change_of(until["grows"], sense) > _GROWN
    if "shrinks" in until:
        return _change_of(until["shrinks"], sense) < 1.0 / _GROWN
    return False


def _change_of(color: Sequence[float], sense: Sense) -> float:
    """How many times as much of a colour is seen as when the running skill began; 1 if it was not seen."""
    index = sense.palette.nearest(color)
    before = sense.memory.get("areas", {}).get(index, 0)
    return sense.areas.get(-1 if index is None else index, 0) / before if before else 1.0


# --- the skills ------------------------------------------------------------------------------------


def _act(skill: Skill, sense: Sense) -> list[Move]:
    """Repeat one plain action."""
    if skill["action"] == "forward" and sense.motor.forward:
        return [sense.motor.forward] * MOST_MOVES
    move = sense.motor.named(skill["action"])
    return [move] if move else [sense.motor.pause]


def _use(skill: Skill, sense: Sense) -> list[Move]:
    """Do an action with numbers, one of them perhaps corrected by what is seen."""
    handle = next((one for one in sense.motor.handles if one.name == skill["action"]), None)
    if handle is None:
        return [sense.motor.pause]
    return [handle.move(sense.grip.shares(handle, skill, sense.aside(skill["by"], skill["rows"])))]


def _look_round(skill: Skill, sense: Sense) -> list[Move]:
    """Turn once all the way round, then wait."""
    if sense.memory.get("looked"):
        return [sense.motor.pause]
    sense.memory["looked"] = True
    return full_turn(sense)


def _go_to(skill: Skill, sense: Sense) -> list[Move]:
    """Walk to the nearest thing of a colour."""
    thing = sense.nearest(skill["a"])
    if thing is None:
        return _search(sense)
    return walk_to(sense, (thing.x, thing.y), stop=skill.get("at", 0.5))


def _avoid(skill: Skill, sense: Sense) -> list[Move]:
    """Walk away from the nearest thing of a colour while it is near."""
    thing = sense.nearest(skill["a"])
    if thing is None:
        return [sense.motor.pause]
    gap = sense.map.distance_to(thing.x, thing.y)
    if gap > skill["at"]:
        return face(sense, (thing.x, thing.y)) or [sense.motor.pause]
    x, y = sense.map.x, sense.map.y
    return walk_to(sense, (2.0 * x - thing.x, 2.0 * y - thing.y))


def _follow(skill: Skill, sense: Sense) -> list[Move]:
    """Stay at a distance from the nearest thing of a colour, facing it."""
    thing = sense.nearest(skill["a"])
    if thing is None:
        return _search(sense)
    gap = sense.map.distance_to(thing.x, thing.y)
    if gap > skill["at"] + 0.5:
        return walk_to(sense, (thing.x, thing.y), stop=skill["at"])
    if gap < skill["at"] - 1.0 and sense.motor.back is not None:
        return [*face(sense, (thing.x, thing.y)), sense.motor.back][:MOST_MOVES]
    return face(sense, (thing.x, thing.y)) or [sense.motor.pause]


def _between(skill: Skill, sense: Sense) -> list[Move]:
    """Stand between the nearest things of two colours."""
    one, other = sense.nearest(skill["a"]), sense.nearest(skill["b"])
    if one is None or other is None:
        return _search(sense)
    return walk_to(sense, (0.5 * (one.x + other.x), 0.5 * (one.y + other.y)))


def _push(skill: Skill, sense: Sense) -> list[Move]:
    """Get behind things of one colour as seen from a goal of another colour, then walk at them."""
    goal = _goal(skill, sense)
    things = [track for track in sense.known(skill["a"]) if sense.now - track.seen < _STALE]
    if goal is None or not things:
        return _search(sense)
    loose = [track for track in things if not goal.holds(track.x, track.y)]
    if not loose:
        return _watch(sense, goal.place)
    mark = _mark(skill["mark"], loose, goal, sense)
    aim = goal.aim(*mark)
    away = math.atan2(mark[1] - aim[1], mark[0] - aim[0]) + sense.side * skill["offset"]
    mine = math.atan2(sense.map.y - mark[1], sense.map.x - mark[0])
    off = math.remainder(mine - away, math.tau)
    gap = sense.map.distance_to(*mark)
    if abs(off) < 0.5 and gap < 1.7 * skill["stand_off"]:
        return walk_to(sense, _polar(mark, away, skill["press"]), stop=0.4) or face(sense, mark)
    if abs(off) > 0.9:  # go round, not through
        wide = max(1.2 * skill["stand_off"], min(gap, 1.6 * skill["stand_off"]))
        return walk_to(sense, _polar(mark, mine - math.copysign(0.8, off), wide))
    return walk_to(sense, _polar(mark, away, skill["stand_off"]))


_SKILLS: dict[str, Callable[[Skill, Sense], list[Move]]] = {
    "act": _act,
    "look_round": _look_round,
    "go_to": _go_to,
    "avoid": _avoid,
    "follow": _follow,
    "between": _between,
    "push": _push,
    "use": _use,
}


# --- where to push to ------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Goal:
    """Where things are pushed: to a place, or through the gap between two things and on."""

    place: Point
    reach: float  # strides from the place within which a thing has arrived
    gap: tuple[Point, Point, float] | None = None  # its middle, the unit vector through it, half its width

    def holds(self, x: float, y: float) -> bool:
        """Whether a thing there has arrived."""
        if self.gap is not None and _ahead_of(self.gap, x, y)[0] < 0.2:
            return False
        return math.hypot(x - self.place[0], y - self.place[1]) < self.reach

    def aim(self, x: float, y: float) -> Point:
        """Where a thing there should go next."""
        if self.gap is None:
            return self.place
        ahead, aside = _ahead_of(self.gap, x, y)
        (mx, my), (nx, ny), half = self.gap
        lined_up = abs(aside) < 0.7 * half + 0.3 * max(0.0, -ahead)
        return self.place if lined_up or ahead > 0.0 else (mx - 1.2 * half * nx, my - 1.2 * half * ny)


def _ahead_of(gap: tuple[Point, Point, float], x: float, y: float) -> tuple[float, float]:
    (mx, my), (nx, ny), _ = gap
    return (x - mx) * nx + (y - my) * ny, (y - my) * nx - (x - mx) * ny


def _goal(skill: Skill, sense: Sense) -> _Goal | None:
    """The goal of a push, from what is known of its colour; its far side is settled at first sight."""
    posts = sense.known(skill["towards"])
    if not posts:
        return None
    posts = surest(posts, within=_TOGETHER)
    x, y = middle(posts)
    start = sense.memory.get("start")
    things = sense.known(skill["a"])
    if start is None and things:
        start = sense.memory["start"] = middle(things)
    if start is None:
        return None
    beyond = skill["beyond"]
    pair = max(
        ((p, q) for i, p in enumerate(posts) for q in posts[:i]),
        key=lambda pq: math.dist((pq[0].x, pq[0].y), (pq[1].x, pq[1].y)),
        default=None,
    )
    if skill["how"] == "through" and pair is not None:
        (ax, ay), (bx, by) = (pair[0].x, pair[0].y), (pair[1].x, pair[1].y)
        width = max(math.hypot(bx - ax, by - ay), 1e-6)
        nx, ny = (by - ay) / width, (ax - bx) / width
        mx, my = 0.5 * (ax + bx), 0.5 * (ay + by)
        if (start[0] - mx) * nx + (start[1] - my) * ny > 0.0:
            nx, ny = -nx, -ny
        place = (mx + beyond * nx, my + beyond * ny)
        return _Goal(place, max(beyond, 1.0) + 0.5, ((mx, my), (nx, ny), 0.5 * width))
    length = max(math.hypot(x - start[0], y - start[1]), 1e-6)
    place = (x + beyond * (x - start[0]) / length, y + beyond * (y - start[1]) / length)
    return _Goal(place, max(beyond, 1.0) + 0.5)


def _mark(kind: str, loose: Sequence[Track], goal: _Goal, sense: Sense) -> Point:
    """Which of the things to push: the one farthest from the goal, the one nearest to me, or their middle."""
    if kind == "middle":
        return middle(loose)
    if kind == "far":
        chosen = max(loose, key=lambda t: math.hypot(t.x - goal.place[0], t.y - goal.place[1]))
    else:
        chosen = min(loose, key=lambda t: sense.map.distance_to(t.x, t.y))
    return chosen.x, chosen.y


# --- moving about ------------------------------------------------------------------------------------


def full_turn(sense: Sense) -> list[Move]:
    """Turns all the way round, to see everything once."""
    move = sense.motor.left or sense.motor.right
    if move is None:
        return [sense.motor.pause]
    return [move] * max(1, round(math.tau / abs(sense.map.lens.turn)))


def face(sense: Sense, place: Point) -> list[Move]:
    """Turn towards a place as nearly as turns allow; nothing if it is ahead already."""
    return _turns(sense, sense.map.bearing_to(*place))


def walk_to(sense: Sense, place: Point, *, stop: float = 0.0) -> list[Move]:
    """Turn to a place and walk towards it, round what is known to be in the way; nothing once there."""
    forward = sense.motor.forward
    gap = sense.map.distance_to(*place) - stop
    if gap < _ARRIVED or forward is None:
        return []
    turn = abs(sense.map.lens.turn)
    straight = sense.map.bearing_to(*place)
    reach = min(gap, MOST_MOVES)
    options = [turn * round((straight + turn * off) / turn) for off in (0, 1, -1, 2, -2, 3, -3)]
    angle = min(options, key=lambda a: abs(a - straight) + (4.0 if _bumps(sense, a, reach) else 0.0))
    turns = _turns(sense, angle)[:MOST_MOVES]
    steps = max(1, min(round(gap), MOST_MOVES - len(turns)))
    if len(turns) >= MOST_MOVES:
        return turns
    return [*turns, *[forward] * steps]


def _bumps(sense: Sense, angle: float, reach: float) -> bool:
    """Whether a walk of `reach` strides at `angle` from straight ahead meets a place known to be closed."""
    steps = [sense.map.ahead(0.5 * k, turned=angle) for k in range(1, round(2 * reach) + 1)]
    return any(math.dist(step, bump) < _CLEAR for step in steps for bump in sense.map.bumps)


def _turns(sense: Sense, angle: float) -> list[Move]:
    turn = sense.map.lens.turn
    count = round(angle / turn)
    move = sense.motor.left if count > 0 else sense.motor.right
    if move is None:  # only one way to turn: go the long way
        move, count = sense.motor.left or sense.motor.right, round((math.tau - abs(angle)) / abs(turn))
    return [move] * abs(count) if move else []


def _search(sense: Sense) -> list[Move]:
    """Look for what is not known: turn on; after a whole turn walk a little and look again."""
    move = sense.motor.left or sense.motor.right
    if move is None:
        return [sense.motor.pause]
    if sense.searched >= math.tau and sense.motor.forward is not None:
        sense.searched = 0.0
        return [sense.motor.forward] * MOST_MOVES
    count = max(1, round(1.2 * sense.map.lens.half_view / abs(sense.map.lens.turn)))
    sense.searched += count * abs(sense.map.lens.turn)
    return [move] * count


def _watch(sense: Sense, place: Point) -> list[Move]:
    """All is done as far as is known: look round now and then for what is not."""
    if sense.now - sense.memory.get("watched", -math.inf) > 20.0:
        sense.memory["watched"] = sense.now
        return full_turn(sense)
    return face(sense, place) or [sense.motor.pause] * 2


def _polar(origin: Point, angle: float, distance: float) -> Point:
    return origin[0] + distance * math.cos(angle), origin[1] + distance * math.sin(angle)
