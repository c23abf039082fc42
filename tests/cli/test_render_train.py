"""`garten render train`, `sample` and `eval`: what they print, and what they refuse."""

import json

import pytest
from PIL import Image

from garten.renderer.presets import TINY
from garten.renderer.quality.evaluate import TARGETS
from garten.renderer.renderer import build
from garten.renderer.saved import save_renderer
from garten.sight import video
from renderer.training.sets import clips_run


@pytest.fixture(scope="module")
def renderer():
    return build(TINY, seed=0).eval()


def test_samples_and_measures_of_a_renderer(renderer, tmp_path, monkeypatch, cli):
    monkeypatch.chdir(tmp_path)
    save_renderer(renderer, tmp_path / "r.safetensors")
    clips_run(tmp_path / "runs/held", count=2, split="layouts")
    ended = cli("render", "eval", "r.safetensors", "--data", "held", "--json", "--steps", 2)
    assert (ended.code, ended.err) == (0, "")
    told = json.loads(ended.out)
    assert list(told) == ["layouts"]
    assert told["layouts"]["measures"]["clips"] == 2
    assert set(told["layouts"]["targets_met"]) == set(TARGETS)
    worlds = json.loads(
        cli("render", "eval", "r.safetensors", "--data", "held", "--json", "--steps", 2, "--by-world").out
    )
    assert worlds == {**told, "layouts: field": told["layouts"]}
    table = cli("render", "eval", "r.safetensors", "--data", "held", "--clips", 1).out.splitlines()
    assert table[0].split() == ["layouts", "wanted"]
    assert ["no", ">=", "3"] in [line.split()[2:] for line in table if line.startswith("gain ")]
    ended = cli("render", "sample", "r.safetensors", "--data", "held", "--out", "s.webp", "--clip", 1)
    assert (ended.code, ended.out) == (0, "s.webp\n")
    assert video.length(tmp_path / "s.webp") == (9, pytest.approx(15.0, abs=0.2))
    cli("render", "sample", "r.safetensors", "--data", "held", "--out", "z.webp", "--zoom", 1)
    with Image.open(tmp_path / "s.webp") as large, Image.open(tmp_path / "z.webp") as small:
        assert (large.size, small.size) == ((576, 96), (192, 32))


def test_a_teacher_that_does_not_fit_begins_no_run(renderer, tmp_path, monkeypatch, cli):
    """So that the name of the run stays free for the right one."""
    monkeypatch.chdir(tmp_path)
    save_renderer(renderer, tmp_path / "student.safetensors", about={"stage": "causal"})
    save_renderer(build(TINY, seed=1), tmp_path / "teacher.safetensors", about={"stage": "bidirectional"})
    clips_run(tmp_path / "runs/clips", count=1, frames=13)
    words = (
        "render",
        "train",
        "--preset",
        "tiny",
        "--stage",
        "adversarial",
        "--data",
        "clips",
        "--name",
        "run",
    )
    words += ("--from", "student.safetensors", "--teacher")
    ended = cli(*words, "teacher.safetensors")
    assert (ended.code, ended.out) == (1, "")
    assert "has another autoencoder, or other frames, than the student" in ended.err
    save_renderer(renderer, tmp_path / "same.safetensors", about={"stage": "bidirectional"})
    ended = cli(*words, "same.safetensors", "--set", "distill.heads=5")
    assert "5 heads of the judge cannot share the teacher's width of 48; set distill.heads" in ended.err
    ended = cli(*words, "same.safetensors", "--set", "renderer.network.hidden=64")
    assert "The renderer to begin from has other sizes than the settings; leave out what" in ended.err
    assert not (tmp_path / "runs/run").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("sample", "r.safetensors"), "Give either a WORLD or clips by --data."),
        (("sample", "r.safetensors", "herding", "--clip", "1"), "--split and --clip go with --data"),
        (("eval", "r.safetensors"), "name them by --data."),
        (("eval", "nothing", "--data", "held"), "There is no renderer nothing; give a file, or a run"),
        (("eval", "held", "--data", "held"), "There is no renderer runs/held; give a file, or a run"),
        (("eval", "r.safetensors", "--data", "held", "--split", "worlds"), "no clip of 5 frames or more"),
        (("eval", "r.safetensors", "--data", "held", "--steps", "5"), "denoises in up to 4 steps, not 5"),
        (("train", "--preset", "tiny"), "There is nothing to learn from; make clips by garten render data"),
        (("train", "--preset", "tiny", "--data", "held"), "no clip of 5 frames or more of the split 'train'"),
        (("train", "--stage", "causal", "--data", "held"), "Stage causal needs an autoencoder"),
        (("train", "--resume", "--name", "held"), "; give one made by garten render train."),
        (("train", "--resume", "--stage", "ae"), "There is no run of 'render train'"),
        (("train", "--data", "held", "--set", "learning.rates=1"), "did you mean rate?"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(words, said, renderer, tmp_path, monkeypatch, cli):
    monkeypatch.chdir(tmp_path)
    save_renderer(renderer, tmp_path / "r.safetensors")
    clips_run(tmp_path / "runs/held", count=1, split="layouts")
    ended = cli("render", *words)
    assert ended.code != 0
    assert said in ended.err
    assert [place.name for place in (tmp_path / "runs").iterdir()] == ["held"]  # no run was begun


def test_training_tells_of_its_run(tmp_path, monkeypatch, cli):
    """Stopped at once, it says how to go on; then it keeps its settings."""
    monkeypatch.chdir(tmp_path)
    clips_run(tmp_path / "runs/clips", count=2)
    words = ("render", "train", "--preset", "tiny", "--data", "clips", "--steps", 2, "--name", "ae")
    stopped = cli(*words, "--minutes", 1e-9)
    assert stopped.out.startswith("Stopped: runs/ae, 1 steps, ")
    assert stopped.err.endswith("Go on with: garten render train --name ae --resume\n")
    refused = cli("render", "train", "--resume", "--name", "ae", "--set", "edges=2")
    assert "A resumed run keeps its settings; leave out --set" in refused.err
    told = json.loads(cli("render", "train", "--resume", "--name", "ae", "--json").out)
    assert (told["run"], told["finished"], told["steps"]) == ("runs/ae", True, 2)
    assert told["renderer"] == "runs/ae/renderers/000000002.safetensors"
    assert set(told["metrics"]) == {"loss", "frames", "geometry", "gradient", "learning_rate"}
    assert json.loads(cli("render", "train", "--resume", "--name", "ae", "--json").out)["steps"] == 2


@pytest.mark.slow
def test_a_sample_of_a_world_in_a_layout_kept_for_testing(renderer, tmp_path, monkeypatch, cli):
    monkeypatch.chdir(tmp_path)
    save_renderer(renderer, tmp_path / "r.safetensors")
    words = ("render", "sample", "r.safetensors", "herding", "--frames", 12, "--seed", 3, "--steps", 1)
    for name in ("a.webp", "b.webp"):
        assert cli(*words, "--out", name).out == f"{name}\n"
    assert (tmp_path / "a.webp").read_bytes() == (tmp_path / "b.webp").read_bytes()
    first = next(iter(video.frames(tmp_path / "a.webp")))
    assert first.shape == (3 * 32, 3 * 3 * 64, 3)
    assert video.length(tmp_path / "a.webp")[0] == 9  # a reference and two whole blocks
