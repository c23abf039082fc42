"""The goal of the seed level `crafting`, in the plain game."""

objective = "Collect wood, place a table and make a wooden pickaxe."
description = "The plain game."
relevant_achievements = ["COLLECT_WOOD", "PLACE_TABLE", "MAKE_WOOD_PICKAXE"]
