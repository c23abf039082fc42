"""What lanes may set for themselves beside the original's environment parameters.

Both games have goals, which end the episode once met. Craftax has dials too, by which a level of Dreaming in
Code changes the dynamics; most of what they do Classic's own parameters do. At the defaults the game is the
plain one, bit for bit.
"""

from __future__ import annotations

from garten.craftax.columns import Field, Key

_MOST = 1000.0
"""No multiplier may be greater: products with it stay finite."""

DIALS: tuple[Field, ...] = (
    Field(
        "passive_spawn_multiplier", float, "times the chance of new passive creatures", (), 1.0, 0.0, _MOST
    ),
    Field(
        "melee_spawn_multiplier", float, "times that of melee creatures, night included", (), 1.0, 0.0, _MOST
    ),
    Field("ranged_spawn_multiplier", float, "times that of ranged creatures", (), 1.0, 0.0, _MOST),
    Field("mob_health_multiplier", float, "times the health of new creatures", (), 1.0, 0.01, _MOST),
    Field("mob_damage_multiplier", float, "times the damage of blows and shots", (), 1.0, 0.0, _MOST),
    Field("melee_trigger_distance", int, "distance below which melee creatures chase", (), 10, 1, 1000),
    Field(
        "monsters_killed_to_clear_level", int, "monsters to kill before the way down opens", (), 8, 0, 1000
    ),
    Field(
        "needs_depletion_multiplier", float, "times hunger, thirst, fatigue of a step", (), 1.0, 0.0, _MOST
    ),
    Field("health_recover_multiplier", float, "times recovery with all needs met", (), 1.0, 0.01, _MOST),
    Field("health_loss_multiplier", float, "times decline with a need unmet", (), 1.0, 0.0, _MOST),
    Field("mana_recover_multiplier", float, "times what intelligence adds to mana", (), 1.0, 0.01, _MOST),
    Field("growing_plants_age", int, "steps until a sapling is ripe", (), 600, 2, 1_000_000),
)
"""The twelve dials of a level, under their published names (Dreaming in Code, task parameters)."""


def level_fields(achievements: int) -> tuple[Field, ...]:
    """What a level sets beside its dials, for a game of so many achievements."""
    return (
        Field(
            "goal",
            bool,
            "achievements that, all unlocked, end the episode; none for no goal",
            (achievements,),
        ),
        Field("bonus", float, "reward of meeting the goal, paid once", (), 0.0, -1e6, 1e6),
        Field("initial_achievements", bool, "those a new world begins with, unrewarded", (achievements,)),
        Field("pinned", bool, "whether each new world is made from `pinned_key` rather than a fresh key"),
        Field("pinned_key", Key, "the key of a pinned lane's worlds"),
    )
