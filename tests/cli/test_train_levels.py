"""``garten train`` with levels: what does not go together is refused before a run is begun."""

import json

import pytest

from garten.curriculum.archive import read_archive
from garten.runs.folder import RunFolder
from support import one_sentence

DICODE = ("train", "craftax", "--curriculum", "dicode")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((*DICODE, "--author", "llm"), "GARTEN_LLM_BASE_URL"),
        ((*DICODE, "--model", "m"), "go with --author llm"),
        (("train", "craftax", "--author", "rules"), "Only the curriculum dicode has an author"),
        ((*DICODE, "--levels", "nowhere"), "nowhere is no folder"),
        (("train", "craftax", "--levels", "."), "are for the curricula"),
        ((*DICODE, "--game", "craftax-classic"), "Craftax-Classic has no levels"),
    ],
)
def test_what_does_not_go_together_is_refused_before_a_run_is_begun(cli, tmp_path, monkeypatch, words, told):
    monkeypatch.chdir(tmp_path)
    ended = cli(*words)
    assert (ended.code, ended.out) == (1, "")
    assert one_sentence(ended.err)
    assert told in ended.err
    assert not (tmp_path / "runs").exists()


def test_a_curriculum_for_processes_that_torchrun_starts_is_refused_before_a_run_is_begun(
    cli, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WORLD_SIZE", "2")
    ended = cli("train", "craftax", "--curriculum", "dr")
    assert (ended.code, ended.out) == (1, "")
    assert one_sentence(ended.err)
    assert "start it without torchrun" in ended.err
    assert not (tmp_path / "runs").exists()


def test_a_small_run_dreams_offline(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    small = {
        "network": '{"kind": "mlp", "width": 16, "hidden": [16]}',
        "rollout.lanes": 8,
        "rollout.steps": 8,
        "ppo.minibatches": 2,
        "curriculum.rollouts": 1,
        "curriculum.episode_steps": 6,
        "curriculum.candidates": 2,
        "curriculum.new": 2,
        "checkpoints": 1,
        "evaluations": 0,
    }
    changes = [word for name, value in small.items() for word in ("--set", f"{name}={value}")]
    ended = cli(*DICODE, "--steps", 256, "--name", "small", "--json", *changes)
    assert ended.code == 0, ended.err
    assert json.loads(ended.out) == {"run": "runs/small", "finished": True, "steps": 256}
    nodes = read_archive(RunFolder.open("runs/small"))
    assert [node.origin for node in nodes.values()].count("seed") == 4
    assert any(node.origin == "generated" for node in nodes.values())
    evaluated = cli("evaluate", "runs/small", "--protocol", "quick", "--json")
    assert evaluated.code == 0, evaluated.err
    assert [told["trained_steps"] for told in json.loads(evaluated.out)] == [0, 256]
    refused = cli("train", "craftax", "--resume", "--author", "rules")
    assert "leave out --author, or begin a new one" in refused.err
