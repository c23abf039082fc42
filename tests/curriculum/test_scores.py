"""Scores against hand-made windows and plain loops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from garten.curriculum import scores

# Two episodes end in the first lane (steps 0-1 and 2-4), none in the second, one late in the third.
ENDED = np.array([[0, 0, 0], [1, 0, 0], [0, 0, 0], [0, 0, 0], [1, 0, 1], [0, 0, 0]], bool)
REWARDS = np.array([[1, 9, 0], [2, 9, 0], [0, 9, 1], [0, 9, 0], [1, 9, 1], [9, 9, 9]], np.float32)
VALUES = np.array([[1, 0, 0], [2, 0, 0], [3, 0, 0], [0, 0, 0], [0, 0, 5], [9, 9, 9]], np.float32)
NEVER = np.full(3, -np.inf)


def test_the_best_return_is_of_finished_episodes_and_those_before():
    assert scores.best_returns(REWARDS, ENDED, NEVER).tolist() == [3, -np.inf, 2]
    assert scores.best_returns(REWARDS, ENDED, np.array([2.0, 4.0, 8.0])).tolist() == [3, 4, 8]


def test_max_mc_by_hand():
    best = scores.best_returns(REWARDS, ENDED, NEVER)
    # The mean of (2 + 1) / 2 and (0 + 3 + 3) / 3; the mean of 2, 2, 2, 2, -3.
    assert scores.max_mc(VALUES, ENDED, best).tolist() == [(1.5 + 2.0) / 2, -np.inf, 1.0]


def test_positive_value_loss_by_hand():
    advantages = np.array([[1, 1, -1], [-3, 1, -1], [0, 1, -1], [3, 1, -1], [0, 1, 5], [9, 9, 9]], np.float32)
    assert scores.positive_value_loss(advantages, ENDED).tolist() == [(0.5 + 1.0) / 2, -np.inf, 1.0]


@given(
    arrays(np.float32, (9, 4), elements=st.integers(-8, 8)), arrays(np.bool_, (9, 4), elements=st.booleans())
)
def test_episode_means_are_those_of_a_plain_loop(values, ended):
    found = scores.episode_means(values, ended)
    for lane in range(4):
        means, episode = [], []
        for value, end in zip(values[:, lane], ended[:, lane], strict=True):
            episode.append(float(value))
            if end:
                means.append(np.mean(episode))
                episode = []
        assert found[lane] == pytest.approx(np.mean(means) if means else -np.inf)


def test_an_empty_window_scores_nothing():
    none = np.zeros((0, 2), np.float32)
    assert scores.max_mc(none, none.astype(bool), np.full(2, -np.inf)).tolist() == [-np.inf, -np.inf]


def test_learnability_is_greatest_at_a_half_and_adds_up():
    # Levels at which one thing succeeds in 0, 1, 2 and 4 of 4 attempts, and another one always.
    first = np.array([[0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 0, 1]], bool)
    successes = np.stack([first, np.ones_like(first)], -1)
    assert scores.learnability(successes).tolist() == [0, 3 / 16, 1 / 4, 0]
    assert scores.learnability(np.stack([first, first], -1)).tolist() == [0, 3 / 8, 1 / 2, 0]


def test_the_released_score_by_hand():
    returns = np.array([[0.0, 1.0, 4.0], [2.0, 1.0, 6.0]])
    means, spread = np.array([1.0, 1.0, 5.0]), np.std([1.0, 1.0, 5.0])
    density = np.exp(-((means - 7 / 3) ** 2) / (2 * spread**2)) / np.sqrt(2 * np.pi * spread**2)
    error = np.array([1.0, 0.0, 1.0]) / np.sqrt(2)
    np.testing.assert_allclose(scores.released_learnability(returns), error * density + 1e-4 * means)
    assert np.isfinite(scores.released_learnability(np.ones((2, 3)))).all()
