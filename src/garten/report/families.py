"""Families of goals: what kind of thing a level asks for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

_BY_FIRST_WORD: Mapping[str, str] = {
    **dict.fromkeys(("EAT", "WAKE"), "survival"),
    "COLLECT": "gathering",
    **dict.fromkeys(("MAKE", "PLACE"), "crafting"),
    **dict.fromkeys(("DEFEAT", "DAMAGE", "FIRE"), "combat"),
    **dict.fromkeys(("ENTER", "OPEN", "FIND"), "exploring"),
    **dict.fromkeys(("LEARN", "CAST", "ENCHANT"), "magic"),
}
_BY_NAME: Mapping[str, str] = {"COLLECT_DRINK": "survival", "DRINK_POTION": "magic"}

OTHER = "other"

COLOURS: Mapping[str, str] = {
    "survival": "#2f855a",
    "gathering": "#7b6a1e",
    "crafting": "#1d6fb8",
    "combat": "#c23b22",
    "exploring": "#8053b0",
    "magic": "#b83280",
    OTHER: "#52606d",
}
"""Of each family."""


def family(goal: Sequence[str]) -> str:
    """The family that most of a goal's achievements belong to; of equal ones, that of the last."""
    families = [_BY_NAME.get(name) or _BY_FIRST_WORD.get(name.split("_")[0], OTHER) for name in goal]
    counts = Counter(reversed(families))
    return counts.most_common(1)[0][0] if counts else OTHER
