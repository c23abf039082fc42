"""Everything that decides a training run: one tree of frozen settings, presets of it, and changes to them.

Sources, as the comments name them: [Baselines] are the defaults of Craftax_Baselines, with which the Craftax
paper's results at a billion steps were made; [DiCode] the shared PPO-GTrXL settings of Dreaming in Code;
[here] what was found to learn well on two cores, by short runs that ``docs/training/README.md`` tells about.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from garten.errors import RunError
from garten.policies.bonuses import BonusKind, E3BSettings, ICMSettings, RNDSettings
from garten.policies.settings import CNNSettings, GRUSettings, GTrXLSettings, MLPSettings, Settings
from garten.runs.changes import changed, require_ranges
from garten.training import names
from garten.training.curricula import (
    CURRICULA,
    ACCELSettings,
    CurriculumKind,
    DiCodeSettings,
    LevelFileSettings,
    problem_of,
)

CLASSIC = "Craftax-Classic"


@dataclass(frozen=True)
class RolloutSettings:
    """How experience is collected."""

    lanes: int = 64
    """Worlds side by side. [here]"""
    steps: int = 64
    """Of a rollout, in each lane. [Baselines]"""
    bootstrap: bool = True
    """Whether an episode that the time limit ended is valued by what it still promised, not as an end."""
    episode_steps: int | None = None
    """Steps of an episode at most; None for the game's own limit."""


@dataclass(frozen=True)
class PPOSettings:
    """Proximal policy optimisation (Schulman et al. 2017), with the habits of its published code."""

    learning_rate: float = 2e-4
    """Of Adam, at the start. [Baselines]"""
    floor: float = 0.0
    """What the learning rate falls to, in a straight line, by the end. [Baselines]; 2e-6 in [DiCode]"""
    epochs: int = 4
    """Passes over a rollout. [Baselines]"""
    minibatches: int = 8
    """Parts of a pass; of lanes if the policy remembers, else of transitions. [Baselines]"""
    gamma: float = 0.99
    """Discount of a step. [Baselines]; 0.999 in [DiCode]"""
    gae_lambda: float = 0.8
    """Weight of longer advantage estimates. [Baselines]"""
    clip: float = 0.2
    """How far probabilities, and values, may move from those of the rollout. [Baselines]"""
    entropy: float = 0.01
    """Weight of the policy's entropy. [Baselines]; 0.002 in [DiCode]"""
    value: float = 0.5
    """Weight of the critic's loss. [Baselines]"""
    max_gradient: float = 1.0
    """Norm that gradients are cut back to. [Baselines]"""
    adam_epsilon: float = 1e-5
    """[Baselines]"""
    compile: bool = False
    """Whether PyTorch compiles what the policy does in a minibatch; needs a C++ compiler."""


@dataclass(frozen=True)
class BonusLearning:
    """How an exploration bonus's own networks are taught."""

    learning_rate: float = 3e-4
    """Of Adam. [Baselines]"""
    epochs: int = 4
    """Passes over a rollout. [Baselines]; 1 for RND"""
    minibatches: int = 8
    """Parts of a pass. [Baselines]"""
    max_gradient: float = 1.0
    """Norm that gradients are cut back to. [Baselines]"""


@dataclass(frozen=True)
class Config:
    """A training run."""

    game: str = "Craftax"
    """Whose lanes: "Craftax", "Craftax-Classic", or the game of another engine."""
    network: Settings = field(default_factory=MLPSettings)
    rollout: RolloutSettings = RolloutSettings()
    ppo: PPOSettings = PPOSettings()
    bonus: BonusKind | None = None
    """An exploration bonus, or none."""
    bonus_learning: BonusLearning = BonusLearning()
    curriculum: CurriculumKind | None = None
    """Which levels lanes play, or a new world each episode."""
    levels: LevelFileSettings | None = None
    """Level files for the curriculum to choose from; by default it has world seeds, or levels of its own."""
    steps: int = 1_000_000
    """Of all lanes together; the last rollout may go over it."""
    seed: int = 0
    """Of everything random."""
    tile: int | None = None
    """Pixels along the side of a picture's tile, for networks that read pictures; None for the original's."""
    tell_goal: bool = False
    """Whether the policy observes the lane's goal."""
    checkpoints: int = 50
    """Evenly spaced copies of the policy's weights, beside what is kept to go on."""
    evaluations: int = 0
    """Evenly spaced evaluations in held-out worlds, by the quick protocol."""

    @property
    def updates(self) -> int:
        """How many rollouts there are."""
        batch = self.rollout.lanes * self.rollout.steps
        return max(1, -(-self.steps // batch))


def _laptop(policy: str) -> Config:
    """Learns on two cores; every value that differs from the classes above is [here]."""
    networks: dict[str, Settings] = {
        "mlp": MLPSettings(),
        "gru": GRUSettings(memory=192, hidden=(192,)),
        "gtrxl": GTrXLSettings(width=128, heads=4, span=64, hidden=(128,)),
        "cnn": CNNSettings(),
    }
    if policy == "mlp":
        rollout = RolloutSettings(lanes=48, steps=96)
        ppo = PPOSettings(learning_rate=4.5e-4, gamma=0.925, gae_lambda=0.625)
        return Config(network=networks[policy], rollout=rollout, ppo=ppo, evaluations=10)
    rollout = RolloutSettings(bootstrap=policy != "cnn")  # no pictures of episodes' ends are kept
    ppo = PPOSettings(learning_rate=4e-4, epochs=3, minibatches=4)
    return Config(network=networks[policy], rollout=rollout, ppo=ppo, evaluations=10)


def _paper(policy: str) -> Config:
    """The published settings for a billion steps; the time limit counts as an end [Baselines].

    GTrXL's are those of Dreaming in Code, whose learning rate and the like differ [DiCode].
    """
    if policy == "gtrxl":
        return Config(
            network=GTrXLSettings(),
            rollout=RolloutSettings(lanes=1024, steps=128, bootstrap=False),
            ppo=PPOSettings(floor=2e-6, gamma=0.999, entropy=0.002),
            steps=2_000_000_000,
            evaluations=10,
        )
    networks: dict[str, Settings] = {
        "mlp": MLPSettings(width=512, hidden=(512, 512), activation="tanh", shared=False),
        "gru": GRUSettings(width=512, memory=512, hidden=(512, 512)),
        "cnn": CNNSettings(width=512, hidden=(512,)),
    }
    return Config(
        network=networks[policy],
        rollout=RolloutSettings(lanes=1024, steps=64, bootstrap=False),
        steps=1_000_000_000,
        evaluations=10,
    )


def _paper_1m(policy: str) -> Config:
    """The published settings for a million steps: smaller rollouts, faster learning [Baselines]."""
    if policy == "gtrxl":
        raise RunError("There is no preset 'paper-1m' of gtrxl; choose laptop or paper.")
    published = _paper(policy)
    return replace(
        published,
        rollout=replace(published.rollout, lanes=256, steps=16),
        ppo=replace(published.ppo, learning_rate=3e-4),
        steps=1_000_000,
    )


EVALUATION_EVERY = 100_000
"""Steps between the evaluations of a short run, which would else take longer than its training."""

PRESETS: dict[str, Callable[[str], Config]] = {"laptop": _laptop, "paper": _paper, "paper-1m": _paper_1m}

BONUSES: dict[str, Config] = {
    "none": Config(),
    "rnd": Config(bonus=RNDSettings(), bonus_learning=BonusLearning(epochs=1)),
    "icm": Config(bonus=ICMSettings()),
    "e3b": Config(bonus=E3BSettings()),
}
"""Configurations whose bonus is that of the name [Baselines]."""

LAPTOP_SCALES: Mapping[str, float] = {"icm": 0.02, "e3b": 0.002}
"""Of bonuses in the laptop presets [here]: at 1, published for a billion steps, they drown the game."""


def preset(name: str, policy: str, *, bonus: str = "none", curriculum: str = "none") -> Config:
    """The settings of a preset for a policy, a bonus and a curriculum of these kinds.

    Args:
        name: "laptop", or "paper" and "paper-1m" for the published ones of a billion and of a million
            steps. No curriculum was published for a million; there it is the laptop's.
        policy: one of `names.POLICIES`.
        bonus: one of `names.BONUSES`.
        curriculum: one of `names.CURRICULA`.

    Raises:
        RunError: there are none.
    """
    kinds = (
        (name, names.PRESETS),
        (policy, names.POLICIES),
        (bonus, names.BONUSES),
        (curriculum, names.CURRICULA),
    )
    for asked, known in kinds:
        if asked not in known:
            raise RunError(f"There is no {asked!r}; choose one of {', '.join(known)}.")
    chosen = BONUSES[bonus]
    settings = chosen.bonus
    if settings is not None and name == "laptop":
        settings = replace(settings, scale=LAPTOP_SCALES.get(bonus, settings.scale))
    return replace(
        PRESETS[name](policy),
        bonus=settings,
        bonus_learning=chosen.bonus_learning,
        curriculum=CURRICULA["paper" if name == "paper" else "laptop"][curriculum],
        tell_goal=curriculum == "dicode",
    )


def override(config: Config, changes: Sequence[str]) -> Config:
    """Settings with some values changed.

    Args:
        config: the settings.
        changes: each ``path=value``, for example ``ppo.learning_rate=3e-4`` or ``network.hidden=[256,256]``.

    Raises:
        RunError: a change names no setting, or its value does not fit.
    """
    return checked(changed(config, changes))


_RANGES: Mapping[str, tuple[float, float]] = {
    "rollout.lanes": (1, math.inf),
    "rollout.steps": (1, math.inf),
    "rollout.episode_steps": (1, math.inf),
    "ppo.learning_rate": (0, math.inf),
    "ppo.epochs": (0, math.inf),
    "ppo.minibatches": (1, math.inf),
    "ppo.gamma": (0, 1),
    "ppo.gae_lambda": (0, 1),
    "ppo.adam_epsilon": (0, math.inf),
    "bonus_learning.learning_rate": (0, math.inf),
    "bonus_learning.epochs": (0, math.inf),
    "bonus_learning.minibatches": (1, math.inf),
    "steps": (1, math.inf),
    "seed": (0, math.inf),
    "tile": (4, 128),
    "checkpoints": (0, math.inf),
    "evaluations": (0, math.inf),
}

_LARGEST = 16_384
"""Of the sizes of networks: wider layers fit no memory."""


def _check_sizes(group: str, settings: Settings | BonusKind | None) -> None:
    """Refuse sizes of networks, whole numbers all of them, that none can have."""
    for name, value in vars(settings).items() if settings else ():
        sizes = value if isinstance(value, tuple) else (value,)
        if any(type(size) is int and not 1 <= size <= _LARGEST for size in sizes):
            raise RunError(f"{group}.{name} is {value}; give sizes from 1 to {_LARGEST}.")
    if isinstance(settings, GTrXLSettings) and settings.width % (2 * settings.heads):
        raise RunError(
            f"{settings.heads} heads cannot share a width of {settings.width}; "
            "make network.width an even multiple of network.heads."
        )


def checked(config: Config) -> Config:
    """The settings, if they can be trained with.

    Raises:
        RunError: they cannot.
    """
    require_ranges(config, _RANGES)
    _check_sizes("network", config.network)
    _check_sizes("bonus", config.bonus)
    rollout, ppo = config.rollout, config.ppo
    if ppo.minibatches > rollout.lanes:
        raise RunError(
            f"{rollout.lanes} lanes cannot be dealt to {ppo.minibatches} minibatches; "
            "lower ppo.minibatches or raise rollout.lanes."
        )
    if config.network.kind == "cnn" and rollout.bootstrap:
        raise RunError("No picture of an episode's end is kept to value it by; set rollout.bootstrap=false.")
    problem = config.curriculum and problem_of(config.curriculum)
    if problem:
        raise RunError(problem)
    _check_levels(config)
    return config


def _check_levels(config: Config) -> None:
    """Refuse levels where the game has none, or nobody plays them."""
    chosen = config.curriculum
    of_levels = config.levels is not None or isinstance(chosen, DiCodeSettings)
    if config.game == CLASSIC and of_levels:
        raise RunError(f"{config.game} has no levels; train on Craftax, or choose another curriculum.")
    if config.game == CLASSIC and isinstance(chosen, ACCELSettings) and chosen.mutation != "noise":
        raise RunError(f"{config.game} has no swaps of tiles; set curriculum.mutation=noise.")
    if config.levels is not None and (chosen is None or isinstance(chosen, ACCELSettings)):
        raise RunError(
            "Level files are for the curricula dr, plr, plr-robust, sfl and dicode; ask for one of them."
        )


def with_levels(config: Config, *, author: str | None, llm: Mapping[str, Any], folder: str | None) -> Config:
    """Settings whose curriculum has this author and chooses from this folder's level files, where given.

    Args:
        config: the settings.
        author: of levels.
        llm: settings of the language model that is the author.
        folder: of level files.

    Raises:
        RunError: the curriculum has no author.
    """
    if author is not None:
        if not isinstance(config.curriculum, DiCodeSettings):
            raise RunError("Only the curriculum dicode has an author; leave --author out, or ask for it.")
        chosen = replace(config.curriculum, author=author, llm=llm)  # type: ignore[arg-type]
        config = replace(config, curriculum=chosen)
    if folder is not None:
        config = replace(config, levels=LevelFileSettings(folder), tell_goal=True)
    return config


def with_steps(config: Config, steps: int) -> Config:
    """Settings for a run of so many steps, with no more evaluations than are worth their time."""
    most = max(1, steps // EVALUATION_EVERY)
    return replace(config, steps=steps, evaluations=min(config.evaluations, most))
