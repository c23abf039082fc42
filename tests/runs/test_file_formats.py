"""docs/file-formats.md says what the code does."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from garten.curriculum.node import Node
from garten.practice.playbook import SECTIONS, lesson_files, read_lesson, validate
from garten.practice.results import Game
from garten.report.lineage import BUILDS_ON
from garten.runs.folder import Manifest
from garten.runs.index import VIEWS

PAGE = (Path(__file__).parents[2] / "docs" / "file-formats.md").read_text()


def cells(first):
    """The cells after the one that says `first`, in the page's tables."""
    (row,) = re.findall(rf"^\| `{re.escape(first)}` \|(.*)\|$", PAGE, re.MULTILINE)
    return row


def test_every_field_of_the_description_is_listed():
    section = PAGE.split("## run.json")[1].split("## ")[0]
    assert re.findall(r"^\| `(\w+)`", section, re.MULTILINE) == [item.name for item in fields(Manifest)]


def test_every_field_of_a_level_is_listed():
    section = PAGE.split("## levels")[1].split("\n## ")[0]
    listed = re.findall(r"^\| `(\w+)`", section, re.MULTILINE)
    assert listed == [item.name for item in fields(Node) if item.name != "source"]


@pytest.mark.parametrize("view", VIEWS)
def test_every_column_of_the_index_is_listed(view):
    kind, columns = VIEWS[view]
    assert re.findall(r"`(\w+)`", cells(view)) == [kind, "number", *columns]


def test_every_field_of_a_game_is_listed():
    named = re.findall(r"`(\w+)`", cells("game"))
    assert named == ["round", "game", *(item.name for item in fields(Game))]


def test_every_field_of_a_lesson_event_is_listed():
    _, columns = VIEWS["lessons"]
    assert sorted(re.findall(r"`(\w+)`", cells("lesson"))) == sorted(columns)


def test_the_lesson_shown_is_one_that_is_read(tmp_path):
    section = PAGE.split("## playbooks")[1].split("\n## ")[0]
    (shown,) = re.findall(r"```\n(.*?)```", section, re.DOTALL)
    folder = tmp_path / "walk-to-the-light"
    folder.mkdir()
    (folder / "SKILL.md").write_text(shown)
    lesson = read_lesson(folder)
    assert lesson.evidence == ("r01-p1-g00", "r01-p1-g02-walker-017")
    validate(lesson, lesson.evidence)
    assert lesson_files(lesson) == {"SKILL.md": shown}
    (front,) = re.findall(r"metadata:\n(.*?)---", shown, re.DOTALL)
    named = re.findall(r"^\| (`.+`) \|", section, re.MULTILINE)
    assert re.findall(r"^  (\w+):", front, re.MULTILINE) == re.findall(r"`(\w+)`", " ".join(named))
    assert f"`{BUILDS_ON}`" in section
    assert all(title in section for title in SECTIONS)
