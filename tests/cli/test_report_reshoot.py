"""``garten report`` and ``garten reshoot`` on a run that is there; see also tests/report, tests/episodes."""

import json
import shutil

import pytest

from garten.sight import video
from support import one_sentence, same_run


@pytest.fixture
def place(practised, tmp_path, monkeypatch):
    """A current folder that holds a copy of the small run."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(practised.path, tmp_path / "runs" / "small")
    return tmp_path


def test_the_report_is_made_again(cli, place, practised):
    (place / "runs/small/report.html").unlink()
    ended = cli("report", "runs/small")
    assert (ended.code, ended.out, ended.err) == (0, "runs/small/report.html\n", "")
    assert same_run(practised.path, place / "runs" / "small") == []


@pytest.mark.parametrize("out", ["film.mp4", "films/film.webp", "film.gif"])
def test_a_game_is_filmed_again_and_the_run_stays_as_it_was(cli, place, practised, out):
    words = ("--camera", "top", "--look", "depth", "--size", "64x36", "--fps", 1, "--out", out)
    ended = cli("reshoot", "runs/small", "r01-p1-g00", *words)
    assert (ended.code, ended.out, ended.err) == (0, f"{out}\n", "")
    frames = video.read(place / out)
    assert {frame.shape for frame in frames} == {(36, 64, 3)}
    episode = json.loads((place / "runs/small/rounds/01/episodes/r01-p1-g00/episode.json").read_text())
    if out != "films/film.webp":  # which keeps equal frames as one
        assert len(frames) == episode["ticks"] // 20 + 1  # 20 ticks a second, and the opening
    assert same_run(practised.path, place / "runs" / "small") == []


def test_a_film_is_named_after_its_game(cli, place):
    ended = cli("reshoot", "runs/small", "r02-held-out-g01", "--size", "32x18", "--fps", 1)
    assert (ended.code, ended.out) == (0, "r02-held-out-g01.mp4\n")
    assert (place / "r02-held-out-g01.mp4").is_file()


REFUSED = [
    (("report", "runs/nosuch"), "no run at runs/nosuch"),
    (("report", "runs"), "runs is not a run"),
    (("reshoot", "runs/nosuch", "r01-p1-g00"), "no run at runs/nosuch"),
    *(
        (("reshoot", "runs/small", game), f"no game '{game}'")
        for game in ("r01-p1-g99", "*", "../r01-p1-g00", "r01-p1-g0?", "")
    ),
    (("reshoot", "runs/small", "r01-p1-g00", "--camera", "back"), "no camera 'back'"),
    (("reshoot", "runs/small", "r01-p1-g00", "--fps", "3"), "do not divide"),
    (("reshoot", "runs/small", "r01-p1-g00", "--out", "film.avi"), "no kind of video"),
    (
        ("reshoot", "runs/small", "r01-p1-g00", "--out", "runs/small/run.json/film.gif", "--size", "8x8"),
        "film",
    ),
]


@pytest.mark.parametrize(("words", "told"), REFUSED, ids=[" ".join(words) for words, _ in REFUSED])
def test_what_cannot_be_done_is_one_sentence_and_leaves_nothing(cli, place, words, told):
    before = sorted(place.rglob("*"))
    ended = cli(*words)
    assert (ended.code, ended.out) == (1, "")
    assert one_sentence(ended.err)
    assert told in ended.err
    assert sorted(place.rglob("*")) == before


def test_a_look_that_is_none_is_wrong_usage(cli, place):
    before = sorted(place.rglob("*"))
    ended = cli("reshoot", "runs/small", "r01-p1-g00", "--look", "rwa")
    assert (ended.code, ended.out) == (2, "")
    assert "no look 'rwa'" in ended.err
    assert sorted(place.rglob("*")) == before


def test_an_episode_that_was_changed_is_refused(cli, place):
    path = place / "runs/small/rounds/01/episodes/r01-p1-g00/episode.json"
    episode = json.loads(path.read_text())
    path.write_text(json.dumps({**episode, "state_hash": "0" * 64}))
    ended = cli("reshoot", "runs/small", "r01-p1-g00", "--size", "32x18", "--fps", 1)
    assert ended.code == 1
    assert one_sentence(ended.err)
    assert not (place / "r01-p1-g00.mp4").exists()
