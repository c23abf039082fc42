"""Learners in small worlds: what memory is for, what a rollout keeps, how episodes end."""

import numpy as np
import pytest
import torch

from garten.policies.settings import GRUSettings, GTrXLSettings, MLPSettings, build
from garten.training.clock import Clock
from garten.training.config import Config, PPOSettings, RolloutSettings
from garten.training.learner import Learner
from garten.training.rollout import Collector
from training.toys import Recall

NETWORKS = {
    "mlp": MLPSettings(width=16, hidden=(16,)),
    "gru": GRUSettings(width=16, memory=16, hidden=(16,)),
    "gtrxl": GTrXLSettings(width=16, layers=1, heads=2, span=6, window=5, hidden=(16,)),
}


def learner(policy, *, delay=3, updates=60):
    torch.manual_seed(0)
    config = Config(
        network=NETWORKS[policy],
        rollout=RolloutSettings(lanes=32, steps=16),
        ppo=PPOSettings(learning_rate=5e-3, minibatches=2, gamma=0.95, gae_lambda=0.95),
        steps=32 * 16 * updates,
    )
    return Learner(config, Recall(32, delay=delay), build(config.network, Recall.shape))


def late_returns(policy):
    made = learner(policy)
    reports = [made.update().report for _ in range(60)]
    return np.concatenate([report.episodes.episode_return for report in reports[-10:]]).mean()


@pytest.mark.parametrize("policy", ["gru", "gtrxl"])
def test_a_policy_with_memory_recalls(policy):
    assert late_returns(policy) > 0.9


def test_a_policy_without_memory_does_not_recall():
    assert abs(late_returns("mlp")) < 0.2


@pytest.mark.parametrize("policy", NETWORKS)
def test_equal_seeds_give_equal_weights(policy):
    weights = []
    for _ in range(2):
        made = learner(policy)
        for _ in range(2):
            made.update()
        weights.append(torch.cat([part.flatten() for part in made.policy.parameters()]))
    assert torch.equal(*weights)


@pytest.mark.parametrize("network", ["gru", "gtrxl"])
@pytest.mark.parametrize("bootstrap", [True, False])
def test_a_rollout_keeps_what_happened(bootstrap, network):
    torch.manual_seed(0)
    policy = build(NETWORKS[network], Recall.shape)
    lanes = Recall(4, delay=5, limit=3)  # the time is always up before the answer
    collector = Collector(
        lanes,
        policy,
        steps=7,
        generator=torch.Generator().manual_seed(0),
        bootstrap=bootstrap,
        clock=Clock(),
    )
    for first in (0, 7):
        rollout = collector.collect()
        ends = torch.tensor([(first + step) % 3 == 2 for step in range(7)])
        assert torch.equal(rollout.ended, ends[:, None].expand(7, 4))
        assert torch.equal(rollout.begun[1:], rollout.ended)
        assert bool(rollout.begun[0, 0]) == (first == 0 or (first - 1) % 3 == 2)
        assert rollout.episodes.truncated.all()
        assert rollout.episodes.length.tolist() == [3] * len(rollout.episodes.lane)
        assert rollout.episodes.step.tolist() == [s for s in range(7) if ends[s] for _ in range(4)]
        assert (rollout.bootstrap[~ends] == 0).all()
        output = policy.unroll(rollout.stretch.observations, rollout.memory, rollout.begun)
        torch.testing.assert_close(output.value, rollout.values, atol=1e-5, rtol=1e-5)
        chances = torch.log_softmax(output.logits[:-1], -1).gather(-1, rollout.actions[..., None])
        torch.testing.assert_close(chances.squeeze(-1), rollout.log_probabilities, atol=1e-5, rtol=1e-5)
        if bootstrap:
            last = int(ends.nonzero()[0])
            going_on = rollout.stretch.observations._replace(
                numbers=rollout.observations.numbers.clone().index_fill_(0, torch.tensor([last + 1]), 0.0)
            )
            no = rollout.begun.clone()
            no[last + 1] = False
            value = policy.unroll(going_on, rollout.memory, no).value[last + 1]
            torch.testing.assert_close(rollout.bootstrap[last], value, atol=1e-5, rtol=1e-5)
        else:
            assert (rollout.bootstrap == 0).all()
