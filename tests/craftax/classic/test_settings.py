"""What lanes set for themselves, and rule tables: they act, lane by lane."""

import numpy as np
import pytest

from garten.craftax.classic.tables import NOISE_NODES, SIZE, Action, Block, Item
from garten.craftax.env import Env, make

MIDDLE = SIZE // 2
NODES = sum(NOISE_NODES)


@pytest.fixture
def env() -> Env:
    env = make("Craftax-Classic", num_envs=3, auto_reset=False, rules=({}, {"cow_food": 1, "bare_damage": 9}))
    env.reset(seed=4)
    return env


def test_lanes_differ_by_their_settings_alone(env):
    env.set(max_timesteps=np.array([1, 2, 3]), day_length=np.array([300, 30, 3]))
    truncated = [env.step(np.zeros(3, int)).truncated.tolist() for _ in range(3)]
    assert truncated == [[True, False, False], [True, True, False], [True, True, True]]
    light = [1 - abs(np.cos(np.pi * (3 / day % 1 + 0.3))) ** 3 for day in (300, 30, 3)]
    assert env.engine.state.read("light") == pytest.approx(light, abs=1e-6)


def test_spawning_follows_the_settings(env):
    never = {"spawn_zombie_base_chance": 0.0, "spawn_zombie_night_chance": 0.0, "spawn_skeleton_chance": 0.0}
    env.set(spawn_cow_chance=np.array([0.0, 1.0, 1.0]), cow_health=np.array([3, 3, 8]), **never)
    for _ in range(3):
        env.step(np.zeros(3, int))
    assert env.engine.state.read("cow_alive").sum(1).tolist() == [0, 3, 3]
    assert env.engine.state.read("cow_health")[1:].tolist() == [[3, 3, 3], [8, 8, 8]]
    assert not env.engine.state.read("zombie_alive").any()


def test_creatures_vanish_at_the_distance_set(env):
    env.set(mob_despawn_distance=np.array([14, 6, 14]), spawn_cow_chance=0.0)
    for lane in range(3):
        places = np.array([(MIDDLE - 9, MIDDLE), (0, 0), (0, 0)])
        env.set_state(lane, {"cow_position": places, "cow_alive": [True, False, False]})
    env.step(np.zeros(3, int))
    assert env.engine.state.read("cow_alive")[:, 0].tolist() == [True, False, True]


def test_lanes_play_by_different_rule_tables(env):
    env.set(rules=np.array([0, 1, 0]))
    for lane in range(3):
        places = np.array([(MIDDLE - 1, MIDDLE), (0, 0), (0, 0)])
        env.set_state(lane, {"cow_position": places, "cow_alive": [True, False, False], "food": 2})
    env.step(np.full(3, Action.DO))
    assert env.engine.state.read("cow_health")[:, 0].tolist() == [2, -6, 2]
    assert env.engine.state.read("food").tolist() == [2, 3, 2]


def test_a_recipe_is_a_row_of_numbers():
    costs = make("Craftax-Classic").engine.rules.row(0)["recipe_costs"]
    costs[0, Item.DIAMOND] = 2
    env = make("Craftax-Classic", rules=({"recipe_costs": costs},))
    env.reset(seed=0)
    blocks = np.full((SIZE, SIZE), Block.GRASS)
    blocks[MIDDLE, MIDDLE + 1] = Block.TABLE
    env.set_state(0, {"blocks": blocks, "inventory": np.eye(12, dtype=int)[Item.WOOD] * 5})
    assert env.step(np.array([Action.MAKE_WOOD_PICKAXE])).reward == [0.0]
    env.set_state(0, {"inventory": np.full(12, 5)})
    assert env.step(np.array([Action.MAKE_WOOD_PICKAXE])).reward == [1.0]
    assert env.state(0)["inventory"][Item.DIAMOND] == 3


def test_given_angles_make_the_world_and_its_keys_only_what_lies_on_it(env):
    rng = np.random.default_rng(0)
    env.engine.give_angles(rng.random((2, NODES), np.float32))
    env.set(angles=np.array([0, 0, 1]))
    env.reset(seed=8)
    water = env.engine.state.read("blocks") == Block.WATER
    assert np.array_equal(water[0], water[1])
    assert not np.array_equal(water[0], water[2])
    env.set(angles=-1)
    env.reset(seed=8)
    assert not np.array_equal(water[0], env.engine.state.read("blocks")[0] == Block.WATER)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rules": 2}, "rules names row 2 of 2"),
        ({"angles": 1}, "angles names row 1 of 1"),
        ({"day_length": 0}, "within 1 to inf"),
        ({"cow_health": np.array([1, 2])}, "one for each"),
        ({"moon": 1}, "There is no field 'moon'"),
    ],
)
def test_wrong_settings_are_refused(env, settings, message):
    before = {
        name: env.engine.settings.read(name).copy() for name in ("rules", "day_length", "max_timesteps")
    }
    with pytest.raises(ValueError, match=message):
        env.set(max_timesteps=5, **settings)
    assert all(np.array_equal(env.engine.settings.read(name), value) for name, value in before.items())
