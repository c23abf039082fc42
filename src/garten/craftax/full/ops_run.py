# mypy: ignore-errors
# ruff: noqa: RUF046, UP018 - Warp takes int(0), not 0, for a variable that a branch changes
"""Runs programs on new worlds: one kernel for all of them; `ops` says what a row is."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.exchange import Exchange
from garten.craftax.full.ops import (
    ARMOUR_SLOT,
    BOW,
    HELMET,
    LIMIT,
    LOW_BLOCKS,
    MOST_ARGUMENTS,
    PLAYER_COLUMN,
    PLAYER_ROW,
    POTION_SLOT,
    REGISTERS,
    SWORD,
    WALKABLE,
    Op,
)
from garten.craftax.full.ops_tiles import (
    What,
    Where,
    add_creature,
    count_near,
    fill,
    free_slots,
    nearest_block,
    put_at_random,
    put_block,
    tile_at_random,
)
from garten.craftax.full.programs import Programs, choose_variant, row_key
from garten.craftax.full.rules.achieve import unlock_held
from garten.craftax.full.state import Rules, Settings, State
from garten.craftax.full.tables import FLOOR_ACHIEVEMENTS, FLOORS, SIZE, Item
from garten.craftax.keys import PartitionableKey, randint

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

Registers = wp.types.vector(REGISTERS, int)
Arguments = wp.types.vector(MOST_ARGUMENTS, int)

_SIZE = wp.constant(SIZE)
_WALKABLE = wp.constant(wp.uint64(sum(1 << int(block) for block in WALKABLE)))
_FLOORS = wp.constant(FLOORS)
_ITEMS = wp.constant(len(Item))
_ENTERED = wp.constant(wp.types.vector(FLOORS, int)(*(int(done) for done in FLOOR_ACHIEVEMENTS)))
_MOST_OF_ITEM = {Item.PICKAXE: 4, Item.SWORD: 4, Item.BOW: 1}
_MOST = wp.constant(wp.types.vector(len(Item), int)(*(_MOST_OF_ITEM.get(item, 99) for item in Item)))


@wp.kernel
def run_programs(
    # In:
    first: int,
    only_over: bool,
    p: Settings,
    r: Rules,
    programs: Programs,
    # In and out:
    x: Exchange,
    s: State,
):
    """Run each lane's program on its new world, the floors it works on being made.

    Args:
        first: lane of the launch's first thread.
        only_over: whether the lanes have new worlds whose episode is over, or those chosen.
        p: settings of the lanes.
        r: the rule tables.
        programs: what `Settings.program` names one of.
        x: whose turn it is; what found no room.
        s: the states.
    """
    lane = first + wp.tid()
    if wp.where(only_over, x.over[lane], x.chosen[lane]):
        misplaced = int(0)
        program = p.program[lane]
        if program >= 0:
            variant = choose_variant(programs, program, s.world_key[lane])
            start = programs.first_row[variant]
            end = programs.first_row[variant + 1]
            misplaced = _run(programs, start, end, p, r, s, lane)
            if end > start:
                _unlock_start(s, r, x, lane, p.rules[lane])
        x.misplaced[lane] = misplaced


@wp.func
def _run(programs: Programs, start: int, end: int, p: Settings, r: Rules, s: State, lane: int) -> int:
    """Run the rows of a variant; returns how many things found no room."""
    table = p.rules[lane]
    misplaced = int(0)
    registers = Registers()
    registers[PLAYER_ROW] = s.player_position[lane][0]
    registers[PLAYER_COLUMN] = s.player_position[lane][1]
    row = int(start)
    while row < end:
        op = programs.rows[row, 0]
        args = _arguments(programs, row, registers)
        key = row_key(s.world_key[lane], row - start)
        if op == Op.SKIP_UNLESS:
            if args[1] < args[0] or args[1] > args[2]:
                row = row + args[3]
        elif op == Op.START or op == Op.START_NEAR:
            _start_on(s, lane, args[0])
            if op == Op.START_NEAR:
                s.player_position[lane] = _near_ladder(s, lane, args[0], args[1], args[2], key)
            registers[PLAYER_ROW] = s.player_position[lane][0]
            registers[PLAYER_COLUMN] = s.player_position[lane][1]
        elif op == Op.NEAREST:
            place = nearest_block(s, lane, args[0], args[1], _on_map(args[2], args[3]))
            registers[args[4]] = place[0]
            registers[args[4] + 1] = place[1]
        elif op == Op.COUNT:
            center = _on_map(args[2], args[3])
            most = wp.clamp(args[4], 0, 2 * _SIZE)
            registers[args[5]] = count_near(s, lane, args[0], args[1], center, most)
        elif op >= Op.RANDOM:
            registers[args[0]] = wp.clamp(_value(op, args, key), -LIMIT, LIMIT)
        elif op >= Op.PLACE:
            misplaced = misplaced + _put(s, r, table, lane, op, args, key)
        else:
            _equip(s, lane, op, args)
        row = row + 1
    return misplaced


@wp.func
def _arguments(programs: Programs, row: int, registers: Registers) -> Arguments:
    args = Arguments()
    for index in range(MOST_ARGUMENTS):
        register = programs.rows[row, 1 + 2 * index]
        args[index] = registers[register] + programs.rows[row, 2 + 2 * index]
    return args


@wp.func
def _value(op: int, args: Arguments, key: PartitionableKey) -> int:
    """What a register takes by the rows that calculate."""
    if op == Op.RANDOM:
        return args[1] + randint(key, wp.max(args[2] - args[1], 0) + 1)
    if op == Op.PICK:
        return args[2 + randint(key, args[1])]
    if op == Op.ADD_UP:
        return args[1] + args[2]
    return args[1] - args[2]


@wp.func
def _on_map(row: int, column: int) -> wp.vec2i:
    """The tile of the map that is nearest to a place."""
    return wp.vec2i(wp.clamp(row, 0, _SIZE - 1), wp.clamp(column, 0, _SIZE - 1))


@wp.func
def _blocks(low: int, high: int) -> wp.uint64:
    return wp.uint64(low) | (wp.uint64(high) << wp.uint64(LOW_BLOCKS))


@wp.func
def _put(s: State, r: Rules, table: int, lane: int, op: int, args: Arguments, key: PartitionableKey) -> int:
    """Put blocks and creatures on the map; returns how many found no room."""
    floor = args[0]
    what = What()
    what.block = args[1]
    if op == Op.PLACE:
        return put_block(s, lane, floor, wp.vec2i(args[2], args[3]), what.block)
    if op == Op.FILL:
        corner = wp.vec2i(args[2], args[3])
        return fill(s, lane, floor, what.block, corner, wp.vec2i(args[4], args[5]))
    if op == Op.ADD or op == Op.ADD_NEAR:
        what.block = -1
        what.kind = args[1]
        what.type = args[2]
    if op == Op.ADD:
        what.health = float(args[5])
        return add_creature(s, r, table, lane, floor, what, wp.vec2i(args[3], args[4]))

    where = Where()
    where.floor = floor
    where.most = 2 * _SIZE
    where.beside = -1
    count = int(1)
    misplaced = int(0)
    if op == Op.ADD_NEAR:
        count = wp.max(args[3], 0)
        room = free_slots(s, lane, floor, what.kind)
        misplaced = wp.max(count - room, 0)
        count = wp.min(count, room)
        where.center = _on_map(args[4], args[5])
        where.least = args[6]
        where.most = args[7]
        where.blocks = _blocks(args[8], args[9])
    elif op == Op.SCATTER:
        count = wp.max(args[2], 0)
        where.blocks = _blocks(args[3], args[4])
    elif op == Op.SCATTER_NEAR:
        count = wp.max(args[2], 0)
        where.center = _on_map(args[3], args[4])
        where.least = wp.max(args[5], 1)
        where.most = args[6]
        where.blocks = _blocks(args[7], args[8])
    else:
        where.beside = args[2]
        where.blocks = _blocks(args[3], args[4])
    where.most = wp.clamp(wp.max(where.most, where.least), 0, 2 * _SIZE)
    if what.block >= 0:
        where.blocks = where.blocks & ~(wp.uint64(1) << wp.uint64(what.block))
    return misplaced + put_at_random(s, r, table, lane, what, where, count, key)


@wp.func
def _equip(s: State, lane: int, op: int, args: Arguments):
    """Change what the player is, holds and knows, and what was killed before."""
    if op == Op.ATTRIBUTES:
        s.dexterity[lane] = wp.clamp(args[0], 1, 5)
        s.strength[lane] = wp.clamp(args[1], 1, 5)
        s.intelligence[lane] = wp.clamp(args[2], 1, 5)
    elif op == Op.HOLD:
        _hold(s, lane, args[0], args[1])
    elif op == Op.ENCHANT:
        element = wp.clamp(args[1], 0, 2)
        if args[0] == SWORD:
            s.sword_enchantment[lane] = element
        elif args[0] == BOW:
            s.bow_enchantment[lane] = element
        else:
            s.armour_enchantments[lane, args[0] - HELMET] = element
    elif op == Op.LEARN:
        s.spells[lane, args[0]] = args[1] > 0
    elif op == Op.KILLS:
        s.kills[lane, args[0]] = wp.clamp(args[1], 0, LIMIT)


@wp.func
def _hold(s: State, lane: int, slot: int, count: int):
    if slot < POTION_SLOT:
        s.inventory[lane, slot] = wp.clamp(count, 0, _MOST[slot])
    elif slot < ARMOUR_SLOT:
        s.potions[lane, slot - POTION_SLOT] = wp.clamp(count, 0, 99)
    else:
        s.armour[lane, slot - ARMOUR_SLOT] = wp.clamp(count, 0, 2)


@wp.func
def _start_on(s: State, lane: int, floor: int):
    s.floor[lane] = floor
    s.player_position[lane] = s.up_ladder[lane, floor]
    if floor == 0:
        s.player_position[lane] = wp.vec2i(_SIZE // 2, _SIZE // 2)


@wp.func
def _near_ladder(s: State, lane: int, floor: int, least: int, most: int, key: PartitionableKey) -> wp.vec2i:
    where = Where()
    where.floor = floor
    where.blocks = _WALKABLE
    where.center = s.down_ladder[lane, floor]
    where.least = least
    where.most = wp.clamp(wp.max(most, least), 0, 2 * _SIZE)
    where.beside = -1
    return tile_at_random(s, lane, where, key)


@wp.func
def _unlock_start(s: State, r: Rules, x: Exchange, lane: int, table: int):
    """What the player holds and the floors down to its own are no achievements any more, nor rewarded."""
    reward = float(x.rewards[lane])
    unlock_held(s, r, x, lane, table)
    x.rewards[lane] = reward
    for floor in range(1, _FLOORS):
        if floor <= s.floor[lane]:
            s.achievements[lane, _ENTERED[floor]] = True
