"""Worlds as PettingZoo environments for agents that act at the same time. One step is a tick, or several.

An agent that is free starts the action it is given. It is then busy for as long as the action lasts:
`info["busy"]` says so, and what it is given meanwhile is ignored. The reward is 0 until the end, and then the
score of its team as a share of 100. All agents end together, with a last observation.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
from gymnasium import Space
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from garten.episodes.faces.spaces import ActionSpace, frame_space, make_look, make_world, senses_spaces
from garten.episodes.views import AnyLook, eyes, rolls, view_of
from garten.records import Frame
from garten.worlds.world import World

Observed = Frame | dict[str, NDArray[Any]]
"""What an agent gets: a frame, or arrays by name."""


class WorldParallelEnv(ParallelEnv):  # type: ignore[misc] # the library carries no types
    """A world whose agents are its roles."""

    def __init__(
        self,
        world: World[Any] | str | Path,
        *,
        look: AnyLook | str = "raw",
        size: tuple[int, int] = (160, 90),
        observe: Literal["frames", "senses"] = "frames",
        ticks: int = 1,
        render_mode: str | None = None,
    ) -> None:
        """Wrap a world.

        Args:
            world: Itself, or its name or path.
            look: Makes the frames.
            size: Width x height of the frames.
            observe: What agents get: frames, or in worlds that have them the numbers of `World.senses`.
            ticks: How many ticks one step takes. An agent that becomes free within a step waits for its end.
            render_mode: "rgb_array", or None.

        Raises:
            ValueError: a step of no ticks, or something else to observe.
            WorldError: there is no such world, or it has no senses to observe.
        """
        if ticks < 1:
            raise ValueError(f"a step takes at least 1 tick, got {ticks}")
        if observe not in ("frames", "senses"):
            raise ValueError(f"agents observe frames or senses, got {observe!r}")
        self._world = make_world(world)
        self._ticks = ticks
        self._observe = observe
        spec = self._world.spec
        self._look = make_look(look)
        self._rolls = rolls(self._look)
        self._size = size
        self._actions = ActionSpace(spec.actions)
        self._random = np.random.default_rng()
        self.possible_agents = [role.name for role in spec.roles]
        self.agents: list[str] = []
        self.action_spaces = {agent: self._actions.make() for agent in self.possible_agents}
        self.observation_spaces = {agent: frame_space(size) for agent in self.possible_agents}
        if observe == "senses":
            self.observation_spaces = senses_spaces(self._world)
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{spec.name}_v{spec.version}",
            "render_modes": ["rgb_array"],
            "render_fps": max(1, round(1.0 / (spec.tick * ticks))),
            "is_parallelizable": True,
        }

    def action_space(self, agent: str) -> Space[Any]:
        """The agent's action space, always the same object."""
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> Space[Any]:
        """The agent's observation space, always the same object."""
        return self.observation_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observed], dict[str, dict[str, Any]]]:
        """Start an episode; the world's seed is `seed`, or else drawn from this environment's generator."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        seed = int(self._random.integers(2**31)) if seed is None else seed
        self._world.reset(seed)
        self._views = {
            role: view_of(self._look, eyes(role), role=role, size=self._size, seed=seed)
            for role in self.possible_agents
        }
        self._follow()
        self.agents = list(self.possible_agents)
        return self._observations(), self._infos()

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[
        dict[str, Observed], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """Advance by one step, or to the end; free agents that are given an action start it.

        Raises:
            WorldError: an action that is none, in which case nothing happens, or a finished episode.
        """
        world = self._world
        chosen = {role: self._actions.action(actions[role]) for role in world.idle if role in actions}
        for role, action in chosen.items():
            world.start(role, action)
        for _ in range(self._ticks):
            world.tick()
            if self._rolls and world.frame_due:
                self._follow()
            if world.over:
                break
        agents = self.possible_agents
        rewards = dict.fromkeys(agents, 0.0)
        if world.over:
            score = world.score()
            rewards = {role.name: score.of(role.team).value / 100.0 for role in world.spec.roles}
        terminated, truncated = world.terminated, world.truncated
        if world.over:
            self.agents = []
        return (
            self._observations(),
            rewards,
            dict.fromkeys(agents, terminated),
            dict.fromkeys(agents, truncated),
            self._infos(),
        )

    def render(self) -> Frame | None:
        """What all agents see now, side by side."""
        return np.hstack(list(self._frames().values())) if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Nothing to release."""

    def _observations(self) -> dict[str, Observed]:
        if self._observe == "frames":
            return dict(self._frames())
        return {role: dict(senses) for role, senses in self._world.senses().items()}

    def _frames(self) -> dict[str, Frame]:
        moment = self._world.moment()
        return {role: np.array(view.frame(moment)) for role, view in self._views.items()}

    def _follow(self) -> None:
        moment = self._world.moment()
        for view in self._views.values():
            view.follow(moment)

    def _infos(self) -> dict[str, dict[str, Any]]:
        idle = self._world.idle
        return {
            role: {"busy": role not in idle, "feedback": self._world.feedback(role)}
            for role in self.possible_agents
        }
