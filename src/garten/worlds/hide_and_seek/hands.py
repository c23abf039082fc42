"""What hands do: find what is in reach, pull it along or let it go, lock and unlock it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from garten.worlds.hide_and_seek import constants as c
from garten.worlds.physics import query
from garten.worlds.physics.simulation import Physics

FREE = 0
"""The owner of a thing that nobody has locked; teams are numbered from 1."""

NOTHING = "Nothing that can be moved is in reach."
HOLDING = "You hold something."
LET_GO = "You hold nothing."
LOCKED = "It is locked, so it cannot be pulled."
LOCKS = "It is locked now."
UNLOCKS = "It is not locked."
THEIRS = "The other team has locked it."

_SIDES = np.radians(np.array([0.0, -0.5, 0.5, -1.0, 1.0]) * c.REACH_SIDE)


class Hands:
    """The hands of everybody: `roles` of a simulation, and the movable `things` in it."""

    def __init__(self, physics: Physics, roles: Sequence[str], things: Sequence[str]) -> None:
        self._physics = physics
        self._roles = roles
        self._things = things

    def holds(self, role: str) -> str:
        """The thing that a role holds, or ""."""
        return self._physics.held(f"{role}-hand")

    def in_reach(self, role: str) -> str:
        """What the role holds, or else the nearest movable thing ahead, or ""."""
        if held := self.holds(role):
            return held
        angles = self._physics.heading(role) + _SIDES
        ways = np.stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)], axis=1)
        start = self._physics.points(role, [(0.0, 0.0, float(c.REACH_HEIGHT))])[0]
        most = float(c.BODY_RADIUS + c.REACH)
        distances, bodies = query.rays(self._physics, start, ways, most=most, without=role)
        met = [self._physics.name_of(body) if body >= 0 else "" for body in bodies.tolist()]
        near = [
            (distance, name) for distance, name in zip(distances, met, strict=True) if name in self._things
        ]
        return min(near)[1] if near else ""

    def pull(self, role: str, *, on: bool) -> str:
        """Grab what is in reach, or let go of what is held; returns what the role is told."""
        if not on:
            self._physics.let_go(f"{role}-hand")
            return LET_GO
        found = self.in_reach(role)
        if not found:
            return NOTHING
        if self._physics.held(f"{found}-lock"):
            return LOCKED
        if not self.holds(role):
            self._physics.grab(f"{role}-hand", found)
        return HOLDING

    def lock(self, role: str, owners: NDArray[np.int64], *, team: int, on: bool) -> str:
        """Lock what is in reach for a team, or unlock it; returns what the role is told.

        `owners`, [things], holds who has locked each thing. All hands let go of what is locked.
        """
        found = self.in_reach(role)
        if not found:
            return NOTHING
        row = self._things.index(found)
        if owners[row] not in (FREE, team):
            return THEIRS
        owners[row] = team if on else FREE
        if not on:
            self._physics.let_go(f"{found}-lock")
            return UNLOCKS
        if not self._physics.held(f"{found}-lock"):
            self._physics.grab(f"{found}-lock", found)
        for other in self._roles:
            if self.holds(other) == found:
                self._physics.let_go(f"{other}-hand")
        return LOCKS
