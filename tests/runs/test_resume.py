import json
import subprocess
import sys
from pathlib import Path

import pytest

from garten.errors import RunError
from garten.records import Score
from garten.runs.checkpoint import latest_checkpoint
from garten.runs.codec import from_json
from garten.runs.events import read_events
from garten.runs.folder import RunFolder
from garten.runs.resume import begin
from support import read_only, same_run

KILLS = 80


def started(path, *, resume=False, **asked):
    return begin(path, asked, seeds=[1], kind="test", resume=resume)


def play(folder, *, seed=0, kills=0):
    """Play the little run of program.py and return how often it was killed and how many runs came of it."""
    program = Path(__file__).with_name("program.py")
    command = [sys.executable, str(program), str(folder), str(seed), str(kills)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_runs_killed_anywhere_and_resumed_equal_one_that_was_not(tmp_path):
    play(tmp_path / "whole")
    whole = tmp_path / "whole" / "run0"
    counts = play(tmp_path / "killed", seed=1, kills=KILLS)
    assert counts["killed"] == KILLS
    runs = list((tmp_path / "killed").iterdir())
    # Some runs get through on the first try, and some are killed many times on their way.
    assert 5 <= len(runs) == counts["finished"] <= KILLS // 2
    for run in runs:
        assert same_run(whole, run) == []
        assert len({event.time for event in read_events(run)}) > 1
    assert json.loads((whole / "totals.json").read_bytes())["total"] > 0
    assert latest_checkpoint(RunFolder.open(whole)).state == RunFolder.open(whole).read_json("totals.json")


def test_resuming_under_another_version_is_told(tmp_path, caplog):
    with started(tmp_path / "run"):
        pass
    with started(tmp_path / "run", resume=True):
        assert caplog.text == ""
    manifest = tmp_path / "run" / "run.json"
    content = json.loads(manifest.read_bytes())
    content["versions"]["garten"] = "0.0.1"
    manifest.write_text(json.dumps(content))
    with started(tmp_path / "run", resume=True):
        assert "was begun with garten 0.0.1 and goes on with" in caplog.text


def test_the_comparison_of_runs_can_fail(tmp_path):
    for name in ("one", "two"):
        play(tmp_path / name)
    one, two = tmp_path / "one" / "run0", tmp_path / "two" / "run0"
    assert same_run(one, two) == []
    (two / "rounds/01/note.json").write_text('{"total": 0}')
    (two / "rounds/02/note.json").rename(two / "rounds/02/other.json")
    (two / "rounds/03/episodes/g0/frames.bin").write_bytes(b"")
    (two / "events.jsonl").write_bytes((two / "events.jsonl").read_bytes().replace(b'"score"', b'"Score"'))
    assert same_run(one, two) == [
        "events.jsonl differs",
        "rounds/01/note.json differs",
        "rounds/02/note.json is in one run only",
        "rounds/02/other.json is in one run only",
        "rounds/03/episodes/g0/frames.bin differs",
    ]


def test_once_computes_once_and_gives_the_same_value_ever_after(tmp_path):
    computed = []

    def compute():
        computed.append(1)
        return Score(1, 2.5, {"b": 1, "a": 2})

    values = []
    for resume in (False, True):
        with started(tmp_path, resume=resume) as run:
            values += [run.once("a/score.json", compute), run.once("a/score.json", compute)]
    assert len(computed) == 1
    assert {json.dumps(value) for value in values} == {
        '{"measure": 2.5, "parts": {"a": 2, "b": 1}, "progress": 0.0, "teams": {}, "value": 1}'
    }
    assert from_json(Score, values[0]) == Score(1.0, 2.5, {"a": 2.0, "b": 1.0})


def test_a_computation_that_fails_is_not_stored(tmp_path):
    with started(tmp_path) as run:
        with pytest.raises(ZeroDivisionError):
            run.once("a.json", lambda: 1 / 0)
        assert run.once("a.json", lambda: 5) == 5


def test_each_computes_what_is_missing_and_keeps_the_order(tmp_path):
    asked = []

    def compute(missing):
        asked.append(list(missing))
        for path, item in reversed(missing.items()):
            yield path, item * 10

    items = {f"g{index}.json": index for index in (3, 1, 2)}
    expected = [("g3.json", 30), ("g1.json", 10), ("g2.json", 20)]
    with started(tmp_path) as run:
        run.once("g1.json", lambda: 10)
        assert list(run.each(items, compute)) == expected
        assert list(run.each(items, compute)) == expected
        assert list(run.each({}, compute)) == []
    assert asked == [["g3.json", "g2.json"]]


def test_each_gives_a_value_as_soon_as_those_before_it_are_there(tmp_path):
    log = []

    def compute(missing):
        for path in ("a.json", "c.json", "b.json"):
            log.append(f"computing {path}")
            yield path, 0

    with started(tmp_path) as run:
        for path, _ in run.each(dict.fromkeys(("a.json", "b.json", "c.json")), compute):
            log.append(f"got {path}")
    assert log == [
        "computing a.json",
        "got a.json",
        "computing c.json",
        "computing b.json",
        "got b.json",
        "got c.json",
    ]


def test_each_stores_a_finished_value_before_the_next_is_computed(tmp_path):
    def compute(missing):
        yield "b.json", 2
        raise KeyboardInterrupt

    items = dict.fromkeys(("a.json", "b.json"))
    with pytest.raises(KeyboardInterrupt), started(tmp_path) as run:
        list(run.each(items, compute))
    with started(tmp_path, resume=True) as run:
        assert list(run.each(items, lambda missing: [(path, 1) for path in missing])) == [
            ("a.json", 1),
            ("b.json", 2),
        ]


def test_resuming_needs_resume_and_the_same_settings(tmp_path):
    with started(tmp_path, rounds=4, look="raw"):
        pass
    with pytest.raises(RunError, match="exists; go on with it by --resume"), started(tmp_path, rounds=4):
        pass
    with (
        pytest.raises(RunError, match=r"was begun with rounds 4, not 5; resume it with the same settings or"),
        started(tmp_path, resume=True, rounds=5, look="raw"),
    ):
        pass
    with (
        pytest.raises(RunError, match="was begun with kind 'test', not 'train'"),
        begin(tmp_path, {"rounds": 4, "look": "raw"}, seeds=[1], kind="train", resume=True),
    ):
        pass
    with (
        pytest.raises(RunError, match=r"was begun with seeds \[1\], not \[2\]"),
        begin(tmp_path, {"rounds": 4, "look": "raw"}, seeds=[2], kind="test", resume=True),
    ):
        pass
    with started(tmp_path, resume=True, rounds=4, look="raw"):
        pass


def test_settings_that_another_version_had_are_no_hindrance_unless_used(tmp_path):
    with started(tmp_path, rounds=4, size={"most": 5}):
        pass
    for new in (None, False, 0, {}):
        with started(tmp_path, resume=True, rounds=4, size={"most": 5, "fewest": new}, film=new):
            pass
    told = (
        r"was begun without size\.fewest, which is 2 now; take that back if you asked for it, else go on "
        r"with the version of Garten that began the run \(.+\), or choose another --name\.$"
    )
    with (
        pytest.raises(RunError, match=told),
        started(tmp_path, resume=True, rounds=4, size={"most": 5, "fewest": 2}),
    ):
        pass
    with (
        pytest.raises(RunError, match=r"was begun with size\.most 5, not 0"),
        started(tmp_path, resume=True, rounds=4, size={"most": 0}),
    ):
        pass
    with pytest.raises(RunError, match=r"size\.most 5, not None"), started(tmp_path, resume=True, rounds=4):
        pass


def test_settings_of_python_types_equal_themselves_after_the_disk(tmp_path):
    for resume in (False, True):
        with begin(tmp_path, {"size": (160, 90)}, seeds=(1,), kind="test", resume=resume):
            pass


def test_resuming_what_was_never_begun_begins_it(tmp_path):
    with started(tmp_path / "run", resume=True) as run:
        run.event("said", {})
    assert len(list(read_events(tmp_path / "run"))) == 1


def test_resuming_drops_the_temporary_files_of_a_kill(tmp_path):
    with started(tmp_path) as run:
        run.once("a/b.json", lambda: 1)
    leftover = tmp_path / "a" / ".c.json.012345.tmp"
    leftover.write_bytes(b"half")
    with started(tmp_path, resume=True):
        assert not leftover.exists()


def test_a_run_that_differs_from_itself_is_refused(tmp_path):
    with started(tmp_path) as run:
        run.event("said", {"score": 1})
    with (
        started(tmp_path, resume=True) as run,
        pytest.raises(RunError, match="comes out differently than before"),
    ):
        run.event("said", {"score": 2})


def test_what_need_not_come_out_the_same_is_taken_back_up_to_the_checkpoint(tmp_path):
    with started(tmp_path) as run:
        for score in range(4):
            run.event("said", {"score": score})
    before = (tmp_path / "events.jsonl").read_bytes().splitlines()
    with started(tmp_path, resume=True) as run:
        run.go_on_from(2, exact=False)
        assert (tmp_path / "events.jsonl").read_bytes().splitlines() == before[:2]
        run.event("said", {"score": 9})
    assert [event.data["score"] for event in read_events(tmp_path)] == [0, 1, 9]


def test_a_read_only_run_cannot_be_resumed_and_can_be_read(tmp_path):
    with started(tmp_path / "run") as run:
        run.once("a.json", lambda: 1)
    with read_only(tmp_path):
        with (
            pytest.raises(RunError, match=r"cannot be written \(permission denied\); change its permissions"),
            started(tmp_path / "run", resume=True),
        ):
            pass
        with pytest.raises(RunError, match="cannot be written"), started(tmp_path / "other"):
            pass
        assert RunFolder.open(tmp_path / "run").read_json("a.json") == 1


def test_the_lock_is_free_after_an_error(tmp_path):
    with pytest.raises(ZeroDivisionError), started(tmp_path) as run:
        run.once("a.json", lambda: 1 / 0)
    with started(tmp_path, resume=True):
        pass
