"""A policy at play, outside its training."""

from __future__ import annotations

import numpy as np
import torch

from garten import seeds
from garten.policies.policy import Observation, Policy, sample
from sled.env import SledEnv
from sled.game import NAMES


def observed(env: SledEnv, numbers: torch.Tensor, *, told_goal: bool) -> Observation:
    """What lanes observe with these numbers; one without a goal is told to achieve everything."""
    goal = torch.zeros(env.num_envs, 0)
    if told_goal:
        asked = env.lanes["goal"]
        goal = torch.from_numpy(asked | ~asked.any(1, keepdims=True)).float()
    return Observation(torch.zeros(env.num_envs, 0, dtype=torch.uint8), numbers, goal)


def play_once(policy: Policy, env: SledEnv, *, seed: int, told_goal: bool) -> dict[str, np.ndarray]:
    """Play the first episode of every lane to its end.

    Returns:
        Of each lane's episode: its return, length, success and achievements, as `SledEnv.final` has them.
    """
    env.reset(np.ones(env.num_envs, bool), seed=seed)
    luck = torch.Generator().manual_seed(seeds.derive(seed, "luck"))
    memory = policy.initial_memory(env.num_envs)
    begun = torch.ones(env.num_envs, dtype=torch.bool)
    ended = np.zeros(env.num_envs, bool)
    found = {
        "return": np.zeros(env.num_envs),
        "length": np.zeros(env.num_envs, np.int64),
        "success": np.zeros(env.num_envs, bool),
        "achievements": np.zeros((env.num_envs, len(NAMES)), bool),
    }
    while not ended.all():
        seen = observed(env, torch.from_numpy(env.numbers()), told_goal=told_goal)
        output, memory = policy.step(seen, memory, begun)
        step = env.step(sample(output.logits, luck).numpy())
        over = step.terminated | step.truncated
        for name, values in found.items():
            values[over & ~ended] = env.final[name][over & ~ended]
        ended |= over
        begun = torch.from_numpy(over)
    return found
