"""Settings of curricula: which levels lanes play and for how long. `garten.curriculum` acts on them.

Sources, as the comments name them: [jaxued] are the defaults of its Craftax examples, by which the Craftax
paper compared curricula; [DiCode] those of Dreaming in Code and of its baselines; [SFL] the paper of
sampling for learnability; [here] sizes for 64 to 256 lanes and one or two million steps, in which the
published ones would not fill a buffer once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True)
class BufferSettings:
    """Which levels are kept, and how likely each is to be played again (Jiang et al. 2021, section 3)."""

    capacity: int = 512
    """Levels kept at most. [here]; 4000 [jaxued]"""
    fill: float = 0.5
    """How full it must be before any is played again. [jaxued]"""
    order: Literal["rank", "top"] = "rank"
    """Whether weights fall with the rank by score, or only the `top` levels have any. [jaxued]"""
    temperature: float = 1.0
    """The greater, the more even the weights. [jaxued]"""
    top: int = 64
    """How many levels have a weight if `order` is "top". [here]"""
    staleness: float = 0.3
    """Share of the weight that goes to levels not played for long. [jaxued]"""


@dataclass(frozen=True)
class DRSettings:
    """Domain randomisation: new levels for each period."""

    kind: Literal["dr"] = "dr"
    rollouts: int = 8
    """Of a period, in which each lane plays one level again and again. [here]; 64 [jaxued]"""


@dataclass(frozen=True)
class PLRSettings:
    """Prioritised level replay."""

    kind: Literal["plr"] = "plr"
    rollouts: int = 8
    """Of a period. [here]; 64 [jaxued]"""
    replay: float = 0.5
    """Chance that the levels of a period are ones played before. [jaxued]"""
    learn_new: bool = True
    """Whether the policy learns from new levels too, [jaxued]; if not, this is robust PLR."""
    score: Literal["max_mc", "pvl"] = "max_mc"
    """How levels are scored. [jaxued]"""
    buffer: BufferSettings = BufferSettings()


@dataclass(frozen=True)
class ACCELSettings:
    """Replay of levels, and edits of those just replayed (Parker-Holder et al. 2022)."""

    kind: Literal["accel"] = "accel"
    rollouts: int = 8
    """Of a period. [here]; 64 [jaxued]"""
    replay: float = 0.5
    """Chance of replay after a period that was none. [jaxued]"""
    score: Literal["max_mc", "pvl"] = "max_mc"
    """How levels are scored. [jaxued]"""
    mutation: Literal["noise", "swap", "swap_restricted"] = "noise"
    """What an edit changes: the directions of the ground's noise, any two tiles, or two alike."""
    edits: int = 30
    """Swaps of a mutation. [jaxued]; 100 [DiCode]"""
    buffer: BufferSettings = BufferSettings()


@dataclass(frozen=True)
class SFLSettings:
    """Sampling for learnability (Rutherford et al. 2024)."""

    kind: Literal["sfl"] = "sfl"
    rollouts: int = 8
    """Of a period. [here]; 64 [jaxued]"""
    refresh: int = 8
    """Periods between two searches for learnable levels. [here]; 10 periods of 64 rollouts [SFL]"""
    candidates: int = 160
    """Levels that a search tries. [here]; 20,000 [DiCode]"""
    kept: int = 32
    """The best of them, which lanes then play. [here]; 4000 [DiCode]"""
    attempts: int = 4
    """Episodes in each candidate. [here]; 5 [DiCode]"""
    attempt_steps: int = 500
    """Steps of such an episode at most. [jaxued]; 1500 [DiCode]"""
    share: float = 1.0
    """Of the lanes that play levels so found; the others play new ones. [DiCode]"""
    score: Literal["learnability", "released"] = "learnability"
    """p (1 - p) by the paper, or what released code computes instead."""


ParentRule = Literal["learnability", "top", "random", "none"]
"""How levels to grow from are chosen: frontiers drawn by learnability, as the paper says; those of the
highest score, as released code does; any trained level; or none, so that each is written from nothing."""


@dataclass(frozen=True)
class LevelFileSettings:
    """Level files that a curriculum chooses from, in place of world seeds."""

    folder: str
    """Whose ``.py`` files they are."""
    bonus: float = 5.0
    """Reward of meeting a level's goal. [here]; 20 [DiCode]"""


@dataclass(frozen=True)
class DiCodeSettings:
    """Dreaming in Code: an author writes levels where the policy sometimes succeeds, while it trains.

    Time is cut into cycles, in which each lane plays one level. Every so many cycles new levels enter, which
    were written and tried since the last ones did; other lanes play levels again, and some the target game.
    """

    kind: Literal["dicode"] = "dicode"
    author: Literal["rules", "llm"] = "rules"
    """Who writes: rules, offline, or a language model."""
    llm: Mapping[str, Any] = field(default_factory=dict, hash=False)  # runs are told apart by their settings
    """Settings of the language model's author, by name; see `garten.authors.settings`."""
    rollouts: int = 10
    """Of a cycle. [here]; 100 [DiCode]"""
    window: float = 1.0
    """Share of a cycle, at its end, whose episodes say how levels went. [here]; 0.4 [DiCode]"""
    keep: float = 0.7
    """What an episode still counts, when it is judged how a level goes, for each cycle since. [here], where a
    cycle finishes few; 0 [DiCode]"""
    episode_steps: int = 300
    """Of an episode in a level at most, so that some end in a cycle. [here]; 4096 [DiCode]"""
    target: float = 0.2
    """Share of the lanes that play the target game, without a goal. [DiCode]"""
    levels: int = 15
    """Others that a cycle has, if there are so many. [DiCode]"""
    new: int = 10
    """New ones at most, in a cycle that has some. [DiCode]"""
    candidates: int = 12
    """Levels asked for, to have so many new ones. [DiCode]"""
    every: int = 2
    """Cycles from one with new levels to the next. [DiCode]"""
    bonus_floor: float = 1.0
    """Least reward of meeting a level's goal. [here], as returns are a tenth of the published; 20 [DiCode]"""
    bonus_factor: float = 0.5
    """Times the last mean return in the target game, if that is more. [here], lest levels drown the target
    game; 2 [DiCode], 0 as its code was run"""
    parents: ParentRule = "learnability"
    """Which levels new ones are written from."""
    failing: float = 0.25
    """Share of new levels that is written from levels that fail, to be made easier. [here]; 0 [DiCode]"""
    nothing: float = 0.25
    """Share that is written from nothing but how the target game goes. [here]; 0 [DiCode]"""
    goals_only: bool = False
    """Whether of every level only the goal is kept, in the plain game."""
    simple_seeds: bool = False
    """Whether the curriculum begins with goals in the plain game."""
    patience: float = 600.0
    """Seconds to wait for new levels that are due; without them more levels are played again. [here]"""
    score: Literal["learnability", "progress"] = "learnability"
    """How levels are scored, to grow from and to be played again: p (1 - p), or what of it is no luck."""
    buffer: BufferSettings = BufferSettings(capacity=100, fill=0.0)
    """Of levels to play again. [DiCode]"""


CurriculumKind = DRSettings | PLRSettings | ACCELSettings | SFLSettings | DiCodeSettings

_PUBLISHED = BufferSettings(capacity=4000)

CURRICULA: dict[str, dict[str, CurriculumKind | None]] = {
    "laptop": {
        "none": None,
        "dr": DRSettings(),
        "plr": PLRSettings(),
        "plr-robust": PLRSettings(learn_new=False),
        "accel": ACCELSettings(),
        "sfl": SFLSettings(),
        "dicode": DiCodeSettings(),
    },
    "paper": {
        "none": None,
        "dr": DRSettings(rollouts=64),
        "plr": PLRSettings(rollouts=64, buffer=_PUBLISHED),
        "plr-robust": PLRSettings(rollouts=64, learn_new=False, buffer=_PUBLISHED),
        "accel": ACCELSettings(rollouts=64, buffer=_PUBLISHED),
        "sfl": SFLSettings(
            rollouts=64, refresh=10, candidates=20_000, kept=4000, attempts=5, attempt_steps=1500
        ),
        "dicode": DiCodeSettings(
            rollouts=100,
            window=0.4,
            keep=0.0,
            episode_steps=4096,
            bonus_floor=20.0,
            bonus_factor=2.0,
            failing=0.0,
            nothing=0.0,
        ),
    },
}
"""By preset and name; "none" is a new world each episode."""


def problem_of(settings: CurriculumKind) -> str | None:
    """What is wrong with settings, as a sentence, or None."""
    bounds: dict[str, tuple[float, float, float]] = {"rollouts": (settings.rollouts, 1, float("inf"))}
    if isinstance(settings, PLRSettings | ACCELSettings | DiCodeSettings):
        kept = settings.buffer
        bounds |= {
            "buffer.capacity": (kept.capacity, 1, float("inf")),
            "buffer.fill": (kept.fill, 0, 1),
            "buffer.temperature": (kept.temperature, 1e-3, float("inf")),
            "buffer.top": (kept.top, 1, float("inf")),
            "buffer.staleness": (kept.staleness, 0, 1),
        }
    if isinstance(settings, PLRSettings | ACCELSettings):
        bounds["replay"] = (settings.replay, 0, 1)
    if isinstance(settings, ACCELSettings):
        bounds["edits"] = (settings.edits, 1, float("inf"))
    if isinstance(settings, SFLSettings):
        bounds |= {
            "refresh": (settings.refresh, 1, float("inf")),
            "candidates": (settings.candidates, 1, float("inf")),
            "kept": (settings.kept, 1, settings.candidates),
            "attempts": (settings.attempts, 1, float("inf")),
            "attempt_steps": (settings.attempt_steps, 1, float("inf")),
            "share": (settings.share, 0, 1),
        }
    if isinstance(settings, DiCodeSettings):
        bounds |= {
            "window": (settings.window, 0, 1),
            "keep": (settings.keep, 0, 1),
            "episode_steps": (settings.episode_steps, 2, float("inf")),
            "target": (settings.target, 0, 1),
            "levels": (settings.levels, 1, float("inf")),
            "new": (settings.new, 0, settings.levels),
            "candidates": (settings.candidates, settings.new, float("inf")),
            "every": (settings.every, 1, float("inf")),
            "bonus_floor": (settings.bonus_floor, 0, 1e6),
            "bonus_factor": (settings.bonus_factor, 0, 1e3),
            "failing": (settings.failing, 0, 1),
            "nothing": (settings.nothing, 0, 1),
            "patience": (settings.patience, 0, 1e6),
        }
    for name, (value, low, high) in bounds.items():
        if not low <= value <= high:
            wanted = f"at least {low:g}" if high == float("inf") else f"{low:g} to {high:g}"
            return f"curriculum.{name} is {value}; give {wanted}."
    return None
