"""The functions for JAX play the native game. `make oracle` compares them with the original, too."""

import numpy as np
import pytest

from garten import craftax
from garten.craftax import host_keys

jax = pytest.importorskip("jax", reason="needs the extra jax; make oracle runs it")

LANES = 5
GAMES = ["Craftax", "Craftax-Classic"]


def keys_of(seed, lanes=LANES):
    return host_keys.split(host_keys.key_of(seed), lanes)


def functional(name, **options):
    from garten.craftax.jax import FunctionalEnv

    return FunctionalEnv(name, num_envs=LANES, **options)


@pytest.mark.parametrize("name", GAMES)
def test_the_functions_play_the_native_game(name):
    env = functional(name, obs="codes")
    other = craftax.make(name, num_envs=LANES, settings={"max_timesteps": 7})
    params = {"max_timesteps": 7}
    obs, state = jax.jit(env.reset)(keys_of(0), params)
    expected = other.reset(keys=other.engine.lane_keys(keys_of(0))[0])
    step = jax.jit(env.step, donate_argnums=1)
    for number in range(20):
        assert np.array_equal(obs.cells, expected.cells)
        assert np.array_equal(obs.numbers, expected.numbers)
        actions = np.random.default_rng(number).integers(0, env.num_actions, LANES)
        obs, state, reward, done, info = step(keys_of(number), state, actions, params)
        native = other.step(actions, keys=keys_of(number))
        expected = native.observation
        assert np.array_equal(reward, native.reward)
        assert np.array_equal(done, native.terminated | native.truncated)
        assert np.array_equal(info["truncated"], native.truncated)
        assert np.array_equal(info["discount"], 1.0 - done)
        assert np.array_equal(info["length"], other.buffer("final_length") * done)
    assert np.array_equal(state["timestep"], other.engine.state.read("timestep"))


def test_a_step_leaves_the_state_it_was_given_as_it_was():
    env = functional("Craftax-Classic")
    _, state = env.reset(keys_of(1))
    before = {name: np.array(value) for name, value in state.items()}
    results = [jax.jit(env.step)(keys_of(2), state, np.full(LANES, 1)) for _ in range(2)]
    assert all(np.array_equal(before[name], state[name]) for name in before)
    assert np.array_equal(results[0][0], results[1][0])


def test_a_scan_steps_as_a_loop_does():
    env = functional("Craftax-Classic")
    obs, state = env.reset(keys_of(3))
    many = np.stack([keys_of(seed) for seed in range(10, 20)])

    def body(carry, keys):
        obs, after, reward, _, _ = env.step(keys, carry, np.full(LANES, 5))
        return after, (obs, reward)

    _, (seen, rewards) = jax.jit(lambda start: jax.lax.scan(body, start, many))(state)
    for keys, scanned, reward in zip(many, seen, rewards, strict=True):
        obs, state, found, _, _ = env.step(keys, state, np.full(LANES, 5))
        assert np.array_equal(obs, scanned)
        assert np.array_equal(found, reward)


def test_new_params_compile_nothing():
    env = functional("Craftax-Classic")
    _, state = env.reset(keys_of(1))
    step = jax.jit(env.step)
    for limit in (1, 2):
        params = {"max_timesteps": np.full(LANES, limit), "day_length": np.int32(100 * limit)}
        _, _, _, done, _ = step(keys_of(2), state, np.zeros(LANES, int), params)
        assert done.tolist() == [limit == 1] * LANES
    assert step._cache_size() == 1


def test_wrong_calls_are_refused():
    env = functional("Craftax-Classic")
    _, state = env.reset(keys_of(1))
    noops = np.zeros(LANES, int)
    with pytest.raises(ValueError, match="give one a lane"):
        env.reset(jax.random.PRNGKey(0))
    with pytest.raises(ValueError, match="give 5 integers"):
        env.step(keys_of(1), state, noops[:2])
    with pytest.raises(ValueError, match="give 5 integers"):
        env.step(keys_of(1), state, noops + 0.5)
    with pytest.raises(ValueError, match="There is no setting wind"):
        env.step(keys_of(1), state, noops, {"wind": 1})
    with pytest.raises(ValueError, match="give what reset or step returned"):
        env.step(keys_of(1), {"health": state["health"]}, noops)
    with pytest.raises(ValueError, match="of shape \\(2,"):
        env.step(keys_of(1), {name: value[:2] for name, value in state.items()}, noops)
    with pytest.raises(ValueError, match="health of the state is float32"):
        env.step(keys_of(1), {**state, "health": state["health"].astype(np.float32)}, noops)
    with pytest.raises(ValueError, match="choose codes or symbolic"):
        functional("Craftax", obs="pixels")
    out_of_range = env.step(keys_of(1), state, noops + 99, {"rules": 7})
    assert np.array_equal(out_of_range[0], env.step(keys_of(1), state, noops + 16)[0])
    no_number = env.step(keys_of(1), state, noops, {"bonus": np.nan})
    assert np.array_equal(no_number[2], env.step(keys_of(1), state, noops)[2])
