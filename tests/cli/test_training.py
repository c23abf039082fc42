"""The live progress of training."""

import json
import shutil
from dataclasses import replace

import pytest
from rich.progress import Progress

from garten.cli._progress import TimeLeft
from garten.runs.codec import to_json
from garten.runs.folder import RunFolder
from garten.training.config import preset


def test_the_time_left_ends_when_the_minutes_do():
    progress = Progress()
    progress.add_task("train", total=10)
    (task,) = progress.tasks
    assert TimeLeft(None).render(task).plain == "--:--"
    assert TimeLeft(90.5).render(task).plain in ("1:30:29", "1:30:30")


def test_a_run_that_is_not_there_is_named_before_the_options(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ended = cli("train", "craftax", "--game", "Craftax-Classic", "--resume", "--name", "nope")
    assert ended.err == "Error: There is no run runs/nope to resume; leave out --resume to begin it.\n"


def test_a_run_in_another_engine_is_not_gone_on_with(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    asked = to_json(replace(preset("laptop", "mlp"), game="Sled"))
    RunFolder.create("runs/sled", asked, seeds=[0], kind="train")
    latest = cli("train", "craftax", "--resume")
    assert latest.err.startswith("Error: There is no run of 'craftax' under runs/ to resume;")
    named = cli("train", "craftax", "--resume", "--name", "sled")
    told = "Error: There is no game 'Sled' to train on; choose one of Craftax, Craftax-Classic.\n"
    assert named.err == told
    assert cli("train", "craftax", "--set", "game=Sled", "--name", "new").err == told
    assert not (tmp_path / "runs" / "new").exists()


@pytest.mark.parametrize("minutes", ["nan", "inf", "0", "-1"])
def test_minutes_are_finite_and_above_0(cli, minutes):
    ended = cli("train", "craftax", "--minutes", minutes)
    assert (ended.code, ended.out) == (2, "")
    assert "--minutes" in ended.err


@pytest.mark.parametrize("words", [("train",), ("play", "craftax"), ("evaluate",)])
def test_the_default_game_is_one_of_the_choices_shown(cli, words):
    shown = " ".join(cli(*words, "--help").out.split())
    assert "--game [craftax|craftax-classic]" in shown
    assert "[default: craftax]" in shown


def test_a_run_that_is_done_says_so_when_it_is_gone_on_with(cli, trained, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(trained, tmp_path / "runs" / "small")
    words = ("train", "craftax", "--resume", "--name", "small")
    ended = cli(*words, "--json")
    assert json.loads(ended.out) == {"run": "runs/small", "finished": True, "steps": 2048}
    assert cli(*words).out == "Trained: runs/small, 2,048 steps, all of them before\n"
