"""What a rollout asks of the lanes it steps, and Craftax as such lanes."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from garten import devices
from garten.craftax.env import Env
from garten.policies.policy import Observation

Arrays = dict[str, npt.NDArray[Any]]


class Outcome(NamedTuple):
    """What a step did; buffers of the lanes, which the next step writes anew.

    Attributes:
        reward: float32 [lanes].
        terminated: bool [lanes], whether the episode ended by what happened in it.
        truncated: bool [lanes], whether the time limit ended it.
    """

    reward: Tensor
    terminated: Tensor
    truncated: Tensor


class Results(NamedTuple):
    """How the last finished episode of each lane went, leading axis [lanes]; see `Episodes`."""

    episode_return: npt.NDArray[np.float32]
    length: npt.NDArray[np.int64]
    achievements: npt.NDArray[np.bool_]
    success: npt.NDArray[np.bool_]


class Lanes(Protocol):
    """Many copies of a world, stepped side by side; one whose episode ends begins the next in the same step.

    Attributes:
        count: how many lanes.
    """

    count: int

    def observe(self) -> Observation:
        """What the lanes observe now; buffers, which the next step writes anew."""

    def final(self) -> Observation:
        """What each lane observed at the end of its last finished episode."""

    def step(self, actions: Tensor) -> Outcome:
        """Take an action in every lane, int64 [lanes]."""

    def results(self) -> Results:
        """How the lanes' last finished episodes went."""

    def state(self) -> Arrays:
        """Copies of all arrays that are needed to go on exactly from here."""

    def restore(self, state: Arrays) -> None:
        """Go on from what `state` returned."""


class CraftaxLanes:
    """The lanes of an environment, on the CPU or a GPU, as torch tensors that share its memory.

    Attributes:
        env: the environment; made with ``keep_final``.
        count: how many lanes.
    """

    def __init__(self, env: Env, *, tell_goal: bool = False) -> None:
        """Share an environment's arrays.

        Args:
            env: observing codes or pixels, made with ``keep_final``.
            tell_goal: whether the lane's goal is part of what it observes; one without a goal is told to
                unlock everything.
        """
        wp = devices.init_warp()
        self.env = env
        self.count = env.num_envs
        engine = env.engine
        pictures = env.obs == "pixels"
        self._none = torch.zeros(self.count, 0, device=wp.device_to_torch(engine.device))
        self._cells = wp.to_torch(engine.pixels if pictures else engine.cells)
        self._numbers = self._none if pictures else wp.to_torch(engine.numbers)
        self._final_cells = wp.to_torch(engine.final_cells)
        self._final_numbers = wp.to_torch(engine.final_numbers)
        self._goals = wp.to_torch(engine.settings.array("goal")) if tell_goal else None
        exchange = engine.exchange
        names = ("rewards", "terminated", "truncated")
        self._outcome = Outcome(*(wp.to_torch(exchange.array(name)) for name in names))

    def observe(self) -> Observation:
        """See `Lanes.observe`."""
        return Observation(self._cells, self._numbers, self._told())

    def final(self) -> Observation:
        """See `Lanes.final`; no pictures are kept."""
        assert self.env.obs == "codes", "checked settings do not bootstrap from pictures"
        return Observation(self._final_cells, self._final_numbers, self._told())

    def step(self, actions: Tensor) -> Outcome:
        """See `Lanes.step`."""
        self.env.step(actions.cpu().numpy())
        return self._outcome

    def results(self) -> Results:
        """See `Lanes.results`."""
        read = self.env.engine.exchange.read
        return Results(
            read("final_return"),
            read("final_length").astype(np.int64),
            read("final_achievements"),
            read("final_success"),
        )

    def _told(self) -> Tensor:
        """What is told of the goals, as `told_goals` does it."""
        if self._goals is None:
            return self._none
        told: Tensor = self._goals | ~self._goals.any(1, keepdim=True)
        return told.float()

    def reset(self, lanes: npt.NDArray[np.bool_], *, seed: int) -> None:
        """Begin new worlds, drawn from a seed, in some lanes, bool [lanes]."""
        self.env.reset(seed=seed, lanes=lanes)

    def state(self) -> Arrays:
        """See `Lanes.state`: lanes' worlds, keys and settings."""
        return self.env.save()

    def restore(self, state: Arrays) -> None:
        """See `Lanes.restore`."""
        self.env.load(state)
        self.env.observe()
