"""Playbooks: what is written is what is read, and what is malformed is refused with the reason."""

import dataclasses
from pathlib import Path

import pytest
import yaml

from garten.errors import ProgramError
from garten.practice.playbook import (
    fingerprint,
    lesson_files,
    note_file,
    read_lesson,
    read_note,
    read_playbook,
    validate,
)
from garten.records import Lesson, Note

LESSON = Lesson(
    name="push-the-white-ones",
    description="Drive white things towards the orange posts: stand behind them, then walk.",
    body="# Push\n\nStand behind, then walk.\n\n```python\ndef policy():\n    forward()\n```",
    status="tested",
    world="herding",
    role="dogs",
    round=2,
    author="p1",
    evidence=("r02-p1-g03", "r02-p1-g03-blue-017"),
    code="def twice(action):\n    action()\n    action()\n",
    data={"skill": "push", "stand_off": 4.8, "games": [1, 2]},
)
NOTE = Note("p1", 2, "Pushing.", "It worked in r02-p1-g03.", "One lucky game?", "Both dogs at once.")
KNOWN = ("r02-p1-g03",)


def write(folder: Path, lesson: Lesson) -> Path:
    for name, text in lesson_files(lesson).items():
        path = folder / lesson.name / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / lesson.name


def test_a_lesson_read_back_is_the_lesson_written(tmp_path: Path) -> None:
    validate(LESSON, KNOWN)
    assert read_lesson(write(tmp_path, LESSON)) == LESSON


def test_a_note_read_back_is_the_note_written(tmp_path: Path) -> None:
    (tmp_path / "NOTE.md").write_text(note_file(NOTE))
    assert read_note(tmp_path / "NOTE.md") == NOTE


def test_the_front_matter_is_an_agent_skill(tmp_path: Path) -> None:
    text = (write(tmp_path, LESSON) / "SKILL.md").read_text()
    front = yaml.safe_load(text.split("---\n")[1])
    assert set(front) == {"name", "description", "metadata"}
    assert front["name"] == LESSON.name
    assert all(isinstance(value, str) for value in front["metadata"].values())


def test_a_playbook_holds_lessons_and_notes_in_the_order_of_their_paths(tmp_path: Path) -> None:
    for author in ("p2", "p1"):
        write(tmp_path / author, dataclasses.replace(LESSON, author=author))
        (tmp_path / author / "NOTE.md").write_text(note_file(dataclasses.replace(NOTE, author=author)))
    playbook = read_playbook(tmp_path)
    assert [lesson.author for lesson in playbook.lessons] == ["p1", "p2"]
    assert [note.author for note in playbook.notes] == ["p1", "p2"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"name": "../escape"}, "lower-case words"),
        ({"name": "a/b"}, "lower-case words"),
        ({"name": "Push"}, "lower-case words"),
        ({"name": "-push"}, "lower-case words"),
        ({"name": "push--it"}, "lower-case words"),
        ({"name": "x" * 65}, "at most 64"),
        ({"name": ""}, "lower-case words"),
        ({"description": ""}, "description"),
        ({"description": "x" * 1025}, "1024"),
        ({"description": "two\nlines"}, "one line"),
        ({"body": "  "}, "body"),
        ({"body": "x" * 20_001}, "body"),
        ({"status": "proved"}, "status"),
        ({"evidence": ()}, "without evidence"),
        ({"evidence": ("r02-p2-g03",)}, "none of its author's games"),
        ({"evidence": ("r02-p1-g030",)}, "none of its author's games"),
        ({"code": "def ("}, "not Python"),
        ({"code": "x = '\0'"}, "not Python"),
        ({"code": "x = 1\n" * 10_000}, "more than 50000 characters"),
        ({"code": "def forward(): pass"}, "redefines forward"),
        ({"code": "forward = None\ndef f(): pass"}, "redefines forward"),
        ({"code": "def f():\n    global print\n    print = 3"}, "redefines print"),
        ({"evidence": ("r02-p1-g03-x r09-p9-g99",)}, "none of its author's games"),
        ({"evidence": ("r02-p1-g03-\n---",)}, "none of its author's games"),
    ],
)
def test_a_malformed_lesson_is_refused_with_the_reason(change: dict[str, object], reason: str) -> None:
    with pytest.raises(ProgramError, match=reason):
        validate(dataclasses.replace(LESSON, **change), KNOWN, actions=["forward"])


def test_a_claim_needs_no_evidence() -> None:
    validate(dataclasses.replace(LESSON, status="claim", evidence=()), KNOWN)


def test_a_link_out_of_the_lesson_is_refused(tmp_path: Path) -> None:
    folder = write(tmp_path / "playbook", LESSON)
    secret = tmp_path / "secret.py"
    secret.write_text("password = 1\n")
    (folder / "scripts/lesson.py").unlink()
    (folder / "scripts/lesson.py").symlink_to(secret)
    with pytest.raises(ProgramError, match="leads out"):
        read_lesson(folder)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("# no front matter\n", "front matter"),
        ("---\nname: [\n---\nbody\n", "front matter"),
        ("---\nname: push-the-white-ones\n---\nbody\n", "lacks or garbles"),
        ("---\nname: other\ndescription: d\nmetadata: {}\n---\nbody\n", "lacks or garbles"),
    ],
)
def test_a_damaged_skill_file_is_refused_with_the_reason(tmp_path: Path, text: str, reason: str) -> None:
    folder = write(tmp_path, LESSON)
    (folder / "SKILL.md").write_text(text)
    with pytest.raises(ProgramError, match=reason):
        read_lesson(folder)


def test_a_lesson_in_a_folder_of_another_name_is_refused(tmp_path: Path) -> None:
    folder = write(tmp_path, LESSON)
    with pytest.raises(ProgramError, match="one name"):
        read_lesson(folder.rename(tmp_path / "other"))


def test_any_change_shows_in_the_fingerprint(tmp_path: Path) -> None:
    folder = write(tmp_path, LESSON)
    before = fingerprint(tmp_path)
    assert set(before) == {f"{LESSON.name}/{name}" for name in lesson_files(LESSON)}
    (folder / "data.json").write_text("{}\n")
    after = fingerprint(tmp_path)
    assert {name for name in before if before[name] != after[name]} == {f"{LESSON.name}/data.json"}
