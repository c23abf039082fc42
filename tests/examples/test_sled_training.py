"""Dreaming in Code over the sled: the same archive, author, choice and sampler as over Craftax."""

import json
import shutil
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
import torch

from garten.curriculum.archive import read_archive
from garten.errors import RunError
from garten.policies.settings import build
from garten.report.page import write_report
from garten.runs.events import read_events
from garten.runs.folder import RunFolder
from garten.runs.resume import begin
from garten.runs.team import ALONE
from garten.training.config import override
from garten.training.names import KIND
from garten.training.train import asked, train_in
from sled.__main__ import DREAMING, PLAIN, main, train_sled
from sled.arena import HELD_OUT, SledArena
from sled.curve import curve_of, draw
from sled.env import SledEnv
from sled.game import BEST, NAMES
from sled.play import play_once
from sled.stage import dreaming
from support import same_run

SMALL = [
    *("steps=1536", "rollout.lanes=8", "rollout.steps=16", "ppo.minibatches=2", "checkpoints=2"),
    *("network.width=16", "network.hidden=[16]", "evaluations=1", "rollout.episode_steps=20"),
]
DREAMS = [
    *("curriculum.rollouts=2", "curriculum.episode_steps=12", "curriculum.levels=4"),
    *("curriculum.new=2", "curriculum.candidates=3"),
]


@pytest.fixture(scope="module")
def dreamt(tmp_path_factory):
    """A run of six cycles."""
    path = tmp_path_factory.mktemp("sled") / "dreamt"
    train_sled(path, [*SMALL, *DREAMS], dreams=True)
    return path


def differences(one, other):
    """Files in which runs differ; TensorBoard's are named by the clock."""
    return [name for name in same_run(one, other) if not name.startswith("tensorboard/")]


def told(path, kind):
    return [event.data for event in read_events(path) if event.kind == kind]


def test_levels_are_written_judged_trained_and_kept(dreamt):
    nodes = read_archive(RunFolder.open(dreamt)).values()
    assert [node.origin for node in nodes][:4] == ["seed"] * 4
    new = [node for node in nodes if node.origin == "generated" and not node.refused]
    assert len(new) >= 4
    assert all(node.parent for node in new)
    assert all({*node.goal} <= {*NAMES} for node in nodes)
    assert any("builder." in node.source or "TaskParams" in node.source for node in new)
    assert sum(node.last is not None for node in new) >= 2
    assert len(told(dreamt, "cycle")) == 6
    assert all(not each["problem"] for each in told(dreamt, "generation"))


def test_evaluations_are_in_the_plain_world(dreamt):
    found = told(dreamt, "evaluation")
    assert [each["steps"] for each in found] == [1536]
    for each in found:
        assert 0.0 <= each["return"] <= BEST
        assert {*each["achievements"]} == {name.lower() for name in NAMES}


def test_the_same_seed_gives_the_same_run(dreamt, tmp_path):
    train_sled(tmp_path / "again", [*SMALL, *DREAMS], dreams=True)
    assert differences(dreamt, tmp_path / "again") == []


def test_a_stopped_run_goes_on_to_the_same_bytes(dreamt, tmp_path):
    config = override(replace(PLAIN, curriculum=DREAMING), ["seed=0", *SMALL, *DREAMS])
    path, updates = tmp_path / "dreamt", []
    with begin(path, asked(config), seeds=[0], kind=KIND) as run, closing(dreaming(config, run)) as source:
        stop = lambda: len(updates) >= 5  # noqa: E731 - in the middle of a cycle, a generation under way
        watch = lambda event: updates.append(event) if event.kind == "update" else None  # noqa: E731
        assert not train_in(SledArena(), config, run, source=source, watch=watch, stop=stop)
    train_sled(path, [*SMALL, *DREAMS], dreams=True, resume=True)
    kept_once_more = "policies/000000640.safetensors is in one run only"
    assert differences(dreamt, path) == [kept_once_more]


def test_without_a_curriculum_all_lanes_play_the_plain_world(tmp_path):
    train_sled(tmp_path / "plain", SMALL, dreams=False)
    assert len(told(tmp_path / "plain", "evaluation")) == 1
    assert not (tmp_path / "plain" / "levels").exists()


def test_runs_are_drawn_and_reported(dreamt, tmp_path):
    draw([RunFolder.open(dreamt)], tmp_path / "curve.svg")
    text = (tmp_path / "curve.svg").read_text()
    assert "Dreaming in Code" in text
    page = write_report(RunFolder.open(dreamt)).read_text()
    assert "Sled: mlp" in page
    assert "Reach the hollow." in page


def test_what_cannot_be_drawn_is_said(dreamt, tmp_path):
    def run(name, asked):
        return RunFolder.create(tmp_path / name, asked, seeds=[0], kind=KIND)

    with pytest.raises(RunError, match="no run of the sled"):
        draw([run("other", {"game": "Craftax"})], tmp_path / "curve.svg")
    with pytest.raises(RunError, match="not evaluated yet"):
        draw([run("begun", asked(PLAIN))], tmp_path / "curve.svg")


def test_runs_that_keep_goals_only_are_a_kind_of_their_own(dreamt, tmp_path):
    shutil.copytree(dreamt, tmp_path / "goals")
    manifest = tmp_path / "goals" / "run.json"
    told = json.loads(manifest.read_text())
    told["asked"]["curriculum"]["goals_only"] = True
    manifest.write_text(json.dumps(told))
    kinds = [curve_of(RunFolder.open(path))[0] for path in (dreamt, tmp_path / "goals")]
    assert kinds == ["dicode", "goals"]


def test_wrong_settings_are_refused_in_a_sentence(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["sled", "--set", "ppo.lerning_rate=1"])
    with pytest.raises(SystemExit, match="1"):
        main()
    assert capsys.readouterr().err.startswith("Error: There is no setting")


def test_an_episode_is_played_once_in_every_lane():
    policy = build(PLAIN.network, SledArena().shape(PLAIN))
    env = SledEnv(5, limit=9)
    found = play_once(policy, env, seed=3, told_goal=True)
    assert found["length"].tolist() == [9] * 5
    again = play_once(policy, SledEnv(5, limit=9), seed=3, told_goal=True)
    assert np.array_equal(found["return"], again["return"])


def test_lanes_tell_their_goal_or_everything():
    lanes = SledArena().begin(override(PLAIN, ["rollout.lanes=4"]), device="cpu", threads=1, team=ALONE)
    assert torch.equal(lanes.observe().goal, torch.ones(4, len(NAMES)))
    lanes.env.lanes["goal"][1, 3] = True
    assert lanes.observe().goal[1].tolist() == [index == 3 for index in range(len(NAMES))]
    assert HELD_OUT > 1


def test_what_the_sled_cannot_do_is_refused():
    with pytest.raises(RunError, match="one CPU"):
        SledArena().begin(PLAIN, device="cuda", threads=1, team=ALONE)
    with pytest.raises(RunError, match="give that as the game"):
        SledArena().shape(replace(PLAIN, game="Craftax"))
