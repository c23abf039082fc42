"""Numbers of the rules that are the same in both games; each game's own are in its ``rulebook``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from garten.craftax.columns import Field

FIXED = Field("fixed", bool, "whether what looks like an oversight in 1.6.1 is put right")

BODY: tuple[Field, ...] = (
    Field("hunger_limit", float, "steps awake that cost 1 food", default=25.0),
    Field("thirst_limit", float, "steps awake that cost 1 drink", default=20.0),
    Field("fatigue_limit", float, "steps awake that cost 1 energy", default=30.0),
    Field("asleep_need", float, "hunger and thirst of a step asleep", default=0.5),
    Field("rest_limit", float, "steps asleep, as a negative number, that give 1 energy", default=-10.0),
    Field("recover_limit", float, "recovery that gives 1 health", default=25.0),
    Field("decline_limit", float, "recovery, negative, that costs 1 health", default=-15.0),
    Field("recover_awake", float, "recovery of a step with all needs met", default=1.0),
    Field("recover_asleep", float, "the same asleep", default=2.0),
    Field("decline_awake", float, "recovery of a step with a need unmet", default=-1.0),
    Field("decline_asleep", float, "the same asleep", default=-0.5),
)

BUILDING: tuple[Field, ...] = (
    Field("table_wood", int, "wood of a table", default=2),
    Field("furnace_stone", int, "stone of a furnace", default=1),
)

MOUNTAINS: tuple[Field, ...] = (
    Field("mountain_level", float, "mountain noise above which there are mountains", default=0.7),
    Field("tunnel_level", float, "path noise above which they have tunnels", default=0.8),
    Field("cave_levels", float, "mountain and water noise above which there is a cave", (2,), (0.85, 0.4)),
)

HEALTH_REWARD = Field("health_reward", float, "reward of 1 health gained, penalty of 1 lost", default=0.1)


def recipe_costs(recipes: Sequence[Mapping[Any, int]], items: int) -> npt.NDArray[np.int32]:
    """What each recipe takes of each item: int32 [recipes, items]."""
    costs = np.zeros((len(recipes), items), np.int32)
    for row, needs in enumerate(recipes):
        for item, count in needs.items():
            costs[row, item] = count
    return costs
