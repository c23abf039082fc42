"""Levels on lanes: each plays its own, side by side."""

import numpy as np
import pytest

from garten import craftax
from garten.craftax.full.tables import Achievement, Item
from garten.levels.lanes import assign
from garten.levels.level import Level, mask

LANES = 6


@pytest.fixture
def two(built) -> list[Level]:
    wood = built("builder.set_player_inventory({'wood': 3})")
    coal = built("builder.set_player_inventory({'coal': 2, 'pickaxe': builder.randint(1, 2)})")
    return [wood, coal]


def test_lanes_play_their_levels_beside_the_plain_game(two):
    lanes = np.array([0, 1, -1, 0, 1, -1])
    env = craftax.make("Craftax", num_envs=LANES, settings={"max_timesteps": 2})
    assign(env, two, lanes, bonus=[5.0, 7.0])
    plain = craftax.make("Craftax", num_envs=LANES, settings={"max_timesteps": 2})
    env.reset(seed=0)
    plain.reset(seed=0)
    for step in range(4):
        inventory = env.engine.state.read("inventory")
        assert inventory[:, Item.WOOD].tolist() == [3, 0, 0, 3, 0, 0]
        assert inventory[:, Item.COAL].tolist() == [0, 2, 0, 0, 2, 0]
        for name in ("blocks", "player_position", "melee_alive"):
            same = env.engine.state.read(name)[lanes < 0] == plain.engine.state.read(name)[lanes < 0]
            assert same.all()
        reward, succeeded = env.step(np.zeros(LANES, int)).reward, env.buffer("succeeded")
        assert succeeded.tolist() == (lanes == 1).tolist(), step  # coal in hand is the goal met
        assert not reward.any()
        plain.step(np.zeros(LANES, int))


def test_a_level_that_changes_nothing_is_the_plain_game_bit_for_bit(read):
    env, plain = (craftax.make("Craftax", num_envs=LANES) for _ in range(2))
    assign(env, [read("relevant_achievements = ['DEFEAT_NECROMANCER']")], np.zeros(LANES, int), bonus=9.0)
    env.reset(seed=1)
    plain.reset(seed=1)
    for actions in np.random.default_rng(0).integers(0, 43, (150, LANES)):
        assert np.array_equal(env.step(actions).reward, plain.step(actions).reward)
    one, other = env.save(), plain.save()
    assert all(np.array_equal(one[name], other[name]) for name in one if not name.startswith("settings."))


def test_a_goal_pays_its_bonus_once(built):
    env = craftax.make("Craftax", num_envs=2)
    level = built("builder.set_player_inventory({'pickaxe': 1})", "builder.place_block(0, 'COAL', (23, 24))")
    assign(env, [level], np.array([0, -1]), bonus=20.0)
    env.reset(seed=0)
    do = np.array([5, 5])
    step = env.step(do)
    assert step.reward[0] == pytest.approx(21.0)
    assert step.terminated.tolist() == [True, False]
    assert env.engine.settings.read("goal")[0].tolist() == mask([Achievement.COLLECT_COAL]).tolist()
    assert not env.engine.settings.read("goal")[1].any()


def test_wrong_assignments_are_refused(two):
    env = craftax.make("Craftax", num_envs=LANES)
    for lanes in (np.zeros(3, int), np.zeros(LANES), np.full(LANES, 2), np.full(LANES, -2)):
        with pytest.raises(ValueError, match="lanes"):
            assign(env, two, lanes, bonus=0.0)
    classic = craftax.make("Craftax-Classic", num_envs=LANES)
    with pytest.raises(ValueError, match="make the environment with 'Craftax'"):
        assign(classic, two, np.zeros(LANES, int), bonus=0.0)
