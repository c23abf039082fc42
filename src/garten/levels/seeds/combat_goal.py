"""The goal of the seed level `combat`, in the plain game."""

objective = "Defeat a zombie."
description = "The plain game."
relevant_achievements = ["DEFEAT_ZOMBIE"]
