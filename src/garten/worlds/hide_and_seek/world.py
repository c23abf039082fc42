"""Hide-and-seek: who acts when, the tick, who is seen, the score."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from garten.records import ActionSpec, Control, Score
from garten.scene import Camera, Scene
from garten.worlds.hide_and_seek import arena, eyes
from garten.worlds.hide_and_seek import constants as c
from garten.worlds.hide_and_seek.hands import FREE, Hands
from garten.worlds.hide_and_seek.layout import Layout, draw
from garten.worlds.hide_and_seek.legs import BEAT_TICKS, Legs
from garten.worlds.hide_and_seek.senses import Senses
from garten.worlds.hide_and_seek.spec import HIDERS, SEEKERS, make_spec, roles_of
from garten.worlds.hide_and_seek.strategies import NAMES, Strategies
from garten.worlds.physics.world import PhysicsWorld
from garten.worlds.world import RESTING

TICK = float(c.TICK)
PREPARATION_TICKS, SEEKING_TICKS = (round(time / TICK) for time in (c.PREPARATION, c.SEEKING))
NEVER = -1
"""Tick of what has not happened."""

IN_THE_WAY = "Something is in your way."
REACHED = "A hider has been reached: the game is over."


@dataclass
class State:
    """What changes besides the bodies; A people in the order of the roles, T movable things."""

    pitch: NDArray[np.float64]  # [A] radians by which eyes are raised
    course: NDArray[np.float64]  # [A, 4] of a goto: see `Legs`
    pressed: NDArray[np.int64]  # [A, 2] what hands are asked for, 0: nothing, and for how many ticks
    owners: NDArray[np.int64]  # [T] who has locked each thing: FREE, 1 hiders, 2 seekers
    seen: NDArray[np.int64]  # [3] ticks seen and unseen, tick of the first sight
    nearest: NDArray[np.float64]  # [1] metres, the least that a seeker was away from a hider; 0 once reached
    counts: NDArray[np.int64]  # [strategies]
    climbs: NDArray[np.int64]  # [A, 3] see `Strategies.note_climbs`


def _is_on(control: Control) -> bool:
    """Whether hands are to do something, not to undo it."""
    return control.axes.get("on", 1.0) >= 0.5


class HideAndSeek(PhysicsWorld[State]):
    """Two teams, one arena; see `task.md`."""

    spec = make_spec(together=False, hiders=1, seekers=1)

    @classmethod
    def configured(cls, settings: Mapping[str, int]) -> type[Self]:
        """As `World.configured`; the settings decide the roles too."""
        made = super().configured(settings)
        made.spec = make_spec(
            together=bool(made.setting("together")),
            hiders=made.setting("hiders"),
            seekers=made.setting("seekers"),
        )
        return made

    # --- the rules ---------------------------------------------------------------------------------

    def _begin(self, rng: np.random.Generator) -> State:
        self.hiders = roles_of(HIDERS, self.setting("hiders"))
        self.seekers = roles_of(SEEKERS, self.setting("seekers"))
        self.people = (*self.hiders, *self.seekers)
        self.layout: Layout = draw(rng, hiders=len(self.hiders), seekers=len(self.seekers))
        self.things = arena.things(self.layout)
        self.physics = arena.build(self.layout, self.hiders, self.seekers)
        self._belts = arena.belts(self.physics, self.things)
        self.hands = Hands(self.physics, self.people, self.things)
        self._senses = Senses(self.physics, self.hiders, self.seekers, self.things)
        self._legs = Legs(self.physics, self.people)
        self._strategies = Strategies(self.physics, self.layout.plan, self.things, self.hiders, self.seekers)
        return State(
            pitch=np.zeros(len(self.people)),
            course=np.zeros((len(self.people), 4)),
            pressed=np.zeros((len(self.people), 2), np.int64),
            owners=np.full(len(self.things), FREE),
            seen=np.array([0, 0, NEVER]),
            nearest=np.array([float(c.ARENA)]),
            counts=np.zeros(len(NAMES), np.int64),
            climbs=np.zeros((len(self.people), 3), np.int64),
        )

    @property
    def is_seeking(self) -> bool:
        """Whether the preparation is over."""
        return self.ticks >= PREPARATION_TICKS

    def _acts(self, role: str) -> bool:
        """Whether it is a role's time to act."""
        if role in self.seekers:
            return self.is_seeking
        return not self.is_seeking or bool(self.setting("together"))

    def _waits(self, role: str) -> int:
        if self._acts(role):
            return 0
        return RESTING if self.is_seeking else PREPARATION_TICKS - self.ticks

    def _control(self, spec: ActionSpec, arguments: Mapping[str, float]) -> Control:
        return Control(
            frozenset(spec.buttons), {name: value for name, value in arguments.items() if name != "steps"}
        )

    def _tick(self, controls: Mapping[str, Control]) -> bool:
        if self.ticks == PREPARATION_TICKS:
            self._strategies.note_preparation(self.state.counts, self.state.owners)
        held = [controls[role] if self._acts(role) else Control() for role in self.people]
        for row, (role, control) in enumerate(zip(self.people, held, strict=True)):
            if self._begins_handiwork(row, control):
                self._use_hands(role, control)
            if "pitch" in control.axes:
                pitch = min(max(control.axes["pitch"], -1.0), 1.0)
                self.state.pitch[row] = pitch * math.radians(c.EYE_PITCH)
        self._legs.drive([control.axes for control in held], self.state.course)
        self.physics.advance(TICK)
        for role, is_stuck in zip(self.people, self._legs.stuck().tolist(), strict=True):
            if is_stuck:
                self._say(role, IN_THE_WAY)
        self._strategies.note_climbs(self.state.counts, self.state.climbs)
        return self.is_seeking and self._look_for_hiders()

    def _begins_handiwork(self, row: int, control: Control) -> bool:
        """Whether hands are to do something in this tick, which they do once a beat and not in every tick."""
        uses = ("pull" in control.buttons) + 2 * ("lock" in control.buttons)
        asked = 2 * uses + _is_on(control) if uses else 0
        before, ticks = self.state.pressed[row].tolist()
        begins = uses > 0 and (asked != before or ticks == BEAT_TICKS)
        self.state.pressed[row] = asked, 1 if begins else ticks + 1
        return begins

    def _use_hands(self, role: str, control: Control) -> None:
        on = _is_on(control)
        if "pull" in control.buttons:
            self._say(role, self.hands.pull(role, on=on))
        if "lock" in control.buttons:
            team = 1 + (role in self.seekers)
            self._say(role, self.hands.lock(role, self.state.owners, team=team, on=on))

    def _look_for_hiders(self) -> bool:
        """Count a tick as seen or unseen; True once a hider is reached."""
        state = self.state
        places = {role: self.physics.position(role) for role in self.people}
        apart = {
            (seeker, hider): math.dist(places[seeker], places[hider])
            for seeker in self.seekers
            for hider in self.hiders
        }
        is_seen = any(eyes.sees(self.physics, *pair, self._pitch(pair[0])) for pair in apart)
        near = [pair for pair, metres in apart.items() if metres < c.CAUGHT + c.BODY_HEIGHT]
        is_reached = any(eyes.touches(self.physics, *pair) for pair in near)
        state.seen[0 if is_seen else 1] += 1
        if (is_seen or is_reached) and state.seen[2] == NEVER:
            state.seen[2] = self.ticks
        state.nearest[0] = min(float(state.nearest[0]), *apart.values())
        if not is_reached:
            return False
        state.nearest[0] = 0.0
        state.seen[0] = SEEKING_TICKS - state.seen[1]
        for role in self.people:
            self._say(role, REACHED)
        return True

    def _pitch(self, role: str) -> float:
        return float(self.state.pitch[self.people.index(role)])

    # --- the score ---------------------------------------------------------------------------------

    def _score(self) -> Score:
        seen, unseen, first = self.state.seen.tolist()
        hidden, found = (100.0 * ticks / SEEKING_TICKS for ticks in (unseen, seen))
        soon = 0.0 if first == NEVER else 1.0 - (first - PREPARATION_TICKS) / SEEKING_TICKS
        parts = {"seen": found, "first sight": min(c.FIRST_SIGHT_POINTS * soon, 100.0 - found)}
        near = 1.0 - min(float(self.state.nearest[0]) / c.ARENA, 1.0)
        hiders = Score(hidden, hidden, {"unseen": hidden}, hidden / 100.0)
        seekers = Score(sum(parts.values()), found, parts, near)
        return Score(hidden, hidden, hiders.parts, hiders.progress, teams={HIDERS: hiders, SEEKERS: seekers})

    def strategies(self) -> dict[str, int]:
        """How often each of the strategies of `strategies.NAMES` was seen; for reports only."""
        return dict(zip(NAMES, self.state.counts.tolist(), strict=True))

    def senses(self) -> dict[str, dict[str, NDArray[np.float32]]]:
        """What agents trained on numbers are told; see `Senses`."""
        holds = [bool(self.hands.holds(role)) for role in self.people]
        return self._senses.of_all(self.state.pitch, holds, self.state.owners, is_seeking=self.is_seeking)

    # --- what can be seen --------------------------------------------------------------------------

    def _scene(self) -> Scene:
        return arena.with_locks(super()._scene(), self._belts, self.state.owners)

    def _is_blind(self, role: str) -> bool:
        return role in self.seekers and not self.is_seeking

    def _camera(self, role: str) -> Camera:
        if self._is_blind(role):
            return eyes.closed(self.physics, role)
        return eyes.view(self.physics, role, self._pitch(role))
