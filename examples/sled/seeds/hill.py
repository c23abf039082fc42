"""A seed level: up a low hill near the start, with little weight."""

objective = "Climb the hill."
description = "The hill lies at most 3 m from the start and has 0.4 of its height; things weigh less."
relevant_achievements = ["CLIMB_HILL"]


def get_task_params():
    return TaskParams(gravity=6.0)


def generate_world(builder):
    builder.bring("HILL", 3.0)
    builder.lower("HILL", 0.4)
