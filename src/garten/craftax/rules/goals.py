# mypy: ignore-errors
"""Goals: achievements that, all unlocked, end the episode."""

from __future__ import annotations

from typing import Any

import warp as wp

from garten import devices

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

NONE = wp.constant(0)
OPEN = wp.constant(1)
MET = wp.constant(2)


@wp.func
def goal_state(s: Any, p: Any, lane: int) -> int:
    """Whether a lane has no goal, one that still lacks an achievement, or one that is met."""
    found = int(NONE)
    for achievement in range(p.goal.shape[1]):
        if p.goal[lane, achievement]:
            if not s.achievements[lane, achievement]:
                return OPEN
            found = MET
    return found


@wp.func
def pursue_goal(s: Any, p: Any, x: Any, lane: int, before: int):
    """Note whether the goal is met, and pay its bonus in the step that meets it.

    Achievements are never lost, so the bonus is paid once, also to a lane that plays on afterwards. A goal
    that was met when the step began, such as one that a new world's achievements meet already, ends the
    episode unpaid.

    Args:
        s: the states.
        p: settings: goals and bonuses.
        x: rewards.
        lane: whose goal.
        before: its `goal_state` when the step began.
    """
    after = before
    if before == OPEN:
        after = goal_state(s, p, lane)
        if after == MET:
            x.rewards[lane] = x.rewards[lane] + p.bonus[lane]
    x.succeeded[lane] = after == MET
