"""A seed level: one zombie near the start, and a sword."""

objective = "Defeat a zombie."
description = (
    "The overworld, with one zombie and three cows 4 to 8 steps from the start. The player starts with a "
    "wooden sword and heals five times as fast as usual. Skeletons come rarely."
)
relevant_achievements = ["DEFEAT_ZOMBIE"]
completed_achievements = ["MAKE_WOOD_SWORD"]


def get_task_params():
    return TaskParams(ranged_spawn_multiplier=0.2, health_recover_multiplier=5.0)


def generate_world(builder):
    builder.set_player_inventory({"sword": 1})
    builder.add_mobs_randomly_near(0, "melee", "zombie", n=1, min_dist=4, max_dist=8)
    builder.add_mobs_randomly_near(0, "passive", "cow", n=3, min_dist=4, max_dist=8)
