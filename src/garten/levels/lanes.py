"""Puts levels on the lanes of an environment: any number of different ones, nothing is compiled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from garten.craftax.env import Env
from garten.craftax.full.engine import FullEngine
from garten.levels.level import Level, mask
from garten.levels.params import DEFAULTS


def assign(
    env: Env, levels: Sequence[Level], lanes: npt.NDArray[np.integer[Any]], *, bonus: float | Sequence[float]
) -> None:
    """Give each lane one of the levels; its next new world is the first of it.

    Args:
        env: of Craftax.
        levels: which there are.
        lanes: integers [num_envs], the index of each lane's level, -1 for the plain game without a goal.
        bonus: reward of meeting a level's goal, for all levels or one for each.

    Raises:
        ValueError: the environment is no Craftax, or `lanes` does not name a level for each lane.
    """
    engine = env.engine
    if not isinstance(engine, FullEngine):
        raise ValueError("Levels are of Craftax; make the environment with 'Craftax'.")
    given = np.asarray(lanes)
    if given.shape != (env.num_envs,) or given.dtype.kind not in "iu":
        raise ValueError(f"lanes is {given.dtype} of shape {given.shape}; give {env.num_envs} integers.")
    if given.min() < -1 or given.max() >= len(levels):
        raise ValueError(f"lanes names levels {given.min()} to {given.max()}; there are {len(levels)}.")
    env.set(program=-1)
    engine.give_programs([level.variants for level in levels])
    plain = len(levels)  # the row of the plain game
    rows = np.where(given < 0, plain, given)
    dials = {
        name: np.array([*(level.dials[name] for level in levels), default])[rows]
        for name, default in DEFAULTS.items()
    }
    bonuses = np.append(np.broadcast_to(np.asarray(bonus, np.float32), (len(levels),)), 0.0)
    env.set(
        program=given.astype(np.int32),
        goal=np.stack([*(mask(level.goal) for level in levels), mask(())])[rows],
        initial_achievements=np.stack([*(mask(level.initial) for level in levels), mask(())])[rows],
        bonus=bonuses[rows],
        **dials,
    )
