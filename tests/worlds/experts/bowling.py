"""An expert at bowling that reads the state: it tries balls in a copy of the world and bowls the best."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from garten.records import Action
from garten.worlds.bowling import Bowling, alley
from garten.worlds.bowling import constants as c

POCKET = 0.08  # metres beside the head pin where strikes are made


def play(world: Bowling) -> None:
    """Play from the present state to the end."""
    copy = Bowling()
    while not world.over:
        world.act({"bowler": Action("wait")})  # clears the lane
        world.act({"bowler": best(world, copy)})


def best(world: Bowling, copy: Bowling) -> Action:
    """The ball that fells most of the pins that stand; the first that fells all."""
    before = world.snapshot()
    standing = int(world.state.standing.sum())
    chosen, most = None, -1
    for ball in balls(world):
        copy.restore(before)
        copy.act({"bowler": ball})
        felled = copy.rolls[-1]
        if felled > most:
            chosen, most = ball, felled
        if felled == standing:
            break
    assert chosen is not None
    return chosen


def balls(world: Bowling) -> Iterator[Action]:
    """Balls worth trying: through the pockets of a full rack, else at the pins that stand."""
    spots = [alley.pin_spots()[number] for number in np.flatnonzero(world.state.standing)]
    if len(spots) == 10:
        crossings = [(alley.LENGTH, side * POCKET) for side in (1.0, -1.0)]
    else:
        crossings = [(x, y + off) for off in (0.0, 0.05, -0.05) for x, y in spots]
    for speed in (0.8, 0.4):
        for position in (-0.6, 0.6, 0.0):
            for crossing in crossings:
                ball = through(world, position, crossing, speed)
                if ball is not None:
                    yield ball


def through(world: Bowling, position: float, crossing: tuple[float, float], speed: float) -> Action | None:
    """The straight ball from a position through a point of the lane, allowing for the arm's pull."""
    heading = math.atan2(crossing[1] + c.RELEASE_MOST * position, crossing[0])
    angle = (world.pull - heading) / math.radians(c.ANGLE_MOST)
    if abs(angle) > 1.0:
        return None
    return Action("bowl", {"position": position, "angle": angle, "speed": speed})
