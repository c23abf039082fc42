# mypy: ignore-errors
# ruff: noqa: RUF046, SIM102, SIM109, UP018 - Warp is not quite Python
"""New worlds: ground from four noises, ores and trees by chance, the player in the middle."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.classic.exchange import Exchange
from garten.craftax.classic.state import Rules, Settings, State
from garten.craftax.classic.tables import (
    ARROWS,
    COWS,
    NOISE_NODES,
    NOISES,
    PLANTS,
    SIZE,
    SKELETONS,
    ZOMBIES,
    Achievement,
    Action,
    Block,
    Item,
)
from garten.craftax.daylight import daylight
from garten.craftax.keys import Key, left, of_stream, right, uniform_at, words
from garten.craftax.noise import Strip, draw_directions, draw_noise, tile_index
from garten.craftax.rules.arrive import Wanted, choose_tile

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_SIZE = wp.constant(SIZE)
_TILES = wp.constant(SIZE * SIZE)
_MIDDLE = wp.constant(SIZE // 2)
_WATER, _MOUNTAIN, _TUNNEL, _TREE = (wp.constant(layer) for layer in range(4))
_NOISES = wp.constant(len(NOISES))
_DOWN = wp.constant(wp.types.vector(len(NOISES), int)(*(down for _, down, _ in NOISES)))
_ACROSS = wp.constant(wp.types.vector(len(NOISES), int)(*(across for _, _, across in NOISES)))
_NODES = wp.constant(wp.types.vector(len(NOISES), int)(*NOISE_NODES))
_STONE = wp.constant(wp.uint64(1 << Block.STONE))
_ITEMS = wp.constant(len(Item))
_ACHIEVEMENTS = wp.constant(len(Achievement))
_PLANTS = wp.constant(PLANTS)


@wp.struct
class Workbench:
    """Room in which each worker makes one world at a time."""

    directions: wp.array2d(dtype=wp.vec2)  # [workers, nodes of the largest noise grid]
    strips: wp.array3d(dtype=Strip)  # [workers, noises, strips]
    noise: wp.array3d(dtype=float)  # the same memory, [workers, noises, tiles]


@wp.struct
class WorldKeys:
    """The random keys of a world's parts, without their stream."""

    noises: wp.types.matrix((4, 2), wp.uint32)
    coal: wp.vec2ui
    iron: wp.vec2ui
    diamond: wp.vec2ui
    tree: wp.vec2ui
    sure_diamond: wp.vec2ui


@wp.kernel
def make_worlds(
    # In:
    first: int,
    lanes: int,
    workers: int,
    only_over: bool,
    stream: Key,
    angles_in: wp.array2d(dtype=float),
    p: Settings,
    r: Rules,
    # In and out:
    x: Exchange,
    bench: Workbench,
    # Out:
    s: State,
):
    """Give lanes a new world; each worker makes those of every `workers`-th lane.

    Args:
        first: first lane of the launch.
        lanes: how many lanes it covers.
        workers: threads of the launch.
        only_over: whether to serve the lanes whose episode is over, from the second half of their keys, the
            step having used the first; or the lanes chosen, from their whole keys.
        stream: any key of the stream to draw from.
        angles_in: given noise angles, of which `Settings.angles` names a row.
        p: settings of the lanes.
        r: the rule tables.
        x: keys, and whose turn it is.
        bench: room to work.
        s: the states.
    """
    worker = wp.tid()
    for index in range(worker, lanes, workers):
        lane = first + index
        if wp.where(only_over, x.over[lane], x.chosen[lane]):
            key = _world_key(p, lane, of_stream(x.keys[lane], stream), only_over)
            make_world(key, angles_in, p, r, bench, worker, s, lane)
            x.episode_return[lane] = 0.0


@wp.func
def _world_key(p: Settings, lane: int, key: Key, after_step: bool):
    """The key of a lane's new world: its pinned one, or from the key of the step or reset."""
    if p.pinned[lane]:
        return of_stream(p.pinned_key[lane], key)
    if after_step:
        return right(key)
    return key


@wp.func
def make_world(
    key: Key,
    angles_in: wp.array2d(dtype=float),
    p: Settings,
    r: Rules,
    bench: Workbench,
    worker: int,
    s: State,
    lane: int,
):
    """Make the world of a key, and a new player in it."""
    table = p.rules[lane]
    fixed = bool(r.fixed[table])
    keys = _world_keys(key, fixed)
    _draw_noises(key, keys, angles_in, p.angles[lane], bench, worker)
    for row in range(_SIZE):
        for column in range(_SIZE):
            s.occupied[lane, row, column] = False
            s.blocks[lane, row, column] = wp.uint8(_block(key, keys, r, table, bench, worker, row, column))
    s.blocks[lane, _MIDDLE, _MIDDLE] = wp.uint8(int(Block.GRASS))
    _place_diamond(s, p.always_diamond[lane], lane, fixed, of_stream(keys.sure_diamond, key))
    _new_player(s, p, lane)
    _no_creatures(s, p, lane)
    s.light[lane] = daylight(0, p.day_length[lane])


@wp.func
def _world_keys(key: Key, fixed: bool) -> WorldKeys:
    """Walk the chain of keys as the original does, its two unused links too.

    In 1.6.1 the trees draw with the very key that is split for the diamond; the repair takes an unused link.
    """
    keys = WorldKeys()
    chain = key
    unused = key
    for noise in range(_NOISES):
        own = right(chain)
        keys.noises[noise, 0] = own[0]
        keys.noises[noise, 1] = own[1]
        chain = left(chain)
        if noise == _WATER or noise == _TUNNEL:
            unused = right(chain)
            chain = left(chain)
        if noise == _TUNNEL:
            keys.coal = words(right(chain))
            chain = left(chain)
            keys.iron = words(right(chain))
            chain = left(chain)
            keys.diamond = words(right(chain))
            chain = left(chain)
    keys.tree = words(chain)
    if fixed:
        keys.tree = words(unused)
    keys.sure_diamond = words(right(chain))
    return keys


@wp.func
def _draw_noises(
    stream: Key,
    keys: WorldKeys,
    angles_in: wp.array2d(dtype=float),
    angles_row: int,
    bench: Workbench,
    worker: int,
):
    start = int(0)
    for noise in range(_NOISES):
        own = of_stream(wp.vec2ui(keys.noises[noise, 0], keys.noises[noise, 1]), stream)
        draw_directions(own, _NODES[noise], angles_in, angles_row, start, bench.directions, worker)
        draw_noise(_SIZE, _DOWN[noise], _ACROSS[noise], bench.directions, bench.strips, worker, noise)
        start = start + _NODES[noise]


@wp.func
def _noise_at(bench: Workbench, worker: int, noise: int, row: int, column: int) -> float:
    return bench.noise[worker, noise, tile_index(_SIZE, _DOWN[noise], _ACROSS[noise], row, column)]


@wp.func
def _block(
    stream: Key,
    keys: WorldKeys,
    r: Rules,
    table: int,
    bench: Workbench,
    worker: int,
    row: int,
    column: int,
) -> int:
    """The block of a tile: water and sand, then mountains over them, what is in these, and trees."""
    tile = row * _SIZE + column
    walk = float(wp.abs(row - _MIDDLE) + wp.abs(column - _MIDDLE))
    open_ground = wp.clamp(walk / 5.0, 0.0, 1.0)
    water = _noise_at(bench, worker, _WATER, row, column) + open_ground - 1.0
    mountain = _noise_at(bench, worker, _MOUNTAIN, row, column) + 0.05 + open_ground - 1.0
    tree = _noise_at(bench, worker, _TREE, row, column)

    block = int(Block.GRASS)
    if water > r.water_level[table]:
        block = int(Block.WATER)
    elif water > r.sand_levels[table, 0] and water < r.sand_levels[table, 1]:
        block = int(Block.SAND)
    if mountain > r.mountain_level[table]:
        block = _stone(stream, keys, r, table, bench, worker, row, column, mountain)
    if mountain > r.cave_levels[table, 0] and water > r.cave_levels[table, 1]:
        block = int(Block.PATH)
    if block == Block.GRASS and tree > r.tree_level[table]:
        if uniform_at(of_stream(keys.tree, stream), tile, _TILES) > r.tree_bareness[table]:
            block = int(Block.TREE)
    if mountain > r.lava_levels[table, 0] and tree > r.lava_levels[table, 1]:
        block = int(Block.LAVA)
    return block


@wp.func
def _stone(
    stream: Key,
    keys: WorldKeys,
    r: Rules,
    table: int,
    bench: Workbench,
    worker: int,
    row: int,
    column: int,
    mountain: float,
) -> int:
    """The block of a tile in the mountains: a tunnel, an ore or stone."""
    tile = row * _SIZE + column
    level = r.tunnel_level[table]
    if _noise_at(bench, worker, _TUNNEL, row, column) > level:
        return int(Block.PATH)
    if _noise_at(bench, worker, _TUNNEL, column, row) > level:
        return int(Block.PATH)
    if uniform_at(of_stream(keys.coal, stream), tile, _TILES) < r.coal_chance[table]:
        return int(Block.COAL)
    if uniform_at(of_stream(keys.iron, stream), tile, _TILES) < r.iron_chance[table]:
        return int(Block.IRON)
    if mountain > r.diamond_level[table]:
        if uniform_at(of_stream(keys.diamond, stream), tile, _TILES) < r.diamond_chance[table]:
            return int(Block.DIAMOND)
    return int(Block.STONE)


@wp.func
def _place_diamond(s: State, always: bool, lane: int, fixed: bool, key: Key):
    """Turn a random stone into a diamond, or into the stone it is.

    In 1.6.1 a world without stone gets it in its upper left corner.
    """
    wanted = Wanted()
    wanted.blocks = _STONE
    wanted.above = -1
    wanted.below = 2 * _SIZE
    tile = choose_tile(s.blocks[lane], s.occupied[lane], wp.vec2i(_MIDDLE, _MIDDLE), wanted, key)
    block = wp.where(always, int(Block.DIAMOND), int(Block.STONE))
    if tile < 0:
        if fixed:
            return
        tile = int(0)
    s.blocks[lane, tile // _SIZE, tile % _SIZE] = wp.uint8(block)


@wp.func
def _new_player(s: State, p: Settings, lane: int):
    s.player_position[lane] = wp.vec2i(_MIDDLE, _MIDDLE)
    s.player_direction[lane] = int(Action.UP)
    s.health[lane] = 9
    s.food[lane] = 9
    s.drink[lane] = 9
    s.energy[lane] = 9
    s.sleeping[lane] = False
    s.recover[lane] = 0.0
    s.hunger[lane] = 0.0
    s.thirst[lane] = 0.0
    s.fatigue[lane] = 0.0
    for item in range(_ITEMS):
        s.inventory[lane, item] = 0
    for achievement in range(_ACHIEVEMENTS):
        s.achievements[lane, achievement] = p.initial_achievements[lane, achievement]
    s.timestep[lane] = 0


@wp.func
def _no_creatures(s: State, p: Settings, lane: int):
    nowhere = wp.vec2i(0, 0)
    for slot in range(wp.static(ZOMBIES)):
        s.zombie_position[lane, slot] = nowhere
        s.zombie_health[lane, slot] = 1
        s.zombie_alive[lane, slot] = False
        s.zombie_cooldown[lane, slot] = 0
    for slot in range(wp.static(COWS)):
        s.cow_position[lane, slot] = nowhere
        s.cow_health[lane, slot] = p.cow_health[lane]
        s.cow_alive[lane, slot] = False
    for slot in range(wp.static(SKELETONS)):
        s.skeleton_position[lane, slot] = nowhere
        s.skeleton_health[lane, slot] = 0
        s.skeleton_alive[lane, slot] = False
        s.skeleton_cooldown[lane, slot] = 0
    for slot in range(wp.static(ARROWS)):
        s.arrow_position[lane, slot] = nowhere
        s.arrow_direction[lane, slot] = wp.vec2i(1, 1)
        s.arrow_alive[lane, slot] = False
    for slot in range(_PLANTS):
        s.plant_position[lane, slot] = nowhere
        s.plant_age[lane, slot] = 0
        s.plant_alive[lane, slot] = False
