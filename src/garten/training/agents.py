"""An agent at play: a policy with what it remembers and the luck by which it chooses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch

from garten.craftax import host_keys
from garten.craftax.env import Codes
from garten.craftax.play import Actor
from garten.errors import RunError
from garten.policies.policy import Memory, Observation, Output, Policy
from garten.training.config import Config
from garten.training.results import achievement_rewards
from garten.training.saved import tile_for

Keys = npt.NDArray[np.uint32]
Seen = Codes | npt.NDArray[np.uint8]
"""What an environment lets its lanes observe: codes or pictures."""


@dataclass(frozen=True)
class Agent:
    """A policy, and what it is made to play.

    Attributes:
        name: of its run, or another.
        policy: on the device it is to run on.
        game: "Craftax" or "Craftax-Classic".
        tile: pixels along the side of a tile of the pictures that it observes; 0 if it observes codes.
        told_goal: whether it observes a goal; unless it is given one, it is told to unlock everything.
        trained_steps: environment steps it was trained for.
    """

    name: str
    policy: Policy
    game: str
    tile: int = 0
    told_goal: bool = False
    trained_steps: int = 0


def agent_of(policy: Policy, config: Config, *, name: str, steps: int) -> Agent:
    """The agent that a policy is after so many steps of training with these settings."""
    tile = tile_for(config)
    return Agent(name, policy, config.game, tile=tile, told_goal=config.tell_goal, trained_steps=steps)


def told_goals(goals: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """What is told of goals, bool [lanes, achievements]: of none, that everything is to be unlocked."""
    return goals | ~goals.any(1, keepdims=True)


class Uniform(Policy):
    """Any action as likely as another: the baseline of every evaluation."""

    def __init__(self, actions: int) -> None:
        """Choose among so many actions."""
        super().__init__()
        self._actions = actions

    def initial_memory(self, lanes: int) -> Memory:
        """Nothing to remember."""
        return {}

    def step(self, observation: Observation, memory: Memory, begun: torch.Tensor) -> tuple[Output, Memory]:
        """Prefer nothing, expect nothing."""
        return self.unroll(observation, memory, begun), memory

    def unroll(self, observations: Observation, memory: Memory, begun: torch.Tensor) -> Output:
        """The same for any leading axes."""
        return Output(torch.zeros(*begun.shape, self._actions), torch.zeros(begun.shape))


class Mind:
    """What an agent remembers of each of some lanes, and its luck there."""

    def __init__(self, agent: Agent, luck: Keys, *, goals: npt.NDArray[np.bool_] | None = None) -> None:
        """Begin an episode in a lane for each key.

        Args:
            agent: who plays.
            luck: random keys, uint32 [lanes, 2], from which the choice of actions is drawn.
            goals: bool [lanes, achievements], told to an agent that observes goals; one of a lane without
                any is to unlock everything, as are all by default.
        """
        self._agent = agent
        self._luck = luck.copy()
        achievements = len(achievement_rewards(agent.game)) if agent.told_goal else 0
        everything = np.ones((len(luck), achievements), bool)
        self._goals = everything if goals is None else told_goals(goals[:, :achievements])
        self._device = next((part.device for part in agent.policy.parameters()), torch.device("cpu"))
        memory = agent.policy.initial_memory(len(luck))
        self._memory = {name: part.to(self._device) for name, part in memory.items()}
        self._begun = np.ones(len(luck), bool)

    def begin(self, lanes: npt.NDArray[np.bool_], luck: Keys) -> None:
        """Begin new episodes in some lanes.

        Args:
            lanes: bool [lanes], which.
            luck: uint32 [chosen lanes, 2].
        """
        self._begun = self._begun | lanes
        self._luck[lanes] = luck

    def keep(self, lanes: npt.NDArray[np.bool_]) -> None:
        """Go on with these lanes only, bool [lanes]."""
        kept = torch.from_numpy(np.flatnonzero(lanes)).to(self._device)
        self._memory = {name: part.index_select(0, kept) for name, part in self._memory.items()}
        self._luck, self._begun, self._goals = self._luck[lanes], self._begun[lanes], self._goals[lanes]

    def act(self, seen: Seen) -> npt.NDArray[np.int64]:
        """Choose an action in every lane, int64 [lanes], as likely as the policy says.

        Raises:
            RunError: the policy says what is no number.
        """
        begun = torch.from_numpy(self._begun).to(self._device)
        with torch.no_grad():
            output, self._memory = self._agent.policy.step(self._perceived(seen), self._memory, begun)
            chances = torch.softmax(output.logits.double(), -1).cpu().numpy()
        if not np.isfinite(chances).all():
            raise RunError(f"The policy of {self._agent.name} gives no numbers; use an earlier checkpoint.")
        keys = host_keys.split(self._luck)
        self._luck, self._begun = keys[:, 0].copy(), np.zeros(len(keys), bool)
        reached = np.cumsum(chances, axis=1)
        chosen: npt.NDArray[np.int64] = (reached <= host_keys.uniform(keys[:, 1], 1) * reached[:, -1:]).sum(1)
        return chosen

    def _perceived(self, seen: Seen) -> Observation:
        cells = seen.cells if isinstance(seen, Codes) else seen
        numbers = seen.numbers if isinstance(seen, Codes) else np.zeros((len(cells), 0), np.float32)
        parts = torch.from_numpy(cells), torch.from_numpy(numbers), torch.from_numpy(self._goals).float()
        return Observation(*(part.to(self._device) for part in parts))


def actor(agent: Agent, *, seed: int) -> Actor:
    """Somebody who plays one game from its beginning as the agent does, with luck drawn from a seed.

    Raises:
        RunError: the agent observes pictures, of which an actor gets none.
    """
    if agent.tile:
        raise RunError(f"{agent.name} plays by pictures; watch it by garten reshoot.")
    mind = Mind(agent, host_keys.key_of(seed)[None])
    return lambda codes: int(mind.act(codes)[0])
