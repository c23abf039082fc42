"""The living room's world: spec, tick, score."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from garten.records import (
    ActionSpec,
    Appearance,
    Argument,
    Control,
    Key,
    Measure,
    RoleSpec,
    Score,
    WorldSpec,
)
from garten.scene import Camera
from garten.worlds.living_room import constants as c
from garten.worlds.living_room import home, judge, person
from garten.worlds.living_room.hands import HELD_UP, Hands
from garten.worlds.living_room.layout import Layout, draw
from garten.worlds.living_room.things import THINGS
from garten.worlds.physics.query import Hit, look_along
from garten.worlds.physics.world import PhysicsWorld
from garten.worlds.world import read_task

TICK = float(c.TICK)
ROLE = "person"
BLOCKED = "Something is in your way."
MOVES = frozenset({"forward", "backward", "left", "right"})
"""Buttons with which the hand is drawn back."""

HANDIWORK = ("reach", "grasp", "release", "open", "close", "wait")
"""Buttons that each begin something; of several the first counts."""

WAYS = {"open": 1.0, "close": -1.0}
"""Buttons that go on with something, and which way."""

SLOPE = math.tan(0.5 * Camera.fov_y)
"""How far up a look to the top of the picture goes, for each metre ahead."""

SIGHT = 2.0
"""Metres within which there is something to reach; arms are shorter."""

REACH = (
    Argument("x", "float", -1.0, 1.0, 0.0, "place in the picture, 1: its right edge"),
    Argument("y", "float", -1.0, 1.0, 0.0, "place in the picture, 1: its top"),
)

SPEC = WorldSpec(
    name="living-room",
    version=1,
    title="Run an errand in a flat of three rooms: fetch, put away, sort, set the table, find.",
    roles=(RoleSpec(ROLE, "home", "A person with one hand free."),),
    actions=(
        ActionSpec("forward", 0.5, "Walk half a metre ahead.", ("forward",)),
        ActionSpec("backward", 0.5, "Walk half a metre back.", ("backward",)),
        ActionSpec("turn_left", 0.5, "Turn to the left by 30 degrees.", ("left",)),
        ActionSpec("turn_right", 0.5, "Turn to the right by 30 degrees.", ("right",)),
        ActionSpec("look_up", 0.5, "Tilt your eyes up by 20 degrees.", ("up",)),
        ActionSpec("look_down", 0.5, "Tilt your eyes down by 20 degrees.", ("down",)),
        ActionSpec("reach", 1.0, "Stretch out your hand to what you see there.", ("reach",), REACH),
        ActionSpec("grasp", 1.0, "Take what your hand is at.", ("grasp",)),
        ActionSpec("release", 0.5, "Let go of what you hold.", ("release",)),
        ActionSpec("open", 1.0, "Open what your hand is at.", ("open",)),
        ActionSpec("close", 1.0, "Close what your hand is at.", ("close",)),
        ActionSpec("wait", 0.5, "Stand still, and be told your errand again.", ("wait",)),
    ),
    tick=TICK,
    frame_rate=float(c.FRAME_RATE),
    time_limit=float(c.TIME_LIMIT),
    measure=Measure("score", "of 100", "higher"),
    appearance=Appearance(
        style="flat",
        text="A bright flat seen by somebody who lives there: a living room with a sofa, a dining table and "
        "a wooden floor, a tiled kitchen with a white fridge, a bedroom behind a wooden door.",
    ),
    task=read_task(__file__),
    constants=c.ALL,
    keys=(
        *(Key("w", "forward"), Key("s", "backward"), Key("a", "left"), Key("d", "right")),
        *(Key("ArrowUp", "up"), Key("ArrowDown", "down"), Key(" ", "reach"), Key("g", "grasp")),
        *(Key("r", "release"), Key("o", "open"), Key("p", "close"), Key("t", "wait")),
        *(Key("j", "x", -0.4), Key("l", "x", 0.4), Key("k", "y", -0.5), Key("i", "y", 0.5)),
    ),
)


SECONDS = {action.name: action.seconds for action in SPEC.actions}
"""How long actions last, by name."""


@dataclass
class State:
    """What changes besides the bodies."""

    heading: NDArray[np.float64]  # [1] target of the body's turn, radians
    pitch: NDArray[np.float64]  # [1] of the eyes, radians, up positive
    arm: NDArray[np.float64]  # [3] the hand's target now: see `person.Arm`
    goal: NDArray[np.float64]  # [3] where the hand is going
    travel: NDArray[np.float64]  # [1] height at which it goes there, metres
    pressed: NDArray[np.int64]  # [2] which of `HANDIWORK` is under way or -1, and for how many ticks
    blocked: NDArray[np.int64]  # [1] ticks for which the person has walked in vain
    taken: NDArray[np.bool_]  # [8] which of `THINGS` were ever taken
    done: NDArray[np.int64]  # [1] ticks for which the errand has been done, with an empty hand


class LivingRoom(PhysicsWorld[State]):
    """One person, three rooms, eight things, one errand; see `task.md`."""

    spec = SPEC

    layout: Layout

    # --- the rules ---------------------------------------------------------------------------------

    def _begin(self, rng: np.random.Generator) -> State:
        self.layout = draw(rng)
        self.physics = home.build(self.layout)
        heading = self.layout.person.heading
        self.physics.place_joint(person.BODY, heading)
        self.physics.aim(person.BODY, heading)
        person.place_arm(self.physics, person.CARRY)
        self.physics.advance(float(c.SETTLING))
        self._ways = judge.ways(self.physics, self.layout.errand)
        self._say(ROLE, self.layout.errand.text)
        return State(
            heading=np.array([heading]),
            pitch=np.radians([float(c.LOOK_START)]),
            arm=person.CARRY.copy(),
            goal=person.CARRY.copy(),
            travel=np.array([float(c.CARRY_HEIGHT)]),
            pressed=np.array([-1, 0], np.int64),
            blocked=np.zeros(1, np.int64),
            taken=np.zeros(len(THINGS), np.bool_),
            done=np.zeros(1, np.int64),
        )

    def _tick(self, controls: Mapping[str, Control]) -> bool:
        control = controls[ROLE]
        self._move_body(control.buttons)
        self._move_hand(control)
        self.physics.advance(TICK)
        opened = self.physics.held(person.HANDLE) if "open" in control.buttons else ""
        home.latch(self.physics, opened)
        self._judge()
        return bool(self.state.done[0] >= round(c.DONE_TIME / TICK))

    def _move_body(self, buttons: frozenset[str]) -> None:
        """Walk, turn and look as the buttons say."""
        way = ("forward" in buttons) - ("backward" in buttons)
        turn = ("left" in buttons) - ("right" in buttons)
        look = ("up" in buttons) - ("down" in buttons)
        asked = way * float(c.WALK_SPEED)
        in_vain = way != 0 and way * person.speed_ahead(self.physics) < c.BLOCKED_SHARE * c.WALK_SPEED
        self.state.blocked[0] = self.state.blocked[0] + 1 if in_vain else 0
        if self.state.blocked[0] >= round(c.BLOCKED_TIME / TICK):
            self._say(ROLE, BLOCKED)
        person.walk(self.physics, asked)
        here, most = self.physics.joint(person.BODY), math.radians(20.0)
        wanted = self.state.heading + turn * math.radians(c.TURN_SPEED) * TICK
        self.state.heading[:] = np.clip(wanted, here - most, here + most)
        self.physics.aim(person.BODY, float(self.state.heading[0]))
        self.state.pitch[:] = np.clip(
            self.state.pitch + look * math.radians(c.LOOK_SPEED) * TICK,
            math.radians(c.LOOK_LOWEST),
            math.radians(c.LOOK_HIGHEST),
        )

    def _move_hand(self, control: Control) -> None:
        """Do what the buttons ask of the hand, and bring it further on its way."""
        asked = next((number for number, name in enumerate(HANDIWORK) if name in control.buttons), -1)
        begins = self._press(asked)
        name = HANDIWORK[asked] if asked >= 0 else ""
        hands = Hands(self.physics, self.state.arm, self.state.goal, self.state.travel)
        if name not in WAYS:
            hands.let_go_of_handle()
        if control.buttons & MOVES:
            hands.draw_back()
        told = self._begin_handiwork(hands, name, control.axes) if begins else ""
        if name in WAYS:
            told = told or hands.pull(WAYS[name])
        elif name == "reach" and self._ends() and hands.held_up:
            told = HELD_UP
        told = hands.lose() or told
        if told:
            self._say(ROLE, told)
        hands.advance(TICK)

    def _press(self, asked: int) -> bool:
        """Note which of `HANDIWORK` is asked for; whether it begins now, as it does after each action."""
        before, ticks = self.state.pressed.tolist()
        due = asked >= 0 and ticks >= round(SECONDS[HANDIWORK[asked]] / TICK)
        begins = asked >= 0 and (asked != before or due)
        self.state.pressed[:] = asked, 1 if begins else ticks + 1
        return begins

    def _ends(self) -> bool:
        """Whether the handiwork under way, of which there is some, ends with this tick."""
        number, ticks = self.state.pressed.tolist()
        return bool(ticks == round(SECONDS[HANDIWORK[number]] / TICK))

    def _begin_handiwork(self, hands: Hands, name: str, axes: Mapping[str, float]) -> str:
        """Begin one of `HANDIWORK`; returns what to say."""
        match name:
            case "reach":
                return hands.reach(self.seen_at(axes.get("x", 0.0), axes.get("y", 0.0)))
            case "grasp":
                return hands.grasp()
            case "release":
                return hands.release()
            case "wait":
                return self.layout.errand.text
            case _:
                return "" if self.physics.held(person.HANDLE) else hands.take_handle()

    def _judge(self) -> None:
        """Note what is held and whether all is done."""
        held = self.physics.held(person.GRASP)
        if held:
            self.state.taken[THINGS.index(held)] = True
        done = judge.done(self.physics, self.layout.errand, self.state.taken)
        self.state.done[0] = self.state.done[0] + 1 if done else 0

    # --- the score ---------------------------------------------------------------------------------

    def _score(self) -> Score:
        errand, taken = self.layout.errand, self.state.taken
        met = {goal: judge.met(self.physics, goal, taken) for goal in errand.goals}
        parts = {goal.label: goal.points if met[goal] else 0.0 for goal in errand.goals}
        parts["time left"] = c.TIME_POINTS * self.time_left / c.TIME_LIMIT if all(met.values()) else 0.0
        value = sum(parts.values())
        progress = judge.progress(self.physics, errand, taken, self._ways)
        return Score(value=value, measure=value, parts=parts, progress=progress)

    # --- what can be seen --------------------------------------------------------------------------

    def seen_at(self, x: float, y: float) -> Hit | None:
        """What is seen at a place of the picture, x and y from -1 to 1; it looks through what is held."""
        held, pitch = self.physics.held(person.GRASP), float(self.state.pitch[0])
        right, up = 16.0 / 9.0 * SLOPE * min(max(x, -1.0), 1.0), SLOPE * min(max(y, -1.0), 1.0)
        cos, sin = math.cos(pitch), math.sin(pitch)
        way = self.physics.matrix(person.BODY) @ np.array([cos - up * sin, -right, sin + up * cos])
        without = (person.NAME, held) if held else (person.NAME,)
        return look_along(self.physics, person.eye(self.physics).tolist(), way, most=SIGHT, without=without)

    def _camera(self, role: str) -> Camera:
        heading = self.physics.heading(person.BODY)
        return Camera.at(person.eye(self.physics).tolist(), heading, pitch=float(self.state.pitch[0]))
