"""A seed level: into a shallow hollow near the start."""

objective = "Reach the hollow."
description = "The hollow lies at most 2.5 m from the start and has half its depth."
relevant_achievements = ["REACH_HOLLOW"]


def generate_world(builder):
    builder.bring("HOLLOW", 2.5)
    builder.lower("HOLLOW", 0.5)
