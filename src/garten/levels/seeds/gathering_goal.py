"""The goal of the seed level `gathering`, in the plain game."""

objective = "Collect coal."
description = "The plain game."
relevant_achievements = ["COLLECT_COAL"]
