"""Proximal policy optimisation: how a policy learns from a rollout."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from garten.errors import RunError
from garten.policies.policy import Memory, Observation, Output, Policy
from garten.training.config import PPOSettings
from garten.training.rollout import Rollout


class Minibatch(NamedTuple):
    """Part of a rollout; leading axes [steps, lanes].

    Attributes:
        observations: what was seen.
        memory: of the policy before the first step, leading axis [lanes].
        begun: bool, whether an observation is the first of its episode.
        actions: int64, taken.
        log_probabilities: float32, of the actions when they were chosen.
        values: float32, the critic's estimates then.
        advantages: float32.
    """

    observations: Observation
    memory: Memory
    begun: Tensor
    actions: Tensor
    log_probabilities: Tensor
    values: Tensor
    advantages: Tensor


@dataclass(frozen=True)
class Losses:
    """What a policy is taught by, means over a minibatch; scalars with gradients.

    Attributes:
        actor: the clipped surrogate (Schulman et al. 2017, equation 7), negative.
        critic: half the squared error, clipped as the surrogate is.
        entropy: of the policy, nats.
        divergence: estimate of how far the policy has moved since the rollout, nats.
        clipped: share of probabilities beyond the clip.
    """

    actor: Tensor
    critic: Tensor
    entropy: Tensor
    divergence: Tensor
    clipped: Tensor


def losses(output: Output, batch: Minibatch, *, clip: float) -> Losses:
    """The losses of what a policy says now about a minibatch.

    Advantages are normalised over the minibatch. The critic's target is the value then plus the advantage.
    """
    log_chances = torch.log_softmax(output.logits, -1)
    log_ratio = log_chances.gather(-1, batch.actions[..., None]).squeeze(-1) - batch.log_probabilities
    ratio = log_ratio.exp()
    advantages = batch.advantages - batch.advantages.mean()
    advantages = advantages / (advantages.square().mean().sqrt() + 1e-8)
    surrogate = torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages)

    targets = batch.values + batch.advantages
    near = batch.values + (output.value - batch.values).clamp(-clip, clip)
    errors = torch.maximum((output.value - targets).square(), (near - targets).square())
    with torch.no_grad():
        divergence = (ratio - 1 - log_ratio).mean()
        clipped = ((ratio - 1).abs() > clip).float().mean()
    return Losses(
        actor=-surrogate.mean(),
        critic=0.5 * errors.mean(),
        entropy=-(log_chances.exp() * log_chances).sum(-1).mean(),
        divergence=divergence,
        clipped=clipped,
    )


class PPO:
    """Teaches a policy.

    Attributes:
        optimiser: Adam.
    """

    def __init__(self, policy: Policy, settings: PPOSettings, *, generator: torch.Generator) -> None:
        """Prepare to teach a policy; the generator deals minibatches, and lies on the CPU."""
        self.policy = policy
        self.settings = settings
        self._generator = generator
        self.optimiser = torch.optim.Adam(
            policy.parameters(), settings.learning_rate, eps=settings.adam_epsilon, fused=True
        )

    def update(self, rollout: Rollout, advantages: Tensor, *, progress: float) -> dict[str, float]:
        """Go over a rollout for some epochs.

        Args:
            rollout: what happened.
            advantages: float32 [steps, lanes].
            progress: how much of the training is behind, 0 to 1; the learning rate falls with it.

        Returns:
            Means over all minibatches, by name.

        Raises:
            RunError: the loss or its gradient is not finite; the policy is as before that minibatch.
        """
        settings = self.settings
        rate = settings.floor + (settings.learning_rate - settings.floor) * (1.0 - progress)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        told = [
            self._learn(batch)
            for _ in range(settings.epochs)
            for batch in minibatches(rollout, advantages, settings.minibatches, self._generator)
        ]
        names = ("actor_loss", "critic_loss", "entropy", "divergence", "clipped", "gradient")
        means = torch.stack(told).mean(0).tolist() if told else [0.0] * len(names)
        return {**dict(zip(names, means, strict=True)), "learning_rate": rate}

    def _learn(self, batch: Minibatch) -> Tensor:
        settings = self.settings
        found = losses(
            self.policy.unroll(batch.observations, batch.memory, batch.begun), batch, clip=settings.clip
        )
        loss = found.actor + settings.value * found.critic - settings.entropy * found.entropy
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        parameters = list(self.policy.parameters())
        norm = torch.nn.utils.get_total_norm([part.grad for part in parameters if part.grad is not None])
        if not bool(torch.isfinite(norm) & torch.isfinite(loss)):
            raise RunError(
                "The loss or its gradient is no longer finite; start anew with a smaller ppo.learning_rate."
            )
        if norm > settings.max_gradient:  # else there is nothing to cut, and a pass over it all to save
            torch.nn.utils.clip_grads_with_norm_(parameters, settings.max_gradient, norm)
        self.optimiser.step()
        parts = (found.actor, found.critic, found.entropy, found.divergence, found.clipped, norm)
        return torch.stack([part.detach() for part in parts])


def minibatches(
    rollout: Rollout, advantages: Tensor, count: int, generator: torch.Generator
) -> Iterator[Minibatch]:
    """Deal a rollout to so many minibatches, each transition to one of them.

    A policy that remembers needs whole lanes, from the rollout's start. One that does not gets transitions
    from anywhere, as a stretch of one step. What is left over when they are dealt goes to the first ones.
    """
    steps, lanes = rollout.actions.shape
    whole = Minibatch(
        Observation(*(part[:-1] for part in rollout.observations)),
        rollout.memory,
        rollout.begun[:-1],
        rollout.actions,
        rollout.log_probabilities,
        rollout.values[:-1],
        advantages,
    )
    if not rollout.memory:
        whole = Minibatch(
            Observation(*(part.reshape(1, steps * lanes, *part.shape[2:]) for part in whole.observations)),
            {},
            *(part.reshape(1, steps * lanes) for part in whole[2:]),
        )
    order = torch.randperm(whole.actions.shape[1], generator=generator).to(advantages.device)
    for chosen in order.tensor_split(count):
        yield Minibatch(
            Observation(*(part[:, chosen] for part in whole.observations)),
            {name: part[chosen] for name, part in whole.memory.items()},
            *(part[:, chosen] for part in whole[2:]),
        )
