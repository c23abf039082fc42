"""What the settings of training can be asked for by name; kept apart, so that no network has to be loaded."""

from __future__ import annotations

from garten.training.curricula import CURRICULA as _SETTINGS

KIND = "train"
"""Of runs of training."""

POLICIES = ("mlp", "gru", "gtrxl", "cnn")
"""Kinds of network; `garten.policies.settings` has the settings of each."""

BONUSES = ("none", "rnd", "icm", "e3b")
"""Exploration bonuses; `garten.policies.bonuses` has the settings of each."""

PRESETS = ("laptop", "paper", "paper-1m")
"""Settings to start from: for two cores, or the published ones for a billion and for a million steps."""

CURRICULA = tuple(_SETTINGS["laptop"])
"""Curricula; `garten.training.curricula` has the settings of each."""

AUTHORS = ("rules", "llm")
"""Authors of levels, for the curriculum that asks for new ones."""
