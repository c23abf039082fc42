"""A seed level: away from the start."""

objective = "Leave home."
description = "The plain world with a stronger motor."
relevant_achievements = ["LEAVE_HOME"]


def get_task_params():
    return TaskParams(gain=6.0)
