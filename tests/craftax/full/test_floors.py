"""Floors are made when they are entered, and come out the same as all at once."""

import numpy as np

from garten import craftax
from garten.craftax.full.tables import FLOORS, Action, Block, Thing

LANES = 3


def floors(env, floor: int) -> dict[str, np.ndarray]:
    state = env.engine.state
    names = ("blocks", "things", "light_map", "up_ladder", "down_ladder")
    return {name: state.read(name)[:, floor].copy() for name in names}


def make(seed: int):
    env = craftax.make("Craftax", num_envs=LANES, settings={"god_mode": True})
    env.reset(seed=seed)
    return env


def test_floors_made_one_by_one_are_those_made_at_once():
    whole, lazy = make(4), make(4)
    for lane in range(LANES):
        whole.engine.complete(lane)
    assert whole.engine.state.read("floor_made").all()
    for floor in range(1, FLOORS):
        assert not lazy.engine.state.read("floor_made")[:, floor].any()
        lazy.step(np.full(LANES, Action.DESCEND))
        assert lazy.engine.state.read("floor_made")[:, floor].all()
        one, other = floors(whole, floor), floors(lazy, floor)
        assert all(np.array_equal(one[name], other[name]) for name in one)


def test_a_state_is_whole_when_it_is_read():
    env = make(2)
    state = env.state(1)
    assert state["floor_made"].all()
    assert not env.engine.state.read("floor_made")[[0, 2], 1:].any()
    assert (state["blocks"][8] == Block.NECROMANCER).sum() == 1


def test_a_new_world_forgets_the_floors_of_the_old():
    env = make(2)
    for _ in range(3):
        env.step(np.full(LANES, Action.DESCEND))
    old = floors(env, 2)
    env.reset(seed=3)
    assert not env.engine.state.read("floor_made")[:, 1:].any()
    for _ in range(2):
        env.step(np.full(LANES, Action.DESCEND))
    assert not np.array_equal(old["blocks"], floors(env, 2)["blocks"])
    assert not env.engine.state.read("kills")[:, 1:3].any()


def test_every_floor_has_the_ladders_it_should():
    env = make(9)
    for lane in range(LANES):
        things = env.state(lane)["things"]
        assert [(things[floor] == Thing.LADDER_DOWN).sum() for floor in (0, 2, 5, 6, 7, 8)] == [
            1,
            1,
            1,
            1,
            1,
            0,
        ]
        assert [(things[floor] == Thing.LADDER_UP).sum() for floor in range(FLOORS)] == [0, *[1] * 7, 0]


def test_threads_change_nothing():
    actions = np.random.default_rng(3).integers(0, 43, (150, 5))
    results = []
    for threads in (1, 2, 5):
        env = craftax.make(
            "Craftax", num_envs=5, threads=threads, settings={"god_mode": np.arange(5) % 2 == 0}
        )
        env.reset(seed=6)
        for step in actions:
            env.step(step)
        results.append([env.state(lane) for lane in range(5)])
    for other in results[1:]:
        for mine, theirs in zip(results[0], other, strict=True):
            assert all(np.array_equal(mine[name], theirs[name]) for name in mine)
