"""Craftax as Gymnasium environments: `CraftaxEnv`, and `CraftaxVectorEnv` for many lanes.

    from garten.craftax.faces import CraftaxVectorEnv
    envs = CraftaxVectorEnv("Craftax", num_envs=64, autoreset_mode="SameStep")

Codes come as a dict of ``cells`` and ``numbers``, text as strings, other observations as one array. Arrays
returned are the caller's own; the native face of `garten.craftax.make` spares the copies. At the end of an
episode `info` holds its ``return``, ``length`` and ``achievements``.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from garten.craftax import host_keys
from garten.craftax.env import Codes, Env, Observe, make

Array = npt.NDArray[Any]

_BOOKS = {"return": "final_return", "length": "final_length", "achievements": "final_achievements"}
"""Names in `info`, and the buffers they come from."""

_LONGEST_TEXT = 10_000
"""Characters; no view and body takes as many."""

_HUMAN_TILE = 32
"""Pixels along the side of a tile in rendered pictures."""


class CraftaxEnv(gymnasium.Env[Any, Any]):
    """One lane of a game."""

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 10}  # noqa: RUF012 (as the base class)

    def __init__(
        self, name: str, *, obs: Observe = "codes", render_mode: str | None = None, **options: Any
    ) -> None:
        """Make the environment.

        Args:
            name: "Craftax" or "Craftax-Classic".
            obs: "codes", "symbolic", "pixels" or "text".
            render_mode: "ansi" for words, "rgb_array" for large pictures, or None.
            options: others of `garten.craftax.env.make`.

        Raises:
            ValueError: there is no such environment or render mode, or an option is wrong.
        """
        self._env = make(name, obs=obs, auto_reset=False, **options)
        self._rendered = _Rendered(self._env, render_mode)
        self._started = False
        self.render_mode = render_mode
        self.observation_space = _space(self._env)
        self.action_space = spaces.Discrete(self._env.num_actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode in a new world.

        Args:
            seed: the world is that of ``garten.craftax.make(name).reset(seed=seed)``. Without one, worlds
                follow from the last seed, or from this environment's generator if there was none.
            options: none are known.
        """
        super().reset(seed=seed)
        if seed is None and not self._started:
            seed = int(self.np_random.integers(host_keys.SEEDS))
        self._env.reset(seed=seed)
        self._started = True
        return _copy(self._env.observation, 0), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take one action.

        Raises:
            ValueError: it is none.
            RuntimeError: there was no reset yet.
        """
        step = self._env.step(np.asarray(action).reshape(1))
        terminated, truncated = bool(step.terminated[0]), bool(step.truncated[0])
        info = _books(self._env, 0) if terminated or truncated else {}
        return _copy(step.observation, 0), float(step.reward[0]), terminated, truncated, info

    def render(self) -> Any:
        """What the player perceives, as a picture or in words."""
        return self._rendered.lane(0)


class CraftaxVectorEnv(VectorEnv[Any, Any, Array]):
    """Many lanes of a game."""

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 10}  # noqa: RUF012

    def __init__(
        self,
        name: str,
        *,
        num_envs: int = 1,
        obs: Observe = "codes",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Make the environment.

        Args:
            name: "Craftax" or "Craftax-Classic".
            num_envs: how many lanes.
            obs: "codes", "symbolic", "pixels" or "text".
            autoreset_mode: what happens to a lane whose episode is over. "NextStep": the next step gives it a
                new world instead of taking its action. "SameStep": it gets one at once, and `info` holds
                ``final_obs`` and ``final_info``. "Disabled": nothing until a reset with a ``reset_mask``.
            render_mode: "ansi" for words, "rgb_array" for large pictures, or None.
            options: others of `garten.craftax.env.make`.

        Raises:
            ValueError: there is no such environment or mode, or an option is wrong.
        """
        self._mode = AutoresetMode(autoreset_mode)
        self._env = make(name, num_envs=num_envs, obs=obs, auto_reset=False, **options)
        self._rendered = _Rendered(self._env, render_mode)
        self._over = np.zeros(num_envs, bool)
        self._started = False
        self.metadata = {**self.metadata, "autoreset_mode": self._mode}
        self.render_mode = render_mode
        self.num_envs = num_envs
        self.single_observation_space = _space(self._env)
        self.single_action_space = spaces.Discrete(self._env.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start episodes in new worlds.

        Args:
            seed: lane i gets the i-th key of ``jax.random.split(PRNGKey(seed), num_envs)``, and with it the
                world of the native face and of the original. With one seed a lane, each plays as a
                `CraftaxEnv` with that seed. Without any, worlds follow from the last seed, or from this
                environment's generator if there was none.
            options: ``reset_mask``, bool [num_envs], says which lanes to reset; all by default.

        Raises:
            ValueError: the mask has the wrong shape or type, or marks no lane; or the seeds are too many or
                too few.
        """
        one = seed if seed is None or isinstance(seed, (int, np.integer)) else next(iter(seed), None)
        super().reset(seed=one if one is None else int(one))
        if seed is None and not self._started:
            seed = int(self.np_random.integers(host_keys.SEEDS))
        lanes = np.asarray((options or {}).get("reset_mask", np.ones(self.num_envs, bool)))
        if not lanes.any():
            raise ValueError("The reset mask marks no lane; mark at least one.")
        self._env.reset(seed=seed, lanes=lanes)
        self._started = True
        self._over = self._over & ~lanes
        return _copy(self._env.observation), {}

    def step(self, actions: Any) -> tuple[Any, Array, Array, Array, dict[str, Any]]:
        """Take one action in every lane.

        Raises:
            ValueError: an array has the wrong shape or type, or an action is out of range.
            RuntimeError: there was no reset yet, or a lane that is over was not reset.
        """
        if self._mode is AutoresetMode.DISABLED and self._over.any():
            found = ", ".join(map(str, np.flatnonzero(self._over)))
            raise RuntimeError(f"The episodes of lanes {found} are over; reset them by a reset_mask.")
        late = self._over
        exchange = self._env.engine.exchange
        carried = np.array(exchange.read("own_keys")[late])
        step = self._env.step(actions)
        reward, terminated, truncated = (_copy(part) for part in step[1:])
        if late.any():
            exchange.write({"own_keys": carried}, rows=late)  # as if these lanes had not stepped
            self._env.reset(lanes=late)
            reward[late], terminated[late], truncated[late] = 0.0, False, False
        over = terminated | truncated
        info = _masked(_books(self._env), over) if over.any() else {}
        if self._mode is AutoresetMode.SAME_STEP and over.any():
            info = self._final(over, info)
            self._env.reset(lanes=over)
        else:
            self._over = over
        return _copy(self._env.observation), reward, terminated, truncated, info

    def render(self) -> tuple[Any, ...] | None:
        """What the player of each lane perceives, as pictures or in words."""
        if self.render_mode is None:
            return None
        return tuple(self._rendered.lane(lane) for lane in range(self.num_envs))

    def _final(self, over: Array, info: dict[str, Any]) -> dict[str, Any]:
        observations = np.full(self.num_envs, None, object)
        for lane in np.flatnonzero(over):
            observations[lane] = _copy(self._env.observation, int(lane))
        return _masked({"final_obs": observations, "final_info": info}, over)


class _Rendered:
    """What `render` shows of a lane."""

    def __init__(self, env: Env, mode: str | None) -> None:
        if mode not in (None, "ansi", "rgb_array"):
            raise ValueError(f"There is no render mode {mode!r}; choose ansi or rgb_array.")
        self._env = env
        self._mode = mode
        if mode == "rgb_array" and env.engine.pixels is None:
            env.engine.use_pixels(_HUMAN_TILE)

    def lane(self, lane: int) -> Any:
        if self._mode == "ansi":
            return self._env.text(lane)
        return self._env.picture(lane) if self._mode == "rgb_array" else None


def _space(env: Env) -> spaces.Space[Any]:
    """The space of one lane's observations."""
    cell_highs, number_highs = env.engine.highs()
    cells, numbers = env.engine.cells.shape[1:], env.engine.numbers.shape[1:]
    if env.obs == "codes":
        bytes_high = np.broadcast_to(np.array(cell_highs, np.uint8), cells)
        return spaces.Dict(
            {
                "cells": spaces.Box(np.zeros(cells, np.uint8), bytes_high, dtype=np.uint8),
                "numbers": spaces.Box(np.zeros(numbers, np.float32), number_highs, dtype=np.float32),
            }
        )
    if env.obs == "pixels":
        return spaces.Box(0, 255, env.engine.pixels.shape[1:], np.uint8)
    if env.obs == "text":
        return spaces.Text(_LONGEST_TEXT, charset=string.printable)
    flags = np.ones(env.engine.symbolic.shape[1] - len(number_highs), np.float32)
    high = np.concatenate([flags, number_highs])
    return spaces.Box(np.zeros_like(high), high, dtype=np.float32)


def _copy(observation: Any, lane: int | None = None) -> Any:
    """An observation that later steps leave alone, of one lane or of all."""
    if isinstance(observation, Codes):
        return {name: _copy(part, lane) for name, part in observation._asdict().items()}
    if isinstance(observation, tuple):
        return observation if lane is None else observation[lane]
    array = observation if isinstance(observation, np.ndarray) else observation.numpy()
    return np.array(array if lane is None else array[lane])


def _books(env: Env, lane: int | None = None) -> dict[str, Any]:
    """The books of finished episodes, of one lane or of all."""
    return {name: _copy(env.buffer(buffer), lane)[()] for name, buffer in _BOOKS.items()}


def _masked(info: dict[str, Any], lanes: Array) -> dict[str, Any]:
    """An info of all lanes that holds for some: with each key comes one with an underscore, their mask."""
    return {**info, **{f"_{name}": lanes.copy() for name in info}}
