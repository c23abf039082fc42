"""``garten dream level``: levels from seeds and from a run's archive, each of which passes its check."""

import json

import pytest

from authors.learners import known
from chat_server import serve
from garten.curriculum.archive import Archive
from garten.curriculum.dream import from_run
from garten.curriculum.gate import judge
from garten.curriculum.node import Training
from garten.levels.domain import CraftaxDomain
from garten.levels.find import source_of
from garten.levels.level import LIMITS
from garten.runs.folder import RunFolder
from garten.runs.resume import begin
from garten.sandbox import Sandbox
from support import one_sentence


def test_levels_from_the_seeds_pass_their_checks(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ended = cli("dream", "level", "--count", 8, "--seed", 3)
    assert (ended.code, ended.err.splitlines()[0]) == (0, "Writing 8 levels from the 4 seed levels.")
    *lines, last = ended.out.splitlines()
    assert last == "8 of 8 levels passed."
    files = sorted(tmp_path.glob("levels/*.py"))
    assert sorted(line.split()[0] for line in lines) == [f"levels/{path.name}" for path in files]
    assert cli("check", files[0]).code == 0
    texts = [path.read_text() for path in files]
    assert cli("dream", "level", "--count", 8, "--seed", 3, "--out", "again").out.count("again/") == 8
    assert [path.read_text() for path in sorted(tmp_path.glob("again/*.py"))] == texts


def test_json_says_what_came_of_each(cli, tmp_path):
    ended = cli("dream", "level", "--count", 2, "--out", tmp_path / "new", "--json")
    told = json.loads(ended.out)
    assert [entry["failed"] for entry in told] == ["", ""]
    assert all(entry["file"].endswith(f"{entry['digest'][:16]}.py") for entry in told)
    assert all(entry["reasoning"].startswith("The parent was not trained.") for entry in told)


def test_levels_of_a_run_are_parents_and_what_the_policy_knows_counts(cli, tmp_path):
    with Sandbox(LIMITS) as sandbox, begin(tmp_path / "run", {}, seeds=[0], kind="train") as run:
        reading = CraftaxDomain(sandbox).read(source_of("level:crafting"))
        went = known(reading, 0.95).performance
        target = {"success": None, "achievements": {"COLLECT_STONE": 0.9}, "episodes": 9}
        with Archive(run.folder) as archive:
            archive.add(reading, cycle=0, origin="seed")
            archive.record(reading.digest, Training(0, went, went, {"learnability": 0.05}))
        run.event("cycle", {"cycle": 0, "target": target})
        run.event("cycle", {"cycle": 1, "target": {"achievements": {}, "episodes": 0}})
        basis = from_run(run.folder, 3, seed=0)
    assert basis.profile == {"COLLECT_STONE": 0.9}
    ended = cli("dream", "level", tmp_path / "run", "--count", 12, "--out", tmp_path / "new", "--json")
    assert ended.err.splitlines()[0] == f"Writing 12 levels from the one level of {tmp_path / 'run'}."
    told = json.loads(ended.out)
    assert {entry["parent"] for entry in told} == {reading.digest}
    assert all("95% met" in entry["reasoning"] for entry in told)
    assert not any("COLLECT_STONE" in entry["goal"] for entry in told)


def test_a_run_without_levels_is_as_none(cli, tmp_path):
    RunFolder.create(tmp_path / "run", {}, seeds=[0], kind="train")
    ended = cli("dream", "level", tmp_path / "run", "--count", 1, "--out", tmp_path / "new")
    assert ended.code == 0
    says = f"Writing 1 level from the 4 seed levels, for {tmp_path / 'run'} has none."
    assert ended.err.splitlines()[0] == says


def test_a_run_of_another_kind_is_refused(cli, practised, tmp_path):
    ended = cli("dream", "level", practised.path, "--out", tmp_path / "new")
    assert (ended.code, ended.out) == (1, "")
    assert one_sentence(ended.err)
    assert "is a run of practice, which has no levels; give one of garten train" in ended.err
    assert not (tmp_path / "new").exists()


def test_a_run_in_another_engine_is_refused(cli, tmp_path):
    RunFolder.create(tmp_path / "run", {"game": "Sled"}, seeds=[0], kind="train")
    ended = cli("dream", "level", tmp_path / "run", "--out", tmp_path / "new")
    assert (ended.code, ended.out) == (1, "")
    assert one_sentence(ended.err)
    assert "is a run of Sled, whose levels are read by its own domain; give one of Craftax." in ended.err


@pytest.mark.parametrize("before", [0, 3])
def test_an_interrupt_keeps_the_levels_that_passed(cli, tmp_path, monkeypatch, before):
    judged = []

    def judge_some(answers, domain, *, known):
        if len(judged) == before:
            raise KeyboardInterrupt
        judged.append(answers)
        return judge(answers, domain, known=known)

    monkeypatch.setattr("garten.curriculum.dream.judge", judge_some)
    ended = cli("dream", "level", "--count", 8, "--out", tmp_path / "new")
    assert (ended.code, ended.out) == (130, "")
    *_, said, _, last = ended.err.splitlines()
    assert last == "Stopped."
    where = f"; they are in {tmp_path / 'new'}." if before else "."
    assert said == f"{before} of 8 levels written, {before} passed{where}"
    assert len(list(tmp_path.glob("new/*.py"))) == before


def test_a_language_model_writes_too_and_its_faults_are_told(cli, tmp_path):
    code = source_of("level:combat")
    new = code.replace("n=3", "n=2")
    replies = [f"<description>Cows.</description>\n```python\n{each}```" for each in (code, new)]
    for reply, status, says in zip(
        replies, (1, 0), ("refused: same  ", "1 of 1 levels passed."), strict=True
    ):
        with serve([reply]) as server:
            asked = ("--author", "llm", "--base-url", server.url, "--model", "scripted", "--count", 1)
            ended = cli("dream", "level", *asked, "--out", tmp_path / str(status))
        assert ended.code == status
        assert says in ended.out
        assert list((tmp_path / str(status) / "tapes").glob("*.tape.jsonl"))
    assert [path.read_text() for path in (tmp_path / "0").glob("*.py")] == [new]


def test_a_folder_that_cannot_be_written_is_told_before_anything_is_asked(cli, tmp_path):
    (tmp_path / "file").write_text("")
    asked = ("--author", "llm", "--base-url", "http://127.0.0.1:9/v1", "--model", "none", "--count", 1)
    ended = cli("dream", "level", *asked, "--out", tmp_path / "file" / "levels")
    assert (ended.code, ended.out) == (1, "")
    said = f"The folder {tmp_path / 'file' / 'levels'} cannot be written (not a directory)"
    assert ended.err == f"Error: {said}; choose another --out.\n"


def test_wrong_words_are_one_sentence(cli, tmp_path):
    assert "go with --author llm" in cli("dream", "level", "--model", "x").err
    assert "No model endpoint is set" in cli("dream", "level", "--author", "llm").err
    assert "There is no run at" in cli("dream", "level", tmp_path / "none").err
