"""What goes into a step and comes out of it in both games, beside the state."""

from __future__ import annotations

from garten.craftax.columns import Field, Key


def exchange_fields(achievements: int) -> tuple[Field, ...]:
    """The fields, for a game of so many achievements."""
    return (
        Field("actions", int, "in: the `Action` of the step"),
        Field("keys", Key, "in: the random key of the step"),
        Field("own_keys", Key, "the key that the lane carries, for callers that give none"),
        Field("rewards", float, "out: the reward of the step"),
        Field("terminated", bool, "out: whether the game ended"),
        Field("truncated", bool, "out: whether the time was up"),
        Field("over", bool, "out: whether either of them holds"),
        Field("succeeded", bool, "out: whether the lane's goal was met, which ends its episode"),
        Field("chosen", bool, "in: whether the lane is to be reset"),
        Field("episode_return", float, "sum of rewards since the reset"),
        Field("final_return", float, "out: return of the lane's last finished episode"),
        Field("final_length", int, "out: its steps"),
        Field("final_success", bool, "out: whether it met its goal"),
        Field("final_achievements", bool, "out: what it achieved", (achievements,)),
    )
