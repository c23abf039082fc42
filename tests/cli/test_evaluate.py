"""``garten evaluate`` and ``garten reshoot`` on a run of training."""

import json
import shutil
from pathlib import Path

import pytest
from PIL import Image

from garten.runs.folder import RunFolder
from garten.sight import video
from garten.training.results import QUICK, Evaluation, place_of
from support import one_sentence


@pytest.fixture
def place(trained, tmp_path, monkeypatch):
    """A current folder that holds a copy of the small run."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(trained, tmp_path / "runs" / "small")
    return tmp_path


def other_seed():
    """Beside the small run, put one that differs in its seed alone."""
    shutil.copytree("runs/small", "runs/other")
    place = Path("runs/other/run.json")
    manifest = json.loads(place.read_text())
    manifest["asked"]["seed"] = 1
    place.write_text(json.dumps(manifest))


def test_the_baseline_by_itself(cli):
    ended = cli("evaluate", "random", "--game", "Craftax-Classic", "--protocol", "quick", "--json")
    (told,) = json.loads(ended.out)
    assert ended.code == 0
    assert (told["agent"], told["game"], told["summary"]["episodes"]) == ("random", "Craftax-Classic", 128)
    assert 1.0 < told["summary"]["mean_return"] < 2.0


def test_a_run_beside_the_baseline(cli, place):
    ended = cli("evaluate", "runs/small", "--protocol", "quick")
    assert ended.code == 0
    head, returns, yields, achievements = ended.out.split("\n\n")
    assert head.startswith("Craftax-Classic, quick protocol: one episode in each of 128 held-out worlds")
    kept = RunFolder.open("runs/small").read_record(Evaluation, place_of(QUICK, 2048))
    shown = f"{kept.summary.mean_return:.2f} ± {kept.summary.standard_error:.2f}"
    assert [line.split("  ")[0] for line in returns.splitlines()[1:]] == ["random", "small @2,048"]
    assert shown in returns.splitlines()[2]
    assert "basic (of 22)" in yields
    share = f"{kept.summary.achievements['collect_sapling']:.1%}"
    (row,) = [line for line in achievements.splitlines() if line.startswith("collect sapling")]
    assert row.split()[-1] == share


def test_what_is_kept_is_read_again(cli, place):
    run = RunFolder.open("runs/small")
    first = cli("evaluate", "runs/small", "--protocol", "quick", "--json")
    changed = run.read_json(place_of(QUICK, 2048))
    run.write_json(place_of(QUICK, 2048), {**changed, "wall_seconds": 12345.0})
    again = json.loads(cli("evaluate", "runs/small", "--protocol", "quick", "--json").out)
    assert again[1]["wall_seconds"] == 12345.0
    changed["protocol"]["steps"] += 1
    run.write_json(place_of(QUICK, 2048), changed)
    anew = json.loads(cli("evaluate", "runs/small", "--protocol", "quick", "--json").out)
    assert [one["summary"] for one in anew] == [one["summary"] for one in json.loads(first.out)]


@pytest.mark.parametrize(("which", "steps"), [("all", [0, 1024, 2048]), ("1024", [0, 1024])])
def test_the_checkpoints_that_are_asked_for(cli, place, which, steps):
    ended = cli("evaluate", "runs/small", "--protocol", "quick", "--checkpoint", which, "--json")
    assert [one["trained_steps"] for one in json.loads(ended.out)] == steps


def test_runs_over_each_other_in_a_chart(cli, place):
    other_seed()
    for name in ("chart.png", "chart.svg", "chart.html"):
        words = ("--protocol", "quick", "--checkpoint", "all", "--chart", name)
        assert cli("evaluate", "runs/small", "runs/other", *words).code == 0
    with Image.open("chart.png") as picture:
        assert picture.size == (1152, 544)
    for name in ("chart.svg", "chart.html"):
        text = (place / name).read_text()
        told = ("<svg", "runs/small and 1 more seed ± SE", "uniform actions", "% of maximum")
        assert all(part in text for part in told)


def test_seeds_are_drawn_together(cli, place):
    other_seed()
    changed = RunFolder.open("runs/other").read_json(place_of(QUICK, 2048))
    changed["summary"]["percent_of_maximum"] += 2.0
    RunFolder.open("runs/other").write_json(place_of(QUICK, 2048), changed)
    ended = cli("evaluate", "runs/small", "runs/other", "--protocol", "quick")
    *_, table = ended.out.rstrip("\n").split("\n\n")
    mean = changed["summary"]["percent_of_maximum"] - 1.0
    _, row = table.splitlines()
    assert row.split("  ")[0] == "runs/small and 1 more seed"
    assert row.split()[-4:] == ["2,048", f"{mean:.2f}", "±", "1.00"]


def test_a_run_named_twice_is_one_run(cli, place):
    once, twice = (cli("evaluate", *["runs/small"] * times, "--protocol", "quick") for times in (1, 2))
    assert once.out == twice.out


REFUSED = [
    (("runs/nosuch",), "no run at runs/nosuch"),
    (("runs/practised",), "is of kind 'practice'; give one made by garten train"),
    (("runs/small", "--checkpoint", "7"), "kept no policy at step 7; choose one of [1024, 2048]"),
    (("runs/small", "--chart", "chart.pdf"), "'chart.pdf' is no kind of chart"),
]


@pytest.mark.parametrize(("words", "told"), REFUSED, ids=[" ".join(words) for words, _ in REFUSED])
def test_what_cannot_be_done_is_one_sentence(cli, place, practised, words, told):
    shutil.copytree(practised.path, "runs/practised")
    ended = cli("evaluate", *words, "--protocol", "quick")
    assert (ended.code, ended.out) == (1, "")
    assert one_sentence(ended.err)
    assert told in ended.err


@pytest.mark.parametrize("told", ["is of kind 'practice'", "rollout.lanes is -1; give at least 1", "damaged"])
def test_training_goes_on_with_nothing_but_its_own_settings(cli, place, practised, told):
    shutil.copytree(practised.path if "practice" in told else "runs/small", "runs/odd")
    manifest = json.loads((place / "runs/odd/run.json").read_text())
    if "practice" not in told:
        manifest["asked"]["rollout"]["lanes"] = -1 if "lanes" in told else "many"
    (place / "runs/odd/run.json").write_text(json.dumps(manifest))
    ended = cli("train", "craftax", "--name", "odd", "--resume")
    assert (ended.code, ended.out) == (1, "")
    assert one_sentence(ended.err)
    assert told in ended.err


def test_runs_of_two_games_are_not_mixed(cli, place):
    shutil.copytree("runs/small", "runs/other")
    manifest = json.loads((place / "runs/other/run.json").read_text())
    manifest["asked"]["game"] = "Craftax"
    (place / "runs/other/run.json").write_text(json.dumps(manifest))
    ended = cli("evaluate", "runs/small", "runs/other", "--protocol", "quick")
    assert ended.err == "Error: The runs play Craftax and Craftax-Classic; evaluate them apart.\n"


# --- reshoot ---------------------------------------------------------------------------------------


def test_the_agent_is_filmed_in_the_episode_of_its_evaluation(cli, place):
    kept = RunFolder.open("runs/small").read_record(Evaluation, place_of(QUICK, 2048))
    ended = cli("reshoot", "runs/small", "3", "--tile", 8)
    assert (ended.code, ended.out) == (0, "small-world-3.mp4\n")
    shots = video.read(place / "small-world-3.mp4")
    assert {shot.shape for shot in shots} == {(72, 72, 3)}
    assert len(shots) == kept.episodes[3].length + 1


UNFIT = [
    (("5000",), 1, "There is no world '5000'; give a number from 0 to 1023."),
    (("r01-p1-g00",), 1, "There is no world 'r01-p1-g00'"),
    (("--checkpoint", "7"), 1, "kept no policy at step 7"),
    (("--camera", "top"), 2, "--camera does not fit a run of train; leave it out."),
]


@pytest.mark.parametrize(("words", "code", "told"), UNFIT, ids=[" ".join(words) for words, *_ in UNFIT])
def test_films_that_do_not_fit_a_run_of_training(cli, place, words, code, told):
    ended = cli("reshoot", "runs/small", *words)
    assert (ended.code, ended.out) == (code, "")
    assert told in ended.err


def test_a_game_of_practice_has_no_checkpoint(cli, place, practised):
    shutil.copytree(practised.path, "runs/practised")
    ended = cli("reshoot", "runs/practised", "r01-p1-g00", "--checkpoint", 1)
    assert ended.code == 2
    assert "--checkpoint does not fit a run of practice; leave it out." in ended.err
