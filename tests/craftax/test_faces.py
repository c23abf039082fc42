"""The Gymnasium faces keep Gymnasium's promises and play the native game."""

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.vector.utils import concatenate, create_empty_array

from garten import craftax
from garten.craftax.faces import CraftaxEnv, CraftaxVectorEnv

LANES = 5
SHORT = {"max_timesteps": np.array([3, 4, 50, 50, 50])}


def vector(**options):
    return CraftaxVectorEnv("Craftax-Classic", num_envs=LANES, settings=SHORT, **options)


def noops():
    return np.zeros(LANES, int)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("Craftax-Classic", {"render_mode": "ansi"}),
        ("Craftax-Classic", {"obs": "symbolic", "render_mode": "rgb_array"}),
        ("Craftax-Classic", {"obs": "pixels", "render_mode": "rgb_array"}),
        ("Craftax", {"render_mode": "ansi"}),
        ("Craftax", {"obs": "pixels", "render_mode": "rgb_array"}),
        ("Craftax", {"obs": "symbolic", "render_mode": "ansi"}),
        ("Craftax", {"obs": "text"}),
        ("Craftax-Classic", {"obs": "text"}),
    ],
)
def test_gymnasium_s_checker_finds_nothing(name, options):
    # Its checks of rendering need an environment of the registry.
    check_env(CraftaxEnv(name, **options), skip_render_check=True)


@pytest.mark.parametrize("name", ["Craftax", "Craftax-Classic"])
@pytest.mark.parametrize("obs", ["codes", "symbolic", "text"])
def test_observations_lie_in_their_space(name, obs):
    envs = CraftaxVectorEnv(name, num_envs=LANES, obs=obs)
    observation, info = envs.reset(seed=4)
    envs.action_space.seed(0)
    assert info == {}
    for _ in range(60):
        assert envs.observation_space.contains(observation)
        observation, reward, terminated, truncated, _ = envs.step(envs.action_space.sample())
        assert reward.shape == terminated.shape == truncated.shape == (LANES,)
        assert terminated.dtype == truncated.dtype == np.bool_


def test_the_greatest_numbers_are_reached():
    env = craftax.make("Craftax-Classic", auto_reset=False)
    env.reset(seed=0)
    env.set_state(0, {"inventory": np.full(12, 9), "health": 9, "food": 9, "drink": 9, "energy": 9})
    env.engine.run("codes")
    _, highs = env.engine.highs()
    assert np.array_equal(env.observation.numbers[0, :16], highs[:16])


def test_the_greatest_numbers_of_craftax_are_reached():
    env = craftax.make("Craftax", auto_reset=False)
    env.reset(seed=0)
    greatest = {field.name: field.high for field in env.engine.state.fields if field.high is not None}
    names = ("inventory", "potions", "armour", "armour_enchantments", "sword_enchantment", "bow_enchantment")
    stats = ("health", "food", "drink", "energy", "mana", "dexterity", "strength", "intelligence")
    shapes = {name: env.state(0)[name].shape for name in (*names, *stats)}
    env.set_state(0, {name: np.full(shape, greatest[name]) for name, shape in shapes.items()})
    env.engine.run("codes")
    _, highs = env.engine.highs()
    reached = env.observation.numbers[0] == highs
    # Experience has no limit; the rest are flags that do not all hold at once, the light and the floor.
    assert np.array_equal(np.flatnonzero(~reached), [27, 31, 32, 34, 43, 44, 45, 46, 47, 48, 50])


def test_arrays_are_the_caller_s_own():
    envs = vector()
    first, _ = envs.reset(seed=0)
    second = envs.step(noops())
    third = envs.step(noops())
    assert not np.shares_memory(first["cells"], second[0]["cells"])
    for one, other in zip(second[1:4], third[1:4], strict=True):
        assert not np.shares_memory(one, other)
    assert not np.shares_memory(third[0]["numbers"], envs._env.engine.numbers.numpy())


def test_same_seed_same_episodes():
    seen = []
    for seed in (7, 7, 8):
        envs = vector(autoreset_mode="SameStep", obs="symbolic")
        envs.reset(seed=seed)
        seen.append(np.stack([envs.step(noops())[0] for _ in range(12)]))
    assert np.array_equal(seen[0], seen[1])
    assert not np.array_equal(seen[0], seen[2])


@pytest.mark.parametrize("name", ["Craftax", "Craftax-Classic"])
def test_a_seed_gives_the_worlds_of_the_native_face(name):
    envs = CraftaxVectorEnv(name, num_envs=LANES)
    native = craftax.make(name, num_envs=LANES, auto_reset=False)
    for _ in range(2):
        observation, _ = envs.reset(seed=3)
        expected = native.reset(seed=3)
        assert np.array_equal(observation["cells"], expected.cells)


def test_one_seed_a_lane_gives_what_single_environments_play():
    """With the seeds that Gymnasium's own vectors deal, through resets of both."""
    names = {"settings": {"max_timesteps": 3}, "obs": "symbolic"}
    many = SyncVectorEnv([lambda: CraftaxEnv("Craftax-Classic", **names)] * 3)
    envs = CraftaxVectorEnv("Craftax-Classic", num_envs=3, **names)
    seen = [many.reset(seed=7)[0], envs.reset(seed=[7, 8, 9])[0]]
    for _ in range(10):
        assert np.array_equal(*seen)
        seen = [each.step(np.full(3, 1))[0] for each in (many, envs)]
    with pytest.raises(ValueError, match="give one, or 3"):
        envs.reset(seed=[1, 2])


def test_seeds_may_be_numpy_s():
    envs = CraftaxVectorEnv("Craftax-Classic", num_envs=2)
    plain, _ = envs.reset(seed=3)
    for seed in (np.int64(3), np.array([3, 4])):
        drawn, _ = envs.reset(seed=seed)
        assert envs.np_random_seed == 3
        assert np.array_equal(plain["cells"], drawn["cells"]) == (np.ndim(seed) == 0)


def test_without_a_seed_every_environment_is_another():
    worlds = [CraftaxEnv("Craftax-Classic", obs="symbolic").reset()[0] for _ in range(2)]
    assert not np.array_equal(*worlds)


def test_next_step_renews_instead_of_acting():
    envs = vector(autoreset_mode=AutoresetMode.NEXT_STEP)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    envs.reset(seed=1)
    truncations = []
    for step in range(8):
        _, reward, _, truncated, info = envs.step(noops())
        truncations.append(truncated[:2].tolist())
        if step == 2:
            assert info["_length"].tolist() == truncated.tolist() == [True, False, False, False, False]
            assert (info["length"][0], info["achievements"].shape) == (3, (LANES, 22))
        if step == 3:
            assert reward[0] == 0.0
            assert envs._env.state(0)["timestep"] == 0
    # Three steps and a renewal, four steps and a renewal.
    assert [row[0] for row in truncations] == [False, False, True, False] * 2
    assert [row[1] for row in truncations] == [False] * 3 + [True] + [False] * 4


def test_same_step_renews_at_once_and_keeps_the_end():
    envs, native = vector(autoreset_mode="SameStep"), craftax.make("Craftax-Classic", auto_reset=False)
    envs.reset(seed=1)
    for _ in range(2):
        envs.step(noops())
    native.reset(seed=0)
    native.set_state(0, envs._env.state(0))
    native.buffer("own_keys")[0] = envs._env.buffer("own_keys")[0]
    end = native.step(np.zeros(1, int)).observation
    observation, _, _, truncated, info = envs.step(noops())
    mask = [True, False, False, False, False]
    assert truncated.tolist() == info["_final_obs"].tolist() == info["_final_info"].tolist() == mask
    assert info["final_info"]["_length"].tolist() == mask
    assert info["final_info"]["length"][0] == 3
    assert np.array_equal(info["final_obs"][0]["cells"], end.cells[0])
    assert np.array_equal(info["final_obs"][0]["numbers"], end.numbers[0])
    assert list(info["final_obs"][1:]) == [None] * 4
    assert envs._env.state(0)["timestep"] == 0
    assert np.array_equal(observation["numbers"][0, 12:16], np.float32(np.float16([0.9] * 4)))
    merged = create_empty_array(envs.single_observation_space, 1)
    concatenate(envs.single_observation_space, [info["final_obs"][0]], merged)


def test_disabled_waits_for_a_reset_mask():
    envs = vector(autoreset_mode="Disabled")
    envs.reset(seed=1)
    for _ in range(3):
        envs.step(noops())
    with pytest.raises(RuntimeError, match="lanes 0 are over"):
        envs.step(noops())
    with pytest.raises(ValueError, match="mark at least one"):
        envs.reset(options={"reset_mask": np.zeros(LANES, bool)})
    with pytest.raises(ValueError, match="give bool"):
        envs.reset(options={"reset_mask": noops() + 1})
    before = envs._env.state(3)
    envs.reset(options={"reset_mask": np.arange(LANES) == 0})
    assert [int(envs._env.state(lane)["timestep"]) for lane in range(LANES)] == [0, 3, 3, 3, 3]
    assert all(np.array_equal(before[name], value) for name, value in envs._env.state(3).items())
    assert envs.step(noops())[3].tolist() == [False, True, False, False, False]


def test_a_single_episode_ends_with_its_books():
    env = CraftaxEnv("Craftax-Classic", settings={"max_timesteps": 4})
    env.reset(seed=0)
    steps = [env.step(np.int64(0)) for _ in range(4)]
    assert [step[3] for step in steps] == [False, False, False, True]
    assert [step[4] for step in steps[:3]] == [{}, {}, {}]
    assert steps[3][4]["length"] == 4
    assert np.isclose(steps[3][4]["return"], sum(step[1] for step in steps))


def test_rendering():
    env = CraftaxEnv("Craftax-Classic", render_mode="rgb_array")
    env.reset(seed=0)
    assert (env.render().shape, env.render().dtype) == ((288, 288, 3), np.uint8)
    assert env.render().std() > 10.0
    envs = vector(render_mode="ansi")
    envs.reset(seed=0)
    assert [text.count("You are in the middle") for text in envs.render()] == [1] * LANES
    assert vector().render() is None
    with pytest.raises(ValueError, match="choose ansi or rgb_array"):
        vector(render_mode="human")
