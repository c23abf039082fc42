"""A seed level: a flag on even ground, near the start."""

objective = "Reach the meadow."
description = "The meadow's flag lies at most 2.5 m from the start."
relevant_achievements = ["REACH_MEADOW"]


def generate_world(builder):
    builder.bring("MEADOW", 2.5)
