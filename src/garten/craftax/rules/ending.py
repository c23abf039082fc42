# mypy: ignore-errors
"""The end of a step: the reward of health, the clock, whether the episode is over, and its books."""

from __future__ import annotations

from typing import Any

import warp as wp

from garten import devices
from garten.craftax.daylight import daylight

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)


@wp.func
def reward_health(s: Any, r: Any, x: Any, lane: int, table: int, before: Any):
    """Add the reward of health gained or lost in the step to that of its achievements."""
    gained = float(s.health[lane] - before)
    x.rewards[lane] = x.rewards[lane] + gained * r.health_reward[table]


@wp.func
def advance_clock(s: Any, p: Any, lane: int):
    """A step has passed."""
    timestep = s.timestep[lane] + 1
    s.timestep[lane] = timestep
    s.light[lane] = daylight(timestep, p.day_length[lane])


@wp.func
def judge(s: Any, p: Any, x: Any, lane: int, ended: bool):
    """Say whether the episode is over: terminated if the game ended or the goal is met, truncated by time."""
    x.terminated[lane] = ended or x.succeeded[lane]
    x.truncated[lane] = s.timestep[lane] >= p.max_timesteps[lane]
    x.over[lane] = x.terminated[lane] or x.truncated[lane]


@wp.func
def tally(s: Any, x: Any, lane: int):
    """Keep the books of the episode, and close them when it is over."""
    x.episode_return[lane] = x.episode_return[lane] + x.rewards[lane]
    if x.over[lane]:
        x.final_return[lane] = x.episode_return[lane]
        x.final_length[lane] = s.timestep[lane]
        x.final_success[lane] = x.succeeded[lane]
        for achievement in range(s.achievements.shape[1]):
            x.final_achievements[lane, achievement] = s.achievements[lane, achievement]
