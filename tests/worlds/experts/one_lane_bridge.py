"""Scripted drivers for the one-lane bridge. They read the world's state, so they serve as yardsticks only."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from garten.records import Action
from garten.worlds.one_lane_bridge import OneLaneBridge
from garten.worlds.one_lane_bridge import constants as c
from garten.worlds.one_lane_bridge.layout import GOALS
from garten.worlds.one_lane_bridge.world import CAR_CONTACT

Script = Iterator[str]
"""Action names, one at a time, decided when they are asked for."""

STEP = c.CAR_SPEED * 2.0  # metres of one forward action
FORWARDS = round(c.GOAL_DISTANCE / STEP)
SLANT = STEP * math.cos(
    math.radians(c.TURN_SPEED)
)  # how far ahead a forward action goes one turn off the road
ROOM = 0.5 * math.hypot(c.CAR_LENGTH, c.CAR_WIDTH)  # a car turns on the spot in this radius


def play(world: OneLaneBridge, scripts: Mapping[str, Script]) -> None:
    """Let both scripts drive until the episode is over; a script that has ended waits."""
    while not world.over:
        world.act({role: Action(next(scripts[role], "wait")) for role in world.idle})


def plain(world: OneLaneBridge) -> dict[str, Script]:
    """Red parks across the pullout at its end until blue has gone all the way, then drives."""
    return {"blue": straight(), "red": park_then_cross(world)}


def expert(world: OneLaneBridge) -> dict[str, Script]:
    """The car with the shorter way to the bridge goes straight; the other meets it beyond the bridge."""
    ways = {role: way_to_bridge(world, role) for role in GOALS}
    first, second = sorted(ways, key=lambda role: ways[role])
    return {first: straight(), second: step_aside_then_cross(world, second)}


def straight() -> Script:
    """All the way along the middle of the road."""
    yield from ["forward"] * FORWARDS


def park_then_cross(world: OneLaneBridge) -> Script:
    """Red's part of the plain script."""
    pullout = world.layout.pullouts[2]
    turn, back = ("turn_right", "turn_left") if pullout.middle[1] > 0.0 else ("turn_left", "turn_right")
    yield from ["forward", turn, turn, "forward"]
    while world.state.poses[0, 0] < GOALS["blue"] - 0.1:
        yield "wait"
    yield from ["backward", back, back]
    yield from ["forward"] * FORWARDS


def step_aside_then_cross(world: OneLaneBridge, role: str) -> Script:
    """Drive up to the bridge, leave the lane, return to it right behind the other car, and cross."""
    steps = (way_to_bridge(world, role) - ROOM - 2 * SLANT) // STEP
    merge = ["forward", "turn_right"]
    yield from ["forward"] * int(steps)
    yield from ["turn_right", "forward", "turn_left", "turn_left"]
    while not is_free(world, role, [*merge, "forward"]):
        yield "wait"
    yield from merge
    yield from ["forward"] * FORWARDS


def is_free(world: OneLaneBridge, role: str, actions: list[str]) -> bool:
    """Whether `role` can take these actions without contact while the other car drives straight on."""
    fork = OneLaneBridge()
    fork.restore(world.snapshot())
    script = iter(actions)
    for name in script:
        choice = {idle: Action("forward") for idle in fork.idle}
        fork.act({**choice, role: Action(name)})
        while role not in fork.idle:
            fork.act({idle: Action("forward") for idle in fork.idle})
        if CAR_CONTACT in (fork.feedback("blue"), fork.feedback("red")):
            return False
    return True


def way_to_bridge(world: OneLaneBridge, role: str) -> float:
    """Metres from a car's start to the near end of the bridge."""
    bridge = world.layout.bridge
    return bridge.west - GOALS["red"] if role == "blue" else GOALS["blue"] - bridge.east
