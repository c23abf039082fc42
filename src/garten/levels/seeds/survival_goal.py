"""The goal of the seed level `survival`, in the plain game."""

objective = "Eat a cow, drink water and sleep until rested."
description = "The plain game."
relevant_achievements = ["EAT_COW", "COLLECT_DRINK", "WAKE_UP"]
