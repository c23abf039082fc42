# mypy: ignore-errors

"""One step of every lane: the rulebook's contents page, in the original's order."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.classic.exchange import Exchange
from garten.craftax.classic.rules.arrows import move_arrows
from garten.craftax.classic.rules.cows import move_cows
from garten.craftax.classic.rules.craft import craft
from garten.craftax.classic.rules.ending import cap_health, is_over
from garten.craftax.classic.rules.interact import interact
from garten.craftax.classic.rules.move import move
from garten.craftax.classic.rules.needs import update_needs
from garten.craftax.classic.rules.place import place
from garten.craftax.classic.rules.plants import grow_plants
from garten.craftax.classic.rules.skeletons import move_skeletons
from garten.craftax.classic.rules.spawn import spawn
from garten.craftax.classic.rules.zombies import move_zombies
from garten.craftax.classic.state import Rules, Settings, State
from garten.craftax.classic.tables import Action
from garten.craftax.keys import Key, left, of_stream, right, words
from garten.craftax.rules import ending
from garten.craftax.rules.goals import goal_state, pursue_goal
from garten.craftax.rules.items import limit

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
    health_before = int(s.health[lane])
    goal_before = goal_state(s, p, lane)
    x.rewards[lane] = 0.0

    action = x.actions[lane]
    if s.sleeping[lane]:
        action = int(Action.NOOP)
    do_key = of_stream(x.keys[lane], stream)
    if first_half:
        do_key = left(do_key)
    mobs_key = left(do_key)
    spawn_key = left(mobs_key)

    craft(s, r, x, lane, table, action)
    if action == Action.DO:
        interact(s, r, x, lane, table, right(do_key))
    place(s, r, x, lane, table, action)
    move(s, r, lane, table, action)

    key = move_zombies(s, p, r, x, lane, table, left(right(mobs_key)))
    key = move_cows(s, p, lane, left(key))
    move_skeletons(s, p, r, lane, table, left(key))
    move_arrows(s, r, x, lane, table)
    spawn(s, p, r, lane, table, right(spawn_key))

    grow_plants(s, r, lane, table)
    update_needs(s, r, x, lane, table, action)
    limit(s, r, lane, table)
    cap_health(s, lane)
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
