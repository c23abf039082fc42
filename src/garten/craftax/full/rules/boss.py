# mypy: ignore-errors

"""The necromancer on the last floor: waves of creatures, and blows when none is left."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.exchange import Exchange
from garten.craftax.full.state import Rules, State
from garten.craftax.full.tables import FLOORS, MELEE, RANGED, Achievement
from garten.craftax.rules.achieve import unlock

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_LAST_FLOOR = wp.constant(FLOORS - 1)
_MELEE = wp.constant(MELEE)
_RANGED = wp.constant(RANGED)


@wp.func
def fights_boss(s: State, lane: int) -> bool:
    """Whether the player is on the necromancer's floor."""
    return s.floor[lane] == _LAST_FLOOR


@wp.func
def has_won(s: State, lane: int) -> bool:
    """Whether the necromancer is beaten."""
    return s.boss_progress[lane] >= _LAST_FLOOR


@wp.func
def is_vulnerable(s: State, lane: int) -> bool:
    """Whether the wave is over and no monster of it lives; it is asked on any floor."""
    floor = s.floor[lane]
    for slot in range(_MELEE):
        if s.melee_alive[lane, floor, slot]:
            return False
    for slot in range(_RANGED):
        if s.ranged_alive[lane, floor, slot]:
            return False
    return s.boss_timer[lane] <= 0


@wp.func
def hit_boss(s: State, r: Rules, x: Exchange, lane: int, table: int, reaches: bool):
    """Hurt the necromancer if it can be hurt; the next wave begins."""
    if fights_boss(s, lane) and is_vulnerable(s, lane):
        s.boss_progress[lane] = s.boss_progress[lane] + 1
        s.boss_timer[lane] = r.wave_steps[table]
        if reaches:
            unlock(s, r, x, lane, table, int(Achievement.DAMAGE_NECROMANCER))


@wp.func
def advance_boss(s: State, r: Rules, x: Exchange, lane: int, table: int):
    """A step of the fight."""
    if has_won(s, lane):
        unlock(s, r, x, lane, table, int(Achievement.DEFEAT_NECROMANCER))
    if fights_boss(s, lane):
        s.boss_timer[lane] = s.boss_timer[lane] - 1
