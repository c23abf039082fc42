"""An expert at penalties that reads the state: it kicks away from dives, and dives where the ball goes."""

from __future__ import annotations

from garten.records import Action
from garten.worlds.penalty_shootout import PenaltyShootout
from garten.worlds.penalty_shootout import constants as c
from garten.worlds.penalty_shootout.world import NOT_YET, ROLES

POWER = 0.9
CORNER = 3.2  # metres from the middle of the goal


def action(world: PenaltyShootout, role: str) -> Action:
    """The next action of a role."""
    if ROLES.index(role) == world.kicker:
        return shoot(world) if world.state.turn[2] == NOT_YET else Action("wait")
    return keep(world) if world.dive is None and world.state.turn[2] != NOT_YET else Action("wait")


def shoot(world: PenaltyShootout) -> Action:
    """Hard into the corner away from a dive, allowing for the wind."""
    side = 1.0 if world.dive is None or world.dive.side >= 0.0 else -1.0
    seconds = c.SPOT / (c.SLOWEST + (c.FASTEST - c.SLOWEST) * POWER)
    aim = (side * CORNER - 0.5 * world.wind * seconds**2) / c.WIDEST
    return Action("shoot", {"aim": aim, "lift": 0.1, "power": POWER})


def keep(world: PenaltyShootout) -> Action:
    """To where the ball will be."""
    y, z = world.shot.arrival
    side = min(max(-y / c.DIVE_WIDTH, -1.0), 1.0)
    lift = min(max((z - c.DIVE_LOW) / (c.DIVE_HIGH - c.DIVE_LOW), 0.0), 1.0)
    return Action("dive", {"side": side, "lift": lift})
