"""Learning, without a disk: collect a rollout, see what it was worth, teach the policy and the bonus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from garten import seeds
from garten.errors import RunError
from garten.policies.bonus import Bonus, Transitions
from garten.policies.policy import Observation, Policy
from garten.runs.team import ALONE, Team
from garten.runs.tensors import (
    array_of,
    arrays_of,
    group_of,
    optimiser_state,
    restore_optimiser,
    tensors,
)
from garten.training.clock import Clock
from garten.training.config import BonusLearning, Config
from garten.training.lanes import Arrays, Lanes
from garten.training.ppo import PPO
from garten.training.returns import advantages
from garten.training.rollout import Collector, Rollout
from garten.training.sources import RolloutReport


@dataclass(frozen=True)
class Update:
    """What an update did.

    Attributes:
        report: of its rollout; with a team, of this process's lanes.
        metrics: means over it, by name.
    """

    report: RolloutReport
    metrics: dict[str, float]


class Learner:
    """A policy that learns in some lanes.

    Attributes:
        policy: what is taught.
        bonus: what else rewards it, or None.
        collector: makes its rollouts.
        clock: tells the time spent on "engine", "inference" and "learning", and on "levels" by whoever sets
            the lanes.
        done: updates done so far.
    """

    def __init__(
        self,
        config: Config,
        lanes: Lanes,
        policy: Policy,
        *,
        bonus: Bonus | None = None,
        clock: Clock | None = None,
        team: Team = ALONE,
    ) -> None:
        """Prepare to teach a policy.

        Args:
            config: of the run.
            lanes: whose episodes have begun; with a team, this process's share of them.
            policy: on the lanes' device.
            bonus: what else rewards it; a team has none.
            clock: to tell the time spent by.
            team: of processes that teach equal policies.
        """
        assert bonus is None or team.size == 1, "a bonus is taught by one process"
        self.policy, self.bonus = policy, bonus
        self.clock = clock or Clock()
        self.done = 0
        self._config, self._lanes = config, lanes
        device = lanes.observe().cells.device
        self._generators = {
            "actions": torch.Generator(device),
            "minibatches": torch.Generator(),
            "bonus": torch.Generator(),
        }
        for name, generator in self._generators.items():
            generator.manual_seed(seeds.derive(config.seed, name))
        self.collector = Collector(
            lanes,
            policy,
            steps=config.rollout.steps,
            generator=self._generators["actions"],
            bootstrap=config.rollout.bootstrap,
            clock=self.clock,
            team=team,
        )
        self._ppo = PPO(policy, config.ppo, generator=self._generators["minibatches"], team=team)
        self._teacher = bonus and _BonusTeacher(bonus, config.bonus_learning, self._generators["bonus"])

    def update(self, *, learn: bool = True) -> Update:
        """Collect a rollout and learn from it, or only see how it went.

        Raises:
            RunError: the loss or its gradient is not finite; the policy is as before that minibatch.
        """
        rollout = self.collector.collect()
        with self.clock("learning"):
            worth, metrics = self._worth(rollout)
            if learn:
                metrics |= self._ppo.update(rollout, worth, progress=self.done / self._config.updates)
            if learn and self._teacher:
                metrics["bonus_loss"] = self._teacher.update(rollout)
        report = RolloutReport(
            self.done,
            rollout.episodes,
            rewards=array_of(rollout.rewards),
            values=array_of(rollout.values[:-1]),
            advantages=array_of(worth),
            ended=array_of(rollout.ended),
        )
        self.done += 1
        return Update(report, metrics)

    def _worth(self, rollout: Rollout) -> tuple[Tensor, dict[str, float]]:
        """Advantages [steps, lanes], and the mean bonus if there is one."""
        ppo, rewards, own, metrics = self._config.ppo, rollout.rewards, None, {}
        if self.bonus is not None:
            bonus = self.bonus.reward(rollout.stretch)
            metrics["bonus"] = float(bonus.mean())
            own = self.bonus.advantage(rollout.stretch, bonus)
            if own is None:
                rewards = rewards + bonus
        worth = advantages(
            rewards,
            rollout.values,
            rollout.ended,
            bootstrap=rollout.bootstrap,
            gamma=ppo.gamma,
            gae_lambda=ppo.gae_lambda,
        )
        return worth if own is None else worth + own, metrics

    def state(self) -> tuple[Arrays, dict[str, Any]]:
        """Copies of all that is needed to go on exactly: arrays by name, and JSON types."""
        named = {"policy": self.policy.state_dict(), "memory": self.collector.memory}
        named |= {"collector": {"begun": self.collector.begun}}
        named |= {"random": {name: made.get_state() for name, made in self._generators.items()}}
        named |= {"optimiser": optimiser_state(self._ppo.optimiser)}
        if self._teacher:
            named |= {"bonus": self._teacher.bonus.state_dict()}
            named |= {"bonus_optimiser": optimiser_state(self._teacher.optimiser)}
        arrays = arrays_of(named)
        arrays |= {f"lanes.{name}": array for name, array in self._lanes.state().items()}
        return arrays, {"updates": self.done}

    def restore(self, arrays: Arrays, state: dict[str, Any]) -> None:
        """Go on from what `state` returned."""
        self.done = state["updates"]
        device = self.collector.begun.device
        self.policy.load_state_dict(tensors(arrays, "policy"))
        self.collector.memory = {name: part.to(device) for name, part in tensors(arrays, "memory").items()}
        self.collector.begun = tensors(arrays, "collector")["begun"].to(device)
        for name, made in tensors(arrays, "random").items():
            self._generators[name].set_state(made)
        restore_optimiser(self._ppo.optimiser, tensors(arrays, "optimiser"))
        if self._teacher:
            self._teacher.bonus.load_state_dict(tensors(arrays, "bonus"))
            restore_optimiser(self._teacher.optimiser, tensors(arrays, "bonus_optimiser"))
        self._lanes.restore(group_of(arrays, "lanes"))


class _BonusTeacher:
    """Teaches a bonus's networks, with an optimiser of their own."""

    def __init__(self, bonus: Bonus, settings: BonusLearning, generator: torch.Generator) -> None:
        self.bonus = bonus
        self._settings, self._generator = settings, generator
        self.optimiser = torch.optim.Adam(bonus.parameters(), settings.learning_rate, eps=1e-5, fused=True)

    def update(self, rollout: Rollout) -> float:
        """Go over a rollout for some epochs; the mean loss."""
        steps, lanes = rollout.actions.shape
        losses = []
        for _ in range(self._settings.epochs):
            order = torch.randperm(steps * lanes, generator=self._generator)
            for places in order.to(rollout.actions.device).tensor_split(self._settings.minibatches):
                loss = self.bonus.loss(_transitions(rollout, places))
                if not torch.isfinite(loss):
                    raise RunError(
                        "The loss of the bonus is no longer finite; start anew with a smaller "
                        "bonus_learning.learning_rate."
                    )
                self.optimiser.zero_grad(set_to_none=True)
                loss.backward()  # type: ignore[no-untyped-call]
                torch.nn.utils.clip_grad_norm_(self.bonus.parameters(), self._settings.max_gradient)
                self.optimiser.step()
                losses.append(float(loss.detach()))
        return sum(losses) / max(1, len(losses))


def _transitions(rollout: Rollout, places: Tensor) -> Transitions:
    """The transitions at these places of a rollout."""
    lanes = rollout.actions.shape[1]

    def of(observations: Observation, later: int) -> Observation:
        return Observation(*(part.flatten(0, 1)[places + later * lanes] for part in observations))

    return Transitions(
        of(rollout.observations, 0),
        rollout.actions.flatten()[places],
        of(rollout.observations, 1),
        rollout.ended.flatten()[places],
        places,
    )
