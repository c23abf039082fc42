"""What people did, read from the state, for reports only: no player is told and no score depends on it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from garten.worlds.hide_and_seek import constants as c
from garten.worlds.hide_and_seek import ground
from garten.worlds.hide_and_seek.hands import FREE
from garten.worlds.hide_and_seek.plan import Door, Plan
from garten.worlds.physics.joints import Joints
from garten.worlds.physics.simulation import Physics

NAMES = (
    "shelter built",  # hiders that seekers cannot walk to when seeking begins
    "entrance blocked",  # doors that nobody can pass then
    "ramp removed",  # ramps that seekers cannot walk to then
    "ramp locked",  # ramps that are locked then
    "ramp used to cross",  # times that somebody came down on the other side of a wall
    "retry after a failed climb",  # climbs that somebody began after one that did not cross
)
"""What is counted, in the order of the counts."""

_SHELTER, _BLOCKED, _REMOVED, _LOCKED, _CROSSED, _RETRIED = range(len(NAMES))

_GROUNDED, _CLIMBING, _ON_WALL, _OVER = 0, 1, 2, 3
"""Where a person is in a climb: not in one, going up, on a wall or just off it, coming down behind it."""

_LANDED = 0.1
"""Metres; lower than this a climb is over."""

_OVER_WALL = 0.5 * (c.SPEED * c.TICK + c.GRID)
"""Metres beside a wall that count as over it: half of what a run covers between two ticks, and of a cell."""


class Strategies:
    """Counts what the people of one episode do; A of them, hiders first."""

    def __init__(
        self,
        physics: Physics,
        plan: Plan,
        things: Sequence[str],
        hiders: Sequence[str],
        seekers: Sequence[str],
    ) -> None:
        self._physics = physics
        self._plan = plan
        self._things = things
        self._hiders, self._seekers = hiders, seekers
        self._heights = Joints(physics, [f"{role}/z" for role in (*hiders, *seekers)])
        self._walls = ~ground.walls_free(plan, _OVER_WALL)

    def note_preparation(self, counts: NDArray[np.int64], owners: NDArray[np.int64]) -> None:
        """Count what the hiders have made of the arena by the moment at which seeking begins.

        Args:
            counts: Changed; [names].
            owners: Who has locked each thing, [things].
        """
        free = ground.walkable(self._physics, self._plan, self._things)
        known = np.zeros_like(free)
        for seeker in self._seekers:
            known |= ground.reached(free, *self._place(seeker))
        counts[_SHELTER] = sum(not known[ground.cell(*self._place(hider))] for hider in self._hiders)
        counts[_BLOCKED] = sum(not _is_open(free, door) for door in self._plan.doors)
        for thing, owner in zip(self._things, owners.tolist(), strict=True):
            if thing.startswith("ramp"):
                counts[_REMOVED] += not (known & ground.around(*self._place(thing))).any()
                counts[_LOCKED] += owner != FREE

    def note_climbs(self, counts: NDArray[np.int64], climbs: NDArray[np.int64]) -> None:
        """Follow everybody's climbs; called every tick.

        Args:
            counts: Changed; [names].
            climbs: Changed; [A, 3]: where each is in a climb, the room it began in, whether the last failed.
        """
        heights = self._heights.values()
        if not climbs[:, 0].any() and heights.max() <= c.CLIMBED:
            return
        for climb, role, height in zip(climbs, (*self._hiders, *self._seekers), heights, strict=True):
            place = self._place(role)
            room = self._plan.room_of(*place)
            if climb[0] == _GROUNDED:
                if height > c.CLIMBED:
                    climb[:2] = _CLIMBING, room
                    counts[_RETRIED] += climb[2]
            elif height > c.ON_WALL and self._walls[ground.cell(*place)]:
                climb[0] = _ON_WALL
            elif height < c.ON_WALL and climb[0] == _ON_WALL and room != climb[1]:
                climb[:2] = _OVER, room
                counts[_CROSSED] += 1
            elif height < _LANDED:
                climb[:] = _GROUNDED, 0, climb[0] != _OVER

    def _place(self, name: str) -> tuple[float, float]:
        return self._physics.joint(f"{name}/x"), self._physics.joint(f"{name}/y")


def _is_open(free: ground.Cells, door: Door) -> bool:
    """Whether one can walk from one side of a door to the other without a long way round."""
    inside = ground.around(door.x, door.y, 1.2)
    sides = [door.beside(side * 0.8) for side in (-1.0, 1.0)]
    return bool(ground.reached(free & inside, *sides[0])[ground.nearest(free & inside, *sides[1])])
