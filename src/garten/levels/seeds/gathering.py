"""A seed level: coal near the start, and what it takes to mine it."""

objective = "Collect coal."
description = (
    "The overworld, with five pieces of coal 4 to 8 steps from the start and three cows as food. "
    "The player starts with a wooden pickaxe and a wooden sword. Monsters come rarely, needs grow slowly."
)
relevant_achievements = ["COLLECT_COAL"]
completed_achievements = ["MAKE_WOOD_PICKAXE", "MAKE_WOOD_SWORD"]


def get_task_params():
    return TaskParams(melee_spawn_multiplier=0.2, ranged_spawn_multiplier=0.2, needs_depletion_multiplier=0.5)


def generate_world(builder):
    builder.set_player_inventory({"pickaxe": 1, "sword": 1})
    start = builder.player_position
    builder.add_mobs_randomly_near(
        0, "passive", "cow", n=3, min_dist=4, max_dist=8, on_blocks=["GRASS", "PATH"]
    )
    builder.place_randomly_near(0, "COAL", start, 4, 8, n=5, on_blocks=["GRASS", "STONE"])
