# mypy: ignore-errors

"""The end of a step: limits, death, reward, the clock and the light."""

from __future__ import annotations

import warp as wp

from garten import devices
from garten.craftax.classic.exchange import Exchange
from garten.craftax.classic.rules.ground import block_at
from garten.craftax.classic.state import Rules, Settings, State
from garten.craftax.classic.tables import Achievement, Block, Item
from garten.craftax.daylight import daylight

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_ITEMS = wp.constant(len(Item))
_ACHIEVEMENTS = wp.constant(len(Achievement))


@wp.func
def cap_inventory(s: State, r: Rules, lane: int, table: int):
    """Keep no more of an item than fits."""
    for item in range(_ITEMS):
        s.inventory[lane, item] = wp.min(s.inventory[lane, item], r.item_limit[table])


@wp.func
def cap_health(s: State, lane: int):
    """Die in lava; nobody is deader than dead."""
    if block_at(s, lane, s.player_position[lane]) == Block.LAVA:
        s.health[lane] = 0
    s.health[lane] = wp.max(s.health[lane], 0)


@wp.func
def reward_health(s: State, r: Rules, x: Exchange, lane: int, table: int, before: int):
    """Add the reward of health gained or lost in the step to that of its achievements."""
    gained = float(s.health[lane] - before)
    x.rewards[lane] = x.rewards[lane] + gained * r.health_reward[table]


@wp.func
def advance_clock(s: State, p: Settings, lane: int):
    """A step has passed."""
    timestep = s.timestep[lane] + 1
    s.timestep[lane] = timestep
    s.light[lane] = daylight(timestep, p.day_length[lane])


@wp.func
def judge(s: State, p: Settings, x: Exchange, lane: int):
    """Say whether the episode is over: terminated by death, truncated by the time limit."""
    in_lava = block_at(s, lane, s.player_position[lane]) == Block.LAVA
    x.terminated[lane] = in_lava or s.health[lane] <= 0
    x.truncated[lane] = s.timestep[lane] >= p.max_timesteps[lane]
    x.over[lane] = x.terminated[lane] or x.truncated[lane]


@wp.func
def tally(s: State, x: Exchange, lane: int):
    """Keep the books of the episode, and close them when it is over."""
    x.episode_return[lane] = x.episode_return[lane] + x.rewards[lane]
    if x.over[lane]:
        x.final_return[lane] = x.episode_return[lane]
        x.final_length[lane] = s.timestep[lane]
        for achievement in range(_ACHIEVEMENTS):
            x.final_achievements[lane, achievement] = s.achievements[lane, achievement]
