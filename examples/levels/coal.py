"""A level: coal near the start, and a table by a tree."""

objective = "Collect coal."
description = "Coal lies near the start, by the nearest tree stands a table, and a wooden pickaxe is in hand."
relevant_achievements = ["COLLECT_COAL"]  # the goal: once all are unlocked the episode ends
completed_achievements = ["MAKE_WOOD_PICKAXE"]  # unlocked from the start, unrewarded; optional


def get_task_params():  # the dials that differ; optional
    return TaskParams(melee_spawn_multiplier=0.2, needs_depletion_multiplier=0.5)


def generate_world(builder):  # what differs in each new world; optional
    builder.set_player_inventory({"pickaxe": 1})
    builder.place_randomly_near(0, "COAL", builder.player_position, 4, 8, n=5)
    builder.place_randomly_near(0, "TABLE", builder.find_block(0, "TREE"), 1, 2)
