"""What agents trained on numbers are told: themselves, people and things in sight, and a lidar."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from garten.worlds.hide_and_seek import constants as c
from garten.worlds.hide_and_seek import eyes
from garten.worlds.hide_and_seek.ground import HALF_SIZES
from garten.worlds.hide_and_seek.hands import FREE
from garten.worlds.physics import query
from garten.worlds.physics.joints import Joints
from garten.worlds.physics.simulation import Physics, Vector

FAR = float(c.ARENA)
"""Metres that count as 1."""

_WAIST = 0.5 * float(c.BODY_HEIGHT)
_ANGLES = -np.linspace(0.0, math.tau, int(c.LIDAR_RAYS), endpoint=False)


class Senses:
    """The senses of everybody; A people, T things, N of both. Lengths are shares of 12 m.

    What a role is told, all float32, in its own frame where it is about others:

    * ``self`` [11]: x, y, height; cosine and sine of its heading; speed ahead and to the right (shares of
      full speed) and turning to the right (share of full turning); pitch (share); whether it holds something;
      whether seeking has begun.
    * ``people`` [A - 1, 7], the others in the order of the roles: known; team-mate; ahead, right, up; cosine
      and sine of the heading against its own. Team-mates are always known, others in sight; the rest is 0.
    * ``things`` [T, 9]: in sight; ahead, right; cosine and sine of the heading against its own; half length,
      half width; locked by its own team; locked by the other. What is out of sight is 0.
    * ``lidar`` [32]: how far it is to something solid, from straight ahead round by the right.
    """

    def __init__(
        self, physics: Physics, hiders: Sequence[str], seekers: Sequence[str], things: Sequence[str]
    ) -> None:
        self._physics = physics
        self._people = (*hiders, *seekers)
        self._teams = np.array([1] * len(hiders) + [2] * len(seekers))
        names = [*self._people, *things]
        self._planar = Joints(physics, [f"{name}/{axis}" for axis in ("x", "y", "turn") for name in names])
        self._heights = Joints(physics, [f"{name}/z" for name in self._people])
        self._bodies = np.array([physics.body(name) for name in names])
        boxes = [0.5 * c.BOX if name.startswith("box") else 0.5 * c.PANEL_HEIGHT for name in things]
        self._middles = np.array([_WAIST] * len(self._people) + boxes)
        self._sizes = np.array([HALF_SIZES[name.split("-")[0]] for name in things]) / FAR

    def of_all(
        self,
        pitches: Vector,
        holds: Sequence[bool],
        owners: NDArray[np.int64],
        *,
        is_seeking: bool,
    ) -> dict[str, dict[str, NDArray[np.float32]]]:
        """What every role is told; seekers with closed eyes nothing of others and of what is around.

        Args:
            pitches: By how much each raises its eyes, [A] radians.
            holds: Who holds something, [A].
            owners: Who has locked each thing, [T].
            is_seeking: Whether seekers have opened their eyes.
        """
        places, headings = self._poses()
        others = _seen_from(places, headings, len(self._people))
        awake = [row for row, team in enumerate(self._teams) if team == 1 or is_seeking]
        seen, lidars = np.zeros(others.shape[:2]), np.zeros((len(self._people), len(_ANGLES)))
        for row in awake:
            self._look_around(row, places, headings, pitches[row], seen[row], lidars[row])
        own = self._of_self(places, headings)
        own[:, 8], own[:, 9], own[:, 10] = pitches / math.radians(c.EYE_PITCH), holds, is_seeking
        people, things = self._of_people(others, seen), self._of_things(others, seen, owners)
        parts = {"self": own, "people": people, "things": things, "lidar": lidars}
        single = {name: values.astype(np.float32) for name, values in parts.items()}
        return {
            role: {name: values[row] for name, values in single.items()}
            for row, role in enumerate(self._people)
        }

    def _poses(self) -> tuple[Vector, Vector]:
        """Where the middles of all are, [N, 3] metres, and how they face, [N] radians."""
        x, y, headings = self._planar.values().reshape(3, -1)
        places = np.stack([x, y, self._middles], axis=1)
        places[: len(self._people), 2] += self._heights.values()
        return places, headings

    def _look_around(
        self, row: int, places: Vector, headings: Vector, pitch: float, seen: Vector, lidar: Vector
    ) -> None:
        """Fill in whose middles somebody sees, [N], and its lidar, [rays]."""
        role, heading = self._people[row], float(headings[row])
        start = places[row] + (0.0, 0.0, c.LIDAR_HEIGHT - _WAIST)
        angles = heading + _ANGLES
        around = np.stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)], axis=1)
        lidar[:] = query.rays(self._physics, start, around, most=FAR, without=role)[0] / FAR
        ahead = c.EYE_AHEAD * math.cos(heading), c.EYE_AHEAD * math.sin(heading)
        eye = places[row] + (*ahead, c.EYE_HEIGHT - _WAIST)
        ways = places - eye
        rows = np.flatnonzero(eyes.in_view(ways, heading, pitch))
        if len(rows):
            ways = ways[rows] / np.linalg.norm(ways[rows], axis=1, keepdims=True)
            met = query.rays(self._physics, eye, ways, most=2.0 * FAR, without=role)[1]
            seen[rows] = met == self._bodies[rows]

    def _of_self(self, places: Vector, headings: Vector) -> Vector:
        """The first part of what each is told of itself, [A, 11]; the rest is left to fill in."""
        count = len(self._people)
        own = np.zeros((count, 11))
        own[:, :3] = places[:count] / FAR
        own[:, 2] -= _WAIST / FAR
        cos, sin = np.cos(headings[:count]), np.sin(headings[:count])
        speed_x, speed_y, turning = self._planar.speeds().reshape(3, -1)[:, :count]
        own[:, 3], own[:, 4] = cos, sin
        own[:, 5] = (speed_x * cos + speed_y * sin) / c.SPEED
        own[:, 6] = (speed_x * sin - speed_y * cos) / c.SPEED
        own[:, 7] = -turning / math.radians(c.TURN_RATE)
        return own

    def _of_people(self, others: Vector, seen: Vector) -> Vector:
        """What each is told of the other people, [A, A - 1, 7]."""
        count = len(self._people)
        mates = self._teams == self._teams[:, None]
        known = np.maximum(seen[:, :count], mates)
        told = np.concatenate([known[..., None], mates[..., None], others[:, :count]], axis=2)
        rest = ~np.eye(count, dtype=np.bool_)
        return np.array((told * known[..., None])[rest].reshape(count, count - 1, -1))

    def _of_things(self, others: Vector, seen: Vector, owners: NDArray[np.int64]) -> Vector:
        """What each is told of the things, [A, T, 9]."""
        count = len(self._people)
        told = np.ones((count, len(self._sizes), 9))
        told[..., 1:5] = others[:, count:, [0, 1, 3, 4]]
        told[..., 5:7] = self._sizes
        told[..., 7] = owners == self._teams[:, None]
        told[..., 8] = (owners != FREE) & (owners != self._teams[:, None])
        shown: Vector = told * seen[:, count:, None]
        return shown


def _seen_from(places: Vector, headings: Vector, count: int) -> Vector:
    """All as the first `count` of them have them before them, [count, N, 5].

    That is ahead, to the right and above, as shares of 12 m, cosine and sine of how much they face elsewhere.
    """
    away = (places - places[:count, None]) / FAR
    turns = headings - headings[:count, None]
    cos, sin = np.cos(headings[:count, None]), np.sin(headings[:count, None])
    ahead, right = away[..., 0] * cos + away[..., 1] * sin, away[..., 0] * sin - away[..., 1] * cos
    return np.stack([ahead, right, away[..., 2], np.cos(turns), np.sin(turns)], axis=2)
