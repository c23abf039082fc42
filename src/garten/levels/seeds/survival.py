"""A seed level: eating, drinking and sleeping."""

objective = "Eat a cow, drink water and sleep until rested."
description = (
    "The overworld, with three cows 4 to 8 steps from the start. The player has nothing. Monsters hardly "
    "come; needs grow as usual."
)
relevant_achievements = ["EAT_COW", "COLLECT_DRINK", "WAKE_UP"]


def get_task_params():
    return TaskParams(melee_spawn_multiplier=0.05, ranged_spawn_multiplier=0.05)


def generate_world(builder):
    builder.add_mobs_randomly_near(0, "passive", "cow", n=3, min_dist=4, max_dist=8)
