"""Dreaming in Code in training: cycles, bonuses, what does not stop it, resuming while levels are written."""

import json
import shutil
import zlib
from contextlib import closing, contextmanager
from dataclasses import replace

import numpy as np
import pytest
import torch

from chat_server import error, serve
from garten.authors.settings import AuthorSettings
from garten.craftax.env import make
from garten.craftax.full.tables import Achievement
from garten.curriculum.archive import read_archive
from garten.curriculum.build import build
from garten.curriculum.build import dreaming as make_source
from garten.curriculum.dicode import TARGET, deal
from garten.domain import Draft, Refusal
from garten.levels.find import source_of
from garten.policies.settings import GRUSettings
from garten.policies.settings import build as build_policy
from garten.runs.codec import to_json
from garten.runs.events import read_events
from garten.runs.folder import RunFolder
from garten.runs.resume import begin
from garten.training.config import Config, PPOSettings, RolloutSettings, preset
from garten.training.curricula import DiCodeSettings
from garten.training.lanes import CraftaxLanes
from garten.training.names import KIND
from garten.training.saved import shape_for
from garten.training.sources import Episodes, RolloutReport
from garten.training.train import asked, train
from support import python, same_run

LANES, DO = 10, 5

CONFIG = Config(
    network=GRUSettings(width=8, memory=8, hidden=(8,)),
    rollout=RolloutSettings(lanes=LANES, steps=16),
    ppo=PPOSettings(epochs=1, minibatches=2),
    curriculum=DiCodeSettings(
        rollouts=2,
        episode_steps=12,
        levels=5,
        new=1,
        candidates=2,
        bonus_floor=20.0,
        bonus_factor=2.0,
        failing=0.0,
        nothing=0.0,
    ),
    tell_goal=True,
    steps=LANES * 16 * 2 * 6,
    checkpoints=1,
)

AT_HAND = """
objective = "Collect coal."
description = "Coal lies right before the player."
relevant_achievements = ["COLLECT_COAL"]

def generate_world(builder):
    builder.set_player_inventory({"pickaxe": 1})
    builder.place_block(0, "COAL", (23, 24))
"""

SOLVED = """
objective = "Collect coal."
description = "The player holds coal already."
relevant_achievements = ["COLLECT_COAL"]

def generate_world(builder):
    builder.set_player_inventory({"coal": 1})
"""


class Copying:
    """An author whose levels differ from their parents by a comment."""

    def write(self, requests):
        return [self.answer(request) for request in requests]

    def answer(self, request):
        return Draft(f"{request.parent.source}\n# {request.seed}\n", "The same again.", "To see.")


class Unsteady(Copying):
    """One whose first answer in each generation is unusable."""

    def write(self, requests):
        return [Refusal("The reply was empty."), *map(self.answer, requests[1:])]


@contextmanager
def dreaming(path, *, author=None, config=CONFIG, seeds=None):
    """A source of levels at the start of a run, by default of the package's seeds."""
    with (
        begin(path, asked(config), seeds=[config.seed], kind=KIND) as run,
        closing(make_source(config, run, author=author or Copying())) as source,
    ):
        if seeds is not None:
            source._seeds = seeds
        yield source


def policy_of(config=CONFIG):
    return build_policy(config.network, shape_for(config))


def report(update, *rows):
    """A rollout in which episodes ended: lane, success, return."""
    lane, success, returns = zip(*rows, strict=True) if rows else ((), (), ())
    ended = Episodes(
        lane=np.array(lane, np.int64),
        step=np.zeros(len(rows), np.int64),
        episode_return=np.array(returns, np.float32),
        length=np.full(len(rows), 10),
        achievements=np.zeros((len(rows), len(Achievement)), bool),
        success=np.array(success, bool),
        truncated=np.zeros(len(rows), bool),
    )
    return RolloutReport(update, ended, *[np.zeros((1, LANES), np.float32)] * 3, np.zeros((1, LANES), bool))


def trained(path, *, author, config=CONFIG):
    """The events of a run, by kind."""
    with (
        begin(path, asked(config), seeds=[config.seed], kind=KIND) as run,
        closing(make_source(config, run, author=author)) as source,
    ):
        assert train(config, run, source=source)
    told = {"update": [], "cycle": [], "generation": []}
    for event in read_events(path):
        told.setdefault(event.kind, []).append(event.data)
    return told


def test_lanes_are_dealt_evenly():
    assert deal(10, target=2, levels=3).tolist() == [TARGET, TARGET, 0, 0, 0, 1, 1, 1, 2, 2]
    assert np.bincount(deal(64, target=13, levels=15) + 1).tolist()[0] == 13
    assert set(np.bincount(deal(64, target=13, levels=15) + 1)[1:]) == {3, 4}
    assert deal(4, target=4, levels=0).tolist() == [TARGET] * 4


def test_lanes_play_the_target_game_or_the_level_they_are_told(tmp_path):
    env = make("Craftax", num_envs=LANES, keep_final=True)
    lanes = CraftaxLanes(env, tell_goal=True)
    with dreaming(tmp_path / "run") as source:
        plan = source.begin(env, 0, policy=policy_of())
        assert plan.reset.all()
        env.reset(seed=0)
        told = lanes.observe().goal
        goals = [source.archive.nodes[name].goal for name in source.playing]
        for lane, number in enumerate(source._lanes):
            asked_for = {Achievement(int(index)).name for index in torch.nonzero(told[lane]).flatten()}
            assert asked_for == (
                {each.name for each in Achievement} if number == TARGET else {*goals[number]}
            )
        assert (env.engine.settings.read("goal").any(1) == (source._lanes != TARGET)).all()
        limits = env.engine.settings.read("max_timesteps")
        assert {*limits[source._lanes == TARGET]} == {100_000}
        assert {*limits[source._lanes != TARGET]} == {12}
        assert not source.begin(env, 1, policy=policy_of()).reset.any()
        # With a new cycle the lanes of levels begin anew; those of the target game play on.
        assert (source.begin(env, 2, policy=policy_of()).reset == (source._lanes != TARGET)).all()


def test_the_bonus_follows_the_return_in_the_target_game_and_is_never_no_number(tmp_path):
    env = make("Craftax", num_envs=LANES)
    returns = [[30.0, 10.0], [], [3.0]]
    with dreaming(tmp_path / "run") as source:
        bonuses = []
        for cycle, of_target in enumerate(returns):
            source.begin(env, 2 * cycle, policy=policy_of())
            env.reset(seed=cycle)
            bonuses.append(source.bonus)
            given = env.engine.settings.read("bonus")
            assert {*given[source._lanes != TARGET]} == {source.bonus}
            assert not given[source._lanes == TARGET].any()
            source.report(report(2 * cycle, (5, True, 500.0), *((0, False, each) for each in of_target)))
            source.report(report(2 * cycle + 1))
        source.begin(env, 6, policy=policy_of())
        assert [*bonuses, source.bonus] == [20.0, 40.0, 40.0, 20.0]


def test_as_the_released_code_was_run_the_bonus_never_adapts(tmp_path):
    settings = replace(CONFIG.curriculum, bonus_factor=0.0)
    env = make("Craftax", num_envs=LANES)
    with dreaming(tmp_path / "run", config=replace(CONFIG, curriculum=settings)) as source:
        source.begin(env, 0, policy=policy_of())
        source.report(report(0, (0, False, 100.0)))
        source.begin(env, 2, policy=policy_of())
        assert source.bonus == 20.0


def test_a_success_pays_once_though_all_lanes_succeed_at_once(tmp_path):
    env = make("Craftax", num_envs=LANES, keep_final=True)
    with dreaming(tmp_path / "run", seeds={"at hand": AT_HAND, "solved": SOLVED}) as source:
        source.begin(env, 0, policy=policy_of())
        env.reset(seed=0)
        levels = {name: source.archive.nodes[name].description for name in source.playing}
        solved = [number for number, name in enumerate(source.playing) if "already" in levels[name]]
        held = np.isin(source._lanes, solved)
        at_hand = ~held & (source._lanes != TARGET)
        for _ in range(4):
            reward = np.array(env.step(np.full(LANES, DO)).reward)
            # Coal and the bonus, in each step in which an episode of it begins and ends; what is solved from
            # the start pays nothing, ever.
            assert reward[at_hand] == pytest.approx(np.full(at_hand.sum(), 21.0))
            assert (reward[~at_hand] < 2.0).all()


def test_levels_solved_from_the_start_are_no_success_and_not_to_be_learned_from(tmp_path):
    config = replace(CONFIG, steps=LANES * 16 * 2 * 2)
    with (
        begin(tmp_path / "run", asked(config), seeds=[0], kind=KIND) as run,
        closing(make_source(config, run, author=Copying())) as source,
    ):
        source._seeds = {"solved": SOLVED, "at hand": AT_HAND}
        assert train(config, run, source=source)
        nodes = {node.description: node for node in source.archive.nodes.values()}
    solved = nodes["The player holds coal already."]
    assert solved.last.performance.success is None
    assert (solved.status, solved.score("learnability")) == ("D", 0.0)


def test_new_levels_enter_with_their_own_parents(tmp_path):
    events = trained(tmp_path / "run", author=Unsteady())
    nodes = read_archive(RunFolder.open(tmp_path / "run"))
    children = [node for node in nodes.values() if node.origin == "generated"]
    assert len(children) == 2
    for child in children:
        assert child.source.startswith(nodes[child.parent].source)
        assert child.last is not None
    told = [
        (each["asked"], each["written"], each["admitted"], each["entering"]) for each in events["generation"]
    ]
    assert told == [(2, 1, 1, 1)] * 2
    assert [each["cycle"] for each in events["cycle"]] == list(range(6))
    assert [len(each["new"]) for each in events["cycle"]] == [4, 0, 0, 1, 0, 1]
    for cycle in events["cycle"]:
        assert len({*cycle["new"], *cycle["replayed"]}) == len(cycle["new"]) + len(cycle["replayed"])
        for name in (*cycle["new"], *cycle["replayed"]):
            assert [each.cycle for each in nodes[name].trainings].count(cycle["cycle"]) == 1
    shares = [update["levels"]["new"] for update in events["update"]]
    assert shares[0] == 1.0
    assert shares[2] == 0.0


class Dead:
    """Raises."""

    def write(self, requests):
        raise ConnectionError("nobody answers")


class Confused:
    """Answers what nobody asked."""

    def write(self, requests):
        return [Draft("while True: pass", "", ""), Draft("import os\nos.remove('/')", "", "")]


@pytest.mark.parametrize(
    ("author", "problem"), [(Dead(), "ConnectionError: nobody answers"), (Confused(), "")]
)
def test_no_author_stops_training(tmp_path, author, problem):
    events = trained(tmp_path / "run", author=author)
    assert [each["problem"] for each in events["generation"]] == [problem] * 2
    assert [each["entering"] for each in events["generation"]] == [0, 0]
    assert events["cycle"][-1]["new"] == []
    assert len(events["cycle"][-1]["replayed"]) == 4


GO_ON = """
import json, sys
from contextlib import closing
from garten.curriculum.build import build
from garten.runs.codec import from_json
from garten.runs.resume import begin
from garten.training.config import Config
from garten.training.names import KIND
from garten.training.train import asked, train
config = from_json(Config, json.loads(sys.argv[2]))
with (
    begin(sys.argv[1], asked(config), seeds=[config.seed], kind=KIND, resume=True) as run,
    closing(build(config, run)) as source,
):
    assert train(config, run, source=source)
"""


def run_of(path, config=CONFIG, *, updates=None, resume=False):
    """A run with the author that its settings name, stopped after so many updates."""
    done = []
    with (
        begin(path, asked(config), seeds=[config.seed], kind=KIND, resume=resume) as run,
        closing(build(config, run)) as source,
    ):
        train(config, run, source=source, watch=done.append, stop=lambda: len(done) == updates)
    return path


def differences(whole, stopped):
    """In what two runs differ, of which one was stopped on the way."""
    for path in (whole, stopped):
        shutil.rmtree(path / "tensorboard")
    for policy in (stopped / "policies").iterdir():
        if not (whole / "policies" / policy.name).exists():
            policy.unlink()  # that of the stop
    return same_run(whole, stopped)


def test_a_run_taken_up_in_another_process_ends_with_the_same_bytes(tmp_path):
    whole = run_of(tmp_path / "whole")
    # Stopped in the middle of a cycle, while a generation is being written.
    stopped = run_of(tmp_path / "stopped", updates=5)
    assert not (stopped / "generations").exists()
    done = python(GO_ON, stopped, json.dumps(to_json(CONFIG)))
    assert (done.returncode, done.stderr) == (0, "")
    assert differences(whole, stopped) == []
    nodes = read_archive(RunFolder.open(whole))
    assert any(node.origin == "generated" and node.last for node in nodes.values())


def test_what_came_after_the_checkpoint_is_forgotten_and_happens_again(tmp_path):
    path = run_of(tmp_path / "run", updates=3)
    shutil.copytree(path / "checkpoints", tmp_path / "early")
    run_of(path, resume=True)
    shutil.copytree(path, tmp_path / "whole")
    # As if it had been killed just before its end, the early checkpoint being the last one that was kept.
    shutil.rmtree(path / "checkpoints")
    shutil.copytree(tmp_path / "early", path / "checkpoints")
    run_of(path, resume=True)
    assert differences(tmp_path / "whole", path) == []


def model(request):
    """A language model that writes the seed level of combat, with a comment that tells of the request."""
    told = f"# {zlib.crc32(request.text.encode())}"
    if "You do not write code now" in request.text:
        return f"<description>Objective: Defeat a zombie. {told}</description>"
    return f"```python\n{told}\n{source_of('level:combat')}```"


def test_what_a_language_model_answered_is_asked_for_once(tmp_path):
    with serve(model) as server:
        llm = AuthorSettings.of({"base_url": server.url, "model": "scripted", "timeout": 20.0}).resolved()
        config = replace(CONFIG, curriculum=replace(CONFIG.curriculum, author="llm", llm=llm))
        whole = run_of(tmp_path / "whole", config)
        count = len(server.requests)
        stopped = run_of(tmp_path / "stopped", config, updates=5)
        run_of(stopped, config, resume=True)
        assert len(server.requests) == 2 * count == 2 * 2 * 2 * 2  # runs, generations, levels, calls
    assert differences(whole, stopped) == []
    assert [node.status for node in read_archive(RunFolder.open(whole)).values()].count("draft") == 0


def test_a_language_model_that_does_not_answer_stops_nothing(tmp_path):
    with serve([error(401, "Go away.")]) as server:
        llm = AuthorSettings.of({"base_url": server.url, "model": "scripted", "timeout": 20.0}).resolved()
        config = replace(CONFIG, curriculum=replace(CONFIG.curriculum, author="llm", llm=llm))
        path = run_of(tmp_path / "run", config)
    told = [event.data for event in read_events(path) if event.kind == "generation"]
    assert [(each["asked"], each["written"]) for each in told] == [(2, 0)] * 2


def test_the_presets_have_as_many_cycles_as_promised():
    config = preset("laptop", "gru", curriculum="dicode")
    assert config.tell_goal
    cycles = replace(config, steps=2_000_000).updates // config.curriculum.rollouts
    assert cycles >= 40
    assert (cycles - 1) // config.curriculum.every * config.curriculum.new >= 100
