"""The engine and the original side by side: the same states, keys and actions, and where they part.

Needs the packages of the `oracle` extra.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from garten.craftax import host_keys

Fields = dict[str, np.ndarray]

TOLERANCE = 1e-5
"""Of floats in states, of rewards, and of the light in observations."""

OBSERVATION_TOLERANCE = 1e-6
"""Of all else in observations."""


class Match:
    """Lanes of one game played by both.

    Attributes:
        oracle: the module of the original (``full_oracle`` or ``classic_oracle``).
        lanes: how many.
        engine: ours.
        state: the original's, a batch.
        rewards: what the original gave in the last step.
        over: where it said that the episode ended.
        misses: every lane and step so far where the two parted, with the fields and by how much.
    """

    def __init__(self, oracle: Any, lanes: int) -> None:
        """Make the lanes; they have no worlds yet."""
        self.oracle = oracle
        self.lanes = lanes
        self.engine = oracle.ENGINE(lanes)
        self._aside = oracle.ENGINE(lanes)
        self.state: Any = None
        self.rewards = np.zeros(lanes, np.float32)
        self.over = np.zeros(lanes, bool)
        self.misses: list[dict[str, Any]] = []

    def start(self, fields: Fields) -> None:
        """Begin all lanes from these states."""
        self.state = self.oracle.state_of(fields)
        self._write(fields)

    def start_worlds(self, keys: np.ndarray) -> None:
        """Begin all lanes in the worlds of these keys, each made by either side for itself."""
        worlds = [self.oracle.fields_of(self.oracle.world(jnp.asarray(key))) for key in keys]
        fields = {name: np.stack([world[name] for world in worlds]) for name in worlds[0]}
        self.state = self.oracle.state_of(fields)
        self._make_worlds(keys, np.ones(self.lanes, bool))
        self._judge(fields, {}, where={"part": "worlds"})

    def renew(self, lanes: np.ndarray, keys: np.ndarray) -> None:
        """Give some lanes the worlds of these keys, made by either side for itself."""
        fields = self.fields()
        for lane in lanes:
            world = self.oracle.fields_of(self.oracle.world(jnp.asarray(keys[lane])))
            for name, value in world.items():
                fields[name][lane] = value
        self.state = self.oracle.state_of(fields)
        chosen = np.zeros(self.lanes, bool)
        chosen[lanes] = True
        self._make_worlds(keys, chosen)

    def fields(self) -> Fields:
        """A copy of the original's states, as our fields."""
        return {name: np.array(value) for name, value in self.oracle.fields_of(self.state).items()}

    def step(self, keys: np.ndarray, actions: np.ndarray, *, where: dict, params: Any = None) -> list[int]:
        """Step both; returns the lanes where they parted, and notes them in `misses`.

        Args:
            keys: uint32 [lanes, 2].
            actions: int32 [lanes].
            where: what to say of a miss beside its lane and fields.
            params: settings of the lanes as the original's batch of parameters; its own by default.
        """
        given = (jnp.asarray(keys), self.state, jnp.asarray(actions))
        self.state, rewards, over, symbolic = self.oracle.step(*given, *(() if params is None else (params,)))
        self.rewards, self.over = np.asarray(rewards), np.asarray(over)
        self._play(self.engine, keys, actions, "codes", "symbolic")
        results = {"rewards": self.rewards, "over": self.over, "symbolic": np.asarray(symbolic)}
        return self._judge(self.oracle.fields_of(self.state), results, where=where)

    def repair(self) -> None:
        """Give the engine the original's states, after a miss."""
        self._write(self.oracle.fields_of(self.state))

    def effects(self, keys: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """In which lanes the actions would change more than doing nothing; call it before `step`."""
        idle = self._after(keys, np.zeros_like(actions))
        acted = self._after(keys, actions)
        return np.any([differs(idle[name], value) for name, value in acted.items()], axis=0)

    def _after(self, keys: np.ndarray, actions: np.ndarray) -> Fields:
        """What our states would be after these actions, without taking them."""
        for ours, aside in (
            (self.engine.state, self._aside.state),
            (self.engine.settings, self._aside.settings),
        ):
            for field in ours.fields:
                aside.read(field.name)[:] = ours.read(field.name)
        self._play(self._aside, keys, actions)
        return {field.name: self._aside.state.read(field.name).copy() for field in self.oracle.STATE}

    def _write(self, fields: Fields) -> None:
        for name, value in fields.items():
            self.engine.state.read(name)[:] = value

    def _make_worlds(self, keys: np.ndarray, chosen: np.ndarray) -> None:
        self.engine.exchange.read("keys")[:] = keys
        self.engine.exchange.read("chosen")[:] = chosen
        self.engine.run("reset", *self.oracle.WHOLE)

    @staticmethod
    def _play(engine: Any, keys: np.ndarray, actions: np.ndarray, *observe: str) -> None:
        engine.exchange.read("keys")[:] = keys
        engine.exchange.read("actions")[:] = actions
        engine.run("step", *observe)

    def _judge(self, fields: Fields, results: Fields, *, where: dict) -> list[int]:
        """Note where states or results differ."""
        pairs = [(name, value, self.engine.state.read(name), TOLERANCE) for name, value in fields.items()]
        ours = self.engine.exchange.read
        for name, value in results.items():
            if name == "symbolic":
                mine, light = self.engine.symbolic.numpy(), self.oracle.LIGHT
                pairs += [("light in symbolic", value[:, light], mine[:, light], TOLERANCE)]
                pairs += [
                    (name, np.delete(value, light, 1), np.delete(mine, light, 1), OBSERVATION_TOLERANCE)
                ]
            else:
                pairs += [(name, value, ours(name), TOLERANCE)]
        missed: dict[int, dict[str, float]] = {}
        for name, theirs, mine, tolerance in pairs:
            for lane in np.flatnonzero(differs(theirs, mine, tolerance)):
                apart = np.abs(np.asarray(theirs[lane], float) - np.asarray(mine[lane], float)).max()
                missed.setdefault(int(lane), {})[name] = float(apart)
        self.misses += [{**where, "lane": lane, "apart": apart} for lane, apart in missed.items()]
        return list(missed)


def differs(theirs: np.ndarray, ours: np.ndarray, tolerance: float = TOLERANCE) -> np.ndarray:
    """In which lanes a value differs; integers must be equal."""
    apart = np.abs(theirs - ours) > tolerance if theirs.dtype.kind == "f" else theirs != ours
    return np.asarray(apart.reshape(len(theirs), -1).any(1))


def keys_of(seed: int, steps: int, lanes: int) -> np.ndarray:
    """Keys for so many steps of so many lanes, uint32 [steps, lanes, 2]."""
    return host_keys.split(host_keys.key_of(seed), steps * lanes).reshape(steps, lanes, 2)
