"""What goes into a step and comes out of it, beside the state."""

from __future__ import annotations

from garten.craftax.classic.tables import Achievement
from garten.craftax.columns import Field, Key, struct_type

EXCHANGE: tuple[Field, ...] = (
    Field("actions", int, "in: the `Action` of the step"),
    Field("keys", Key, "in: the random key of the step"),
    Field("own_keys", Key, "the key that the lane carries, for callers that give none"),
    Field("rewards", float, "out: the reward of the step"),
    Field("terminated", bool, "out: whether the player died"),
    Field("truncated", bool, "out: whether the time was up"),
    Field("over", bool, "out: whether either of them holds"),
    Field("chosen", bool, "in: whether the lane is to be reset"),
    Field("episode_return", float, "sum of rewards since the reset"),
    Field("final_return", float, "out: return of the lane's last finished episode"),
    Field("final_length", int, "out: its steps"),
    Field("final_achievements", bool, "out: what it achieved", (len(Achievement),)),
)

Exchange = struct_type("Exchange", EXCHANGE, module=__name__)
