# mypy: ignore-errors
"""One step of every lane: the rulebook's contents page, in the original's order."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.full.exchange import Exchange
from garten.craftax.full.rules.achieve import unlock_held
from garten.craftax.full.rules.boss import advance_boss
from garten.craftax.full.rules.consume import drink_potion, level_up, read_book
from garten.craftax.full.rules.craft import craft
from garten.craftax.full.rules.enchant import enchant
from garten.craftax.full.rules.ending import clip, is_over
from garten.craftax.full.rules.interact import interact
from garten.craftax.full.rules.ladders import change_floor
from garten.craftax.full.rules.melee import move_melee
from garten.craftax.full.rules.move import move
from garten.craftax.full.rules.needs import update_needs
from garten.craftax.full.rules.passive import move_passive
from garten.craftax.full.rules.place import place
from garten.craftax.full.rules.plants import grow_plants
from garten.craftax.full.rules.ranged import move_ranged
from garten.craftax.full.rules.shoot import shoot
from garten.craftax.full.rules.shots import move_mob_shots, move_player_shots
from garten.craftax.full.rules.spawn import spawn
from garten.craftax.full.state import Rules, Settings, State
from garten.craftax.full.tables import Action
from garten.craftax.keys import Key, left, of_stream, right, words
from garten.craftax.rules import ending
from garten.craftax.rules.goals import goal_state, pursue_goal

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)


@wp.kernel
def step(
    # In:
    first: int,
    first_half: bool,
    stream: Key,
    p: Settings,
    r: Rules,
    # In and out:
    s: State,
    x: Exchange,
):
    """Step one lane.

    Args:
        first: lane of the launch's first thread.
        first_half: whether to use the first half of the key only, the second being kept for a new world, as
            the original's environments do that reset themselves.
        stream: any key of the stream to draw from.
        p: settings of the lanes.
        r: the rule tables.
        s: the states.
        x: actions and keys, rewards and endings.
    """
    lane = first + wp.tid()
    table = p.rules[lane]
    health_before = float(s.health[lane])
    goal_before = goal_state(s, p, lane)
    x.rewards[lane] = 0.0

    action = x.actions[lane]
    if s.sleeping[lane] or s.resting[lane]:
        action = int(Action.NOOP)
    do_key = of_stream(x.keys[lane], stream)
    if first_half:
        do_key = left(do_key)
    book_key = left(do_key)
    enchant_key = left(book_key)
    mobs_key = left(enchant_key)
    spawn_key = left(mobs_key)

    change_floor(s, p, r, x, lane, table, action)
    craft(s, r, x, lane, table, action)
    if action == Action.DO:
        interact(s, r, x, lane, table, right(do_key))
    place(s, r, x, lane, table, action)
    shoot(s, r, x, lane, table, action)
    drink_potion(s, r, x, lane, table, action)
    read_book(s, r, x, lane, table, action, right(book_key))
    enchant(s, r, x, lane, table, action, right(enchant_key))
    advance_boss(s, r, x, lane, table)
    level_up(s, p, lane, action)
    move(s, p, r, lane, table, action)

    key = move_melee(s, p, r, x, lane, table, left(right(mobs_key)))
    key = move_passive(s, p, lane, left(key))
    move_ranged(s, p, r, lane, table, left(key))
    move_mob_shots(s, p, r, x, lane, table)
    move_player_shots(s, r, x, lane, table)
    spawn(s, p, r, lane, table, right(spawn_key))

    grow_plants(s, p, lane)
    update_needs(s, p, r, x, lane, table, action)
    clip(s, p, r, lane, table)
    unlock_held(s, r, x, lane, table)
    ending.reward_health(s, r, x, lane, table, health_before)
    ending.advance_clock(s, p, lane)
    pursue_goal(s, p, x, lane, goal_before)
    ending.judge(s, p, x, lane, is_over(s, lane))
    ending.tally(s, x, lane)


@wp.kernel
def next_keys(
    # In:
    first: int,
    stream: Key,
    # In and out:
    x: Exchange,
):
    """Draw the key of a lane's next step from the key that the lane carries."""
    lane = first + wp.tid()
    own = of_stream(x.own_keys[lane], stream)
    x.keys[lane] = words(right(own))
    x.own_keys[lane] = words(left(own))
