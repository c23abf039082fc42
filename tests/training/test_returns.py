"""Advantages beside a definition of them by sums over the future, and closed forms."""

import numpy as np
import torch

from garten.training.returns import advantages

GAMMA, LAMBDA = 0.9, 0.7


def reference(rewards, values, ended, bootstrap):
    """For each step, the sum of later errors up to its episode's end, written without recursion."""
    steps, lanes = rewards.shape
    result = np.zeros((steps, lanes))
    for lane in range(lanes):
        for first in range(steps):
            weight = 1.0
            for step in range(first, steps):
                following = bootstrap[step, lane] if ended[step, lane] else values[step + 1, lane]
                error = rewards[step, lane] + GAMMA * following - values[step, lane]
                result[first, lane] += weight * error
                weight *= GAMMA * LAMBDA
                if ended[step, lane]:
                    break
    return result


def test_advantages_equal_their_definition():
    rng = np.random.default_rng(0)
    rewards, values = rng.normal(size=(17, 5)), rng.normal(size=(18, 5))
    ended = rng.random((17, 5)) < 0.2
    bootstrap = np.where(ended & (rng.random((17, 5)) < 0.5), rng.normal(size=(17, 5)), 0.0)
    found = advantages(
        *(torch.from_numpy(part) for part in (rewards, values, ended)),
        bootstrap=torch.from_numpy(bootstrap),
        gamma=GAMMA,
        gae_lambda=LAMBDA,
    )
    np.testing.assert_allclose(found, reference(rewards, values, ended, bootstrap), atol=1e-12)


def test_with_lambda_one_and_no_values_they_are_discounted_returns():
    rewards = torch.ones(50, 1)
    found = advantages(
        rewards,
        torch.zeros(51, 1),
        torch.zeros(50, 1, dtype=torch.bool),
        bootstrap=torch.zeros(50, 1),
        gamma=GAMMA,
        gae_lambda=1.0,
    )
    expected = torch.tensor([(1 - GAMMA ** (50 - step)) / (1 - GAMMA) for step in range(50)])
    torch.testing.assert_close(found[:, 0], expected)


def test_a_critic_that_knows_leaves_nothing_even_where_the_time_was_up():
    """A reward of 1 for ever is worth 1 / (1 - gamma), also at the end of an episode that was cut short."""
    worth = 1 / (1 - GAMMA)
    ended = torch.zeros(20, 1, dtype=torch.bool)
    ended[7] = True
    found = advantages(
        torch.ones(20, 1),
        torch.full((21, 1), worth),
        ended,
        bootstrap=torch.where(ended, worth, 0.0),
        gamma=GAMMA,
        gae_lambda=LAMBDA,
    )
    torch.testing.assert_close(found, torch.zeros(20, 1), atol=1e-5, rtol=0)
