"""Proximal policy optimisation: how a policy learns from a rollout."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from garten.errors import RunError
from garten.policies.policy import Memory, Observation, Output, Policy
from garten.runs.team import ALONE, Team
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

    With a team, each is this process's share of the mean over the joint minibatch: they add up to it.

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


def losses(output: Output, batch: Minibatch, *, clip: float, team: Team = ALONE) -> Losses:
    """The losses of what a policy says now about a minibatch.

    Advantages are normalised over the joint minibatch. The critic's target is the value then plus the
    advantage.
    """
    count = int(team.add_up(torch.tensor(batch.actions.numel())))

    def mean(values: Tensor) -> Tensor:
        return values.sum() / count

    log_chances = torch.log_softmax(output.logits, -1)
    log_ratio = log_chances.gather(-1, batch.actions[..., None]).squeeze(-1) - batch.log_probabilities
    ratio = log_ratio.exp()
    advantages = batch.advantages - team.add_up(mean(batch.advantages))
    advantages = advantages / (team.add_up(mean(advantages.square())).sqrt() + 1e-8)
    surrogate = torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages)

    targets = batch.values + batch.advantages
    near = batch.values + (output.value - batch.values).clamp(-clip, clip)
    errors = torch.maximum((output.value - targets).square(), (near - targets).square())
    with torch.no_grad():
        divergence = mean(ratio - 1 - log_ratio)
        clipped = mean(((ratio - 1).abs() > clip).float())
    return Losses(
        actor=-mean(surrogate),
        critic=0.5 * mean(errors),
        entropy=-mean((log_chances.exp() * log_chances).sum(-1)),
        divergence=divergence,
        clipped=clipped,
    )


class PPO:
    """Teaches a policy.

    Attributes:
        optimiser: Adam.
    """

    def __init__(
        self,
        policy: Policy,
        settings: PPOSettings,
        *,
        generator: torch.Generator,
        team: Team = ALONE,
    ) -> None:
        """Prepare to teach a policy.

        Args:
            policy: on any device.
            settings: of the teaching.
            generator: deals minibatches, and lies on the CPU.
            team: of processes with equal shares of the lanes, and equal policies and generators.
        """
        self.policy = policy
        self._team = team
        self.settings = settings
        self._unroll = torch.compile(policy.unroll, dynamic=False) if settings.compile else policy.unroll
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
            for batch in minibatches(
                rollout, advantages, settings.minibatches, self._generator, team=self._team
            )
        ]
        names = ("actor_loss", "critic_loss", "entropy", "divergence", "clipped", "gradient")
        means = torch.stack(told).mean(0).tolist() if told else [0.0] * len(names)
        return {**dict(zip(names, means, strict=True)), "learning_rate": rate}

    def _learn(self, batch: Minibatch) -> Tensor:
        settings = self.settings
        output = self._unroll(batch.observations, batch.memory, batch.begun)
        found = losses(output, batch, clip=settings.clip, team=self._team)
        loss = found.actor + settings.value * found.critic - settings.entropy * found.entropy
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        parameters = list(self.policy.parameters())
        gradients = [self._team.add_up(part.grad) for part in parameters if part.grad is not None]
        norm = torch.nn.utils.get_total_norm(gradients)
        parts = (found.actor, found.critic, found.entropy, found.divergence, found.clipped)
        told = self._team.add_up(torch.stack([part.detach() for part in parts]))
        if not bool(torch.isfinite(norm) & torch.isfinite(told).all()):
            raise RunError(
                "The loss or its gradient is no longer finite; start anew with a smaller ppo.learning_rate."
            )
        if norm > settings.max_gradient:  # else there is nothing to cut, and a pass over it all to save
            torch.nn.utils.clip_grads_with_norm_(parameters, settings.max_gradient, norm)
        self.optimiser.step()
        return torch.cat([told, norm[None]])


def minibatches(
    rollout: Rollout,
    advantages: Tensor,
    count: int,
    generator: torch.Generator,
    *,
    team: Team = ALONE,
) -> Iterator[Minibatch]:
    """Deal a rollout to so many minibatches, each transition to one of them.

    With a team, the joint rollout is dealt, and of each minibatch comes what lies in this process's lanes.

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
    joint_lanes = lanes * team.size
    order = torch.randperm(whole.actions.shape[1] * team.size, generator=generator)
    for dealt in order.to(advantages.device).tensor_split(count):
        step, lane = dealt // joint_lanes, dealt % joint_lanes - team.rank * lanes
        chosen = (step * lanes + lane)[(lane >= 0) & (lane < lanes)]
        yield Minibatch(
            Observation(*(part[:, chosen] for part in whole.observations)),
            {name: part[chosen] for name, part in whole.memory.items()},
            *(part[:, chosen] for part in whole[2:]),
        )
