"""The Gymnasium and PettingZoo faces: those libraries' own checkers, and what the two promise beyond them."""

import subprocess
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import parallel_api_test, parallel_seed_test

from garten.episodes.faces.gymnasium import WorldEnv, register
from garten.episodes.faces.pettingzoo import WorldParallelEnv
from garten.episodes.faces.spaces import ActionSpace
from garten.errors import WorldError
from garten.records import Action
from garten.sight.looks import look
from garten.worlds.find import load, names

ROOT = Path(__file__).parents[2]
TOY = ROOT / "tests" / "worlds" / "toy.py"
LANTERN = ROOT / "examples" / "worlds" / "lantern"
DROP = ROOT / "examples" / "worlds" / "mjcf_drop"
SMALL = (32, 18)


@pytest.fixture
def registered():
    """Registers a world of an example with Gymnasium, and takes it out again afterwards."""
    made = []

    def do(place):
        made.append(register(load(place).spec, place))
        return made[-1]

    yield do
    for name in made:
        del gymnasium.registry[name]


# --- the libraries' own checkers -------------------------------------------------------------------


@pytest.mark.parametrize("place", [LANTERN, DROP], ids=["lantern", "mjcf_drop"])
def test_gymnasium_accepts_one_role_worlds(place, registered):
    check_env(gymnasium.make(registered(place), size=SMALL, render_mode="rgb_array").unwrapped)


@pytest.mark.parametrize("place", [TOY, LANTERN, "herding", "one-lane-bridge"])
def test_pettingzoo_accepts_worlds(place, capsys):
    parallel_api_test(WorldParallelEnv(place, size=SMALL), num_cycles=60)
    parallel_seed_test(lambda: WorldParallelEnv(place, size=SMALL), num_cycles=20)
    assert "Passed" in capsys.readouterr().out


# --- action spaces ---------------------------------------------------------------------------------


def test_actions_without_arguments_are_an_index():
    actions = load("herding").spec.actions
    space = ActionSpace(actions)
    assert space.make() == gymnasium.spaces.Discrete(len(actions))
    assert [space.action(np.int64(n)).name for n in range(len(actions))] == [one.name for one in actions]


@pytest.mark.parametrize("wrong", [-1, 5, 1.7, np.nan, "0", None, [0], np.array([0]), {"action": 0}])
def test_what_is_no_index_is_refused(wrong):
    with pytest.raises(WorldError, match="give a member of its action space"):
        ActionSpace(load("herding").spec.actions).action(wrong)


@pytest.mark.parametrize(
    "wrong", [2, None, {}, {"action": -1}, {"action": 2}, {"action": 2, "drive.speed": "x"}]
)
def test_what_is_no_choice_with_arguments_is_refused(wrong):
    with pytest.raises(WorldError, match="give a member of its action space"):
        ActionSpace(load(TOY).spec.actions).action(wrong)


def test_an_argument_that_is_no_number_is_refused():
    chosen = {"action": 2, "drive.speed": np.nan, "drive.gear": 1}
    with pytest.raises(WorldError, match="finite"):
        ActionSpace(load(TOY).spec.actions).action(chosen)


def test_one_wrong_action_starts_none():
    env = WorldParallelEnv("herding", size=SMALL)
    env.reset(seed=1)
    with pytest.raises(WorldError, match="action space"):
        env.step({"blue": 1, "yellow": 99})
    assert not any(info["busy"] for info in env.step({})[4].values())


def test_arguments_have_entries_of_their_own_and_never_leave_their_bounds():
    space = ActionSpace(load(TOY).spec.actions)
    made = space.make()
    assert set(made.spaces) == {"action", "drive.speed", "drive.gear"}
    made.seed(0)
    for _ in range(50):
        drawn = made.sample()
        action = space.action(drawn)
        if action.name == "drive":
            assert -1.0 <= action.arguments["speed"] <= 1.0
            assert action.arguments["gear"] in (1.0, 2.0, 3.0)
        else:
            assert action.arguments == {}
    edge = {"action": 2, "drive.speed": np.float32(1.0000001), "drive.gear": 1}
    assert space.action(edge) == Action("drive", {"speed": 1.0, "gear": 1.0})


# --- Gymnasium -------------------------------------------------------------------------------------


def test_a_step_is_one_action_and_frames_are_what_the_role_sees():
    env, world = WorldEnv(LANTERN, size=SMALL), load(LANTERN)()
    world.reset(5)
    frame, info = env.reset(seed=5)
    raw = look("raw")
    for left in (0.5, -0.25):
        moment = world.moment()
        due = raw.frame(moment, moment.cameras["walker"], role="walker", width=32, height=18)
        assert np.array_equal(frame, due)
        assert info == {"feedback": ""}
        choice = {"action": 2, "turn.left": np.float32(left), "walk.pace": np.float32(0.5)}
        frame, reward, terminated, truncated, info = env.step(choice)
        world.act({"walker": Action("turn", {"left": left})})
        assert (reward, terminated, truncated) == (0.0, False, False)


def test_reaching_the_goal_terminates_with_the_score_as_reward_and_a_last_frame():
    env, frames = WorldEnv(LANTERN, size=SMALL), []
    env.reset(seed=1)
    walker = env.unwrapped._world
    while True:
        way = walker.lantern - walker.state.place
        turn = (np.arctan2(way[1], way[0]) - float(walker.state.heading) + np.pi) % (2 * np.pi) - np.pi
        ahead = abs(turn) < 0.05
        choice = {
            "action": 1 if ahead else 2,
            "walk.pace": 1.0,
            "turn.left": np.clip(turn / (np.pi / 2), -1, 1),
        }
        frame, reward, terminated, truncated, _ = env.step(choice)
        frames.append(frame)
        if terminated or truncated:
            break
    assert (terminated, truncated) == (True, False)
    assert reward == pytest.approx(walker.score().value / 100.0)
    assert reward > 0.8
    assert frames[-1].shape == (18, 32, 3)
    with pytest.raises(WorldError, match="reset"):
        env.step(choice)


def test_the_time_limit_truncates():
    env = WorldEnv(LANTERN, size=SMALL)
    env.reset(seed=1)
    ends = [env.step({"action": 0, "walk.pace": 1.0, "turn.left": 0.0})[1:4] for _ in range(60)]
    assert set(ends[:-1]) == {(0.0, False, False)}
    assert ends[-1] == (0.0, False, True)


def test_frames_are_never_reused_and_equal_seeds_give_equal_episodes():
    def frames(env):
        env.action_space.seed(3)
        yield env.reset(seed=9)[0]
        for _ in range(4):
            yield env.step(env.action_space.sample())[0]
        yield env.reset()[0]  # the next episode follows from the seed too

    first, second = (list(frames(WorldEnv(LANTERN, size=SMALL))) for _ in range(2))
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))
    for one in first:
        assert not any(np.shares_memory(one, other) for other in first if other is not one)
        one[:] = 0  # and may be written to


def test_worlds_are_registered_by_name_and_version(registered):
    name = registered(LANTERN)
    assert name == "garten/lantern-v1"
    env = gymnasium.make(name, size=SMALL)
    assert env.reset(seed=0)[0].shape == (18, 32, 3)
    assert env.spec.to_json()


def test_importing_the_face_registers_the_one_role_worlds_and_no_others():
    script = (
        "import gymnasium, garten.episodes.faces.gymnasium\n"
        "print(sorted(name for name in gymnasium.registry if name.startswith('garten/')))"
    )
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    specs = [load(name).spec for name in names()]
    due = sorted(f"garten/{spec.name}-v{spec.version}" for spec in specs if len(spec.roles) == 1)
    assert shown.strip() == str(due)


def test_a_world_of_several_roles_is_sent_to_the_other_face():
    with pytest.raises(ValueError, match="herding has 2 roles; use garten"):
        WorldEnv("herding")


# --- PettingZoo ------------------------------------------------------------------------------------

PUSH, SHOVE, DRIVE = (
    {"action": index, "drive.speed": np.float32(1.0), "drive.gear": 3} for index in range(3)
)


def test_a_busy_agent_says_so_and_what_it_is_given_is_ignored():
    env, world = WorldParallelEnv(TOY, size=SMALL), load(TOY)()
    env.reset(seed=4)
    world.reset(4)
    _, _, _, _, infos = env.step({"zed": SHOVE, "amy": PUSH})
    world.control("zed", ("go",), ticks=5)
    world.control("amy", ("go",), ticks=3)
    world.tick()
    busy = [(infos["zed"]["busy"], infos["amy"]["busy"])]
    for _ in range(4):  # amy is free again after three ticks and drives on
        _, _, _, _, infos = env.step({"zed": DRIVE, "amy": DRIVE})
        if "amy" in world.idle:
            world.control("amy", (), {"speed": 1.0, "gear": 3.0}, ticks=4)
        world.tick()
        busy.append((infos["zed"]["busy"], infos["amy"]["busy"]))
        assert env._world.snapshot() == world.snapshot()
    assert busy == [(True, True), (True, True), (True, False), (True, True), (False, True)]


def test_a_step_is_one_tick_and_a_free_agent_given_nothing_stays_free():
    env = WorldParallelEnv(TOY, size=SMALL)
    env.reset(seed=4)
    for count in range(3):
        _, _, _, _, infos = env.step({"amy": SHOVE})
        assert env._world.ticks == count + 1
        assert not infos["zed"]["busy"]


@pytest.mark.parametrize(("choice", "terminated"), [(DRIVE, True), (PUSH, False)])
def test_agents_end_together_with_a_last_frame_and_the_score(choice, terminated):
    env = WorldParallelEnv(TOY, size=SMALL, render_mode="rgb_array")
    env.reset(seed=4)
    rewards = []
    while env.agents:
        frames, reward, ended, cut, _ = env.step({"zed": choice, "amy": PUSH})
        rewards.append(reward["zed"])
        assert set(frames) == {"zed", "amy"}
        assert reward["zed"] == reward["amy"]
    assert ended == dict.fromkeys(env.possible_agents, terminated)
    assert cut == dict.fromkeys(env.possible_agents, not terminated)
    assert set(rewards[:-1]) == {0.0}
    assert rewards[-1] == env._world.score().value / 100.0
    assert env.render().shape == (18, 64, 3)
    assert env.metadata["render_fps"] == 10
    with pytest.raises(WorldError, match="reset"):
        env.step({})


def test_the_same_world_seed_gives_the_same_view_through_both_faces():
    one, both = WorldEnv(LANTERN, size=SMALL), WorldParallelEnv(LANTERN, size=SMALL)
    assert np.array_equal(one.reset(seed=11)[0], both.reset(seed=11)[0]["walker"])
