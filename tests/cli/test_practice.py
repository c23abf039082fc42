"""``garten practice`` without interruptions: results, refusals, resuming. See also test_stopped.py."""

import dataclasses
import json
import shlex
import shutil
import subprocess

import pytest

from garten.cli._llm import NAMES
from garten.practice.players.llm.settings import Settings
from garten.practice.results import RoundResult
from garten.runs.codec import from_json
from support import LANTERN, command, garten, one_sentence, read_only, same_run

TINY = ("--rounds", 1, "--players", 1, "--games", 1, "--held-out", 0, "--size", "32x18", "--workers", 1)


@pytest.fixture
def place(practised, tmp_path, monkeypatch):
    """A current folder that holds a copy of the small run."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(practised.path, tmp_path / "runs" / "small")
    return tmp_path


def test_standard_output_is_one_json_object_and_progress_goes_elsewhere(practised):
    printed = json.loads(practised.out)
    assert list(printed) == ["rounds", "scores", "held_out", "paths"]
    assert printed["rounds"] == [1, 2]
    assert [len(scores) for scores in printed["scores"]] == [6, 6]
    assert [len(scores) for scores in printed["held_out"]] == [2, 2]
    said = [line.split(":")[0] for line in practised.err.splitlines()]
    said = [line for line in said if not line.startswith(("Compiling", "report"))]  # on slow machines
    assert list(dict.fromkeys(said)) == ["Practising in runs/small", "round 1/2", "round 2/2"]


def test_the_scores_printed_are_those_of_the_run(practised):
    printed = json.loads(practised.out)
    for number, scores, held_out in zip(
        printed["rounds"], printed["scores"], printed["held_out"], strict=True
    ):
        stored = json.loads((practised.path / f"rounds/{number:02d}/round.json").read_text())
        result = from_json(RoundResult, stored)
        assert scores == [game.score for game in result.games]
        assert held_out == [game.score for game in result.held_out]


def test_the_paths_printed_are_there(practised):
    paths = json.loads(practised.out)["paths"]
    place = practised.path.parents[1]
    assert (place / paths["run"]) == practised.path
    assert (place / paths["report"]).is_file()
    assert all(list((place / folder).glob("*/*/NOTE.md")) for folder in paths["playbooks"])


def test_for_people_there_is_a_table_and_the_place_of_the_report(cli, place):
    ended = cli("practice", LANTERN, "--resume")
    assert ended.code == 0
    head, first, second, report = ended.out.splitlines()
    assert head.startswith("round  games  best")
    assert (first.split()[:2], second.split()[:2]) == (["1", "6"], ["2", "6"])
    assert report == "Report: runs/small/report.html"


def test_runs_are_named_after_their_world_and_numbered(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("lantern", "lantern-2"):
        assert cli("practice", LANTERN, *TINY).code == 0
        assert (tmp_path / "runs" / name / "report.html").is_file()


def test_every_setting_of_a_model_has_its_flag(cli):
    assert set(NAMES) == {field.name for field in dataclasses.fields(Settings)}


WRONG_USAGE = [
    *(("--rounds", value) for value in ("0", "-1", "x", "1.5", "")),
    *(("--players", value) for value in ("0", "-2")),
    *(("--games", value) for value in ("0", "-3")),
    ("--held-out", "-1"),
    *(("--seed", value) for value in ("-1", "x")),
    ("--workers", "0"),
    *(("--size", value) for value in ("0x0", "100000x100000", "big")),
    ("--look", "rwa"),
    ("--player", "serach"),
    ("--model", "m"),  # not of the search player
    ("--dry-run",),
]


@pytest.mark.parametrize("words", WRONG_USAGE, ids=" ".join)
def test_wrong_values_are_refused_before_anything_is_made(cli, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    ended = cli("practice", LANTERN, *words)
    assert (ended.code, ended.out) == (2, "")
    assert "Error: " in ended.err
    assert words[0] in ended.err
    assert list(tmp_path.iterdir()) == []


REFUSED = [
    (("--name", "../up"), "cannot name a run"),
    (("--name", ""), "cannot name a run"),
    (("--resume",), "no run of"),
    (("--name", "nosuch", "--resume"), "no run runs/nosuch to resume"),
    (("--player", "llm"), "GARTEN_LLM_BASE_URL"),
    (("--player", "llm", "--base-url", "http://127.0.0.1:1", "--model", "m", "--frames", "0"), "frames"),
]


@pytest.mark.parametrize(("words", "told"), REFUSED, ids=[" ".join(words) for words, _ in REFUSED])
def test_what_cannot_be_done_is_one_sentence_and_leaves_nothing(cli, tmp_path, monkeypatch, words, told):
    monkeypatch.chdir(tmp_path)
    ended = cli("practice", LANTERN, *words)
    assert (ended.code, ended.out) == (1, "")
    assert one_sentence(ended.err)
    assert told in ended.err
    assert list(tmp_path.iterdir()) == []


def test_a_dry_run_of_a_model_says_what_it_would_use_and_asks_nothing(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ("--player", "llm", "--base-url", "http://127.0.0.1:1", "--model", "m", "--dry-run")
    ended = cli("practice", LANTERN, *words, "--price-in", 1, "--price-out", 2)
    assert (ended.code, ended.err) == (0, "")
    assert "calls" in ended.out
    assert "costing about" in ended.out
    printed = json.loads(cli("practice", LANTERN, *words, "--json").out)
    assert printed["usage"]["calls"] > 0
    assert list(tmp_path.iterdir()) == []


# --- runs that are there ---------------------------------------------------------------------------


def test_a_taken_name_is_refused(cli, place, practised):
    ended = cli("practice", LANTERN, "--name", "small")
    assert (ended.code, ended.out) == (1, "")
    assert one_sentence(ended.err)
    assert "--resume" in ended.err
    (place / "runs" / "other").mkdir()
    (place / "runs" / "other" / "thesis.txt").write_text("")
    assert "holds other files (thesis.txt)" in cli("practice", LANTERN, "--name", "other").err
    assert same_run(practised.path, place / "runs" / "small") == []


def test_a_finished_run_resumed_is_read_back(cli, place, practised):
    ended = cli("practice", LANTERN, "--name", "small", "--resume", "--json")
    assert ended.code == 0
    assert json.loads(ended.out) == json.loads(practised.out)
    assert same_run(practised.path, place / "runs" / "small") == []


def test_the_latest_run_of_the_world_is_resumed_however_its_path_is_written(cli, place):
    shutil.copytree(LANTERN, place / "own")
    assert cli("practice", "./own", "--name", "mine", *TINY).code == 0
    for path in ("./own", "./own/", place / "own"):
        ended = cli("practice", path, "--resume")
        assert (ended.code, ended.out.splitlines()[-1]) == (0, "Report: runs/mine/report.html")


def test_a_run_knows_its_world_from_any_folder(cli, place, monkeypatch):
    shutil.copytree(LANTERN, place / "own")
    assert cli("practice", "./own", "--name", "mine", *TINY).code == 0
    (place / "elsewhere").mkdir()
    monkeypatch.chdir(place / "elsewhere")
    assert cli("report", place / "runs" / "mine").code == 0
    (place / "elsewhere" / "runs").symlink_to(place / "runs")
    assert cli("practice", "../own", "--name", "mine", "--resume").code == 0


def test_closed_standard_streams_spoil_no_run(cli, place):
    assert cli("practice", LANTERN, *TINY, "--name", "tiny").code == 0
    (place / "closed").mkdir()
    words = shlex.join(command("practice", LANTERN, *TINY, "--name", "tiny"))
    done = subprocess.run(["sh", "-c", f"{words} <&- >&- 2>&-"], check=False, cwd=place / "closed")
    assert done.returncode == 0
    assert same_run(place / "runs" / "tiny", place / "closed" / "runs" / "tiny") == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--rounds", 3), "begun with rounds 2, not 3"),
        (("--seed", 5), "begun with seed 0, not 5"),
        (("--size", "160x90"), "begun with size [96, 54], not [160, 90]"),
        (("--look", "depth"), "begun with look 'raw', not 'depth'"),
    ],
)
def test_other_settings_on_resuming_are_refused(cli, place, words, told):
    ended = cli("practice", LANTERN, "--name", "small", "--resume", *words)
    assert (ended.code, ended.out) == (1, "")
    assert one_sentence(ended.err.splitlines(keepends=True)[-1])
    assert told in ended.err


def test_another_world_on_resuming_is_refused(cli, place):
    ended = cli("practice", "herding", "--name", "small", "--resume")
    assert one_sentence(ended.err)
    assert "not 'herding'" in ended.err


def test_an_unreadable_run_does_not_hide_the_others(cli, place):
    shutil.copytree(place / "runs" / "small", place / "runs" / "torn")
    (place / "runs" / "torn" / "run.json").write_text("{")
    ended = cli("practice", LANTERN, "--resume")
    assert ended.code == 0
    assert "Left out: runs/torn/run.json is damaged" in ended.err


def newer(run):
    text = (run / "run.json").read_text()
    (run / "run.json").write_text(text.replace('"schema": 1', '"schema": 2'))


def change(file, text):
    def damage(run):
        for path in run.glob(file):
            path.write_text(text)

    return damage


DAMAGES = {
    "a newer schema": (newer, "newer than the 1 read here; upgrade garten"),
    "no JSON in run.json": (change("run.json", "{"), "run.json is damaged"),
    "no run in run.json": (change("run.json", "{}"), "run.json is damaged"),
    "a torn round": (change("rounds/01/round.json", "{"), "round.json is damaged; delete it"),
    "a torn game": (change("rounds/02/episodes/*/episode.json", ""), "episode.json is damaged; delete it"),
    "a damaged log": (change("events.jsonl", "x\n"), "Line 1 of runs/small/events.jsonl is damaged"),
    "an added lesson": (
        lambda run: shutil.copytree(LANTERN, run / "rounds/01/playbooks/walker/p1/smuggled"),
        "is not what was frozen",
    ),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_run_is_refused_in_one_sentence(cli, place, name):
    damage, told = DAMAGES[name]
    damage(place / "runs" / "small")
    ended = cli("practice", LANTERN, "--name", "small", "--resume", "--workers", 1)
    assert (ended.code, ended.out) == (1, "")
    assert one_sentence(ended.err.splitlines(keepends=True)[-1])
    assert told in ended.err


def test_settings_that_cannot_be_are_refused(cli, place):
    manifest = json.loads((place / "runs/small/run.json").read_text())
    manifest["asked"]["rounds"] = "two"
    (place / "runs/small/run.json").write_text(json.dumps(manifest))
    for words in (("practice", LANTERN, "--name", "small", "--resume"), ("report", "runs/small")):
        ended = cli(*words)
        assert one_sentence(ended.err)
        assert "run.json is damaged (Asked.rounds" in ended.err


def test_damage_is_mended_by_deleting_what_the_sentence_names(cli, place, practised):
    damaged = place / "runs/small/rounds/02/episodes/r02-p1-g00/episode.json"
    damaged.write_text("{")
    assert "r02-p1-g00/episode.json is damaged; delete it" in cli("practice", LANTERN, "--resume").err
    damaged.unlink()
    assert cli("practice", LANTERN, "--resume").code == 0
    assert same_run(practised.path, place / "runs" / "small") == []


def test_where_nothing_can_be_written_it_says_so(cli, place):
    with read_only(place):
        ended = cli("practice", LANTERN, "--name", "new", *TINY)
        assert (ended.code, ended.out) == (1, "")
        assert one_sentence(ended.err)
        assert "change its permissions" in ended.err
        again = cli("practice", LANTERN, "--name", "small", "--resume")
        assert again.code == 1
        assert one_sentence(again.err)
        assert cli("report", "runs/small").code == 1
    assert cli("practice", LANTERN, "--name", "small", "--resume").code == 0


def test_a_full_disk_stops_it_in_one_sentence_and_resuming_goes_on(cli, place):
    words = ("practice", LANTERN, *TINY)
    limited = ["bash", "-c", 'ulimit -f 4; exec "$@"', "bash", *command(*words, "--name", "full")]
    done = subprocess.run(limited, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert one_sentence(done.stderr.splitlines(keepends=True)[-1])
    assert "no room on the disk" in done.stderr
    assert cli("report", "runs/full").code == 0
    assert cli(*words, "--name", "full", "--resume").code == 0
    assert cli(*words, "--name", "whole").code == 0
    for name in ("full", "whole"):  # the report names its run
        (place / "runs" / name / "report.html").unlink()
    assert same_run(place / "runs" / "full", place / "runs" / "whole") == []


@pytest.mark.parametrize("workers", [1, 2])
def test_a_broken_world_stops_it_in_one_sentence(tmp_path, workers):
    (tmp_path / "broken.py").write_text(
        f"import sys\nsys.path.insert(0, {str(LANTERN.parents[2] / 'tests')!r})\n"
        "from worlds.toy import Toy\n\n\n"
        "class Broken(Toy):\n    def _score(self):\n        return 1 / 0\n\n\nWORLD = Broken\n"
    )
    words = ("--rounds", 1, "--games", 2, "--held-out", 0, "--size", "32x18", "--workers", workers)
    done = garten("practice", tmp_path / "broken.py", *words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert one_sentence(done.stderr.splitlines(keepends=True)[-1])
    assert "ZeroDivisionError" in done.stderr
