# mypy: ignore-errors
# ruff: noqa: RUF046, SIM102, UP018 - Warp takes int(0), not 0, for a variable that a branch changes
"""Floors that grow from noise: sea and shore, mountains with tunnels and caves, trees, ores, lava."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.ground import choose_by_count, choose_evenly, count_blocks, torch_light
from garten.craftax.full.reach import move_way_down
from garten.craftax.full.rules.ground import in_bounds
from garten.craftax.full.state import Plans, Rules, State
from garten.craftax.full.tables import NOISE_NODES, NOISES, SIZE, TILES, Block, Thing
from garten.craftax.keys import Key, left, of_stream, right, uniform_at, words
from garten.craftax.noise import Strip, draw_directions, draw_noise, tile_index

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_SIZE = wp.constant(SIZE)
_TILES = wp.constant(TILES)
_MIDDLE = wp.constant(SIZE // 2)
_WATER, _MOUNTAIN, _TUNNEL, _TREE = (wp.constant(layer) for layer in range(4))
_NOISES = wp.constant(len(NOISES))
_DOWN = wp.constant(wp.types.vector(len(NOISES), int)(*(down for _, down, _ in NOISES)))
_ACROSS = wp.constant(wp.types.vector(len(NOISES), int)(*(across for _, _, across in NOISES)))
_NODES = wp.constant(wp.types.vector(len(NOISES), int)(*NOISE_NODES))
_REACH = wp.constant(4)  # tiles that the light around a ladder reaches each way


@wp.struct
class Workbench:
    """Room in which each worker makes one floor at a time."""

    directions: wp.array2d(dtype=wp.vec2)  # [workers, nodes of the largest noise grid]
    strips: wp.array3d(dtype=Strip)  # [workers, noises, strips]
    noise: wp.array3d(dtype=float)  # the same memory, [workers, noises, tiles]


@wp.struct
class FloorKeys:
    """The random keys of a floor's parts, without their stream."""

    noises: wp.types.matrix((4, 2), wp.uint32)
    tree: wp.vec2ui
    ores: wp.vec2ui
    diamond: wp.vec2ui
    ladder_down: wp.vec2ui
    ladder_up: wp.vec2ui


@wp.func
def make_natural_floor(
    key: Key,
    plans: Plans,
    plan: int,
    r: Rules,
    table: int,
    always_diamond: bool,
    angles_in: wp.array2d(dtype=float),
    angles_row: int,
    bench: Workbench,
    worker: int,
    s: State,
    lane: int,
    floor: int,
):
    """Make a floor from its key and plan."""
    fixed = bool(r.fixed[table])
    keys = _floor_keys(key, fixed)
    start = int(0)
    for noise in range(_NOISES):
        own = of_stream(wp.vec2ui(keys.noises[noise, 0], keys.noises[noise, 1]), key)
        draw_directions(own, _NODES[noise], angles_in, angles_row, start, bench.directions, worker)
        draw_noise(_SIZE, _DOWN[noise], _ACROSS[noise], bench.directions, bench.strips, worker, noise)
        start = start + _NODES[noise]
    for row in range(_SIZE):
        for column in range(_SIZE):
            block = _block(key, keys, plans, plan, r, table, bench, worker, row, column)
            s.blocks[lane, floor, row, column] = wp.uint8(block)
            s.things[lane, floor, row, column] = wp.uint8(int(Thing.NONE))
            s.light_map[lane, floor, row, column] = plans.light[plan]
    sure = plans.sure_diamond[plan] and always_diamond
    _place_diamond(s, lane, floor, sure, fixed, of_stream(keys.diamond, key))
    s.blocks[lane, floor, _MIDDLE, _MIDDLE] = wp.uint8(plans.middle[plan])
    down_key = of_stream(keys.ladder_down, key)
    _place_ladders(s, plans, plan, lane, floor, down_key, of_stream(keys.ladder_up, key))
    if fixed and plans.ladder_down[plan]:
        arrival = wp.vec2i(_MIDDLE, _MIDDLE)
        if plans.ladder_up[plan]:
            arrival = s.up_ladder[lane, floor]
        move_way_down(s, lane, floor, arrival, plans.ladder_ground[plan], down_key)
    _light(s, plans, plan, r, table, bench, worker, lane, floor)


@wp.func
def _floor_keys(key: Key, fixed: bool) -> FloorKeys:
    """Walk the chain of keys as the original does, its two unused links too.

    In 1.6.1 the trees draw with the very key that is split for the ores; the repair takes an unused link.
    """
    keys = FloorKeys()
    chain = key
    unused = key
    for noise in range(_NOISES):
        own = right(chain)
        keys.noises[noise, 0] = own[0]
        keys.noises[noise, 1] = own[1]
        chain = left(chain)
        if noise == _WATER or noise == _TUNNEL:  # noqa: SIM109
            unused = right(chain)
            chain = left(chain)
    keys.tree = words(chain)
    if fixed:
        keys.tree = words(unused)
    keys.ores = words(right(chain))
    chain = left(chain)
    keys.diamond = words(right(chain))
    chain = left(chain)
    keys.ladder_down = words(right(chain))
    keys.ladder_up = words(right(left(chain)))
    return keys


@wp.func
def _noise_at(bench: Workbench, worker: int, noise: int, row: int, column: int) -> float:
    return bench.noise[worker, noise, tile_index(_SIZE, _DOWN[noise], _ACROSS[noise], row, column)]


@wp.func
def _walk(row: int, column: int) -> float:
    """Distance from the middle of the map, as the crow flies."""
    down = row - _MIDDLE
    across = column - _MIDDLE
    return wp.sqrt(float(down * down + across * across))


@wp.func
def _mountain(plans: Plans, plan: int, bench: Workbench, worker: int, row: int, column: int) -> float:
    rise = wp.clamp(_walk(row, column) / plans.mountain_distance[plan], 0.0, plans.mountain_limit[plan])
    return _noise_at(bench, worker, _MOUNTAIN, row, column) + 0.05 + rise - 1.0


@wp.func
def _is_lava(r: Rules, table: int, mountain: float, tree: float) -> bool:
    return mountain > r.lava_levels[table, 0] and tree > r.lava_levels[table, 1]


@wp.func
def _block(
    stream: Key,
    keys: FloorKeys,
    plans: Plans,
    plan: int,
    r: Rules,
    table: int,
    bench: Workbench,
    worker: int,
    row: int,
    column: int,
) -> int:
    """The block of a tile."""
    tile = row * _SIZE + column
    open_ground = wp.clamp(_walk(row, column) / 5.0, 0.0, 1.0)
    water = _noise_at(bench, worker, _WATER, row, column) + open_ground - 1.0
    mountain = _mountain(plans, plan, bench, worker, row, column)
    tree = _noise_at(bench, worker, _TREE, row, column)

    block = plans.ground[plan]
    if water > plans.water_level[plan]:
        block = plans.sea[plan]
    if water > r.coast_level[table] and block != plans.sea[plan]:
        block = plans.coast[plan]
    if mountain > r.mountain_level[table]:
        block = plans.mountain[plan]
        level = r.tunnel_level[table]
        if _noise_at(bench, worker, _TUNNEL, row, column) > level:
            block = plans.tunnel[plan]
        if _noise_at(bench, worker, _TUNNEL, column, row) > level:
            block = plans.tunnel[plan]
    if mountain > r.cave_levels[table, 0] and water > r.cave_levels[table, 1]:
        block = plans.cave[plan]
    if block == plans.tree_ground[plan] and tree > plans.tree_level[plan]:
        if uniform_at(of_stream(keys.tree, stream), tile, _TILES) > plans.tree_bareness[plan]:
            block = plans.tree[plan]
    block = _ore(of_stream(keys.ores, stream), plans, plan, block, tile)
    if _is_lava(r, table, mountain, tree):
        block = plans.lava[plan]
    return block


@wp.func
def _ore(key: Key, plans: Plans, plan: int, block: int, tile: int) -> int:
    """What a tile becomes by the five passes of ores; each has a link of the chain."""
    found = int(block)
    chain = key
    for ore in range(5):
        if found == plans.ore_hosts[plan, ore] and plans.ore_chances[plan, ore] > 0.0:
            if uniform_at(right(chain), tile, _TILES) < plans.ore_chances[plan, ore]:
                found = plans.ores[plan, ore]
        chain = left(chain)
    return found


@wp.func
def _place_diamond(s: State, lane: int, floor: int, sure: bool, fixed: bool, key: Key):
    """Turn a random stone into a diamond, or into the stone it is.

    In 1.6.1 a floor without stone gets it in its upper left corner.
    """
    if fixed and count_blocks(s, lane, floor, int(Block.STONE)) == 0:
        return
    tile = choose_evenly(s, lane, floor, int(Block.STONE), key)
    block = wp.where(sure, int(Block.DIAMOND), int(Block.STONE))
    s.blocks[lane, floor, tile // _SIZE, tile % _SIZE] = wp.uint8(block)


@wp.func
def _place_ladders(s: State, plans: Plans, plan: int, lane: int, floor: int, down_key: Key, up_key: Key):
    """Choose where the ladders stand, also those that the floor does not have."""
    down = choose_by_count(s, lane, floor, plans.ladder_ground[plan], down_key)
    s.down_ladder[lane, floor] = wp.vec2i(down // _SIZE, down % _SIZE)
    if plans.ladder_down[plan]:
        s.things[lane, floor, down // _SIZE, down % _SIZE] = wp.uint8(int(Thing.LADDER_DOWN))
    up = choose_by_count(s, lane, floor, plans.ladder_ground[plan], up_key)
    s.up_ladder[lane, floor] = wp.vec2i(up // _SIZE, up % _SIZE)
    if plans.ladder_up[plan]:
        s.things[lane, floor, up // _SIZE, up % _SIZE] = wp.uint8(int(Thing.LADDER_UP))


@wp.func
def _corner(ladder: int) -> int:
    """Where the light around a ladder starts in 1.6.1: at the far edge if it sticks out."""
    start = ladder - _REACH
    if start < 0:
        start = start + _SIZE
    return wp.min(start, _SIZE - 2 * _REACH - 1)


@wp.func
def _light(
    s: State,
    plans: Plans,
    plan: int,
    r: Rules,
    table: int,
    bench: Workbench,
    worker: int,
    lane: int,
    floor: int,
):
    """Light the ladder up, and what lava glows on."""
    ladder = s.up_ladder[lane, floor]
    top = ladder[0] - _REACH
    first = ladder[1] - _REACH
    if not r.fixed[table]:
        top = _corner(ladder[0])
        first = _corner(ladder[1])
    dark = 1.0 - plans.light[plan]
    for row in range(2 * _REACH + 1):
        for column in range(2 * _REACH + 1):
            light = torch_light(row - _REACH, column - _REACH) * dark + plans.light[plan]
            if in_bounds(wp.vec2i(top + row, first + column)):
                s.light_map[lane, floor, top + row, first + column] = light
    if plans.lava[plan] != Block.LAVA:
        return
    for row in range(_SIZE):
        for column in range(_SIZE):
            tree = _noise_at(bench, worker, _TREE, row, column)
            if _is_lava(r, table, _mountain(plans, plan, bench, worker, row, column), tree):
                _glow(s, r, table, lane, floor, row, column)
    for row in range(_SIZE):
        for column in range(_SIZE):
            s.light_map[lane, floor, row, column] = wp.min(s.light_map[lane, floor, row, column], 1.0)


@wp.func
def _glow(s: State, r: Rules, table: int, lane: int, floor: int, row: int, column: int):
    """Add the light of a tile of lava to the tiles around it."""
    for down in range(-1, 2):
        for across in range(-1, 2):
            y = row + down
            x = column + across
            if y >= 0 and y < _SIZE and x >= 0 and x < _SIZE:
                glow = r.lava_glow[table, wp.abs(down) + wp.abs(across)]
                s.light_map[lane, floor, y, x] = s.light_map[lane, floor, y, x] + glow
