"""Craftax for JAX: ``reset(key, params)`` and ``step(key, state, action, params)`` under ``jax.jit``.

    from garten.craftax.jax import FunctionalEnv
    env = FunctionalEnv("Craftax", num_envs=1024)
    obs, state = env.reset(jax.random.split(key, 1024))
    obs, state, reward, done, info = jax.jit(env.step)(keys, state, actions)

The calls are those of gymnax and of the original, but for many lanes at once: keys, actions, states and
results have a leading axis of lanes, where the original is mapped by ``jax.vmap``. Keys are used as the
original uses them. A state is a pytree of arrays. The kernels work on XLA's own buffers: a state that is
donated, or carried by ``jax.lax.scan``, is stepped in place; any other is copied first.

Needs the extra `jax`; nothing else in this package does.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import jax
import jax.numpy as jnp

from garten import devices
from garten.craftax import env as native
from garten.craftax.columns import Columns, Field
from garten.craftax.host_keys import Stream

State = dict[str, jax.Array]
"""All of the lanes by field name; see `STATE` in the game's ``state`` and `EXCHANGE` in its ``exchange``."""

Params = Mapping[str, Any]
"""Settings by name, each one value or one a lane; see `SETTINGS` in the game's ``rulebook``."""

_GIVEN = ("actions", "keys", "own_keys", "chosen")
"""Fields of the exchange that calls bring with them."""


class FunctionalEnv:
    """Many lanes of a game, as functions without memory.

    Attributes:
        num_envs: how many lanes.
        num_actions: actions are 0 to one less than this.
    """

    def __init__(
        self,
        name: str,
        *,
        num_envs: int = 1,
        obs: Literal["codes", "symbolic"] = "symbolic",
        auto_reset: bool = True,
        device: str = "cpu",
        threads: int = 1,
        stream: Stream = "partitionable",
        rules: native.RuleSet | Sequence[Mapping[str, Any]] = "1.6.1",
    ) -> None:
        """Make the functions.

        Args:
            name: "Craftax" or "Craftax-Classic".
            num_envs: how many lanes.
            obs: "symbolic" (the original's numbers) or "codes" (`cells` and `numbers`).
            auto_reset: whether a lane whose episode is over gets a new world in the same step.
            device: a Warp device name; JAX has to run the functions there.
            threads: CPU threads to share the lanes; results do not depend on it.
            stream: which random stream to draw from; see `garten.craftax.env.make`.
            rules: see `garten.craftax.env.make`.

        Raises:
            ValueError: there is no such environment, or an option is wrong.
        """
        if obs not in ("codes", "symbolic"):
            raise ValueError(f"{name} has no observation {obs!r} in JAX; choose codes or symbolic.")
        options: dict[str, Any] = {"device": device, "threads": threads, "stream": stream, "rules": rules}
        made = native.make(name, num_envs=num_envs, obs=obs, **options)
        self.num_envs = num_envs
        self.num_actions = made.num_actions
        self._engine = made.engine
        self._obs = obs
        look = ("codes", "symbolic") if obs == "symbolic" else ("codes",)
        step = ("step_first_half", *self._engine.reset_over_plan) if auto_reset else ("step",)
        self._reset = self._callable("reset", (*self._engine.reset_plan, *look))
        self._step = self._callable("step", (*self._engine.before_step, *step, *look))

    @property
    def default_params(self) -> dict[str, jax.Array]:
        """The settings of the plain game."""
        return {field.name: jnp.asarray(field.default, field.dtype) for field in self._engine.settings.fields}

    def reset(self, key: jax.Array, params: Params | None = None) -> tuple[Any, State]:
        """Give all lanes new worlds.

        Args:
            key: uint32 [num_envs, 2], of each lane the key that the original's reset would get.
            params: settings that differ from the plain game's; values out of bounds are moved into them,
                and what is no number is left at its default.

        Returns:
            Observations and states.

        Raises:
            ValueError: the keys have another shape or type, or there is no such setting.
        """
        nothing = {
            field.name: jnp.zeros((self.num_envs, *field.value_shape), field.dtype)
            for field in self._state_fields
        }
        obs, state, _ = self._call(self._reset, key, nothing, jnp.zeros(self.num_envs, jnp.int32), params)
        return obs, state

    def step(
        self, key: jax.Array, state: State, action: jax.Array, params: Params | None = None
    ) -> tuple[Any, State, jax.Array, jax.Array, dict[str, jax.Array]]:
        """Take one action in every lane.

        Args:
            key: uint32 [num_envs, 2], of each lane the key that the original's step would get.
            state: what the last call returned.
            action: integers [num_envs]; what is out of range is moved into it.
            params: as for `reset`, and the same as there.

        Returns:
            Observations, states, rewards float32 [num_envs], endings bool [num_envs], and of each lane
            ``discount`` (0 at an ending), ``terminated``, ``truncated`` and, of episodes that end now,
            ``return``, ``length`` and ``achievements`` (else 0).

        Raises:
            ValueError: an argument has another shape or type, or there is no such setting.
        """
        if jnp.shape(action) != (self.num_envs,) or not jnp.issubdtype(jnp.result_type(action), jnp.integer):
            found = f"{jnp.result_type(action)} of shape {jnp.shape(action)}"
            raise ValueError(f"The actions are {found}; give {self.num_envs} integers.")
        actions = jnp.clip(action, 0, self.num_actions - 1).astype(jnp.int32)
        obs, state, done = self._call(self._step, key, state, actions, params)
        books = {name: state[f"final_{name}"] for name in ("return", "length", "achievements")}
        ended = {name: (done.reshape(-1, *[1] * (book.ndim - 1)) * book) for name, book in books.items()}
        ending = {name: state[name] for name in ("terminated", "truncated")}
        return obs, state, state["rewards"], done, {"discount": 1.0 - done, **ending, **ended}

    @property
    def _state_fields(self) -> tuple[Field, ...]:
        exchange = (field for field in self._engine.exchange.fields if field.name not in _GIVEN)
        return (*self._engine.state.fields, *exchange)

    def _call(
        self, function: Any, key: jax.Array, state: State, actions: jax.Array, params: Params | None
    ) -> tuple[Any, State, jax.Array]:
        settings = self._settings(params or {})
        names = [field.name for field in self._state_fields]
        if set(state) != set(names):
            odd = ", ".join(sorted(set(state) ^ set(names)))
            raise ValueError(f"The state is not one of this game ({odd}); give what reset or step returned.")
        for field in self._state_fields:  # kernels trust them
            found, wanted = state[field.name], (self.num_envs, *field.value_shape)
            if found.shape != wanted or found.dtype != field.dtype:
                raise ValueError(
                    f"{field.name} of the state is {found.dtype} of shape {found.shape}, not {field.dtype} "
                    f"of shape {wanted}; give what reset or step of this environment returned."
                )
        arrays = function(*(state[name] for name in names), *settings, self._keys(key), actions)
        after = dict(zip(names, arrays, strict=False))
        seen = arrays[len(names) :]
        obs = seen[0] if self._obs == "symbolic" else native.Codes(*seen)
        return obs, after, after["over"]

    def _keys(self, key: jax.Array) -> jax.Array:
        words = jax.random.key_data(key) if jnp.issubdtype(key.dtype, jax.dtypes.prng_key) else key
        if words.shape != (self.num_envs, 2) or words.dtype != jnp.uint32:
            found = f"{words.dtype} of shape {words.shape}"
            raise ValueError(
                f"The keys are {found}; give one a lane, as jax.random.split(key, {self.num_envs}) does."
            )
        return words

    def _settings(self, params: Params) -> list[jax.Array]:
        """All settings of all lanes, within their bounds: kernels trust them."""
        fields = self._engine.settings.fields
        unknown = set(params) - {field.name for field in fields}
        if unknown:
            raise ValueError(f"There is no setting {min(unknown)}; see `default_params` for those there are.")
        settings = []
        for field in fields:
            rows = self._engine.tables.get(field.name)
            high = field.high if rows is None else rows - 1
            value = jnp.asarray(params.get(field.name, field.default))
            if jnp.issubdtype(value.dtype, jnp.floating):
                value = jnp.where(jnp.isnan(value), field.default, value)
            if field.low is not None or high is not None:
                value = jnp.clip(value, field.low, high)
            axes = (
                (1,) * len(field.value_shape) if value.ndim == 1 and value.shape == (self.num_envs,) else ()
            )
            value = value.astype(field.dtype).reshape(*value.shape, *axes)
            settings.append(jnp.broadcast_to(value, (self.num_envs, *field.value_shape)))
        return settings

    def _callable(self, name: str, plan: tuple[str, ...]) -> Any:
        """A function of arrays that runs a plan on them: states in and out, settings, keys and actions in."""
        wp = devices.init_warp()
        engine = self._engine
        state = {
            field.name: _array_type(self._columns(field.name), field.name) for field in self._state_fields
        }
        settings = {
            f"setting_{field.name}": _array_type(engine.settings, field.name)
            for field in engine.settings.fields
        }
        given = {f"given_{name}": _array_type(engine.exchange, name) for name in ("keys", "actions")}
        looks = (
            {"symbolic": engine.symbolic}
            if self._obs == "symbolic"
            else {
                "cells": engine.cells,
                "numbers": engine.numbers,
            }
        )
        seen = {f"seen_{name}": wp.array(dtype=look.dtype, ndim=look.ndim) for name, look in looks.items()}
        annotations = {**state, **settings, **given, **seen}

        def run(*arrays: Any) -> None:
            bound = dict(zip(annotations, arrays, strict=True))
            for field in self._state_fields:
                self._columns(field.name).adopt(field.name, bound[field.name])
            for field in engine.settings.fields:
                engine.settings.adopt(field.name, bound[f"setting_{field.name}"])
            for look in looks:
                setattr(engine, look, bound[f"seen_{look}"])
            engine.exchange.adopt("actions", bound["given_actions"])
            keys = bound["given_keys"]
            if name == "reset":
                keys = wp.array(engine.lane_keys(keys.numpy())[0], dtype=keys.dtype, device=engine.device)
                engine.exchange.array("chosen").fill_(True)
            engine.exchange.adopt("keys", keys)
            engine.run_afresh(*plan)

        parameters = [
            inspect.Parameter(each, inspect.Parameter.POSITIONAL_OR_KEYWORD) for each in annotations
        ]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = annotations
        run.__qualname__ = f"garten_craftax_{name}_{id(self)}"
        return wp.jax_callable(
            run,
            num_outputs=len(state) + len(seen),
            in_out_argnames=list(state),
            output_dims={f"seen_{name}": look.shape for name, look in looks.items()},
            graph_mode=wp.JaxCallableGraphMode.NONE,
            vmap_method=None,
        )

    def _columns(self, name: str) -> Columns:
        state = self._engine.state
        return state if any(field.name == name for field in state.fields) else self._engine.exchange


def _array_type(columns: Columns, name: str) -> Any:
    wp = devices.init_warp()
    array = columns.array(name)
    return wp.array(dtype=array.dtype, ndim=array.ndim)
