"""The sled's worlds: physics against closed forms, rewards paid once, levels on lanes, exact states."""

import numpy as np
import pytest

from sled import terrain
from sled.env import ACTIONS, NUMBERS, RADIUS, SledEnv
from sled.game import LANDMARKS, NAMES
from sled.level import Level

PLAIN = {"friction": 0.1, "gravity": 9.81, "gain": 5.0}
EAST = 1


def level(goal=("REACH_MEADOW",), *, completed=(), near=None, share=None, **dials):
    return Level("", "", "", "", tuple(goal), tuple(completed), PLAIN | dials, near or {}, share or {})


def lanes_of(*levels, seed=0, bonus=0.0, limits=None):
    """An environment whose lane n plays level n."""
    env = SledEnv(len(levels))
    env.put(levels, np.arange(len(levels)), bonus=bonus, limits=limits)
    env.reset(np.ones(len(levels), bool), seed=seed)
    return env


def flatten(env):
    """Even ground in all lanes, the sled at rest on it in the middle, landmarks out of the way."""
    state = env.save()
    state["heights"][:] = 0.0
    state["physics"][:] = 0.0
    state["physics"][:, 3] = RADIUS
    state["places"][:] = 20.0
    env.load(state)
    return env


def run(env, action, steps):
    return [env.step(np.full(env.num_envs, action)) for _ in range(steps)]


def speeds(env):
    return env.lanes["physics"][:, 4:7]


@pytest.mark.parametrize("dials", [{}, {"gain": 3.0}, {"friction": 0.25}, {"gravity": 14.0}], ids=str)
def test_a_push_works_against_friction_and_drag(dials):
    """v = (F - mu m g) / c * (1 - exp(-c t / m)), of 1 kg with a drag c of 0.3 N for a metre a second."""
    env = flatten(lanes_of(level(**dials)))
    run(env, EAST, 5)
    told = PLAIN | dials
    net = told["gain"] - told["friction"] * told["gravity"]
    assert speeds(env)[0, :2] == pytest.approx([net / 0.3 * (1.0 - np.exp(-0.3)), 0.0], rel=0.12, abs=0.1)


def test_a_sled_left_alone_is_stopped_by_friction_and_drag():
    env = flatten(lanes_of(level(friction=0.02), level(friction=0.2)))
    env.lanes["physics"][:, 4] = 3.0
    run(env, 0, 5)
    lost = np.array([0.02, 0.2]) * 9.81 / 0.3
    assert speeds(env)[:, 0] == pytest.approx((3.0 + lost) * np.exp(-0.3) - lost, rel=0.06, abs=0.2)


def test_a_weak_motor_does_not_move_what_is_heavy():
    env = flatten(lanes_of(level(friction=0.3, gravity=15.0, gain=2.0)))
    run(env, EAST, 5)
    assert np.abs(speeds(env)).max() < 0.05


def test_gravity_is_the_lanes_own():
    env = flatten(lanes_of(level(gravity=5.0), level(gravity=12.0)))
    state = env.save()
    state["physics"][:, 3] = 2.0
    env.load(state)
    run(env, 0, 1)
    fallen = 2.0 - env.lanes["physics"][:, 3]
    assert fallen == pytest.approx([0.5 * 5.0 * 0.2**2, 0.5 * 12.0 * 0.2**2], rel=0.15)


def test_the_ground_is_what_mujoco_slides_on():
    """Down a plane of angle b a sled gains g (sin b - mu cos b), its middle at R / cos b above the ground."""
    env = flatten(lanes_of(level(friction=0.05), level(friction=0.05)))
    state = env.save()
    along = np.linspace(-terrain.HALF, terrain.HALF, terrain.NODES)
    state["heights"][0] = -0.2 * along  # falls along x in the first lane, along y in the other
    state["heights"][1] = -0.2 * along[:, None]
    env.load(state)
    run(env, 0, 5)
    slope = np.arctan(0.2)
    gained = 9.81 * (np.sin(slope) - 0.05 * np.cos(slope)) / 0.3 * (1.0 - np.exp(-0.3))
    assert np.hypot(*speeds(env)[:, :2].T) / np.cos(slope) == pytest.approx(gained, rel=0.06)
    assert (speeds(env)[:, 0] > 0.5).tolist() == [True, False]
    ground = terrain.height_at(env.lanes["heights"], env.lanes["physics"][:, None, 1:3])[:, 0]
    assert env.lanes["physics"][:, 3] - ground == pytest.approx(RADIUS / np.cos(slope), abs=0.02)


@pytest.mark.parametrize("push", range(1, 5))
def test_walls_hold_the_sled(push):
    env = flatten(lanes_of(level(gain=8.0, gravity=5.0)))
    run(env, push, 40)
    assert np.abs(env.lanes["physics"][0, 1:3]).max() == pytest.approx(terrain.HALF - RADIUS, abs=0.15)


def test_heights_between_nodes_are_those_of_the_plane_through_them():
    axis = np.linspace(-terrain.HALF, terrain.HALF, terrain.NODES)
    across, down = np.meshgrid(axis, axis)
    points = np.random.default_rng(0).uniform(-terrain.HALF, terrain.HALF, (1, 50, 2))
    found = terrain.height_at((0.1 * across - 0.2 * down)[None], points)
    assert found == pytest.approx(0.1 * points[..., 0] - 0.2 * points[..., 1])


def test_landmarks_are_bumps_where_their_flags_are():
    rng = np.random.default_rng(1)
    full = terrain.draw(rng, near=np.full(4, np.inf), share=np.ones(4))
    half = terrain.draw(np.random.default_rng(1), near=np.full(4, np.inf), share=np.array([1, 1, 1, 0.5]))
    assert np.array_equal(full.places, half.places)
    lost = terrain.height_at((full.heights - half.heights)[None], full.places[None])[0]
    summit = 1 + LANDMARKS.index("SUMMIT")
    assert lost[summit] == pytest.approx(0.6, abs=0.1)
    assert lost[summit] == lost.max()


def test_levels_bring_landmarks_near_in_every_world():
    env = lanes_of(*[level(near={"SUMMIT": 3.0})] * 20, *[level()] * 20)
    away = np.linalg.norm(env.lanes["places"][:, 4] - env.lanes["places"][:, 0], axis=1)
    assert away[:20].max() <= 3.0
    assert away[:20].min() > 0.8
    assert len(np.unique(away.round(6))) == 40
    assert away[20:].mean() > 4.0


def test_an_achievement_pays_once_and_the_goal_its_bonus_once():
    env = flatten(lanes_of(level(["LEAVE_HOME"]), level(["CLIMB_SUMMIT"]), bonus=10.0))
    for lane in range(2):  # at home in the middle
        env.lanes["places"][lane, 0] = 0.0
    rewards, ended = np.zeros(2), False
    while not ended:
        step = env.step(np.full(2, EAST))
        rewards, ended = rewards + step.reward, bool(step.terminated[0])
    assert rewards.tolist() == [11.0, 1.0]
    assert not step.terminated[1]
    assert env.final["success"][0]
    assert env.final["return"][0] == 11.0
    assert env.final["length"][0] > 2
    assert env.final["achievements"][0].tolist() == [name == "LEAVE_HOME" for name in NAMES]
    assert env.lanes["returns"].tolist() == [0.0, 1.0]


def test_what_counts_as_met_from_the_start_pays_nothing():
    env = flatten(lanes_of(level(["CLIMB_SUMMIT"], completed=["LEAVE_HOME"])))
    assert sum(float(step.reward[0]) for step in run(env, EAST, 10)) == 0.0


def test_home_counts_after_the_summit_only():
    env = flatten(lanes_of(level(["RETURN_HOME"]), level(["RETURN_HOME"], completed=["CLIMB_SUMMIT"])))
    env.lanes["places"][:, 0] = 0.0
    step = env.step(np.zeros(2, np.int64))
    assert step.terminated.tolist() == [False, True]


def test_time_limits_are_the_lanes_own():
    env = lanes_of(level(["RETURN_HOME"]), level(["RETURN_HOME"]), limits=np.array([3, 5], np.int32))
    ends = [step.truncated.tolist() for step in run(env, 0, 5)]
    assert ends == [[False, False]] * 2 + [[True, False], [False, False], [False, True]]
    assert env.final["length"].tolist() == [3, 5]


def test_a_saved_state_goes_on_exactly():
    rng = np.random.default_rng(0)
    env = lanes_of(level(gain=8.0), level(near={"HILL": 3.0}), level(share={"SUMMIT": 0.3}), seed=5)
    for _ in range(30):
        env.step(rng.integers(0, ACTIONS, 3))
    other = SledEnv(3)
    other.load(env.save())
    for _ in range(90):  # past the ends of episodes
        actions = rng.integers(0, ACTIONS, 3)
        one, same = env.step(actions), other.step(actions)
        assert all(np.array_equal(part, twin) for part, twin in zip(one, same, strict=True))
        assert np.array_equal(env.numbers(), other.numbers())


def test_lanes_without_a_level_play_the_plain_world():
    plain, level_of_it = SledEnv(3), lanes_of(*[level(["RETURN_HOME"])] * 3, seed=4)
    plain.reset(np.ones(3, bool), seed=4)
    for step in range(20):
        plain.step(np.full(3, step % ACTIONS))
        level_of_it.step(np.full(3, step % ACTIONS))
    assert np.array_equal(plain.lanes["physics"], level_of_it.lanes["physics"])


def test_a_lane_does_not_depend_on_its_neighbours():
    alone, beside = lanes_of(level(), seed=2), lanes_of(level(), level(gain=8.0), seed=2)
    rng = np.random.default_rng(0)
    for _ in range(50):
        actions = rng.integers(0, ACTIONS, 2)
        alone.step(actions[:1])
        beside.step(actions)
    assert np.array_equal(alone.numbers(), beside.numbers()[:1])


def test_a_simulation_that_comes_apart_ends_its_episode():
    env = lanes_of(level(), level())
    env.lanes["physics"][0, 4] = np.nan
    step = env.step(np.zeros(2, np.int64))
    assert step.terminated.tolist() == [True, False]
    assert np.isfinite(env.numbers()).all()
    assert not env.final["success"][0]


def test_the_way_leads_to_the_easiest_that_is_asked_for_and_not_met():
    env = lanes_of(level(["CLIMB_SUMMIT", "REACH_HOLLOW"]), level(["RETURN_HOME"]), level(["LEAVE_HOME"]))
    plain = SledEnv(1)
    plain.reset(np.ones(1, bool), seed=0)
    at = {"HOME": 0} | {name: 1 + number for number, name in enumerate(LANDMARKS)}

    def way(env, lane):
        here = env.lanes["physics"][lane, 1:3]
        led = here + 4.0 * env.numbers()[lane, :2].astype(float)
        return np.argmin(np.linalg.norm(env.lanes["places"][lane] - led, axis=1))

    assert (way(env, 0), way(env, 1), way(plain, 0)) == (at["HOLLOW"], at["SUMMIT"], at["MEADOW"])
    assert env.numbers()[2, :2].tolist() == [0.0, 0.0]
    env.lanes["met"][0, NAMES.index("REACH_HOLLOW")] = True
    env.lanes["met"][1, NAMES.index("CLIMB_SUMMIT")] = True
    env.lanes["physics"][1, 1:3] += 1.0
    assert (way(env, 0), way(env, 1)) == (at["SUMMIT"], at["HOME"])


def test_observations_have_moderate_numbers():
    env = lanes_of(*[level(gain=8.0, gravity=5.0)] * 8)
    rng = np.random.default_rng(0)
    for _ in range(60):
        env.step(rng.integers(0, ACTIONS, 8))
        seen = env.numbers()
        assert seen.shape == (8, NUMBERS)
        assert seen.dtype == np.float32
        assert np.abs(seen).max() <= 5.0
