"""The native face: buffers, keys, resets, sharding, errors."""

import numpy as np
import pytest

from garten import craftax, devices
from garten.craftax import host_keys
from garten.craftax.classic.tables import VIEW_COLUMNS, VIEW_ROWS, Block
from garten.craftax.env import Env

LANES = 7


def random_actions(steps: int, lanes: int = LANES) -> np.ndarray:
    return np.random.default_rng(1).integers(0, 17, (steps, lanes)).astype(np.int32)


def played(env: Env, actions: np.ndarray) -> dict[str, np.ndarray]:
    for step in actions:
        env.step(step)
    return {field.name: env.engine.state.read(field.name).copy() for field in env.engine.state.fields}


def same(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> bool:
    return all(np.array_equal(one[name], other[name]) for name in one)


@pytest.fixture
def env() -> Env:
    env = craftax.make("Craftax-Classic", num_envs=LANES)
    env.reset(seed=3)
    return env


def test_codes_are_what_the_player_sees(env):
    codes = env.observation
    assert (codes.cells.shape, codes.cells.dtype) == ((LANES, VIEW_ROWS, VIEW_COLUMNS, 2), np.uint8)
    assert (codes.numbers.shape, codes.numbers.dtype) == ((LANES, 22), np.float32)
    for lane in range(LANES):
        state = env.state(lane)
        row, column = state["player_position"]
        seen = state["blocks"][row - 3 : row + 4, column - 4 : column + 5]
        assert np.array_equal(codes.cells[lane, :, :, 0], seen)
    env.set_state(0, {"player_position": (0, 63)})
    env.engine.run("codes")
    assert (codes.cells[0, :3, :, 0] == Block.OUT_OF_BOUNDS).all()
    assert (codes.cells[0, :, 5:, 0] == Block.OUT_OF_BOUNDS).all()
    assert (codes.cells[0, 3:, :5, 0] != Block.OUT_OF_BOUNDS).all()


def test_symbolic_is_the_codes_written_out():
    env = craftax.make("Craftax-Classic", num_envs=LANES, obs="symbolic")
    env.reset(seed=3)
    for actions in random_actions(60):
        symbolic = env.step(actions).observation
    cells, numbers = env.engine.cells.numpy(), env.engine.numbers.numpy()
    blocks = np.eye(17, dtype=np.float32)[cells[..., 0]]
    creatures = (cells[..., 1:] >> np.arange(4, dtype=np.uint8)) & 1
    cells_out = np.concatenate([blocks, creatures], axis=-1).reshape(LANES, -1)
    assert creatures.any()
    assert np.array_equal(symbolic, np.concatenate([cells_out, numbers], axis=1))


def test_steps_write_the_same_buffers(env):
    first = env.step(np.zeros(LANES, int))
    second = env.step(np.zeros(LANES, int))
    for one, other in zip((*first.observation, *first[1:]), (*second.observation, *second[1:]), strict=True):
        assert np.shares_memory(one, other)


def test_torch_shares_the_buffers(env):
    torch = pytest.importorskip("torch")
    reward = torch.from_numpy(env.step(np.zeros(LANES, int)).reward)
    env.buffer("rewards")[2] = 5.0
    assert reward[2] == 5.0


@pytest.mark.parametrize("threads", [2, 3, 50])
def test_threads_change_nothing(threads):
    actions = random_actions(200)
    results = []
    for count in (1, threads):
        env = craftax.make("Craftax-Classic", num_envs=LANES, threads=count)
        env.reset(seed=9)
        results.append(played(env, actions))
    assert same(*results)


def test_a_lane_does_not_depend_on_the_others(env):
    actions = random_actions(150)
    whole = played(env, actions)
    alone = craftax.make("Craftax-Classic")
    alone.reset(keys=host_keys.split(host_keys.key_of(3), LANES)[4:5])
    single = played(alone, actions[:, 4:5])
    assert all(np.array_equal(single[name][0], whole[name][4]) for name in whole)


def test_same_seed_same_episodes_other_seed_others():
    results = []
    for seed in (5, 5, 6):
        env = craftax.make("Craftax-Classic", num_envs=LANES)
        env.reset(seed=seed)
        results.append(played(env, random_actions(50)))
    assert same(results[0], results[1])
    assert not same(results[0], results[2])


def test_steps_with_keys_split_them_as_the_original_does(env):
    """A step that may reset uses the first half of its key, the new world the second."""
    keys = host_keys.split(host_keys.key_of(77), LANES)
    other = craftax.make("Craftax-Classic", num_envs=LANES, auto_reset=False)
    other.reset(seed=3)
    for lane in range(LANES):
        for each in (env, other):
            each.set_state(lane, {"health": 1, "food": 0, "recover": -15.0} if lane % 2 else {})
    actions = random_actions(1)[0]
    halves = host_keys.split(keys)
    ended = env.step(actions, keys=keys).terminated.copy()
    other.step(actions, keys=halves[:, 0])
    assert ended.tolist() == [bool(lane % 2) for lane in range(LANES)]
    other.reset(keys=halves[:, 1], lanes=ended)
    assert all(
        np.array_equal(env.engine.state.read(field.name), other.engine.state.read(field.name))
        for field in env.engine.state.fields
    )


@pytest.mark.parametrize("stream", ["partitionable", "original"])
def test_craftax_makes_its_worlds_of_the_second_half_of_a_key(stream):
    """Also when a step resets: the original splits the key of its step, then that half again."""
    env = craftax.make("Craftax", num_envs=2, stream=stream, settings={"max_timesteps": 1})
    env.reset(seed=8)
    each = host_keys.split(host_keys.key_of(8), 2, stream=stream)
    assert np.array_equal(env.engine.state.read("world_key"), host_keys.split(each, stream=stream)[:, 1])
    keys = host_keys.split(host_keys.key_of(9), 2)
    assert env.step(np.zeros(2, int), keys=keys).truncated.all()
    again = host_keys.split(host_keys.split(keys, stream=stream)[:, 1], stream=stream)
    assert np.array_equal(env.engine.state.read("world_key"), again[:, 1])


def test_a_reset_without_keys_goes_on_with_those_that_the_lanes_carry(env):
    carried = env.buffer("own_keys").copy()
    lanes = np.arange(LANES) < 2
    before = env.state(3)
    env.reset(lanes=lanes)
    halves = host_keys.split(carried)
    assert np.array_equal(env.buffer("own_keys"), np.where(lanes[:, None], halves[:, 0], carried))
    other = craftax.make("Craftax-Classic", num_envs=LANES)
    other.reset(keys=halves[:, 1])
    assert all(np.array_equal(value, other.state(0)[name]) for name, value in env.state(0).items())
    assert all(np.array_equal(value, env.state(3)[name]) for name, value in before.items())
    with pytest.raises(ValueError, match="The first reset needs a seed or keys"):
        craftax.make("Craftax-Classic").reset()


def test_more_lanes_than_find_room_are_refused(monkeypatch):
    env = craftax.make("Craftax-Classic", num_envs=2)
    need = env.engine.bytes_per_lane
    held = (env.engine.state, env.engine.settings, env.engine.exchange)
    arrays = [columns.array(field.name) for columns in held for field in columns.fields]
    buffers = [env.engine.cells, env.engine.numbers, env.engine.final_cells, env.engine.final_numbers]
    assert 2 * need == sum(array.capacity for array in [*arrays, *buffers, env.engine.symbolic])
    monkeypatch.setattr(devices, "free_memory", lambda device: 10 * need)
    with pytest.raises(ValueError, match=r"11 lanes need .* make at most 10"):
        craftax.make("Craftax-Classic", num_envs=11)
    assert craftax.make("Craftax-Classic", num_envs=10).num_envs == 10


def test_an_unknown_stream_is_refused():
    with pytest.raises(ValueError, match="choose one of partitionable, original"):
        craftax.make("Craftax", stream="new")


def test_an_episode_that_is_over_leaves_its_books():
    env = craftax.make("Craftax-Classic", num_envs=LANES, keep_final=True)
    env.reset(seed=0)
    returns, lengths = np.zeros(LANES, np.float32), np.zeros(LANES, int)
    finished = 0
    for actions in random_actions(400):
        step = env.step(actions)
        returns += step.reward
        lengths += 1
        over = step.terminated | step.truncated
        assert np.array_equal(over, env.buffer("over"))
        assert np.allclose(env.buffer("final_return")[over], returns[over], atol=1e-5)
        assert np.array_equal(env.buffer("final_length")[over], lengths[over])
        gained = env.buffer("final_achievements")[over].sum(1)
        assert np.allclose(returns[over] + 0.9, gained, atol=1e-4)
        assert (env.engine.final_numbers.numpy()[over, 12] == 0.0).all()
        assert (step.observation.numbers[over, 12] > 0.0).all()
        returns[over], lengths[over] = 0.0, 0
        finished += int(over.sum())
    assert finished > LANES


def test_resetting_some_lanes_leaves_the_rest_alone(env):
    before = played(env, random_actions(20))
    lanes = np.arange(LANES) % 2 == 0
    env.reset(seed=12, lanes=lanes)
    after = {name: env.engine.state.read(name) for name in before}
    assert (after["timestep"] == np.where(lanes, 0, before["timestep"])).all()
    assert all(np.array_equal(after[name][~lanes], before[name][~lanes]) for name in before)


def test_a_state_can_be_read_written_and_played_on(env):
    played(env, random_actions(30))
    kept, own_key = env.state(2), env.buffer("own_keys")[2].copy()
    first = [env.step(actions).reward[2] for actions in random_actions(20)]
    ending = env.state(2)
    env.set_state(2, kept)
    env.buffer("own_keys")[2] = own_key
    assert [env.step(actions).reward[2] for actions in random_actions(20)] == first
    assert same(env.state(2), ending)


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (np.zeros(3, int), f"give {LANES} integers"),
        (np.zeros(LANES), f"give {LANES} integers"),
        (np.full(LANES, 17), "give actions from 0 to 16"),
        (np.full(LANES, -1), "give actions from 0 to 16"),
    ],
)
def test_wrong_actions_are_refused_and_nothing_moves(env, actions, message):
    before = env.state(0)
    with pytest.raises(ValueError, match=message):
        env.step(actions)
    assert same(before, env.state(0))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": 1, "keys": np.zeros((LANES, 2), np.uint32)}, "leave one out"),
        ({"keys": np.zeros((3, 2), np.uint32)}, "give uint32 of shape"),
        ({"keys": np.zeros((LANES, 2))}, "give uint32 of shape"),
        ({"seed": 1, "lanes": np.ones(3, bool)}, "give bool of shape"),
        ({"seed": -1}, "give one from 0"),
    ],
)
def test_wrong_resets_are_refused(env, arguments, message):
    before = env.state(0)
    with pytest.raises(ValueError, match=message):
        env.reset(**arguments)
    assert same(before, env.state(0))


def test_there_is_no_step_before_a_reset():
    env = craftax.make("Craftax-Classic", num_envs=2)
    with pytest.raises(RuntimeError, match="call reset first"):
        env.step(np.zeros(2, int))
    with pytest.raises(ValueError, match="reset all of them first"):
        env.reset(seed=0, lanes=np.array([True, False]))


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("Craftax-Modern", {}, "Craftax-Classic"),
        ("Craftax-Classic", {"obs": "smell"}, "choose one of codes"),
        ("Craftax-Classic", {"num_envs": 0}, "at least one"),
        ("Craftax-Classic", {"threads": 0}, "at least one"),
        ("Craftax-Classic", {"settings": {"moon": 1}}, "There is no field"),
        ("Craftax-Classic", {"rules": [{"cow_food": 1.5}]}, "give int32"),
        ("Craftax-Classic", {"rules": []}, "are no rules; give a list of one mapping"),
        ("Craftax-Classic", {"rules": {"fixed": True}}, "are no rules"),
        ("Craftax-Classic", {"rules": ["fixed"]}, "are no rules"),
        ("Craftax-Classic", {"obs": "pixels", "tile": 0}, "show nothing"),
        ("Craftax-Classic", {"obs": "pixels", "tile": 10**6}, "at most 512"),
    ],
)
def test_wrong_environments_are_refused(name, options, message):
    with pytest.raises(ValueError, match=message):
        craftax.make(name, **options)


GAMES = ("Craftax-Classic", "Craftax")


@pytest.fixture(params=GAMES)
def game(request) -> Env:
    env = craftax.make(request.param, num_envs=LANES)
    env.reset(seed=3)
    return env


def test_new_worlds_begin_with_the_achievements_asked_for_unrewarded(game):
    initial = np.zeros((LANES, game.buffer("final_achievements").shape[1]), bool)
    initial[1, [0, 5]] = True
    game.set(initial_achievements=initial)
    assert not game.engine.state.read("achievements").any()
    game.reset(seed=4)
    assert np.array_equal(game.engine.state.read("achievements"), initial)
    assert (game.step(np.zeros(LANES, int)).reward == 0.0).all()


def test_a_pinned_lane_gets_the_same_world_again_and_again(game):
    key = np.array([7, 9], np.uint32)
    game.set(pinned=np.arange(LANES) < 2, pinned_key=key, max_timesteps=2)
    blocks = game.engine.state.read("blocks").reshape(LANES, -1)[:, :2304]
    seen = []
    game.reset(seed=1)
    for _ in range(5):
        seen.append(blocks.copy())
        game.step(np.zeros(LANES, int))
    worlds = [len({blocks[lane].tobytes() for blocks in seen}) for lane in range(LANES)]
    assert worlds == [1, 1, *[3] * (LANES - 2)]
    game.reset(keys=np.tile(key, (LANES, 1)))
    assert all(np.array_equal(seen[0][0], blocks[lane]) for lane in range(LANES))


def test_settings_come_for_all_lanes_or_one_for_each_and_may_spare_lanes(game):
    goals = game.engine.settings.read("goal")
    goal = np.zeros(goals.shape[1], bool)
    goal[3] = True
    game.set(goal=goal, bonus=2.0)
    assert np.array_equal(goals, np.tile(goal, (LANES, 1)))
    lanes = np.arange(LANES) % 2 == 0
    game.set(lanes=lanes, goal=~goals, max_timesteps=np.arange(1, LANES + 1))
    assert (goals[lanes] == ~goal).all()
    assert (goals[~lanes] == goal).all()
    steps = game.engine.settings.read("max_timesteps")
    assert steps[lanes].tolist() == [1, 3, 5, 7]
    assert (steps[~lanes] >= 10000).all()
    for wrong, message in (
        ({"goal": goal[:3]}, "goal has shape"),
        ({"goal": goal * 2}, "goal holds int64 values that bool cannot"),
        ({"bonus": float("nan"), "goal": ~goal}, "bonus is not finite"),
        ({"bonus": "much"}, "bonus holds"),
        ({"lanes": np.ones(2, bool)}, "lanes is bool of shape"),
        ({"rules": 4}, "rules names row 4 of 1"),
    ):
        before = game.save()
        with pytest.raises(ValueError, match=message):
            game.set(**wrong)
        assert same(before, game.save())


def test_saved_lanes_play_on_bit_for_bit_also_elsewhere(game):
    game.set(max_timesteps=np.arange(20, 20 + LANES))
    actions = random_actions(60)
    for step in actions[:30]:
        game.step(step)
    saved = game.save()
    rewards = [game.step(step).reward.copy() for step in actions[30:]]
    ending = game.save()
    name = "Craftax" if game.num_actions == 43 else "Craftax-Classic"
    other = craftax.make(name, num_envs=LANES)
    other.load(saved)
    assert np.array_equal(other.observe().cells, other.observation.cells)
    assert all(
        np.array_equal(other.step(step).reward, reward)
        for step, reward in zip(actions[30:], rewards, strict=True)
    )
    assert same(other.save(), ending)
    game.load(saved)
    lanes = np.arange(LANES) == 2
    for step in actions[30:]:
        game.step(step)
    alone = craftax.make(name)
    alone.load({key: values[lanes] for key, values in saved.items()})
    for step in actions[30:]:
        alone.step(step[lanes])
    assert same(alone.save(), game.save(lanes))


def test_loading_some_lanes_leaves_the_rest_alone(game):
    lanes = np.arange(LANES) > 4
    saved = game.save(lanes)
    for step in random_actions(10):
        game.step(step)
    before = game.save()
    game.load(saved, lanes=lanes)
    after = game.save()
    assert all(np.array_equal(after[name][~lanes], before[name][~lanes]) for name in before)
    assert all(np.array_equal(after[name][lanes], saved[name]) for name in before)


def test_what_does_not_fit_is_not_loaded(game):
    saved = game.save()
    broken = (
        ({key: saved[key] for key in list(saved)[1:]}, "does not fit this game"),
        (saved | {"state.moon": saved["state.health"]}, "state.moon"),
        (saved | {"state.health": saved["state.health"][:3]}, "health has shape"),
        (saved | {"state.health": saved["state.health"] * 9}, "keep it within"),
        (saved | {"settings.angles": saved["settings.angles"] + 5}, "angles names row 4 of 1"),
    )
    game.step(np.zeros(LANES, int))
    before = game.save()
    for wrong, message in broken:
        with pytest.raises(ValueError, match=message):
            game.load(wrong)
        assert same(before, game.save())


def test_lanes_may_be_chosen_by_a_buffer_that_loading_writes(game):
    first = np.arange(LANES) < 2
    saved = game.save(first)
    over = game.buffer("terminated")
    over[:] = ~first & (np.arange(LANES) < 4)
    game.load(saved, lanes=over)
    assert not over.any()
    for name, values in saved.items():
        assert np.array_equal(game.save()[name][2:4], values), name


def test_angles_that_are_no_numbers_are_refused(env):
    with pytest.raises(ValueError, match="not finite"):
        env.engine.give_angles(np.full((1, sum(env.engine.nodes)), np.nan))


@pytest.mark.parametrize("name", GAMES)
def test_a_state_can_be_built_by_hand_from_nothing(name):
    env = craftax.make(name, num_envs=2)
    state = env.new_state()
    assert (state["blocks"] == Block.GRASS).all()
    state["inventory"][0] = 5
    env.set_state(0, state)
    with pytest.raises(RuntimeError, match="call reset first"):
        env.step(np.zeros(2, int))
    env.set_state(1, {"health": 3})
    env.step(np.zeros(2, int))
    assert env.state(0)["inventory"][0] == 5
    assert [int(env.state(lane)["health"]) for lane in (0, 1)] == [9, 3]


@pytest.mark.parametrize("seed", ["a", 1.5, [0, "b"]])
def test_seeds_are_integers(game, seed):
    with pytest.raises(ValueError, match="give an integer, or one for each lane"):
        game.reset(seed=seed)
