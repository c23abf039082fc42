"""What the hand does: reach, take, let go, open and close. Whatever it holds is held by a constraint."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from garten.worlds.living_room import constants as c
from garten.worlds.living_room import person
from garten.worlds.living_room.home import LATCHES, MOVABLE
from garten.worlds.living_room.person import GRASP, HAND, HANDLE, Arm
from garten.worlds.living_room.things import THINGS
from garten.worlds.physics.query import Hit, bounds, clearance
from garten.worlds.physics.simulation import Physics

TOO_FAR = "That is out of your reach."
NO_PLACE = "Nothing can be put down there."
FULL = "Your hand is full."
EMPTY = "Your hand is empty."
NOTHING = "There is nothing to take where your hand is."
HELD_UP = "Something is in the way of your hand."
LOST = "It slipped out of your hand."
NO_HANDLE = "There is nothing to open or close where your hand is."
SLIPPED = "Your arm is too short to move it further from here."

LEVEL = 0.7
"""How far up a surface must face, as the z of its normal, for something to be put down on it."""


@dataclass(frozen=True)
class Hands:
    """The hand of a person in a simulation, and where it is going; the arrays are written to."""

    physics: Physics
    arm: Arm  # [3] its target now
    goal: Arm  # [3] where it is going
    travel: NDArray[np.float64]  # [1] height at which it goes there, metres

    @property
    def holds(self) -> str:
        """The thing in the hand, or ""."""
        return self.physics.held(GRASP)

    def advance(self, seconds: float) -> None:
        """Bring the hand further on its way."""
        self.arm[:] = person.on_the_way(self.arm, self.goal, float(self.travel[0]), seconds)
        person.aim_arm(self.physics, self.arm)

    @property
    def held_up(self) -> bool:
        """Whether the hand has been sent somewhere and is kept from it."""
        return bool((self.arm == self.goal).all() and self._off() > c.HAND_OFF)

    def lose(self) -> str:
        """Let go of what is held far up by something; returns what to say."""
        if not self.holds or self._off() <= c.LOST:
            return ""
        self.physics.let_go(GRASP)
        return LOST

    def draw_back(self) -> None:
        """Send the hand back to where it carries things."""
        self._send(person.CARRY, from_height=float(self.arm[2]))

    def reach(self, seen: Hit | None) -> str:
        """Send the hand to what is seen; what it holds is to end up just above that. Returns what to say."""
        if seen is None:
            return TOO_FAR
        if self.holds and seen.normal[2] < LEVEL:
            return NO_PLACE
        arm = self._putting(seen.point) if self.holds else person.arm_at(self.physics, seen.point)
        if not person.within(arm):
            return TOO_FAR
        self._send(arm, from_height=float(arm[2]))
        return ""

    def grasp(self) -> str:
        """Take hold of the nearest thing that the hand touches; returns what to say."""
        if self.holds:
            return FULL
        near = self._nearest(THINGS)
        if not near:
            return NOTHING
        self.physics.grab(GRASP, near, at=self._place().tolist())
        self.draw_back()
        return ""

    def release(self) -> str:
        """Let go of what the hand holds; returns what to say."""
        if not self.holds:
            return EMPTY
        self.physics.let_go(GRASP)
        self.draw_back()
        return ""

    def take_handle(self) -> str:
        """Take hold of what opens and closes where the hand is, by that point; returns what to say."""
        if self.holds:
            return FULL
        near = self._nearest(MOVABLE)
        if not near:
            return NO_HANDLE
        self.physics.grab(HANDLE, near, at=self._place().tolist())
        return ""

    def pull(self, way: float) -> str:
        """Go on opening (1) or closing (-1) what the hand has taken hold of; returns what to say."""
        part = self.physics.held(HANDLE)
        if not part:
            return ""
        if way > 0.0 and part in LATCHES:
            self.physics.let_go(LATCHES[part])
        ahead = way * float(c.PULL) * self._opening(part)
        wanted = person.arm_at(self.physics, self._place() + ahead)
        possible = np.clip(wanted, person.LEAST, person.MOST)
        if abs(wanted - possible).max() > c.SLIP:
            self.let_go_of_handle()
            return SLIPPED
        self.arm[:] = self.goal[:] = possible
        self.travel[0] = possible[2]
        return ""

    def let_go_of_handle(self) -> None:
        """Let go of what opens and closes, if the hand holds it."""
        self.physics.let_go(HANDLE)

    # --- inside ------------------------------------------------------------------------------------

    def _send(self, goal: Arm, *, from_height: float) -> None:
        """Send the hand somewhere, above the height of where it takes something or puts it down."""
        if not (self.goal == goal).all():
            self.goal[:] = goal
            self.travel[0] = min(from_height + c.HAND_LIFT, float(c.HAND_HIGHEST))

    def _off(self) -> float:
        """How far the hand is from its target, metres."""
        out, swing, lift = (self.physics.joint(part) for part in (HAND, person.SWING, person.LIFT))
        aside = out * (swing - self.arm[1])
        return math.hypot(out - self.arm[0], aside, lift - self.arm[2])

    def _place(self) -> NDArray[np.float64]:
        return self.physics.position(HAND)

    def _putting(self, point: NDArray[np.float64]) -> Arm:
        """How the arm brings what it holds over a point, its lowest part a little higher than that."""
        thing, hand = self.holds, self._place()
        lowest = float(bounds(self.physics, thing)[0][2])
        offset = (self.physics.position(thing) - hand) @ self.physics.matrix(HAND)
        above = point + np.array([0.0, 0.0, c.GAP + hand[2] - lowest])
        arm = person.arm_at(self.physics, above, aside=float(offset[1]))
        arm[0] -= offset[0]
        return arm

    def _nearest(self, names: tuple[str, ...]) -> str:
        """The nearest of these that the hand touches, or ""."""
        most = float(c.TOUCH)
        gaps = {name: clearance(self.physics, HAND, name, most=most) for name in names}
        near = min(names, key=lambda name: gaps[name])
        return near if gaps[near] < most else ""

    def _opening(self, part: str) -> NDArray[np.float64]:
        """The way in which a part moves where the hand holds it as it opens, [3] unit length."""
        physics = self.physics
        low, high = physics.limits(part)
        sign = 1.0 if high > -low else -1.0
        if not physics.turns(part):
            return sign * physics.matrix(part)[:, 0]
        x, y, _ = self._place() - physics.position(part)
        return sign * np.array([-y, x, 0.0]) / max(float(np.hypot(x, y)), 1e-6)
