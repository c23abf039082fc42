"""Policies and training on disk: what a run keeps to go on, and what evaluation loads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import torch

from garten.craftax.canvas import TILES
from garten.errors import RunError
from garten.policies.policy import Policy
from garten.policies.settings import build
from garten.policies.shape import Shape, shape_of
from garten.runs.checkpoint import (
    Checkpoint,
    checkpoint_numbers,
    keep_latest_checkpoint,
    latest_checkpoint,
    load_checkpoint,
    save_checkpoint,
)
from garten.runs.codec import from_json, to_json
from garten.runs.folder import RunFolder
from garten.runs.tensors import group_of
from garten.training.config import Config
from garten.training.lanes import Arrays
from garten.training.learner import Learner
from garten.training.sources import LevelSource

E = TypeVar("E")

POLICIES = "policies"
"""Where a run keeps the policy's weights at evenly spaced steps, a file each, numbered by steps."""


@dataclass(frozen=True)
class SavedPolicy:
    """A policy as it was at some point of its training, on the CPU.

    Attributes:
        policy: with its weights.
        config: that it was trained by.
        steps: that it had been trained for.
    """

    policy: Policy
    config: Config
    steps: int


def tile_for(config: Config) -> int:
    """Pixels along the side of a tile of the pictures that a policy observes; 0 if it observes codes."""
    return (config.tile or TILES.get(config.game, 0)) if config.network.kind == "cnn" else 0


def shape_for(config: Config) -> Shape:
    """What the policy of a run observes and can do."""
    return shape_of(config.game, tile=tile_for(config), tell_goal=config.tell_goal)


def save_policy(folder: RunFolder, policy: Policy, config: Config, *, steps: int) -> None:
    """Keep a policy's weights.

    Raises:
        RunError: the disk is full, or the run cannot be written.
    """
    found = Checkpoint(steps, weights_of(policy), {"steps": steps}, to_json(config))
    save_checkpoint(folder, found, kind=POLICIES)


def weights_of(policy: Policy) -> Arrays:
    """Copies of a policy's weights, by name."""
    return {name: np.array(part.detach().cpu().numpy()) for name, part in policy.state_dict().items()}


def policy_from(weights: Mapping[str, npt.NDArray[Any]], config: Config) -> Policy:
    """The policy, on the CPU, that has these weights in a run with these settings."""
    policy = build(config.network, shape_for(config))
    policy.load_state_dict({name: torch.from_numpy(np.array(part)) for name, part in weights.items()})
    return policy


def policy_steps(folder: RunFolder) -> list[int]:
    """At which steps a run kept its policy's weights, in order."""
    return checkpoint_numbers(folder, kind=POLICIES)


def chosen_steps(folder: RunFolder, which: int | str | None) -> list[int]:
    """Of the steps at which a run kept its policy all, the latest, or just this one.

    Args:
        folder: of the run.
        which: "all", None for the latest, or a number of steps.

    Raises:
        RunError: the run kept no policy, or none then.
    """
    kept = policy_steps(folder)
    if not kept:
        raise RunError(f"The run {folder.path} has kept no policy yet; train it until its first checkpoint.")
    if isinstance(which, int) and which not in kept:
        raise RunError(f"The run {folder.path} kept no policy at step {which}; choose one of {kept}.")
    return kept if which == "all" else [kept[-1] if which is None else int(which)]


def load_policy(folder: RunFolder, *, steps: int | None = None) -> SavedPolicy:
    """A policy that a run kept: the latest, or that of so many steps.

    Raises:
        RunError: there is none, or it is damaged.
    """
    (chosen,) = chosen_steps(folder, steps)
    found = load_checkpoint(folder, chosen, kind=POLICIES)
    config = from_json(Config, found.config)
    return SavedPolicy(policy_from(found.arrays, config), config, found.number)


def save_training(
    folder: RunFolder,
    learner: Learner,
    source: LevelSource[Any],
    config: Config,
    *,
    steps: int,
    events: int,
    kind: str = "checkpoints",
) -> None:
    """Keep all that is needed to go on exactly from here, in place of what was kept before.

    Args:
        folder: of the run.
        learner: between two updates.
        source: of its levels.
        config: of the run.
        steps: done so far.
        events: said so far.
        kind: the run's folder to keep it in.

    Raises:
        RunError: the disk is full, or the run cannot be written.
    """
    arrays, state = learner.state()
    kept = source.state()
    plain = {name: part for name, part in kept.items() if not isinstance(part, np.ndarray)}
    arrays |= {f"source.{name}": part for name, part in kept.items() if isinstance(part, np.ndarray)}
    about: dict[str, Any] = {**state, "source": plain, "steps": steps, "events": events}
    save_checkpoint(folder, Checkpoint(steps, arrays, about, to_json(config)), kind=kind)
    keep_latest_checkpoint(folder, kind=kind)


def restore_source(found: Checkpoint, source: LevelSource[E], env: E) -> None:
    """Let a source of levels go on from a checkpoint that `save_training` kept."""
    source.restore({**found.state["source"], **group_of(dict(found.arrays), "source")}, env)


def restore_training(folder: RunFolder, learner: Learner, source: LevelSource[E], env: E) -> tuple[int, int]:
    """Go on from what `save_training` kept.

    Returns:
        Steps done and events said so far; 0 and 0 if nothing was kept, or it is damaged.
    """
    found = latest_checkpoint(folder)
    if found is None:
        return 0, 0
    arrays: Arrays = dict(found.arrays)
    restore_source(found, source, env)
    learner.restore(arrays, dict(found.state))
    return found.state["steps"], found.state["events"]
