# mypy: ignore-errors
# ruff: noqa: RUF046, SIM102, UP018 - Warp takes int(0), not 0, and evaluates both sides of `and`
"""What programs put on the map: blocks and creatures, on tiles they name or on tiles drawn."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.ops import MELEE as MELEE_KIND
from garten.craftax.full.ops import PASSIVE as PASSIVE_KIND
from garten.craftax.full.rules.ground import in_bounds, is_in
from garten.craftax.full.state import Rules, State
from garten.craftax.full.tables import MELEE, PASSIVE, PLANTS, RANGED, SIZE, Block, Thing
from garten.craftax.keys import PartitionableKey, randint, uniform_at
from garten.craftax.rules.grid import distance

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_SIZE = wp.constant(SIZE)
_MELEE = wp.constant(MELEE)
_PASSIVE = wp.constant(PASSIVE)
_RANGED = wp.constant(RANGED)
_PLANTS = wp.constant(PLANTS)


@wp.struct
class What:
    """What is to be put somewhere: a block, or a creature if the block is -1."""

    block: int
    kind: int
    type: int
    health: float


@wp.struct
class Where:
    """Which tiles of a floor suit."""

    floor: int
    blocks: wp.uint64  # bit mask
    center: wp.vec2i
    least: int  # tiles to walk from the center
    most: int
    beside: int  # a block that must be on one of the four tiles around, or -1


@wp.func
def put_block(s: State, lane: int, floor: int, place: wp.vec2i, block: int) -> int:
    """Put a block on a tile; returns how many found no room: 1 off the map or for one plant too many.

    A sapling on the first floor takes a slot to grow in; what is put where one grows ends it.
    """
    if not in_bounds(place):
        return 1
    if floor == 0:
        free = int(-1)
        for slot in range(_PLANTS):
            if s.plant_alive[lane, slot] and s.plant_position[lane, slot] == place:
                s.plant_alive[lane, slot] = False
            if free < 0 and not s.plant_alive[lane, slot]:
                free = slot
        if block == Block.PLANT:
            if free < 0:
                return 1
            s.plant_position[lane, free] = place
            s.plant_age[lane, free] = 0
            s.plant_alive[lane, free] = True
    s.blocks[lane, floor, place[0], place[1]] = wp.uint8(block)
    return 0


@wp.func
def fill(s: State, lane: int, floor: int, block: int, one: wp.vec2i, other: wp.vec2i) -> int:
    """Put a block on all tiles between two corners; returns 1 if none of them is on the map."""
    top = wp.max(wp.min(one[0], other[0]), 0)
    bottom = wp.min(wp.max(one[0], other[0]), _SIZE - 1)
    left = wp.max(wp.min(one[1], other[1]), 0)
    right = wp.min(wp.max(one[1], other[1]), _SIZE - 1)
    misplaced = int(0)
    for row in range(top, bottom + 1):
        for column in range(left, right + 1):
            misplaced = misplaced + put_block(s, lane, floor, wp.vec2i(row, column), block)
    if top > bottom or left > right:
        return 1
    return misplaced


@wp.func
def add_creature(s: State, r: Rules, table: int, lane: int, floor: int, what: What, place: wp.vec2i) -> int:
    """Put a creature on a tile; returns 1 if it is taken or off the map, or all slots are full."""
    if not in_bounds(place):
        return 1
    if s.occupied[lane, floor, place[0], place[1]] or _is_player_at(s, lane, floor, place):
        return 1
    health = what.health
    if health <= 0.0:
        health = r.healths[table, what.kind, what.type]
    placed = bool(False)
    if what.kind == PASSIVE_KIND:
        placed = _settle(
            s.passive_position, s.passive_health, s.passive_alive, s.passive_type, _PASSIVE, lane, floor,
            place, what.type, health,
        )  # fmt: skip
    elif what.kind == MELEE_KIND:
        placed = _settle(
            s.melee_position, s.melee_health, s.melee_alive, s.melee_type, _MELEE, lane, floor,
            place, what.type, health,
        )  # fmt: skip
    else:
        placed = _settle(
            s.ranged_position, s.ranged_health, s.ranged_alive, s.ranged_type, _RANGED, lane, floor,
            place, what.type, health,
        )  # fmt: skip
    if not placed:
        return 1
    s.occupied[lane, floor, place[0], place[1]] = True
    return 0


@wp.func
def _settle(
    positions: wp.array3d(dtype=wp.vec2i),
    healths: wp.array3d(dtype=float),
    alive: wp.array3d(dtype=bool),
    types: wp.array3d(dtype=int),
    slots: int,
    lane: int,
    floor: int,
    place: wp.vec2i,
    type_id: int,
    health: float,
) -> bool:
    """Let a creature live in the first free slot of its kind; returns whether there was one."""
    for slot in range(slots):
        if not alive[lane, floor, slot]:
            positions[lane, floor, slot] = place
            healths[lane, floor, slot] = health
            alive[lane, floor, slot] = True
            types[lane, floor, slot] = type_id
            return True
    return False


@wp.func
def free_slots(s: State, lane: int, floor: int, kind: int) -> int:
    """How many more creatures of a kind a floor holds."""
    free = int(0)
    for slot in range(_PASSIVE):
        if kind == PASSIVE_KIND and not s.passive_alive[lane, floor, slot]:
            free = free + 1
    for slot in range(_MELEE):
        if kind == MELEE_KIND and not s.melee_alive[lane, floor, slot]:
            free = free + 1
    for slot in range(_RANGED):
        if kind > MELEE_KIND and not s.ranged_alive[lane, floor, slot]:
            free = free + 1
    return free


@wp.func
def put_at_random(
    s: State,
    r: Rules,
    table: int,
    lane: int,
    what: What,
    where: Where,
    count: int,
    key: PartitionableKey,
) -> int:
    """Put something on `count` different tiles that suit, all sets of them equally likely.

    Vitter, "Faster methods for random sampling" (1984), algorithm A: go over the tiles once, and draw how
    many to pass over before the next one taken.

    Returns:
        How many found no room.
    """
    corners = _reach(where)
    suiting = _suiting(s, lane, where)
    wanted = wp.min(count, suiting)
    misplaced = wp.max(count - wanted, 0)
    passed = float(1.0)  # the chance to pass over as many tiles as were since the last one taken
    level = uniform_at(key, 0, 1)
    draws = int(1)
    for row in range(corners[0], corners[1] + 1):
        for column in range(corners[2], corners[3] + 1):
            if wanted > 0:
                place = wp.vec2i(row, column)
                if _suits(s, lane, where, place):
                    passed = passed * float(suiting - wanted) / float(suiting)
                    suiting = suiting - 1
                    if passed <= level:
                        misplaced = misplaced + _put(s, r, table, lane, what, where.floor, place)
                        wanted = wanted - 1
                        passed = 1.0
                        level = uniform_at(key, draws, draws + 1)
                        draws = draws + 1
    return misplaced


@wp.func
def tile_at_random(s: State, lane: int, where: Where, key: PartitionableKey) -> wp.vec2i:
    """One of the tiles that suit, all equally likely; the center if none does."""
    corners = _reach(where)
    suiting = _suiting(s, lane, where)
    found = where.center
    left = int(randint(key, wp.max(suiting, 1)))
    for row in range(corners[0], corners[1] + 1):
        for column in range(corners[2], corners[3] + 1):
            place = wp.vec2i(row, column)
            if _suits(s, lane, where, place):
                if left == 0:
                    found = place
                left = left - 1
    return found


@wp.func
def _reach(where: Where) -> wp.vec4i:
    """First and last row, first and last column of the square around all tiles that may suit."""
    return wp.vec4i(
        wp.max(where.center[0] - where.most, 0),
        wp.min(where.center[0] + where.most, _SIZE - 1),
        wp.max(where.center[1] - where.most, 0),
        wp.min(where.center[1] + where.most, _SIZE - 1),
    )


@wp.func
def _suiting(s: State, lane: int, where: Where) -> int:
    """How many tiles suit."""
    corners = _reach(where)
    count = int(0)
    for row in range(corners[0], corners[1] + 1):
        for column in range(corners[2], corners[3] + 1):
            if _suits(s, lane, where, wp.vec2i(row, column)):
                count = count + 1
    return count


@wp.func
def _put(s: State, r: Rules, table: int, lane: int, what: What, floor: int, place: wp.vec2i) -> int:
    if what.block >= 0:
        return put_block(s, lane, floor, place, what.block)
    return add_creature(s, r, table, lane, floor, what, place)


@wp.func
def _suits(s: State, lane: int, where: Where, place: wp.vec2i) -> bool:
    """Whether a tile on the map suits: never where something lies or somebody stands."""
    row = place[0]
    column = place[1]
    if not is_in(int(s.blocks[lane, where.floor, row, column]), where.blocks):
        return False
    away = distance(place, where.center)
    if away < where.least or away > where.most:
        return False
    if (
        int(s.things[lane, where.floor, row, column]) != Thing.NONE
        or s.occupied[lane, where.floor, row, column]
    ):
        return False
    if _is_player_at(s, lane, where.floor, place):
        return False
    if where.beside >= 0:
        return (
            _is_block(s, lane, where.floor, row - 1, column, where.beside)
            or _is_block(s, lane, where.floor, row + 1, column, where.beside)
            or _is_block(s, lane, where.floor, row, column - 1, where.beside)
            or _is_block(s, lane, where.floor, row, column + 1, where.beside)
        )
    return True


@wp.func
def _is_block(s: State, lane: int, floor: int, row: int, column: int, block: int) -> bool:
    if not in_bounds(wp.vec2i(row, column)):
        return False
    return int(s.blocks[lane, floor, row, column]) == block


@wp.func
def _is_player_at(s: State, lane: int, floor: int, place: wp.vec2i) -> bool:
    return floor == s.floor[lane] and place == s.player_position[lane]


@wp.func
def count_near(s: State, lane: int, floor: int, block: int, center: wp.vec2i, most: int) -> int:
    """How many tiles so near a place are of a block."""
    count = int(0)
    for row in range(wp.max(center[0] - most, 0), wp.min(center[0] + most, _SIZE - 1) + 1):
        for column in range(wp.max(center[1] - most, 0), wp.min(center[1] + most, _SIZE - 1) + 1):
            if distance(wp.vec2i(row, column), center) <= most:
                if int(s.blocks[lane, floor, row, column]) == block:
                    count = count + 1
    return count


@wp.func
def nearest_block(s: State, lane: int, floor: int, block: int, center: wp.vec2i) -> wp.vec2i:
    """The tile of a block that is nearest to a place, the upper and left one of several; or the place."""
    found = center
    best = int(4 * _SIZE)
    for row in range(_SIZE):
        for column in range(_SIZE):
            if int(s.blocks[lane, floor, row, column]) == block:
                away = distance(wp.vec2i(row, column), center)
                if away < best:
                    best = away
                    found = wp.vec2i(row, column)
    return found
