"""Bonuses in small worlds: what a policy finds by exploring that it does not find by chance."""

import numpy as np
import pytest
import torch

from garten.policies.bonuses import E3BSettings, ICMSettings, RNDSettings, build_bonus
from garten.policies.settings import MLPSettings, build
from garten.training.config import BonusLearning, Config, PPOSettings, RolloutSettings
from garten.training.learner import Learner
from training.toys import Lock

BONUSES = {
    "rnd": RNDSettings(width=32, outputs=16, critic_width=32, scale=5.0, distillation=1.0),
    "icm": ICMSettings(width=32, features=16),
    "e3b": E3BSettings(width=32, features=16, scale=0.03),
}


def opened(lock, bonus, *, updates):
    """Share of the last episodes that open the lock."""
    torch.manual_seed(0)
    config = Config(
        network=MLPSettings(width=32, hidden=(32,)),
        rollout=RolloutSettings(lanes=lock.count, steps=32),
        ppo=PPOSettings(learning_rate=1e-3, minibatches=4),
        bonus=BONUSES.get(bonus),
        bonus_learning=BonusLearning(learning_rate=3e-4),
        steps=updates * lock.count * 32,
    )
    made = config.bonus and build_bonus(config.bonus, lock.shape, lanes=lock.count)
    learner = Learner(config, lock, build(config.network, lock.shape), bonus=made)
    reports = [learner.update().report for _ in range(updates)]
    return np.concatenate([report.episodes.episode_return for report in reports[-3:]]).mean()


@pytest.mark.parametrize(
    ("bonus", "least", "most"),
    [
        ("none", 0.0, 0.01),
        ("rnd", 0.5, 1.0),
        pytest.param("icm", 0.5, 1.0, marks=pytest.mark.slow),
    ],
)
def test_novelty_opens_a_lock_that_sends_back(bonus, least, most):
    assert least <= opened(Lock(32, places=12, actions=3, fatal=False), bonus, updates=60) <= most


@pytest.mark.slow
@pytest.mark.parametrize(("bonus", "least", "most"), [("none", 0.0, 0.01), ("e3b", 0.5, 1.0)])
def test_a_bonus_for_each_episode_opens_a_lock_that_ends_it(bonus, least, most):
    assert least <= opened(Lock(32, places=12, actions=4, fatal=True), bonus, updates=80) <= most
