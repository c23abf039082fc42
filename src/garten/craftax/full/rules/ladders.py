# mypy: ignore-errors
# ruff: noqa: SIM102 - Warp takes int(0), not 0, for a variable that a branch changes
"""Going down and up; the way down opens when enough monsters of the floor are dead."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.exchange import Exchange
from garten.craftax.full.rules.ground import set_occupied, thing_at
from garten.craftax.full.state import Rules, Settings, State
from garten.craftax.full.tables import FLOOR_ACHIEVEMENTS, FLOORS, MELEE, PASSIVE, RANGED, Action, Thing
from garten.craftax.rules.achieve import unlock

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_LAST_FLOOR = wp.constant(FLOORS - 1)
_MELEE = wp.constant(MELEE)
_PASSIVE = wp.constant(PASSIVE)
_RANGED = wp.constant(RANGED)
_ENTERED = wp.constant(wp.types.vector(FLOORS, int)(*(int(done) for done in FLOOR_ACHIEVEMENTS)))


@wp.func
def change_floor(s: State, p: Settings, r: Rules, x: Exchange, lane: int, table: int, action: int):
    """Descend or ascend if the action says so and it can be done; a new floor gives experience."""
    floor = int(s.floor[lane])
    god = bool(p.god_mode[lane])
    here = thing_at(s, lane, s.player_position[lane])
    if action == Action.DESCEND and floor < _LAST_FLOOR:
        if god or (
            here == Thing.LADDER_DOWN and s.kills[lane, floor] >= p.monsters_killed_to_clear_level[lane]
        ):
            _arrive(s, r, lane, table, floor + 1, s.up_ladder[lane, floor + 1])
    if action == Action.ASCEND and floor > 0:
        if god or here == Thing.LADDER_UP:
            _arrive(s, r, lane, table, floor - 1, s.down_ladder[lane, floor - 1])
    now = int(s.floor[lane])
    if now != 0 and not s.achievements[lane, _ENTERED[now]]:
        unlock(s, r, x, lane, table, _ENTERED[now])
        s.experience[lane] = s.experience[lane] + 1


@wp.func
def _arrive(s: State, r: Rules, lane: int, table: int, floor: int, place: wp.vec2i):
    """Come to a floor. In 1.6.1 a creature that stands there stays, on the player's tile."""
    s.player_position[lane] = place
    s.floor[lane] = floor
    if r.fixed[table]:
        _give_way(s.melee_position, s.melee_alive, _MELEE, lane, floor, place)
        _give_way(s.passive_position, s.passive_alive, _PASSIVE, lane, floor, place)
        _give_way(s.ranged_position, s.ranged_alive, _RANGED, lane, floor, place)
        set_occupied(s, lane, place, False)


@wp.func
def _give_way(
    positions: wp.array3d(dtype=wp.vec2i),
    alive: wp.array3d(dtype=bool),
    slots: int,
    lane: int,
    floor: int,
    place: wp.vec2i,
):
    """Let creatures of a kind that stand on a place vanish."""
    for slot in range(slots):
        if positions[lane, floor, slot] == place:
            alive[lane, floor, slot] = False
