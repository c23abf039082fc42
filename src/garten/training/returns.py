"""What actions were worth: generalised advantage estimation."""

from __future__ import annotations

import torch
from torch import Tensor


def advantages(
    rewards: Tensor,
    values: Tensor,
    ended: Tensor,
    *,
    bootstrap: Tensor,
    gamma: float,
    gae_lambda: float,
) -> Tensor:
    """Generalised advantage estimates (Schulman et al. 2016, equation 16), float32 [steps, lanes].

    Args:
        rewards: [steps, lanes].
        values: [steps + 1, lanes], of the observations before each step and after the last one.
        ended: bool [steps, lanes], whether the step was the last of its episode; what follows it is then of
            another one.
        bootstrap: [steps, lanes], where an episode ended, the value of going on from its end: 0, unless only
            the time was up.
        gamma: discount of a step.
        gae_lambda: weight of longer estimates.
    """
    following = torch.where(ended, bootstrap, values[1:])
    errors = rewards + gamma * following - values[:-1]
    carried = gamma * gae_lambda * (~ended).to(errors.dtype)
    result = torch.empty_like(errors)
    later = torch.zeros_like(errors[0])
    for step in range(len(errors) - 1, -1, -1):
        later = errors[step] + carried[step] * later
        result[step] = later
    return result
