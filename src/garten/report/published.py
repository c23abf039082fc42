"""Published results on Craftax, to stand beside ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class PublishedResult:
    """One method after so many steps.

    Attributes:
        method: as its authors name it.
        steps: of training.
        percent: of the maximum return.
        source: who published it.
    """

    method: str
    steps: int
    percent: float
    source: str


_SCOREBOARD, _DICODE = "Craftax scoreboard", "Dreaming in Code"

CRAFTAX: tuple[PublishedResult, ...] = (
    PublishedResult("Simulus", 1_000_000, 6.6, _SCOREBOARD),
    PublishedResult("Efficient MBRL", 1_000_000, 5.4, _SCOREBOARD),
    PublishedResult("PPO-RNN", 1_000_000, 2.3, _SCOREBOARD),
    PublishedResult("PPO-GTrXL", 1_000_000_000, 18.3, _SCOREBOARD),
    PublishedResult("PQN-RNN", 1_000_000_000, 16.0, _SCOREBOARD),
    PublishedResult("PPO-RNN", 1_000_000_000, 15.3, _SCOREBOARD),
    PublishedResult("RND", 1_000_000_000, 12.0, _SCOREBOARD),
    PublishedResult("PPO", 1_000_000_000, 11.9, _SCOREBOARD),
    PublishedResult("ICM", 1_000_000_000, 11.9, _SCOREBOARD),
    PublishedResult("E3B", 1_000_000_000, 11.0, _SCOREBOARD),
    PublishedResult("DiCode", 2_000_000_000, 21.5, _DICODE),
    PublishedResult("PPO-GTrXL", 2_000_000_000, 18.4, _DICODE),
)
"""Mean returns in Craftax as shares of 226. Only those of Dreaming in Code are by its evaluation protocol."""

DICODE_ACHIEVEMENTS: Mapping[str, tuple[float, float]] = {
    "make_iron_armour": (47.0, 15.0),
    "enter_gnomish_mines": (32.0, 9.0),
    "defeat_gnome_warrior": (14.7, 0.0),
    "defeat_gnome_archer": (11.2, 0.0),
    "make_diamond_sword": (6.0, 3.0),
}
"""Percent of episodes that unlocked them after 2 billion steps: DiCode, and the best of its baselines."""
