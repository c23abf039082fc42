"""`garten render data`: clips on disk, stopped and resumed, from worlds and from videos."""

import json
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from garten.renderer.data.reader import Clips
from garten.sight import video
from support import command, garten, one_sentence, same_run

SMALL = ("herding", "--clips", 3, "--frames", 4, "--size", "40x24", "--seed", 7)

ESTIMATOR = """
import numpy as np
class Flat:
    unit = "unknown"
    def depth(self, frames):
        return np.full(frames.shape[:3], 5.0)
"""


def test_the_same_settings_make_the_same_bytes_in_fresh_processes(tmp_path):
    for name in ("one", "two"):
        done = garten("render", "data", *SMALL, "--name", name, "--json", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        summary = json.loads(done.stdout)
        assert summary == {
            "run": f"runs/{name}",
            "clips": 3,
            "frames": 12,
            "splits": {"train": 3},
            "manifest": None,
        }
    assert same_run(tmp_path / "runs/one", tmp_path / "runs/two") == []


def test_a_killed_run_goes_on_to_the_same_bytes(tmp_path, cli, monkeypatch):
    """Killed without warning after its first clip."""
    more = (*SMALL[:2], 12, *SMALL[3:])
    words = command("render", "data", *more, "--name", "killed")
    with subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.PIPE) as process:
        first = tmp_path / "runs/killed/clips/000000.json"
        for _ in range(600):
            if first.exists() or process.poll() is not None:
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
    assert first.exists()
    monkeypatch.chdir(tmp_path)
    ended = cli("render", "data", "--name", "killed", "--resume", "--workers", 2)
    assert (ended.code, ended.out) == (0, "12 clips, 48 frames (1 layouts, 11 train): runs/killed\n")
    assert cli("render", "data", *more, "--name", "whole").code == 0
    assert same_run(tmp_path / "runs/killed", tmp_path / "runs/whole") == []


def test_the_published_form_is_written_too(tmp_path, cli, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ended = cli("render", "data", *SMALL, "--manifest", "published")
    assert ended.code == 0, ended.err
    assert ended.out.endswith("Manifest: published/manifest.jsonl\n")
    (ours, theirs) = (
        list(Clips([place], frames=4)) for place in (Path("runs/clips"), Path("published/manifest.jsonl"))
    )
    for one, other in zip(ours, theirs, strict=True):
        assert one.about.caption == other.about.caption
        np.testing.assert_allclose(one.normals, other.normals, atol=2e-3)
        assert np.abs(one.frames.astype(int) - other.frames).mean() < 6


def test_videos_become_clips(tmp_path, cli, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "flat_estimator.py").write_text(ESTIMATOR)
    (tmp_path / "films").mkdir()
    video.write(tmp_path / "films" / "a.mp4", np.full((9, 24, 40, 3), 90, np.uint8), fps=16)
    words = ("--video", "films", "--depth-by", "flat_estimator:Flat", "--frames", 4, "--size", "40x24")
    ended = cli("render", "data", *words, "--caption", "grey")
    assert (ended.code, ended.out) == (0, "2 clips, 8 frames (2 train): runs/clips\n")
    clip = Clips([Path("runs/clips")], frames=4).clip(1)
    assert (clip.about.caption, clip.about.source) == ("grey", "a.mp4")
    assert clip.about.depth_scale == pytest.approx(10.0 * (2.0**0.5 - 1.0) / 5.0)
    assert cli("render", "data", "--resume", "--json").code == 0


def test_wrong_words_are_told(tmp_path, cli, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for words, message in (
        (("--video", "films"), "--video needs an estimator of depth"),
        (("herding", "--video", "films", "--depth-by", "a:b"), "WORLDS does not fit --video"),
        (("--caption", "grey"), "--caption is an option of --video"),
    ):
        ended = cli("render", "data", *words)
        assert (ended.code, ended.out) == (2, "")
        assert message in ended.err
    for words in (
        ("nosuch",),
        ("--held-out", "nosuch"),
        ("--resume",),
        ("--video", "films", "--depth-by", "a:b"),
    ):
        ended = cli("render", "data", *words)
        assert (ended.code, ended.out) == (1, "")
        assert one_sentence(ended.err), ended.err
    assert not list(tmp_path.glob("runs/*"))


def test_another_recipe_is_refused_on_resuming(tmp_path, cli, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli("render", "data", *SMALL, "--clips", 1).code == 0
    ended = cli("render", "data", "--resume", "--seed", 8)
    assert ended.code == 1
    assert "begun with seed 7, not 8" in ended.err or "begun with seeds" in ended.err
    assert cli("render", "data", "--resume", "--caption", "x").code == 2
