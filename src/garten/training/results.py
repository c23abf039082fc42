"""What an evaluation found: its episodes, and what they add up to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from garten.craftax.classic import rulebook as classic_rules
from garten.craftax.classic import tables as classic
from garten.craftax.full import rulebook as full_rules
from garten.craftax.full import tables as full

End = Literal["died", "won", "step limit"]

ENDS: tuple[End, ...] = ("died", "won", "step limit")

TIERS: Mapping[float, str] = {1.0: "basic", 3.0: "intermediate", 5.0: "advanced", 8.0: "very advanced"}
"""The tiers of achievements, by the reward of each (Craftax paper, appendix on achievements)."""


@dataclass(frozen=True)
class Protocol:
    """How an agent is evaluated: one episode in each of many worlds that no training sees.

    Attributes:
        name: of the protocol.
        worlds: how many, from the first on.
        steps: of an episode at most.
        seed: of the key that the worlds and the agent's luck are drawn from.
    """

    name: str
    worlds: int
    steps: int
    seed: int = 0


PUBLISHED = Protocol("published", worlds=1024, steps=8192)
"""That of Dreaming in Code, whose PPO, PLR and SFL baselines were evaluated by it too."""

QUICK = Protocol("quick", worlds=128, steps=1024)
"""The first 128 of the same worlds, and an eighth of the steps."""

PROTOCOLS: Mapping[str, Protocol] = {protocol.name: protocol for protocol in (PUBLISHED, QUICK)}


@dataclass(frozen=True)
class EpisodeResult:
    """How one episode went.

    Attributes:
        world: its number among the protocol's.
        episode_return: sum of rewards.
        length: steps.
        end: how it ended.
        achievements: what it unlocked, names in lower case.
    """

    world: int
    episode_return: float
    length: int
    end: End
    achievements: tuple[str, ...]


@dataclass(frozen=True)
class Yield:
    """What one tier of achievements yielded.

    Attributes:
        tier: its name.
        count: achievements of the tier.
        unlocked: how many of them an episode unlocked, mean.
        reward: the reward of those, mean.
        maximum: the reward of all of them.
    """

    tier: str
    count: int
    unlocked: float
    reward: float
    maximum: float


@dataclass(frozen=True)
class Summary:
    """What the episodes of an evaluation add up to.

    Attributes:
        episodes: how many.
        mean_return: their mean return.
        standard_error: of that mean; None of a single episode.
        percent_of_maximum: the mean return as a share of what all achievements give, in percent.
        percent_error: the standard error likewise.
        median_return: of the episodes.
        lowest_return: of the episodes.
        highest_return: of the episodes.
        mean_length: steps.
        ends: how many episodes ended how.
        unfinished: worlds whose episode the step limit cut short; they count in all means.
        achievements: share of the episodes that unlocked each, by name.
        yields: by tier, the easiest first.
    """

    episodes: int
    mean_return: float
    standard_error: float | None
    percent_of_maximum: float
    percent_error: float | None
    median_return: float
    lowest_return: float
    highest_return: float
    mean_length: float
    ends: Mapping[str, int]
    unfinished: tuple[int, ...]
    achievements: Mapping[str, float]
    yields: tuple[Yield, ...]


@dataclass(frozen=True)
class Evaluation:
    """One agent, evaluated.

    Attributes:
        agent: what was evaluated: the name of its run, or "random".
        trained_steps: environment steps that the agent had been trained for.
        game: "Craftax" or "Craftax-Classic".
        protocol: how.
        summary: what the episodes add up to.
        episodes: by world.
        wall_seconds: how long it took.
    """

    agent: str
    trained_steps: int
    game: str
    protocol: Protocol
    summary: Summary
    episodes: tuple[EpisodeResult, ...]
    wall_seconds: float


@dataclass(frozen=True)
class Standing:
    """How well runs that differ in nothing but their seed do after so many steps of training.

    Attributes:
        trained_steps: of each.
        runs: how many.
        percent_of_maximum: mean over the runs of their mean returns, in percent.
        percent_error: its standard error: over the runs, or over the worlds of a single one.
    """

    trained_steps: int
    runs: int
    percent_of_maximum: float
    percent_error: float


EVALUATIONS = "evaluations"
"""The folder of a run that holds them."""


def place_of(protocol: Protocol, steps: int) -> str:
    """Where a run holds the evaluation of its agent after so many steps of training."""
    return f"{EVALUATIONS}/{protocol.name}-{steps:012d}.json"


@cache
def achievement_rewards(game: str) -> Mapping[str, float]:
    """The reward of each achievement of a game, by name in lower case, in the game's order."""
    rules, names = (
        (classic_rules.RULES, classic.Achievement)
        if game == "Craftax-Classic"
        else (full_rules.RULES, full.Achievement)
    )
    field = next(field for field in rules if field.name == "achievement_reward")
    rewards = np.broadcast_to(field.default, (len(names),))
    return {name.name.lower(): float(reward) for name, reward in zip(names, rewards, strict=True)}


def summarise(game: str, episodes: Sequence[EpisodeResult]) -> Summary:
    """Add episodes up.

    Raises:
        ValueError: there is no episode.
    """
    if not episodes:
        raise ValueError("There is no episode to add up; play at least one.")
    rewards = achievement_rewards(game)
    returns = np.array([episode.episode_return for episode in episodes])
    percent = 100.0 / sum(rewards.values())
    error = float(returns.std(ddof=1) / np.sqrt(len(returns))) if len(returns) > 1 else None
    unlocked = Counter(name for episode in episodes for name in episode.achievements)
    shares = {name: unlocked[name] / len(episodes) for name in rewards}
    ends = Counter(episode.end for episode in episodes)
    return Summary(
        episodes=len(episodes),
        mean_return=float(returns.mean()),
        standard_error=error,
        percent_of_maximum=float(returns.mean()) * percent,
        percent_error=None if error is None else error * percent,
        median_return=float(np.median(returns)),
        lowest_return=float(returns.min()),
        highest_return=float(returns.max()),
        mean_length=float(np.mean([episode.length for episode in episodes])),
        ends={end: ends[end] for end in ENDS},
        unfinished=tuple(episode.world for episode in episodes if episode.end == "step limit"),
        achievements=shares,
        yields=_yields(rewards, shares),
    )


def standings(runs: Sequence[Sequence[Evaluation]]) -> list[Standing]:
    """How well runs do together, at the steps at which all of them were evaluated.

    Args:
        runs: evaluations of each of them by one protocol; at least one run.
    """
    found = [{one.trained_steps: one.summary for one in run} for run in runs]
    made = []
    for steps in sorted(set.intersection(*map(set, found))):
        means = np.array([run[steps].percent_of_maximum for run in found])
        alone = len(runs) == 1
        error = (found[0][steps].percent_error or 0.0) if alone else means.std(ddof=1) / np.sqrt(len(runs))
        made.append(Standing(steps, len(runs), float(means.mean()), float(error)))
    return made


def _yields(rewards: Mapping[str, float], shares: Mapping[str, float]) -> tuple[Yield, ...]:
    made = []
    for reward, tier in TIERS.items():
        names = [name for name in rewards if rewards[name] == reward]
        if names:
            unlocked = sum(shares[name] for name in names)
            made.append(Yield(tier, len(names), unlocked, unlocked * reward, len(names) * reward))
    return tuple(made)
