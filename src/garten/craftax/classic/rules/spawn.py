# mypy: ignore-errors
# ruff: noqa: RUF046, UP018 - Warp is not quite Python
"""New creatures, around the player but not close to it."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax import choice
from garten.craftax.classic.rules.ground import distance, set_occupied
from garten.craftax.classic.state import Rules, Settings, State
from garten.craftax.classic.tables import COWS, SIZE, SKELETONS, TILES, ZOMBIES, Block
from garten.craftax.keys import Key, left, right, uniform

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_SIZE = wp.constant(SIZE)
_TILES = wp.constant(TILES)
_COWS = wp.constant(COWS)
_ZOMBIES = wp.constant(ZOMBIES)
_SKELETONS = wp.constant(SKELETONS)
_GRASS = wp.constant(1 << int(Block.GRASS))
_PATH = wp.constant(1 << int(Block.PATH))


@wp.func
def spawn(s: State, p: Settings, r: Rules, lane: int, table: int, key: Key):
    """Perhaps one new cow, zombie and skeleton; `key` is that of this part of the step."""
    farthest = p.mob_despawn_distance[lane] - 1
    cow = key
    zombie = left(left(cow))
    skeleton = left(left(zombie))
    _spawn(
        s, s.cow_position, s.cow_health, s.cow_alive, _COWS, lane,
        p.spawn_cow_chance[lane], p.cow_health[lane], _GRASS, r.cow_clearance[table], farthest, cow,
    )  # fmt: skip
    _spawn(
        s, s.zombie_position, s.zombie_health, s.zombie_alive, _ZOMBIES, lane,
        _zombie_chance(s, p, lane), p.zombie_health[lane], _GRASS | _PATH, r.monster_clearance[table],
        farthest, zombie,
    )  # fmt: skip
    _spawn(
        s, s.skeleton_position, s.skeleton_health, s.skeleton_alive, _SKELETONS, lane,
        p.spawn_skeleton_chance[lane], p.skeleton_health[lane], _PATH, r.monster_clearance[table],
        farthest, skeleton,
    )  # fmt: skip


@wp.func
def _zombie_chance(s: State, p: Settings, lane: int) -> float:
    dark = 1.0 - s.light[lane]
    return p.spawn_zombie_base_chance[lane] + p.spawn_zombie_night_chance[lane] * (dark * dark)


@wp.func
def _spawn(
    s: State,
    positions: wp.array2d(dtype=wp.vec2i),
    healths: wp.array2d(dtype=int),
    alive: wp.array2d(dtype=bool),
    slots: int,
    lane: int,
    chance: float,
    health: int,
    blocks: int,
    clearance: int,
    farthest: int,
    key: Key,
):
    """Perhaps one new creature of a kind, in its first empty slot."""
    free = int(-1)
    for slot in range(slots):
        if free < 0 and not alive[lane, slot]:
            free = slot
    if free < 0:
        # The original writes the tile of slot 0 again, which matters if another creature just left it.
        set_occupied(s, lane, positions[lane, 0], True)
        return
    if uniform(right(key)) >= chance:
        return
    tile = choose_tile(s, lane, s.player_position[lane], blocks, clearance, farthest, right(left(key)))
    if tile < 0:
        return
    place = wp.vec2i(tile // _SIZE, tile % _SIZE)
    positions[lane, free] = place
    healths[lane, free] = health
    alive[lane, free] = True
    set_occupied(s, lane, place, True)


@wp.func
def choose_tile(
    s: State, lane: int, center: wp.vec2i, blocks: int, clearance: int, farthest: int, key: Key
) -> int:
    """The flat index of a random tile around a place, or -1 if there is none to choose from.

    Args:
        s: the states.
        lane: whose map.
        center: the place.
        blocks: bit mask of the blocks to choose from; tiles must be unoccupied too.
        clearance: tiles must be farther away than this.
        farthest: tiles must be no farther away than this.
        key: of the draw.
    """
    count = int(0)
    first = wp.max(0, center[0] - farthest)
    last = wp.min(_SIZE - 1, center[0] + farthest)
    for row in range(first, last + 1):
        reach = farthest - wp.abs(row - center[0])
        for column in range(wp.max(0, center[1] - reach), wp.min(_SIZE - 1, center[1] + reach) + 1):
            if _suits(s, lane, row, column, center, blocks, clearance):
                count = count + 1
    if count == 0:
        return -1
    running = choice.start(count)
    for row in range(first, last + 1):
        reach = farthest - wp.abs(row - center[0])
        for column in range(wp.max(0, center[1] - reach), wp.min(_SIZE - 1, center[1] + reach) + 1):
            if _suits(s, lane, row, column, center, blocks, clearance):
                running = choice.add(running, row * _SIZE + column)
    threshold = choice.level(choice.finish(running, _TILES), key)
    running = choice.start(count)
    for row in range(first, last + 1):
        reach = farthest - wp.abs(row - center[0])
        for column in range(wp.max(0, center[1] - reach), wp.min(_SIZE - 1, center[1] + reach) + 1):
            if _suits(s, lane, row, column, center, blocks, clearance):
                running = choice.add(running, row * _SIZE + column)
                if running.total >= threshold:
                    return row * _SIZE + column
    return _TILES - 1


@wp.func
def _suits(s: State, lane: int, row: int, column: int, center: wp.vec2i, blocks: int, clearance: int) -> bool:
    if ((blocks >> int(s.blocks[lane, row, column])) & 1) == 0 or s.occupied[lane, row, column]:
        return False
    return distance(wp.vec2i(row, column), center) > clearance
