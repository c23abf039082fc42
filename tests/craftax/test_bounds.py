"""No state within the declared bounds makes a kernel read or write past the end of an array, or hang.

A debug build of the kernels checks every read and write; `test_debug_build.py` runs this file in it.
"""

import numpy as np
import pytest

from garten import craftax
from garten.craftax.columns import Field
from garten.craftax.env import Env

GAMES = ("Craftax", "Craftax-Classic")
LANES = 256


def hostile(rng: np.random.Generator, field: Field, rows: int) -> np.ndarray:
    """Values of a field at random within its bounds, often at them, for so many rows."""
    shape = (rows, *field.value_shape)
    if field.kind is bool:
        return rng.random(shape) < rng.choice([0.1, 0.5, 0.9])
    if field.dtype.kind == "f":
        low = -1e30 if field.low is None else field.low
        high = 1e30 if field.high is None else field.high
        values = rng.uniform(np.maximum(low, -50.0), np.minimum(high, 50.0), shape)
    else:
        limits = np.iinfo(field.dtype)
        low = limits.min if field.low is None else field.low
        high = limits.max if field.high is None else np.asarray(field.high, np.int64)
        values = rng.integers(np.maximum(low, -50), np.minimum(high, 50) + 1, shape)
    ends = np.where(rng.random(shape) < 0.5, low, high)
    return np.where(rng.random(shape) < 0.15, ends, values).astype(field.dtype)


def fill(env: Env, rng: np.random.Generator) -> None:
    """Give every lane a hostile state, checked as one written by hand is."""
    state = env.engine.state
    for field in state.fields:
        if field.name != "floor_made":  # the engine's own, as is the key that floors are made from
            state.read(field.name)[:] = hostile(rng, field, env.num_envs)
    state.put(0, {name: value for name, value in state.row(0).items() if name != "floor_made"})


@pytest.mark.parametrize(("obs", "states"), [("symbolic", 2048), ("pixels", 512)])
@pytest.mark.parametrize("game", GAMES)
def test_every_action_from_hostile_states(game: str, obs: str, states: int) -> None:
    env = craftax.make(game, num_envs=LANES, obs=obs, keep_final=True)
    rng = np.random.default_rng(0)
    for number in range(states // LANES):
        env.reset(seed=number)
        fill(env, rng)
        for step in range(3):
            reward = env.step((np.arange(LANES) + step * 7 + number) % env.num_actions).reward
            assert reward.shape == (LANES,)
        env.text(number)


@pytest.mark.parametrize("game", GAMES)
def test_every_action_under_hostile_settings(game: str) -> None:
    env = craftax.make(game, num_envs=LANES, obs="symbolic")
    rng = np.random.default_rng(1)
    for number in range(4):
        fields = [field for field in env.engine.settings.fields if field.name not in env.engine.tables]
        for field in fields:
            env.engine.settings.read(field.name)[:] = hostile(rng, field, LANES)
        env.reset(seed=number)
        fill(env, rng)
        for step in range(10):
            env.step((np.arange(LANES) + step * 5 + number) % env.num_actions)


@pytest.mark.parametrize("game", GAMES)
def test_every_action_under_hostile_rules(game: str) -> None:
    rng = np.random.default_rng(2)
    fields = craftax.make(game).engine.rules.fields
    tables = [{field.name: hostile(rng, field, 1)[0] for field in fields} for _ in range(8)]
    env = craftax.make(game, num_envs=LANES, rules=tables)
    env.set(rules=np.arange(LANES, dtype=np.int32) % 8)
    for number in range(4):
        env.reset(seed=number)
        fill(env, rng)
        for step in range(10):
            env.step((np.arange(LANES) + step * 5 + number) % env.num_actions)


@pytest.mark.parametrize("game", GAMES)
def test_a_picture_of_a_lane_just_moved(game: str) -> None:
    env = craftax.make(game)
    env.engine.use_pixels(5)
    env.reset(seed=0)
    last = env.engine.state.read("blocks").shape[-1] - 1
    env.set_state(0, {"player_position": (last, last)})
    assert env.picture(0).dtype == np.uint8


def test_a_god_walks_off_the_map() -> None:
    env = craftax.make("Craftax", obs="pixels", settings={"god_mode": True})
    for way, edge in ((1, 0), (2, 47), (3, 0), (4, 47)):
        env.reset(seed=0)
        env.set_state(0, {"player_position": (edge, edge)})
        for action in [way] * 8 + list(range(43)):
            env.step(np.array([action]))
