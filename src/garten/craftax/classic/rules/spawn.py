# mypy: ignore-errors

"""New creatures, around the player but not close to it."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.classic.rules.ground import set_occupied
from garten.craftax.classic.state import Rules, Settings, State
from garten.craftax.classic.tables import SIZE, Block
from garten.craftax.keys import Key, left, right, uniform
from garten.craftax.rules.arrive import Wanted, choose_tile
from garten.craftax.rules.creatures import first_free

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_SIZE = wp.constant(SIZE)
_GRASS = wp.constant(wp.uint64(1 << Block.GRASS))
_PATH = wp.constant(wp.uint64(1 << Block.PATH))
_GRASS_OR_PATH = wp.constant(wp.uint64(1 << Block.GRASS | 1 << Block.PATH))


@wp.func
def spawn(s: State, p: Settings, r: Rules, lane: int, table: int, key: Key):
    """Perhaps one new cow, zombie and skeleton; `key` is that of this part of the step."""
    cow = key
    zombie = left(left(cow))
    skeleton = left(left(zombie))
    _spawn(
        s, p, s.cow_position, s.cow_health, s.cow_alive, lane,
        p.spawn_cow_chance[lane], p.cow_health[lane], _GRASS, r.cow_clearance[table], cow,
    )  # fmt: skip
    _spawn(
        s, p, s.zombie_position, s.zombie_health, s.zombie_alive, lane,
        _zombie_chance(s, p, lane), p.zombie_health[lane], _GRASS_OR_PATH, r.monster_clearance[table], zombie,
    )  # fmt: skip
    _spawn(
        s, p, s.skeleton_position, s.skeleton_health, s.skeleton_alive, lane,
        p.spawn_skeleton_chance[lane], p.skeleton_health[lane], _PATH, r.monster_clearance[table], skeleton,
    )  # fmt: skip


@wp.func
def _zombie_chance(s: State, p: Settings, lane: int) -> float:
    dark = 1.0 - s.light[lane]
    return p.spawn_zombie_base_chance[lane] + p.spawn_zombie_night_chance[lane] * (dark * dark)


@wp.func
def _spawn(
    s: State,
    p: Settings,
    positions: wp.array2d(dtype=wp.vec2i),
    healths: wp.array2d(dtype=int),
    alive: wp.array2d(dtype=bool),
    lane: int,
    chance: float,
    health: int,
    blocks: wp.uint64,
    clearance: int,
    key: Key,
):
    """Perhaps one new creature of a kind, in its first empty slot."""
    free = first_free(alive[lane])
    if free < 0:
        # The original writes the tile of slot 0 again, which matters if another creature just left it.
        set_occupied(s, lane, positions[lane, 0], True)
        return
    if uniform(right(key)) >= chance:
        return
    wanted = Wanted()
    wanted.blocks = blocks
    wanted.above = clearance
    wanted.below = p.mob_despawn_distance[lane]
    place_key = right(left(key))
    tile = choose_tile(s.blocks[lane], s.occupied[lane], s.player_position[lane], wanted, place_key)
    if tile < 0:
        return
    place = wp.vec2i(tile // _SIZE, tile % _SIZE)
    positions[lane, free] = place
    healths[lane, free] = health
    alive[lane, free] = True
    set_occupied(s, lane, place, True)
