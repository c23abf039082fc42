"""Collecting experience: a policy acts in all lanes for some steps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from garten.policies.bonus import Stretch
from garten.policies.policy import Memory, Observation, Policy, sample
from garten.runs.team import ALONE, Team
from garten.training.clock import Clock
from garten.training.lanes import Lanes, Results
from garten.training.sources import Episodes


@dataclass
class Rollout:
    """What happened; the tensors are buffers, which the next rollout writes anew.

    Attributes:
        observations: leading axes [steps + 1, lanes].
        begun: bool [steps + 1, lanes], whether an observation is the first of its episode.
        actions: int64 [steps, lanes].
        log_probabilities: float32 [steps, lanes], of the actions when they were chosen.
        values: float32 [steps + 1, lanes], the critic's estimates.
        rewards: float32 [steps, lanes].
        ended: bool [steps, lanes], whether the step was the last of its episode.
        bootstrap: float32 [steps, lanes], the value of going on from an episode's end; 0 almost everywhere.
        memory: of the policy before the first step.
        episodes: those that finished.
    """

    observations: Observation
    begun: Tensor
    actions: Tensor
    log_probabilities: Tensor
    values: Tensor
    rewards: Tensor
    ended: Tensor
    bootstrap: Tensor
    memory: Memory
    episodes: Episodes

    @property
    def stretch(self) -> Stretch:
        """What a bonus may see of it."""
        return Stretch(self.observations, self.actions, self.begun)


class Collector:
    """Makes rollouts, each going on where the last one stopped.

    Attributes:
        memory: of the policy now.
        begun: bool [lanes], whether what a lane observes now is the first of its episode.
    """

    def __init__(
        self,
        lanes: Lanes,
        policy: Policy,
        *,
        steps: int,
        generator: torch.Generator,
        bootstrap: bool,
        clock: Clock,
        team: Team = ALONE,
    ) -> None:
        """Make the buffers.

        Args:
            lanes: whose episodes have begun.
            policy: on the lanes' device.
            steps: of a rollout.
            generator: of the luck by which actions are chosen.
            bootstrap: whether an episode that the time limit ended is valued by what it still promised.
            clock: told what is spent on the "engine" and on "inference".
            team: of processes with equal shares of the lanes, and equal generators; actions are as if one
                process had all lanes.
        """
        self._team = team
        self._lanes, self._policy, self._steps = lanes, policy, steps
        self._generator, self._bootstrap, self._clock = generator, bootstrap, clock
        seen = lanes.observe()
        device, shape = seen.cells.device, (steps, lanes.count)
        longer = (steps + 1, lanes.count)
        self.memory = {name: part.to(device) for name, part in policy.initial_memory(lanes.count).items()}
        self.begun = torch.ones(lanes.count, dtype=torch.bool, device=device)
        self._rollout = Rollout(
            Observation(*(part.new_empty(steps + 1, *part.shape) for part in seen)),
            begun=torch.empty(longer, dtype=torch.bool, device=device),
            actions=torch.empty(shape, dtype=torch.int64, device=device),
            log_probabilities=torch.empty(shape, device=device),
            values=torch.empty(longer, device=device),
            rewards=torch.empty(shape, device=device),
            ended=torch.empty(shape, dtype=torch.bool, device=device),
            bootstrap=torch.empty(shape, device=device),
            memory=self.memory,
            episodes=_episodes([]),
        )

    def begin(self, lanes: npt.NDArray[np.bool_]) -> None:
        """Take note that some lanes, bool [lanes], were given new worlds."""
        self.begun = self.begun | torch.from_numpy(lanes).to(self.begun.device)

    @torch.no_grad()
    def collect(self) -> Rollout:
        """Act for as many steps as a rollout has."""
        rollout = self._rollout
        rollout.memory = self.memory
        rollout.bootstrap.zero_()
        finished: list[_Finished] = []
        for step in range(self._steps):
            self._act(step)
            if rollout.ended[step].any():
                truncated = self._outcome.truncated.cpu().numpy() & ~self._outcome.terminated.cpu().numpy()
                over = np.flatnonzero(rollout.ended[step].cpu().numpy())
                finished.append(_Finished(step, over, truncated[over], _of(self._lanes.results(), over)))
                if self._bootstrap and truncated.any():
                    self._value_ends(step)
        self._observe(self._steps)
        with self._clock("inference"):
            output, _ = self._policy.step(self._seen(self._steps), self.memory, self.begun)
        rollout.values[self._steps] = output.value
        self.memory = self._policy.settle(self.memory)
        rollout.episodes = _episodes(finished)
        return rollout

    def _act(self, step: int) -> None:
        """Observe, choose and take one action in every lane."""
        rollout = self._rollout
        self._observe(step)
        with self._clock("inference"):
            output, self.memory = self._policy.step(self._seen(step), self.memory, self.begun)
            actions = self._sample(output.logits)
            chances = torch.log_softmax(output.logits, -1)
            rollout.log_probabilities[step] = chances.gather(-1, actions[:, None]).squeeze(-1)
            rollout.actions[step] = actions
            rollout.values[step] = output.value
        with self._clock("engine"):
            self._outcome = self._lanes.step(actions)
        rollout.rewards[step] = self._outcome.reward
        self.begun = self._outcome.terminated | self._outcome.truncated
        rollout.ended[step] = self.begun

    def _sample(self, logits: Tensor) -> Tensor:
        """Draw actions [lanes], each lane with the luck it has among all lanes of the team."""
        lanes = len(logits) * self._team.size
        own = self._team.share(lanes, what="lanes", setting="rollout.lanes")
        joint = logits.new_zeros(lanes, logits.shape[1])
        joint[own.start : own.stop] = logits
        return sample(joint, self._generator)[own.start : own.stop]

    def _observe(self, step: int) -> None:
        for kept, seen in zip(self._rollout.observations, self._lanes.observe(), strict=True):
            kept[step] = seen
        self._rollout.begun[step] = self.begun

    def _seen(self, step: int) -> Observation:
        return Observation(*(part[step] for part in self._rollout.observations))

    def _value_ends(self, step: int) -> None:
        """Value the ends of the episodes that the time limit ended in this step, as if they went on."""
        truncated = self._outcome.truncated & ~self._outcome.terminated
        with self._clock("inference"):
            going_on = torch.zeros_like(self.begun)
            output, _ = self._policy.step(self._lanes.final(), self.memory, going_on)
        self._rollout.bootstrap[step] = torch.where(truncated, output.value, 0.0)


@dataclass(frozen=True)
class _Finished:
    """The episodes that ended in a step, in these lanes."""

    step: int
    lanes: npt.NDArray[np.int64]
    truncated: npt.NDArray[np.bool_]
    results: Results


def _of(results: Results, lanes: npt.NDArray[np.int64]) -> Results:
    return Results(
        results.episode_return[lanes],
        results.length[lanes],
        results.achievements[lanes],
        results.success[lanes],
    )


def _episodes(finished: list[_Finished]) -> Episodes:
    """All that finished, one after the other."""
    if not finished:
        none = np.zeros(0, np.int64)
        no = np.zeros(0, np.bool_)
        return Episodes(none, none, np.zeros(0, np.float32), none, np.zeros((0, 0), np.bool_), no, no)
    return Episodes(
        lane=np.concatenate([part.lanes for part in finished]),
        step=np.concatenate([np.full(len(part.lanes), part.step) for part in finished]),
        episode_return=np.concatenate([part.results.episode_return for part in finished]),
        length=np.concatenate([part.results.length for part in finished]),
        achievements=np.concatenate([part.results.achievements for part in finished]),
        success=np.concatenate([part.results.success for part in finished]),
        truncated=np.concatenate([part.truncated for part in finished]),
    )
