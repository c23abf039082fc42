# mypy: ignore-errors
# ruff: noqa: RUF046, SIM102, UP018 - Warp takes int(0), not 0, and evaluates both sides of `and`
"""New worlds: nine floors, and a new player on the first."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.daylight import daylight
from garten.craftax.full.built import make_built_floor
from garten.craftax.full.exchange import Exchange
from garten.craftax.full.natural import Workbench, make_natural_floor
from garten.craftax.full.programs import Programs, choose_variant
from garten.craftax.full.rules.ground import thing_at
from garten.craftax.full.state import Plans, Rules, Settings, State
from garten.craftax.full.tables import (
    FLOORS,
    MELEE,
    PASSIVE,
    PLANTS,
    RANGED,
    SHOTS,
    SIZE,
    Achievement,
    Action,
    Item,
    Thing,
)
from garten.craftax.keys import Key, bits_at, child, of_stream, right, words

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_SIZE = wp.constant(SIZE)
_FLOORS = wp.constant(FLOORS)
_WORLD_KEYS = wp.constant(7)  # of a world's key: one for what is not natural, and the natural floors'
_BUILT_KEYS = wp.constant(4)  # of the first of these: the player's, and the built floors'
_MELEE = wp.constant(MELEE)
_PASSIVE = wp.constant(PASSIVE)
_RANGED = wp.constant(RANGED)
_SHOTS = wp.constant(SHOTS)
_PLANTS = wp.constant(PLANTS)
_ITEMS = wp.constant(len(Item))
_ACHIEVEMENTS = wp.constant(len(Achievement))


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
    plans: Plans,
    programs: Programs,
    # In and out:
    x: Exchange,
    bench: Workbench,
    # Out:
    s: State,
):
    """Give lanes a new world, for now its first floor and those that its program works on.

    Each worker makes the worlds of every `workers`-th lane.

    Args:
        first: first lane of the launch.
        lanes: how many lanes it covers.
        workers: threads of the launch.
        only_over: whether to serve the lanes whose episode is over, from the second half of their keys as
            the original resets from it, the step having used the first; or the lanes chosen, from their
            whole keys.
        stream: any key of the stream to draw from.
        angles_in: given noise angles, of which `Settings.angles` names a row.
        p: settings of the lanes.
        r: the rule tables.
        plans: of the floors, nine rows for each rule table.
        programs: what will be run on the new worlds.
        x: keys, and whose turn it is.
        bench: room to work.
        s: the states.
    """
    worker = wp.tid()
    for index in range(worker, lanes, workers):
        lane = first + index
        if wp.where(only_over, x.over[lane], x.chosen[lane]):
            key = _world_key(p, lane, of_stream(x.keys[lane], stream), only_over)
            s.world_key[lane] = words(key)
            floors = _first_floors(p, programs, lane, words(key))
            for floor in range(_FLOORS):
                s.floor_made[lane, floor] = False
                if ((floors >> floor) & 1) != 0:
                    _make_floor(stream, angles_in, p, r, plans, bench, worker, s, lane, floor)
            _new_player(s, p, lane, child(child(key, 0, _WORLD_KEYS), 0, _BUILT_KEYS))
            x.episode_return[lane] = 0.0


@wp.kernel
def open_floors(
    # In:
    first: int,
    lanes: int,
    workers: int,
    all_chosen: bool,
    stream: Key,
    angles_in: wp.array2d(dtype=float),
    p: Settings,
    r: Rules,
    plans: Plans,
    x: Exchange,
    # In and out:
    bench: Workbench,
    s: State,
):
    """Make the floors that the lanes' players are about to enter, or all that chosen lanes still lack.

    A floor comes out the same whenever it is made. The arguments are those of `make_worlds`.
    """
    worker = wp.tid()
    for index in range(worker, lanes, workers):
        lane = first + index
        if all_chosen:
            if x.chosen[lane]:
                for floor in range(_FLOORS):
                    if not s.floor_made[lane, floor]:
                        _make_floor(stream, angles_in, p, r, plans, bench, worker, s, lane, floor)
        else:
            floor = _floor_ahead(s, p, lane, x.actions[lane])
            if floor >= 0 and floor < _FLOORS:
                if not s.floor_made[lane, floor]:
                    _make_floor(stream, angles_in, p, r, plans, bench, worker, s, lane, floor)


@wp.func
def _world_key(p: Settings, lane: int, key: Key, after_step: bool):
    """The key of a lane's new world: its pinned one, or from the key of the step or reset."""
    if p.pinned[lane]:
        return of_stream(p.pinned_key[lane], key)
    if after_step:
        return right(right(key))
    return key


@wp.func
def _first_floors(p: Settings, programs: Programs, lane: int, world_key: wp.vec2ui) -> int:
    """The floors to make at once, as a bit mask."""
    program = p.program[lane]
    if program < 0:
        return 1
    return 1 | programs.floors[choose_variant(programs, program, world_key)]


@wp.func
def _floor_ahead(s: State, p: Settings, lane: int, action: int) -> int:
    """The floor that the player may be about to enter, or -1; it may not exist."""
    place = s.player_position[lane]
    floor = s.floor[lane]
    god = bool(p.god_mode[lane])
    if action == Action.DESCEND and (god or thing_at(s, lane, place) == Thing.LADDER_DOWN):
        return floor + 1
    if action == Action.ASCEND and (god or thing_at(s, lane, place) == Thing.LADDER_UP):
        return floor - 1
    return -1


@wp.func
def _make_floor(
    stream: Key,
    angles_in: wp.array2d(dtype=float),
    p: Settings,
    r: Rules,
    plans: Plans,
    bench: Workbench,
    worker: int,
    s: State,
    lane: int,
    floor: int,
):
    """Make a floor of a lane's world, with nobody on it."""
    world_key = of_stream(s.world_key[lane], stream)
    table = p.rules[lane]
    plan = table * _FLOORS + floor
    if plans.natural[plan]:
        key = child(world_key, plans.key[plan], _WORLD_KEYS)
        sure = p.always_diamond[lane]
        angles = p.angles[lane]
        make_natural_floor(key, plans, plan, r, table, sure, angles_in, angles, bench, worker, s, lane, floor)
    else:
        key = child(child(world_key, 0, _WORLD_KEYS), plans.key[plan], _BUILT_KEYS)
        make_built_floor(key, plans, plan, r, table, s, lane, floor)
    for row in range(_SIZE):
        for column in range(_SIZE):
            s.occupied[lane, floor, row, column] = False
    s.chest_opened[lane, floor] = False
    s.kills[lane, floor] = 0
    if floor == 0:
        s.kills[lane, floor] = 10  # the first ladder is open from the start
    _no_creatures(s, lane, floor)
    s.floor_made[lane, floor] = True


@wp.func
def _no_creatures(s: State, lane: int, floor: int):
    nowhere = wp.vec2i(0, 0)
    for slot in range(_MELEE):
        s.melee_position[lane, floor, slot] = nowhere
        s.melee_health[lane, floor, slot] = 1.0
        s.melee_alive[lane, floor, slot] = False
        s.melee_cooldown[lane, floor, slot] = 0
        s.melee_type[lane, floor, slot] = 0
    for slot in range(_PASSIVE):
        s.passive_position[lane, floor, slot] = nowhere
        s.passive_health[lane, floor, slot] = 1.0
        s.passive_alive[lane, floor, slot] = False
        s.passive_type[lane, floor, slot] = 0
    for slot in range(_RANGED):
        s.ranged_position[lane, floor, slot] = nowhere
        s.ranged_health[lane, floor, slot] = 1.0
        s.ranged_alive[lane, floor, slot] = False
        s.ranged_cooldown[lane, floor, slot] = 0
        s.ranged_type[lane, floor, slot] = 0
    for slot in range(_SHOTS):
        s.mob_shot_position[lane, floor, slot] = nowhere
        s.mob_shot_direction[lane, floor, slot] = wp.vec2i(1, 1)
        s.mob_shot_alive[lane, floor, slot] = False
        s.mob_shot_type[lane, floor, slot] = 0
        s.player_shot_position[lane, floor, slot] = nowhere
        s.player_shot_direction[lane, floor, slot] = wp.vec2i(1, 1)
        s.player_shot_alive[lane, floor, slot] = False
        s.player_shot_type[lane, floor, slot] = 0


@wp.func
def _new_player(s: State, p: Settings, lane: int, key: Key):
    """Put a new player in the middle of the first floor; `key` is what the floors left of the world's."""
    s.player_position[lane] = wp.vec2i(_SIZE // 2, _SIZE // 2)
    s.floor[lane] = 0
    s.player_direction[lane] = int(Action.UP)
    s.health[lane] = 9.0
    s.food[lane] = 9
    s.drink[lane] = 9
    s.energy[lane] = 9
    s.mana[lane] = 9
    s.sleeping[lane] = False
    s.resting[lane] = False
    s.recover[lane] = 0.0
    s.hunger[lane] = 0.0
    s.thirst[lane] = 0.0
    s.fatigue[lane] = 0.0
    s.recover_mana[lane] = 0.0
    s.experience[lane] = 0
    s.dexterity[lane] = 1
    s.strength[lane] = 1
    s.intelligence[lane] = 1
    _new_inventory(s, p, lane)
    _shuffle_potions(s, lane, right(right(key)))
    for slot in range(_PLANTS):
        s.plant_position[lane, slot] = wp.vec2i(0, 0)
        s.plant_age[lane, slot] = 0
        s.plant_alive[lane, slot] = False
    s.boss_progress[lane] = 0
    s.boss_timer[lane] = 7
    s.light[lane] = daylight(0, p.day_length[lane])
    for achievement in range(_ACHIEVEMENTS):
        s.achievements[lane, achievement] = p.initial_achievements[lane, achievement]
    s.timestep[lane] = 0


@wp.func
def _new_inventory(s: State, p: Settings, lane: int):
    """Nothing, or for a god everything."""
    god = bool(p.god_mode[lane])
    for item in range(_ITEMS):
        s.inventory[lane, item] = wp.where(god, 99, 0)
    if god:
        s.inventory[lane, int(Item.PICKAXE)] = 4
        s.inventory[lane, int(Item.SWORD)] = 4
        s.inventory[lane, int(Item.BOW)] = 1
    for colour in range(6):
        s.potions[lane, colour] = wp.where(god, 99, 0)
    for piece in range(4):
        s.armour[lane, piece] = wp.where(god, 2, 0)
        s.armour_enchantments[lane, piece] = 0
    s.sword_enchantment[lane] = 0
    s.bow_enchantment[lane] = 0
    s.spells[lane, 0] = False
    s.spells[lane, 1] = False


@wp.func
def _shuffle_potions(s: State, lane: int, key: Key):
    """Deal the effects to the colours: colour after colour takes the effect with the next higher word."""
    for effect in range(6):
        word = bits_at(key, effect, 6)
        rank = int(0)
        for other in range(6):
            rival = bits_at(key, other, 6)
            if rival < word or (rival == word and other < effect):
                rank = rank + 1
        s.potion_effects[lane, rank] = effect
