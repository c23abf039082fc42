import json
import pickle
from pathlib import Path

import pytest

import garten
from garten.errors import RunError
from garten.runs.folder import SCHEMA, RunFolder, run_path
from support import read_only


@pytest.fixture
def folder(tmp_path):
    return RunFolder.create(tmp_path / "runs" / "one", {"rounds": 4}, seeds=[0, 1], kind="practice")


def test_a_run_says_what_it_is(folder):
    manifest = RunFolder.open(folder.path).manifest
    assert (manifest.schema, manifest.kind, manifest.asked, manifest.seeds) == (
        SCHEMA,
        "practice",
        {"rounds": 4},
        (0, 1),
    )
    assert manifest.versions["garten"] == garten.__version__
    assert set(manifest.versions) == {"garten", "python", "numpy", "warp"}
    assert manifest.host["cores"] >= 1
    assert manifest.time.endswith("+00:00")


def test_files_come_back_as_they_were(folder):
    folder.write_bytes("a/b/c.bin", b"\0\1")
    folder.write_text("a/note.md", "é\ud800")
    folder.write_json("a/x.json", {"b": 1, "a": (2,)})
    assert folder.read_bytes("a/b/c.bin") == b"\0\1"
    assert folder.read_bytes("a/note.md") == "é\\ud800".encode()
    assert folder.read_json("a/x.json") == {"a": [2], "b": 1}
    assert folder.exists("a/x.json")
    assert not folder.exists("a")
    assert not list(folder.path.rglob("*.tmp"))


def test_a_run_can_be_sent_to_another_process(folder):
    again = pickle.loads(pickle.dumps(folder))
    assert again == folder


@pytest.mark.parametrize(
    "relative", ["", ".", "/etc/passwd", "//x", "../x", "a/../../x", "a/..", "out/x", "link", "a\0b"]
)
def test_a_path_that_leaves_the_run_is_refused(folder, tmp_path, relative):
    (folder.path / "out").symlink_to(tmp_path)
    (folder.path / "link").symlink_to(tmp_path / "x")
    for use in (folder.file, folder.exists, folder.read_bytes, lambda path: folder.write_text(path, "")):
        with pytest.raises(RunError, match=r"leaves the run .*; give one inside it\.$"):
            use(relative)
    assert not (tmp_path / "x").exists()


def test_a_taken_name_is_refused(folder, tmp_path):
    with pytest.raises(RunError, match="exists; go on with it by --resume or choose another --name"):
        RunFolder.create(folder.path, {}, seeds=[], kind="practice")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("")
    with pytest.raises(RunError, match=r"holds other files \(thesis\.tex\); choose another --name"):
        RunFolder.create(tmp_path / "mine", {}, seeds=[], kind="practice")
    with pytest.raises(RunError, match="is a file; choose another --name"):
        RunFolder.create(tmp_path / "mine" / "thesis.tex", {}, seeds=[], kind="practice")
    with pytest.raises(RunError, match=r"run could not be written"):
        RunFolder.create(tmp_path / "mine" / "thesis.tex" / "run", {}, seeds=[], kind="practice")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.tex"]


def test_a_folder_left_by_a_kill_at_the_very_start_is_free(tmp_path):
    (tmp_path / ".run.json.0123.tmp").write_text("{")
    (tmp_path / ".lock").write_text("")
    RunFolder.create(tmp_path, {}, seeds=[], kind="practice")


def test_what_is_not_a_run_is_refused(tmp_path):
    with pytest.raises(RunError, match="There is no run at"):
        RunFolder.open(tmp_path / "nowhere")
    with pytest.raises(RunError, match=r"is not a run, for it holds no run\.json"):
        RunFolder.open(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="There is no run at"):
        RunFolder.open(tmp_path / "file")


@pytest.mark.parametrize(
    "content", ["", "{", "[]", "{}", '{"schema": "1"}', '{"schema": 1, "kind": 5}', "\xff"]
)
def test_a_damaged_description_is_told(folder, content):
    (folder.path / "run.json").write_bytes(content.encode("latin-1"))
    with pytest.raises(RunError, match=r"run\.json is damaged; restore it from a copy"):
        RunFolder.open(folder.path)


def test_a_newer_schema_is_refused_even_if_its_fields_are_unknown(folder):
    (folder.path / "run.json").write_text(json.dumps({"schema": SCHEMA + 1, "new": 1}))
    with pytest.raises(RunError, match=r"has schema 2, newer than the 1 read here; upgrade garten\.$"):
        RunFolder.open(folder.path)


def test_missing_and_damaged_files_are_told(folder):
    with pytest.raises(RunError, match=r"x\.json could not be read \(no such file or directory\)"):
        folder.read_json("x.json")
    folder.write_text("x.json", "{")
    with pytest.raises(RunError, match=r"x\.json is damaged; delete it and go on with --resume"):
        folder.read_json("x.json")


def test_a_read_only_run_refuses_writing_in_one_sentence_and_is_readable(folder):
    folder.write_json("x.json", 1)
    with read_only(folder.path.parent):
        for relative in ("x.json", "y.json", "new/y.json"):
            with pytest.raises(RunError, match=r"cannot be written \(permission denied\); change its perm"):
                folder.write_json(relative, 2)
        with pytest.raises(RunError, match="cannot be written"):
            RunFolder.create(folder.path.parent / "two", {}, seeds=[], kind="practice")
        assert RunFolder.open(folder.path).read_json("x.json") == 1
    assert sorted(path.name for path in folder.path.iterdir()) == ["run.json", "x.json"]


def test_names_of_runs():
    assert run_path("my-run_2.1") == Path("runs/my-run_2.1")
    assert run_path("x" * 200) == Path("runs") / ("x" * 200)
    for name in ("", ".", "..", "a/b", "/a", "a\\b", ".hidden", "a\nb", "a\0", "x" * 201, "\u00e9" * 101):
        with pytest.raises(RunError, match="cannot name a run; use letters, digits and dashes"):
            run_path(name)
