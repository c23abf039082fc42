# mypy: ignore-errors
# ruff: noqa: RUF046, UP018 - Warp takes int(0), not 0, for a variable that a branch changes
"""New creatures, around the player but not close to it; in the graveyard out of the graves."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.rules.boss import fights_boss
from garten.craftax.full.rules.ground import set_occupied
from garten.craftax.full.state import Rules, Settings, State
from garten.craftax.full.tables import FLOORS, GRAVES, OPEN_GROUND, SIZE, Block, mask
from garten.craftax.keys import Key, left, right, uniform
from garten.craftax.rules.arrive import Wanted, choose_tile
from garten.craftax.rules.creatures import first_free

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_SIZE = wp.constant(SIZE)
_OPEN = wp.constant(wp.uint64(mask(OPEN_GROUND)))
_GRAVES = wp.constant(wp.uint64(mask(GRAVES)))
_WATER = wp.constant(wp.uint64(mask([Block.WATER])))
_LAST_FLOOR = wp.constant(FLOORS - 1)
_DEEP_THING = wp.constant(5)


@wp.func
def spawn(s: State, p: Settings, r: Rules, lane: int, table: int, key: Key):
    """Perhaps one new creature of each kind; `key` is that of this part of the step."""
    passive = key
    melee = left(left(passive))
    ranged = left(left(melee))
    _spawn_passive(s, p, r, lane, table, passive)
    _spawn_melee(s, p, r, lane, table, melee)
    _spawn_ranged(s, p, r, lane, table, ranged)


@wp.func
def _pressure(s: State, p: Settings, r: Rules, lane: int, table: int) -> float:
    """How many times as often monsters come: more on floors not cleared, very often in waves."""
    times = int(1)
    if s.kills[lane, s.floor[lane]] < p.monsters_killed_to_clear_level[lane]:
        times = r.uncleared_spawning[table]
    if fights_boss(s, lane):
        in_wave = s.boss_timer[lane] >= 1
        times = wp.where(in_wave, times * r.wave_spawning[table], 0)
    return float(times)


@wp.func
def _type_row(s: State, lane: int) -> int:
    """The floor whose monsters come; in the graveyard one after the other, past the victory the last."""
    if fights_boss(s, lane):
        return wp.min(s.boss_progress[lane], _LAST_FLOOR)
    return s.floor[lane]


@wp.func
def _range(s: State, p: Settings, lane: int, blocks: wp.uint64, clearance: int) -> Wanted:
    wanted = Wanted()
    wanted.blocks = blocks
    wanted.crow = True
    wanted.above = clearance * clearance
    wanted.below = p.mob_despawn_distance[lane] * p.mob_despawn_distance[lane]
    return wanted


@wp.func
def _monster_range(s: State, p: Settings, r: Rules, lane: int, table: int, blocks: wp.uint64) -> Wanted:
    wanted = _range(s, p, lane, blocks, r.monster_clearance[table])
    if fights_boss(s, lane):
        wanted.blocks = _GRAVES
        wanted.above = -1
        wanted.below = wp.min(wanted.below, r.wave_reach[table] * r.wave_reach[table] + 1)
    return wanted


@wp.func
def _spawn_passive(s: State, p: Settings, r: Rules, lane: int, table: int, key: Key):
    floor = s.floor[lane]
    chance = r.spawn_chances[table, floor, 0] * p.passive_spawn_multiplier[lane]
    if fights_boss(s, lane):
        chance = 0.0
    type_id = r.floor_types[table, floor, 0]
    wanted = _range(s, p, lane, _OPEN, r.passive_clearance[table])
    _spawn(
        s, r, table, s.passive_position, s.passive_health, s.passive_alive, s.passive_type, lane,
        chance, type_id, r.healths[table, 0, type_id] * p.mob_health_multiplier[lane], wanted, key,
    )  # fmt: skip


@wp.func
def _spawn_melee(s: State, p: Settings, r: Rules, lane: int, table: int, key: Key):
    floor = s.floor[lane]
    dark = 1.0 - s.light[lane]
    chance = r.spawn_chances[table, floor, 1] + r.spawn_chances[table, floor, 3] * (dark * dark)
    chance = chance * p.melee_spawn_multiplier[lane] * _pressure(s, p, r, lane, table)
    type_id = r.floor_types[table, _type_row(s, lane), 1]
    _spawn(
        s, r, table, s.melee_position, s.melee_health, s.melee_alive, s.melee_type, lane,
        chance, type_id, r.healths[table, 1, type_id] * p.mob_health_multiplier[lane],
        _monster_range(s, p, r, lane, table, _OPEN), key,
    )  # fmt: skip


@wp.func
def _spawn_ranged(s: State, p: Settings, r: Rules, lane: int, table: int, key: Key):
    chance = r.spawn_chances[table, s.floor[lane], 2] * p.ranged_spawn_multiplier[lane]
    chance = chance * _pressure(s, p, r, lane, table)
    type_id = r.floor_types[table, _type_row(s, lane), 2]
    blocks = _OPEN
    if type_id == _DEEP_THING:
        blocks = _WATER
    _spawn(
        s, r, table, s.ranged_position, s.ranged_health, s.ranged_alive, s.ranged_type, lane,
        chance, type_id, r.healths[table, 2, type_id] * p.mob_health_multiplier[lane],
        _monster_range(s, p, r, lane, table, blocks), key,
    )  # fmt: skip


@wp.func
def _spawn(
    s: State,
    r: Rules,
    table: int,
    positions: wp.array3d(dtype=wp.vec2i),
    healths: wp.array3d(dtype=float),
    alive: wp.array3d(dtype=bool),
    types: wp.array3d(dtype=int),
    lane: int,
    chance: float,
    type_id: int,
    health: float,
    wanted: Wanted,
    key: Key,
):
    """Perhaps one new creature of a kind, in its first empty slot.

    In 1.6.1 the slot takes the type whether one comes or not; slot 0 does if all are full.
    """
    floor = s.floor[lane]
    free = first_free(alive[lane, floor])
    if not r.fixed[table]:
        types[lane, floor, wp.max(free, 0)] = type_id
    if free < 0:
        # The original writes the tile of slot 0 again, which matters if another creature just left it.
        set_occupied(s, lane, positions[lane, floor, 0], True)
        return
    if uniform(right(key)) >= chance:
        return
    maps = s.blocks[lane, floor]
    tile = choose_tile(maps, s.occupied[lane, floor], s.player_position[lane], wanted, right(left(key)))
    if tile < 0:
        return
    place = wp.vec2i(tile // _SIZE, tile % _SIZE)
    positions[lane, floor, free] = place
    healths[lane, floor, free] = health
    alive[lane, floor, free] = True
    types[lane, floor, free] = type_id
    set_occupied(s, lane, place, True)
