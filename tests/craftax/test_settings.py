"""Whatever a lane sets for itself and whatever number a rule table holds: changing it compiles nothing."""

from typing import Any

import numpy as np
import pytest

from garten import devices
from garten.craftax.columns import Field, Key
from garten.craftax.engine import Engine
from garten.craftax.env import Env, make
from garten.craftax.full.tables import TYPES

LIMITED = {"floor_types": TYPES - 1}
"""The most that numbers may be which name something."""


def changed(field: Field) -> Any:
    """Another value that the field may hold."""
    value = np.broadcast_to(np.asarray(field.default), field.value_shape)
    if field.kind is bool:
        return ~value.astype(bool)
    if field.kind is Key:
        return value.astype(np.uint32) + np.uint32(1)
    value = value * 1.25 + 0.125 if field.kind is float else value + 1
    most = LIMITED.get(field.name, np.inf) if field.high is None else field.high
    return np.where(value > most, most - 1, value).astype(field.dtype)


def row(engine: Engine, fields: str) -> dict[str, Any]:
    return {field.name: changed(field) for field in getattr(engine, fields).fields}


@pytest.fixture(params=["Craftax", "Craftax-Classic"])
def env(request) -> Env:
    env = make(request.param, num_envs=2, obs="symbolic", rules=({}, {}))
    env.reset(seed=0)
    env.step(np.zeros(2, int))
    return env


def test_changing_everything_at_once_compiles_nothing(env):
    heard: list[str] = []
    devices.on_compile(heard.append)
    compiled = set(devices.cache_folder().rglob("*"))
    kept = {"program": -1}  # a row of the programs that an engine was given, of which this one has none
    env.engine.give_angles(np.zeros((1, sum(env.engine.nodes)), np.float32))
    env.engine.rules.put(1, row(env.engine, "rules"))
    settings = {name: value for name, value in row(env.engine, "settings").items() if name not in kept}
    env.engine.settings.put(1, settings)
    assert env.engine.settings.read("rules").tolist() == [0, 1]
    env.reset(seed=1)
    for action in range(env.num_actions):
        env.step(np.full(2, action))
    assert heard == []
    assert set(devices.cache_folder().rglob("*")) == compiled
    differing = [
        name for name, value in settings.items() if np.array_equal(env.engine.settings.row(0)[name], value)
    ]
    assert differing == []
