"""PPO's losses beside a plain reference, gradients beside finite differences, how minibatches are dealt."""

import dataclasses

import numpy as np
import pytest
import torch

from garten.errors import RunError
from garten.policies.policy import Observation, Output
from garten.policies.settings import MLPSettings, build
from garten.policies.shape import Shape
from garten.training.config import PPOSettings
from garten.training.ppo import PPO, Minibatch, losses, minibatches
from garten.training.rollout import Rollout


def batch(steps=3, lanes=4, *, actions=5, dtype=torch.float64):
    torch.manual_seed(0)
    seen = Observation(
        torch.zeros(steps, lanes, 0), torch.rand(steps, lanes, 2, dtype=dtype), torch.zeros(steps, lanes, 0)
    )
    return Minibatch(
        seen,
        {},
        torch.zeros(steps, lanes, dtype=torch.bool),
        torch.randint(0, actions, (steps, lanes)),
        -1.6 + 0.3 * torch.randn(steps, lanes, dtype=dtype),
        torch.randn(steps, lanes, dtype=dtype),
        torch.randn(steps, lanes, dtype=dtype),
    )


def test_the_losses_equal_a_reference_written_number_by_number():
    given, clip = batch(), 0.2
    logits, value = torch.randn(3, 4, 5).double(), given.values + 0.5 * torch.randn(3, 4)
    actor, critic, entropy, clipped = [], [], [], 0
    advantages = given.advantages.numpy()
    normal = (advantages - advantages.mean()) / advantages.std()
    for place in np.ndindex(3, 4):
        chances = np.exp(logits[place].numpy()) / np.exp(logits[place].numpy()).sum()
        ratio = chances[given.actions[place]] / np.exp(float(given.log_probabilities[place]))
        actor.append(min(ratio * normal[place], np.clip(ratio, 1 - clip, 1 + clip) * normal[place]))
        old, now = float(given.values[place]), float(value[place])
        target = old + advantages[place]
        near = old + np.clip(now - old, -clip, clip)
        critic.append(max((now - target) ** 2, (near - target) ** 2) / 2)
        entropy.append(-(chances * np.log(chances)).sum())
        clipped += abs(ratio - 1) > clip
    found = losses(Output(logits, value), given, clip=clip)
    np.testing.assert_allclose(found.actor, -np.mean(actor), rtol=1e-6)
    np.testing.assert_allclose(found.critic, np.mean(critic), rtol=1e-6)
    np.testing.assert_allclose(found.entropy, np.mean(entropy), rtol=1e-6)
    np.testing.assert_allclose(found.clipped, clipped / 12, rtol=1e-6)
    assert 0 < clipped < 12
    assert found.divergence > 0


def test_gradients_are_those_of_finite_differences():
    given = batch()

    def total(logits, value):
        found = losses(Output(logits, value), given, clip=0.2)
        return found.actor + 0.5 * found.critic - 0.01 * found.entropy

    logits = torch.randn(3, 4, 5, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(total, (logits, (given.values + 0.5).requires_grad_()))


def rollout(steps=4, lanes=6, *, memory=True):
    count = torch.arange(steps * lanes).reshape(steps, lanes)
    longer = torch.arange((steps + 1) * lanes).reshape(steps + 1, lanes)
    return Rollout(
        Observation(longer[..., None].byte(), longer[..., None].float(), torch.zeros(steps + 1, lanes, 0)),
        begun=longer % 7 == 0,
        actions=count,
        log_probabilities=count.float(),
        values=longer.float(),
        rewards=count.float(),
        ended=count < 0,
        bootstrap=count.float(),
        memory={"hidden": torch.arange(lanes)[:, None]} if memory else {},
        episodes=None,
    )


@pytest.mark.parametrize("memory", [True, False])
def test_every_transition_is_dealt_once_with_all_that_belongs_to_it(memory):
    whole = rollout(memory=memory)
    dealt = list(minibatches(whole, whole.rewards + 100, 4, torch.Generator().manual_seed(0)))
    assert len(dealt) == 4
    assert sorted(torch.cat([part.actions.flatten() for part in dealt]).tolist()) == list(range(24))
    for part in dealt:
        for told in (part.observations.numbers[..., 0], part.values, part.log_probabilities):
            assert torch.equal(told.long(), part.actions)
        assert torch.equal(part.advantages.long(), part.actions + 100)
        assert torch.equal(part.begun, part.actions % 7 == 0)
        if memory:
            assert len(part.actions) == 4
            assert torch.equal(part.memory["hidden"][:, 0], part.actions[0])
        else:
            assert len(part.actions) == 1
    other = next(minibatches(whole, whole.rewards, 4, torch.Generator().manual_seed(1)))
    assert not torch.equal(other.actions, dealt[0].actions)


def test_the_learning_rate_falls_to_its_floor_and_a_loss_that_is_no_number_changes_nothing():
    torch.manual_seed(0)
    policy = build(MLPSettings(width=4, hidden=()), Shape(None, numbers=1, actions=24))
    ppo = PPO(
        policy,
        PPOSettings(learning_rate=1.0, floor=0.2, epochs=1, minibatches=2),
        generator=torch.Generator().manual_seed(0),
    )
    whole = rollout(memory=False)
    worth = torch.randn(4, 6)
    assert ppo.update(whole, worth, progress=0.75)["learning_rate"] == pytest.approx(0.4)
    before = [part.clone() for part in policy.parameters()]
    broken = dataclasses.replace(whole, values=whole.values * torch.nan)
    with pytest.raises(RunError, match=r"^The loss or its gradient is no longer finite; .*\.$"):
        ppo.update(broken, worth, progress=0.0)
    assert all(torch.equal(one, other) for one, other in zip(before, policy.parameters(), strict=True))
