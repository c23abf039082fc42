"""A seed level: the first steps of the technology tree."""

objective = "Collect wood, place a table and make a wooden pickaxe."
description = (
    "The overworld, with three cows 4 to 8 steps from the start. The player starts with a wooden sword. "
    "Monsters hardly come, needs grow slowly."
)
relevant_achievements = ["COLLECT_WOOD", "PLACE_TABLE", "MAKE_WOOD_PICKAXE"]
completed_achievements = ["MAKE_WOOD_SWORD"]


def get_task_params():
    return TaskParams(
        melee_spawn_multiplier=0.1, ranged_spawn_multiplier=0.05, needs_depletion_multiplier=0.5
    )


def generate_world(builder):
    builder.set_player_inventory({"sword": 1})
    builder.add_mobs_randomly_near(0, "passive", "cow", n=3, min_dist=4, max_dist=8)
